import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { nullTranslator } from '@jupyterlab/translation';

import {
  type FixerName,
  type SessionSettings,
  settingInputs
} from '../../api/types';
import { isWithin, SAMPLE, valueOf } from './settings';

/** The user's settings from the Settings editor. */
export interface IPreferences {
  /**
   * For new sessions. Unset settings are missing, so that the server's own
   * defaults apply.
   */
  session: Partial<SessionSettings>;
  /** Whether Modernize opens the panel. */
  openPanel: boolean;
  /**
   * Whether the panel opens automatically for a notebook with predicted
   * failures.
   */
  openForOldNotebooks: boolean;
  /** Whether cells are marked in the notebook. */
  markCells: boolean;
  /** Whether a proposal is displayed in the cells it changes. */
  reviewInCells: boolean;
  /** Whether notebooks may run in a sandbox that does not isolate, without a question. */
  allowUnisolated: boolean;
  /** Whether a notebook may be sent to the model without a question. */
  allowModel: boolean;
  /**
   * Whether a notification reports the end of work while the panel is not in
   * view.
   */
  notify: boolean;
}

/** Who may propose fixes, as the user chooses it. */
export type FixerChoice = 'rules' | 'llm' | 'rules-llm';

/**
 * The fixers of each choice, in their order.
 */
export const FIXERS: Record<FixerChoice, FixerName[]> = {
  rules: ['rules'],
  llm: ['llm'],
  'rules-llm': ['rules', 'llm']
};

/**
 * Read the settings; values of the wrong type count as unset.
 *
 * @param settings - Null if the application has no settings.
 */
export function readPreferences(
  settings: ISettingRegistry.ISettings | null
): IPreferences {
  const {
    allowModel,
    allowUnisolated,
    askAbove,
    markCells,
    notify,
    openForOldNotebooks,
    openPanel,
    reviewInCells
  } = settings?.composite ?? {};
  const isOn = (value: unknown) => value !== false;
  return {
    session: {
      ...readSession(settings?.user ?? {}),
      ...(typeof askAbove === 'number' ? { ask_above: askAbove } : {})
    },
    openForOldNotebooks: isOn(openForOldNotebooks),
    openPanel: isOn(openPanel),
    markCells: isOn(markCells),
    reviewInCells: isOn(reviewInCells),
    allowModel: allowModel === true,
    allowUnisolated: allowUnisolated === true,
    notify: isOn(notify)
  };
}

/** Return the choice that corresponds to a list of fixers. */
export function fixerChoice(fixers: readonly FixerName[]): FixerChoice {
  return fixers.length === 1 ? fixers[0] : 'rules-llm';
}

function readSession(
  user: ISettingRegistry.ISettings['user']
): Partial<SessionSettings> {
  const { fixers, rehearsal, rehearsalRows, sandbox } = user;
  const session: Partial<SessionSettings> = {};
  for (const input of settingInputs(nullTranslator.load(''))) {
    const preference = user[input.preference];
    const value = valueOf(String(preference), input);
    const isValue =
      typeof value === 'number'
        ? typeof preference === 'number' && isWithin(value, input)
        : value === preference &&
          (typeof value === 'boolean' ||
            input.labels.some(([name]) => name === value));
    if (isValue) {
      Object.assign(session, { [input.name]: value });
    }
  }
  if (fixers === 'rules' || fixers === 'llm' || fixers === 'rules-llm') {
    session.fixers = FIXERS[fixers];
  }
  if (rehearsal === true) {
    const rows =
      typeof rehearsalRows === 'number' ? rehearsalRows : SAMPLE.rows;
    session.rehearsal = { ...SAMPLE, rows };
  }
  if (typeof sandbox === 'string' && sandbox) {
    session.sandbox = sandbox;
  }
  return session;
}

import type { ISettingRegistry } from '@jupyterlab/settingregistry';

import type { FixerName, SessionSettings } from '../../api/types';
import { readBudget } from './budget';
import { SAMPLE_ROWS } from './settings';

/**
 * What the person set in the Settings editor.
 */
export interface IPreferences {
  /**
   * For new sessions. Settings left alone are missing, so that the server's own defaults stand.
   */
  session: Partial<SessionSettings>;
  /** Whether Modernize opens the panel. */
  openPanel: boolean;
  /** Whether the panel opens by itself for a notebook of which it is known what will break. */
  openForOldNotebooks: boolean;
  /** Whether cells are marked in the notebook. */
  markCells: boolean;
  /** Whether a proposal is shown in the cells it changes. */
  reviewInCells: boolean;
  /** Whether notebooks may run in a sandbox that does not isolate, without a question. */
  allowUnisolated: boolean;
  /** Whether a notebook may be sent to the model without a question. */
  allowModel: boolean;
  /** Whether the end of work is told while the panel is not in view. */
  notify: boolean;
}

/**
 * Who may propose fixes, as people choose it.
 */
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
 * Reads the settings; what has the wrong type counts as left alone.
 *
 * @param settings - Null where the application has no settings.
 */
export function readPreferences(
  settings: ISettingRegistry.ISettings | null
): IPreferences {
  const {
    allowModel,
    allowUnisolated,
    markCells,
    notify,
    openForOldNotebooks,
    openPanel,
    reviewInCells
  } = settings?.composite ?? {};
  const isOn = (value: unknown) => value !== false;
  return {
    session: readSession(settings?.user ?? {}),
    openForOldNotebooks: isOn(openForOldNotebooks),
    openPanel: isOn(openPanel),
    markCells: isOn(markCells),
    reviewInCells: isOn(reviewInCells),
    allowModel: allowModel === true,
    allowUnisolated: allowUnisolated === true,
    notify: isOn(notify)
  };
}

/**
 * The choice that stands for a list of fixers.
 */
export function fixerChoice(fixers: readonly FixerName[]): FixerChoice {
  return fixers.length === 1 ? fixers[0] : 'rules-llm';
}

function readSession(
  user: ISettingRegistry.ISettings['user']
): Partial<SessionSettings> {
  const { rehearsal, rehearsalRows } = user;
  const { fixers, maxFixes, mode, sandbox, scope, threshold, timeLimit } = user;
  const session: Partial<SessionSettings> = {};
  if (mode === 'step' || mode === 'auto') {
    session.mode = mode;
  }
  if (scope === 'file' || scope === 'cell') {
    session.scope = scope;
  }
  if (fixers === 'rules' || fixers === 'llm' || fixers === 'rules-llm') {
    session.fixers = FIXERS[fixers];
  }
  if (typeof threshold === 'number' && threshold > 0) {
    session.threshold = threshold / 100;
  }
  if (typeof timeLimit === 'number' && timeLimit > 0) {
    session.time_limit = timeLimit * 60;
  }
  if (typeof maxFixes === 'number' && maxFixes >= 0) {
    session.max_fixes = maxFixes;
  }
  Object.assign(session, readBudget(user));
  if (rehearsal === true) {
    const rows =
      typeof rehearsalRows === 'number' ? rehearsalRows : SAMPLE_ROWS;
    session.rehearsal = { rows, time_limit: null };
  }
  if (typeof sandbox === 'string' && sandbox) {
    session.sandbox = sandbox;
  }
  return session;
}

import type { TranslationBundle } from '@jupyterlab/translation';

import type { SessionSettings } from '../../api/types';

/** Limits of auto mode, as typed; an empty field means no limit. */
export interface IBudgetDraft {
  /** Tokens the model may use. */
  maxTokens: string;
  /** Maximum cost of the model, in US dollars. */
  maxCost: string;
  /** Minutes of work. */
  maxMinutes: string;
  /** Number of fixes in a row without progress before it stops. */
  patience: string;
  /** Number of fixes tried at the same time. */
  alternatives: string;
  /** Whether changes of the experiment are applied without a question. */
  allowsExperiment: boolean;
}

/**
 * The typed fields of it.
 */
export type BudgetField = Exclude<keyof IBudgetDraft, 'allowsExperiment'>;

type BudgetSettings = Pick<
  SessionSettings,
  | 'max_tokens'
  | 'max_usd'
  | 'max_seconds'
  | 'patience'
  | 'alternatives'
  | 'allow_experiment_changes'
>;

/** Return settings in the format of the form. */
export function toBudgetDraft(settings: BudgetSettings): IBudgetDraft {
  const { max_seconds: seconds, max_tokens: tokens, max_usd: usd } = settings;
  return {
    maxTokens: tokens === null ? '' : String(tokens),
    maxCost: usd === null ? '' : String(usd),
    maxMinutes:
      seconds === null ? '' : String(Number((seconds / 60).toFixed(6))),
    patience: String(settings.patience),
    alternatives: String(settings.alternatives),
    allowsExperiment: settings.allow_experiment_changes
  };
}

/**
 * Check the fields; put problems into `errors`.
 *
 * @param read - Reads a number, NaN if absent.
 */
export function checkBudget(
  draft: IBudgetDraft,
  errors: Partial<Record<BudgetField, string>>,
  read: (text: string) => number,
  trans: TranslationBundle
): BudgetSettings {
  const bound = (text: string) => (text.trim() ? read(text) : null);
  const tokens = bound(draft.maxTokens);
  if (tokens !== null && !(Number.isInteger(tokens) && tokens >= 1)) {
    errors.maxTokens = trans.__(
      'The token limit must be a whole number of at least 1, or empty.'
    );
  }
  const usd = bound(draft.maxCost);
  if (usd !== null && !(usd > 0)) {
    errors.maxCost = trans.__(
      'The cost limit must be more than 0 dollars, or empty.'
    );
  }
  const minutes = bound(draft.maxMinutes);
  if (minutes !== null && !(minutes > 0)) {
    errors.maxMinutes = trans.__(
      'The work limit must be more than 0 minutes, or empty.'
    );
  }
  const patience = read(draft.patience);
  if (!(Number.isInteger(patience) && patience >= 1 && patience <= 1000)) {
    errors.patience = trans.__(
      'The patience must be a whole number from 1 to 1000.'
    );
  }
  const alternatives = read(draft.alternatives);
  if (!(
    Number.isInteger(alternatives) &&
    alternatives >= 1 &&
    alternatives <= 4
  )) {
    errors.alternatives = trans.__('The alternatives must be 1, 2, 3 or 4.');
  }
  return {
    max_tokens: tokens,
    max_usd: usd,
    max_seconds: minutes === null ? null : minutes * 60,
    patience,
    alternatives,
    allow_experiment_changes: draft.allowsExperiment
  };
}

/**
 * Return the budget from the Settings editor; values of the wrong type count as
 * unset.
 */
export function readBudget(
  user: Readonly<Record<string, unknown>>
): Partial<SessionSettings> {
  const { allowExperimentChanges, alternatives, patience } = user;
  const { maxCost, maxMinutes, maxTokens } = user;
  const session: Partial<SessionSettings> = {};
  if (typeof maxTokens === 'number' && maxTokens >= 1) {
    session.max_tokens = maxTokens;
  }
  if (typeof maxCost === 'number' && maxCost > 0) {
    session.max_usd = maxCost;
  }
  if (typeof maxMinutes === 'number' && maxMinutes > 0) {
    session.max_seconds = maxMinutes * 60;
  }
  if (typeof patience === 'number' && patience >= 1) {
    session.patience = patience;
  }
  if (
    typeof alternatives === 'number' &&
    alternatives >= 1 &&
    alternatives <= 4
  ) {
    session.alternatives = alternatives;
  }
  if (allowExperimentChanges === true) {
    session.allow_experiment_changes = true;
  }
  return session;
}

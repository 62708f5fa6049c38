import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  BlockRole,
  Comparison,
  EarlierResult,
  FoldPlan,
  LeakOpinion,
  TriedVersion
} from '../api/types';
import type { Tone } from './labels';
import { labelOf, messagesText } from './message';
import { formatScore } from './numbers';
import type { CellNames } from './parameters';

/** The colour and sign of a verdict. */
export const COMPARISON_TONES: Record<Comparison, Tone> = {
  better: 'good',
  undecided: 'plain',
  worse: 'bad',
  failed: 'bad'
};

/** Return the result of a version on the folds. */
export function comparisonWords(
  version: TriedVersion,
  trans: TranslationBundle
): string {
  switch (version.comparison) {
    case 'better':
      return trans.__('better');
    case 'undecided':
      return trans.__('cannot be told apart');
    case 'worse':
      return version.raced_out
        ? trans.__('worse on the first fold')
        : trans.__('worse');
    case 'failed':
      return trans.__('no score');
    case null:
      return version.scores.length > 0
        ? trans.__('being compared')
        : trans.__('not compared');
  }
}

/** Return the gain of a version, with its basis; empty if unknown. */
export function gainWords(
  version: TriedVersion,
  trans: TranslationBundle
): string {
  const { gain } = version;
  if (!gain) {
    return '';
  }
  const mean = signed(gain.mean);
  return gain.low === null || gain.high === null
    ? mean
    : trans.__('%1 (%2 to %3)', mean, signed(gain.low), signed(gain.high));
}

/** Return the parent of a version, and its gain over that. */
export function lineageWords(
  { parent, step }: TriedVersion,
  trans: TranslationBundle
): string {
  return step
    ? trans.__('Made of %1: %2 over it', parent, signed(step.mean))
    : trans.__('Made of %1', parent);
}

function signed(gain: number): string {
  return `${gain > 0 ? '+' : ''}${formatScore(gain)}`;
}

/** Roles of parts of a notebook, in the order of a plain notebook. */
export const BLOCK_ROLES: readonly BlockRole[] = [
  'imports',
  'loading',
  'looking',
  'cleaning',
  'encoding',
  'features',
  'model',
  'training',
  'prediction',
  'blending',
  'submission',
  'other'
];

/** Return the results of a change in earlier searches on similar tasks. */
export function earlierWords(
  found: EarlierResult,
  trans: TranslationBundle
): string {
  return trans._n(
    '%2: better in %3, worse in %4 of %1 search',
    '%2: better in %3, worse in %4 of %1 searches',
    found.tried,
    found.name,
    found.better,
    found.worse
  );
}

/**
 * Return a model's opinion on leaks; it decides nothing.
 *
 * @param name - Names of the cells.
 */
export function opinionWords(
  opinion: LeakOpinion,
  trans: TranslationBundle,
  name: CellNames
): string {
  if (opinion.leaks === null) {
    return trans.__(
      'The model has no opinion on leaks: %1.',
      messagesText(opinion.reason, trans)
    );
  }
  const cells = opinion.cells.map(cell => name(cell) ?? cell).join(', ');
  if (!opinion.leaks) {
    return trans.__('The model’s opinion: no leak. %1', opinion.why);
  }
  return cells
    ? trans.__('The model’s opinion: a leak in cell %1. %2', cells, opinion.why)
    : trans.__('The model’s opinion: a leak. %1', opinion.why);
}

/** Return how the folds are made, with the reason. */
export function planWords(plan: FoldPlan, trans: TranslationBundle): string {
  if (plan.count === 1) {
    return trans.__(
      'One hold-out set of %1 (%2 rows), %3. This is weak evidence: it cannot tell a gain from chance.',
      plan.table,
      plan.rows,
      labelOf('folds', plan.split, trans, { column: plan.column ?? '' })
    );
  }
  return trans.__(
    '%1 folds of %2 (%3 rows), %4',
    plan.count,
    plan.table,
    plan.rows,
    labelOf('folds', plan.split, trans, { column: plan.column ?? '' })
  );
}

import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  BlockRole,
  Comparison,
  EarlierResult,
  FoldPlan,
  Leak,
  LeakOpinion,
  TriedVersion
} from '../api/types';
import type { Tone } from './labels';
import { messagesText } from './message';
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

/** Return the role of a part of a notebook. */
export function roleWords(role: BlockRole, trans: TranslationBundle): string {
  switch (role) {
    case 'imports':
      return trans.__('imports');
    case 'loading':
      return trans.__('loading');
    case 'looking':
      return trans.__('looking at data');
    case 'cleaning':
      return trans.__('cleaning');
    case 'encoding':
      return trans.__('encoding');
    case 'features':
      return trans.__('features');
    case 'model':
      return trans.__('model');
    case 'training':
      return trans.__('training');
    case 'prediction':
      return trans.__('prediction');
    case 'blending':
      return trans.__('blending');
    case 'submission':
      return trans.__('submission');
    case 'other':
      return trans.__('other');
  }
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
      splitWords(plan, trans)
    );
  }
  return trans.__(
    '%1 folds of %2 (%3 rows), %4',
    plan.count,
    plan.table,
    plan.rows,
    splitWords(plan, trans)
  );
}

function splitWords(plan: FoldPlan, trans: TranslationBundle): string {
  const column = plan.column ?? '';
  switch (plan.split) {
    case 'random':
      return trans.__('rows held out at random');
    case 'stratified':
      return trans.__('every label with its share');
    case 'group':
      return trans.__('whole groups of %1 held out', column);
    case 'time':
      return trans.__('the latest by %1 held out', column);
  }
}

/** Return how a leak can inflate a score. */
export function leakWords(leak: Leak, trans: TranslationBundle): string {
  const name = leak.name || trans.__('a column');
  switch (leak.kind) {
    case 'fit-on-test':
      return trans.__('%1 is fitted on rows of the test data', name);
    case 'target-in-features':
      return trans.__(
        'the features hold %1, which is the target or made of it',
        name
      );
    case 'target-mean':
      return trans.__(
        '%1 is a statistic of the target over the rows that are trained on',
        name
      );
    case 'fit-before-split':
      return trans.__('%1 is fitted before rows are held out', name);
    case 'copies-before-split':
      return trans.__('rows are copied before some are held out');
    case 'trained-on-held-out':
      return trans.__(
        'the model is fitted on all of %1, scored on some of it',
        name
      );
    case 'group-split':
      return trans.__(
        'rows are held out at random, but the test data have other %1',
        name
      );
    case 'time-split':
      return trans.__(
        'rows are held out at random, but the test data come later by %1',
        name
      );
    case 'future':
      return trans.__('%1 is taken from a later row', name);
  }
}

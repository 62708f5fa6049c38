import type { TranslationBundle } from '@jupyterlab/translation';

import type { FixRow, State } from '../api/types';
import { outcomeTone, type Tone } from './labels';
import { labelOf } from './message';

/** Outcomes of a fix, from the worst to the best. */
export const STATES: readonly State[] = [
  'not-run',
  'failed',
  'timeout',
  'error-non-reproducible',
  'error-free-non-reproducible',
  'error-reproducible',
  'error-free-reproducible'
];

/**
 * Return a state in words; without a target, whether a score was reproduced is
 * irrelevant.
 */
export function stateLabel(
  state: State,
  trans: TranslationBundle,
  hasTarget = true
): string {
  if (!hasTarget && state === 'error-free-non-reproducible') {
    return trans.__('Runs without errors');
  }
  if (!hasTarget && state === 'error-non-reproducible') {
    return trans.__('With errors');
  }
  return labelOf('state', state, trans);
}

/** Return the tone of a state. */
export function stateTone(state: State, hasTarget = true): Tone {
  if (!hasTarget && state === 'error-free-non-reproducible') {
    return 'good';
  }
  if (state === 'timeout') {
    return 'bad';
  }
  return state === 'not-run' ? 'plain' : outcomeTone(state);
}

/** Return the number of a row's fixes that led to a state. */
export function ledTo(row: FixRow, state: State): number {
  return row.led_to[state] ?? 0;
}

/** Return the states that any of the rows led to. */
export function statesOf(rows: readonly FixRow[]): readonly State[] {
  return STATES.filter(state => rows.some(row => ledTo(row, state) > 0));
}

/** Return the name of a row: a fix type, a scope or a fixer. */
export function rowLabel(name: string, trans: TranslationBundle): string {
  switch (name) {
    case 'runtime-reduction':
      return trans.__('Runtime reduction');
    case 'error-repair':
      return trans.__('Error repair');
    case 'score-calibration':
      return trans.__('Score calibration');
    case 'submission':
      return trans.__('Submission');
    case 'before-run':
      return trans.__('Before a run');
    case 'improvement':
      return trans.__('Improvement');
    case 'writing':
      return trans.__('Writing');
    case 'file':
      return trans.__('File');
    case 'cell':
      return trans.__('Cell');
    case 'rules':
      return trans.__('Rules');
    case 'llm':
      return trans.__('Model');
    default:
      return name;
  }
}

import type { TranslationBundle } from '@jupyterlab/translation';

import type { Verdict } from '../api/types';

/** How a session came out, in words. */
export function verdictLabel(
  verdict: Verdict,
  trans: TranslationBundle
): string {
  switch (verdict) {
    case 'reproduced':
      return trans.__('Reproducible');
    case 'within-noise':
      return trans.__('Within its own spread');
    case 'above-target':
      return trans.__('Better than the target');
    case 'below-target':
      return trans.__('Below the target');
    case 'target-implausible':
      return trans.__('Target not plausible');
    case 'grader-mismatch':
      return trans.__('Target of another kind');
    case 'needs-external-data':
      return trans.__('Needs other data');
    case 'non-deterministic':
      return trans.__('Not deterministic');
    case 'cannot-run':
      return trans.__('Cannot run here');
    case 'awaits-yes':
      return trans.__('Waits for your yes');
    case 'no-fix':
      return trans.__('No fix known');
    case 'budget-spent':
      return trans.__('Limit reached');
    case 'no-progress':
      return trans.__('No progress');
  }
}

/** Whether a verdict says that nothing is left to do. */
export function isGood(verdict: Verdict): boolean {
  return (
    verdict === 'reproduced' ||
    verdict === 'above-target' ||
    verdict === 'within-noise'
  );
}

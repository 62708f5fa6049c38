import * as React from 'react';

import type { RepeatedRun } from '../../api/types';
import { formatScore, formatDuration } from '../../words/numbers';
import { useTrans } from '../../ui/context';
import { messagesText } from '../../words/message';

/** Return the score of a run as text, or a dash if absent. */
export function scoreText(run: RepeatedRun): string {
  return run.score === null ? '–' : formatScore(run.score);
}

/**
 * Every run with its score and its time.
 */
export function RunList(props: { runs: readonly RepeatedRun[] }): JSX.Element {
  const trans = useTrans();
  return (
    <details className="jp-mle-More">
      <summary>{trans._n('%1 run', '%1 runs', props.runs.length)}</summary>
      <ol className="jp-mle-Verification-runs">
        {props.runs.map(run => (
          <li key={run.number}>
            {trans.__('%1, %2', scoreText(run), formatDuration(run.seconds))}
            {run.reseeded && ` · ${trans.__('other seeds')}`}
            {run.reason.length > 0 && ` · ${messagesText(run.reason, trans)}`}
          </li>
        ))}
      </ol>
    </details>
  );
}

import * as React from 'react';

import { formatScore } from '../../words/numbers';
import { Button } from '../../ui/Button';
import { useSignal, useTrans } from '../../ui/context';
import type { IModelProps } from '../../review/useModel';
import { labelOf } from '../../words/message';

const MOST = 2;

/**
 * The scores that the notebook mentions, while the target is empty: one click
 * takes one.
 */
export function TargetSuggestions({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  useSignal(model.formChanged);
  const found = model.detected?.targets.slice(0, MOST) ?? [];
  if (found.length === 0 || model.draft.target_score !== null) {
    return null;
  }
  return (
    <ul
      className="jp-mle-Suggestions"
      aria-label={trans.__('Scores the notebook mentions')}
    >
      {found.map((suggestion, index) => {
        const score = formatScore(suggestion.score);
        return (
          <li key={index}>
            <span>
              {labelOf('target-source', suggestion.source, trans, {
                quote: suggestion.quote
              })}
            </span>{' '}
            <Button
              label={trans.__('Use %1', score)}
              caption={trans.__('Take %1 as the target score', score)}
              onClick={() =>
                model.edit({
                  target_score: suggestion.score,
                  target_kind: 'graded'
                })
              }
            />
          </li>
        );
      })}
    </ul>
  );
}

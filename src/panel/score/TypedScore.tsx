import * as React from 'react';

import { currentGrade } from '../../session/reading';
import { readNumber } from '../../session/form/settings';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { TextInput } from '../../ui/fields';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';

/**
 * Field for a score that was computed elsewhere, after a run without a score.
 */
export function TypedScore({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const [text, setText] = React.useState('');
  const session = useSession(model);
  const isIdle = useIdle(model);
  const grade = session && currentGrade(session);
  if (!grade || (grade.score !== null && grade.score_kind !== 'typed')) {
    return null;
  }
  const score = readNumber(text);
  const isWrong = text.trim() !== '' && Number.isNaN(score);
  const take = () => {
    if (!Number.isNaN(score)) {
      void model.actions.typeScore(score);
    }
  };
  return (
    <details className="jp-mle-More">
      <summary>
        {grade.score === null
          ? trans.__('Type the score of this run')
          : trans.__('Correct the typed score')}
      </summary>
      <div className="jp-mle-Form jp-mle-Form-fields jp-mod-nested">
        <TextInput
          label={trans.__('Score of this run')}
          inputMode="decimal"
          value={text}
          error={
            isWrong
              ? trans.__('The score must be a number, for example 0.8123.')
              : undefined
          }
          onChange={setText}
          onEnter={take}
        />
        <p className="jp-mle-Hint">
          {trans.__(
            'For a score you read elsewhere. It is only compared with a target that was typed, too (More settings).'
          )}
        </p>
        <div className="jp-mle-Actions">
          <Button
            label={trans.__('Take this score')}
            isEnabled={!Number.isNaN(score) && isIdle}
            onClick={take}
          />
        </div>
      </div>
    </details>
  );
}

import * as React from 'react';

import type { Message, Session } from '../../api/types';
import { Button } from '../../ui/Button';
import { Prose } from '../../ui/Prose';
import { useTrans, useValue } from '../../ui/context';
import { problemText } from '../../words/labels';
import { messagesText } from '../../words/message';
import { type IModelProps, useIdle, useSession } from '../useModel';

/** Codes of what a fixer answered: the first part of a code is its subject. */
const ANSWERS = /^(text$|(fix|left-out|llm|model|rules|stalled)\.)/;

/**
 * The request for a fix at the cell that failed, its progress, and the answer
 * if there is no proposal.
 */
export function FixCell({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  const problem = useValue(model.problemChanged, () => model.problem);
  const [isAsked, setIsAsked] = React.useState(false);
  const step = session?.progress?.message ?? [];
  const names = model.places.namesIn(session);
  const answer =
    problem === null
      ? messagesText(session ? answersOf(session) : [], trans, names)
      : problemText(problem, trans);
  return (
    <>
      <Button
        look="plain"
        label={isAsked ? trans.__('Try again') : trans.__('Fix this cell')}
        caption={trans.__('Ask for a fix of the first cell that fails')}
        isEnabled={isIdle}
        onClick={() => {
          setIsAsked(true);
          void model.actions.proposeFix({ scope: 'cell' });
        }}
      />
      {isAsked && (
        <span className="jp-mle-FixCell" role="status">
          {isIdle ? (
            <Prose text={answer} />
          ) : (
            <>
              <span className="jp-mle-Spinner" aria-hidden="true" />{' '}
              <Prose
                text={
                  messagesText(step, trans, names) ||
                  trans.__('Asking for a fix…')
                }
              />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** Return the fixers' answers; everything that is said if there are none. */
function answersOf({ details, message }: Session): readonly Message[] {
  const answers = [...message, ...details].filter(({ code }) =>
    ANSWERS.test(code)
  );
  return answers.length > 0 ? answers : message;
}

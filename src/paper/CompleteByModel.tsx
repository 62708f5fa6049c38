import * as React from 'react';

import { ApiError, type ModernizerClient } from '../api/client';
import type { ClaimsQuestion, PaperReading } from '../api/types';
import { Button } from '../ui/Button';
import { useTrans } from '../ui/context';
import {
  claimsQuestionText,
  type Completion,
  completionText
} from '../words/papers';
import { labelOf } from '../words/message';

/** Properties of the completion of claims. */
export interface ICompleteProps {
  /** The paper's file. */
  path: string;
  /** The server part's routes. */
  client: Pick<ModernizerClient, 'claimsQuestion' | 'completeClaims'>;
  /** The paper's current contents. */
  reading: PaperReading;
  /** Takes the paper with the claims that a model added. */
  complete: (reading: PaperReading) => void;
}

/**
 * Completion of claims by a model: first the request and its cost, then the
 * result for each claim.
 */
export function CompleteByModel(props: ICompleteProps): JSX.Element {
  const trans = useTrans();
  const { client, complete, path, reading } = props;
  const [question, ask] = React.useState<ClaimsQuestion | null>(null);
  const [asking, setAsking] = React.useState<AbortController | null>(null);
  const [problem, setProblem] = React.useState<string | null>(null);
  const attempt = async (act: () => Promise<void>) => {
    setProblem(null);
    try {
      await act();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
  };
  const send = () =>
    attempt(async () => {
      const abort = new AbortController();
      setAsking(abort);
      try {
        complete(
          await client.completeClaims(
            { path, max_tokens: null, max_usd: null },
            abort.signal
          )
        );
        ask(null);
      } catch (error) {
        if (!abort.signal.aborted) {
          throw error;
        }
      } finally {
        setAsking(null);
      }
    });
  return (
    <>
      {reading.completion && <Completed completion={reading.completion} />}
      {question ? (
        <Consent
          question={question}
          isAsking={asking !== null}
          send={() => void send()}
          cancel={() => (asking ? asking.abort() : ask(null))}
        />
      ) : (
        <Button
          look="link"
          label={trans.__('Complete by a model…')}
          caption={trans.__(
            'Show what a model would be sent to name claims that the rules miss; nothing is sent yet'
          )}
          onClick={() =>
            void attempt(async () => ask(await client.claimsQuestion({ path })))
          }
        />
      )}
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function Consent(props: {
  question: ClaimsQuestion;
  isAsking: boolean;
  send: () => void;
  cancel: () => void;
}): JSX.Element {
  const trans = useTrans();
  const { cancel, isAsking, question, send } = props;
  return (
    <div
      className="jp-mle-Note jp-mod-fair"
      role="group"
      aria-label={trans.__('Send the paper to a model?')}
    >
      <p>{claimsQuestionText(question, trans)}</p>
      <p>
        {trans.__(
          'Each claim it names is looked up in the paper, letter by letter, and rejected if it is not there. The answer is stored in a file beside the paper.'
        )}
      </p>
      {question.left_out.map((said, index) => (
        <p key={index}>{said}</p>
      ))}
      <details>
        <summary>{trans.__('The text that would be sent now')}</summary>
        {question.messages.map((message, index) => (
          <pre key={index} className="jp-mle-Traceback" tabIndex={0}>
            {message.text}
          </pre>
        ))}
      </details>
      <div className="jp-mle-Actions">
        <Button
          look="primary"
          label={trans.__('Send')}
          caption={trans.__('Send the paper’s text to the model')}
          isEnabled={!isAsking}
          onClick={send}
        />
        <Button
          label={trans.__('Cancel')}
          caption={trans.__('Send nothing, or stop waiting for the answer')}
          onClick={cancel}
        />
      </div>
      {isAsking && (
        <p role="status">{trans.__('The model reads the paper…')}</p>
      )}
    </div>
  );
}

function Completed({ completion }: { completion: Completion }): JSX.Element {
  const trans = useTrans();
  return (
    <details>
      <summary>{completionText(completion, trans)}</summary>
      <ul className="jp-mle-Paper-list" aria-label={trans.__('Refused')}>
        {completion.refused.map(({ claim, problem }, index) => (
          <li key={index}>
            <span>
              <strong>{claim.number}</strong> “{claim.quote}”:{' '}
              {labelOf('refused-claim', problem, trans)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

import { Clipboard } from '@jupyterlab/apputils';
import { checkIcon, copyIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import type {
  Exchange,
  ChatMessage,
  ModelCall,
  PromptPreview
} from '../api/types';
import { formatDuration, formatTokens } from '../words/numbers';
import { Button } from '../ui/Button';
import { useTrans } from '../ui/context';
import { UsageText } from '../ui/UsageText';
import { labelOf } from '../words/message';

/** Properties of content that waits for a response of the server. */
interface ILoadedProps<T> {
  /** Asks for it, once. */
  load: () => Promise<T>;
  /** Renders the response. */
  children: (loaded: T) => JSX.Element;
}

/** Content of the server: a progress note, an error, or the content. */
export function Loaded<T>(props: ILoadedProps<T>): JSX.Element {
  const trans = useTrans();
  const [loaded, setLoaded] = React.useState<{ value: T } | null>(null);
  const [problem, setProblem] = React.useState('');
  React.useEffect(() => {
    props.load().then(
      value => setLoaded({ value }),
      error =>
        setProblem(error instanceof Error ? error.message : String(error))
    );
  }, []);
  if (problem) {
    return <p role="alert">{problem}</p>;
  }
  return loaded ? (
    props.children(loaded.value)
  ) : (
    <p role="status">{trans.__('Reading…')}</p>
  );
}

/**
 * Preview of the request to a model, with the parts of the notebook that it
 * leaves out.
 */
export function PromptText(props: { preview: PromptPreview }): JSX.Element {
  const trans = useTrans();
  const { preview } = props;
  const where = preview.configured
    ? trans.__('To %1 at %2.', preview.model, preview.host)
    : trans.__('To nobody yet: no model is configured.');
  return (
    <>
      <p>
        {where}{' '}
        {trans.__(
          'Nothing has been sent. %1, %2.',
          labelOf('fix-type', preview.fix_type, trans),
          preview.scope === 'file'
            ? trans.__('all cells')
            : trans.__('first failing cell')
        )}
      </p>
      <ul className="jp-mle-Sent-facts">
        <li>
          {trans.__(
            '%1 characters, about %2 tokens',
            preview.characters.toLocaleString(),
            formatTokens(preview.tokens)
          )}
        </li>
        <li>
          {preview.masked
            ? trans._n(
                '%1 secret is masked (__REDACTED_SECRET_…__).',
                '%1 secrets are masked (__REDACTED_SECRET_…__).',
                preview.masked
              )
            : trans.__('No secrets were found.')}
        </li>
        {preview.left_out.length > 0 ? (
          preview.left_out.map((said, index) => <li key={index}>{said}</li>)
        ) : (
          <li>{trans.__('Nothing is left out.')}</li>
        )}
      </ul>
      <CopyButton text={textOf(preview.messages)} />
      {preview.messages.map((message, index) => (
        <Passage
          key={index}
          title={labelOf('prompt-role', message.role, trans)}
          text={message.text}
          isOpen={message.role !== 'system'}
        />
      ))}
    </>
  );
}

/** Requests to models and their responses, call by call. */
export function ExchangeText(props: {
  exchanges: readonly Exchange[];
}): JSX.Element {
  const trans = useTrans();
  const { exchanges } = props;
  if (exchanges.length === 0) {
    return <p>{trans.__('No model was asked.')}</p>;
  }
  const calls = exchanges.flatMap(exchange => exchange.calls);
  return (
    <>
      <p>{trans._n('%1 model call.', '%1 model calls.', calls.length)}</p>
      <CopyButton text={calls.map(callText).join('\n\n')} />
      {calls.map((call, index) => (
        <Call
          key={index}
          number={index + 1}
          call={call}
          before={calls[index - 1] ?? null}
        />
      ))}
    </>
  );
}

/** Properties of a call. */
interface ICallProps {
  /** Its place, from 1. */
  number: number;
  /** The call. */
  call: ModelCall;
  /** The one before it. */
  before: ModelCall | null;
}

function Call({ number, call, before }: ICallProps): JSX.Element {
  const trans = useTrans();
  const endings: Record<ModelCall['ending'], string> = {
    answered: trans.__('answered'),
    broken: trans.__('broke off'),
    failed: trans.__('failed'),
    cancelled: trans.__('cancelled')
  };
  return (
    <section className="jp-mle-Sent-call">
      <h3>
        {trans.__('Call %1: %2', number, endings[call.ending])}{' '}
        <span className="jp-mle-Sent-when">
          {new Date(call.started_at).toLocaleString()} ·{' '}
          {formatDuration(call.seconds)} · {call.model} · {call.host}
        </span>
      </h3>
      <p>
        {call.remark} <UsageText usage={call.usage} />
      </p>
      {call.messages.map((message, index) => (
        <Passage
          key={index}
          title={trans.__(
            'Sent, %1',
            labelOf('prompt-role', message.role, trans)
          )}
          text={message.text}
          // The rules, and passages repeated from the call before, stay folded.
          isOpen={
            message.role !== 'system' &&
            before?.messages[index]?.text !== message.text
          }
        />
      ))}
      {call.reply && (
        <Passage title={trans.__('Answered')} text={call.reply} isOpen />
      )}
    </section>
  );
}

/** Properties of a passage. */
interface IPassageProps {
  /** Its heading. */
  title: string;
  /** The text, displayed verbatim. */
  text: string;
  /** Whether it is initially unfolded. */
  isOpen: boolean;
}

function Passage({ title, text, isOpen }: IPassageProps): JSX.Element {
  const trans = useTrans();
  return (
    <details className="jp-mle-Sent-passage" open={isOpen}>
      <summary>
        {title}{' '}
        <span className="jp-mle-Sent-when">
          {trans.__('%1 characters', text.length.toLocaleString())}
        </span>
      </summary>
      <pre tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </details>
  );
}

function CopyButton({ text }: { text: string }): JSX.Element {
  const trans = useTrans();
  const [isCopied, setIsCopied] = React.useState(false);
  return (
    <Button
      look="plain"
      icon={isCopied ? checkIcon : copyIcon}
      label={isCopied ? trans.__('Copied') : trans.__('Copy all')}
      onClick={() => {
        Clipboard.copyToSystem(text);
        setIsCopied(true);
      }}
    />
  );
}

function textOf(messages: readonly ChatMessage[]): string {
  return messages
    .map(message => `[${message.role}]\n${message.text}`)
    .join('\n\n');
}

function callText(call: ModelCall): string {
  const head = `[${call.started_at} ${call.model} ${call.ending}] ${call.remark}`;
  return [head, textOf(call.messages), `[reply]\n${call.reply}`].join('\n\n');
}

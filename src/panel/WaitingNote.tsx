import * as React from 'react';

import { currentIteration } from '../session/reading';
import { useTrans } from '../ui/context';
import type { IModelProps } from './StatusLine';

/**
 * Where the run waits and until when, or why it does not. While a run goes on that decides, it says
 * so.
 */
export function WaitingNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { session } = model;
  if (!session) {
    return null;
  }
  if (model.isWorking) {
    const latest = currentIteration(session);
    const before = session.iterations[session.iterations.length - 2];
    const decides =
      latest?.kind === 'clean' &&
      before?.kind === 'resumed' &&
      before.notebook_hash === latest.notebook_hash;
    return decides && session.phase === 'running' ? (
      <p>{trans.__('A clean run decides: all cells in a fresh kernel.')}</p>
    ) : null;
  }
  const { waiting = null } = session;
  if (!waiting) {
    // Why nothing waits: what the cell had done before it failed.
    const execution = currentIteration(session)?.execution;
    return execution?.ending === 'stopped' ? (
      <p className="jp-mle-Hint">{execution.message}</p>
    ) : null;
  }
  const until = new Date(waiting.until).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit'
  });
  return (
    <p className="jp-mle-Hint">
      {model.goesOnFrom === null
        ? trans.__(
            'A cell before cell %1 was changed, so the next run starts from the beginning.',
            waiting.ordinal
          )
        : trans.__(
            'The kernel waits at cell %1 until %2.',
            waiting.ordinal,
            until
          )}
    </p>
  );
}

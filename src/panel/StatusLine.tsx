import { checkIcon, runIcon, stopIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { type IModelProps, useIdle, useSession } from '../review/useModel';
import { currentIteration } from '../session/reading';
import { formatClock } from '../words/numbers';
import { modernizeIcon } from '../ui/icons';
import { Button } from '../ui/Button';
import { Chip } from '../ui/Chip';
import { useClock, useSignal, useTrans, useValue } from '../ui/context';
import { cachedText, costText, pricesText, tokensText } from '../words/usage';
import { standLabel, standTone } from '../words/labels';

/**
 * Where the modernization stands, what goes on, and the button for the next step.
 */
export function StatusLine({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const session = useSession(model);
  const message = session
    ? session.message
    : trans.__(
        'Run this notebook in a sandbox to see what broke and how far its score is off.'
      );
  const text = (model.isWorking && session?.progress?.message) || message;
  return (
    <>
      <div className="jp-mle-Status">
        {model.isWorking && <WorkProgress model={model} />}
        <div className="jp-mle-Status-actions">
          <ReviewButton model={model} />
          <MainButton model={model} />
          <FreshButton model={model} />
          {session && !model.isWorking && (
            <Button
              look="quiet"
              label={trans.__('Start over')}
              caption={trans.__(
                'Leave this session behind; the next run begins a new one'
              )}
              onClick={() => model.startOver()}
            />
          )}
        </div>
      </div>
      <div className="jp-mle-Stand" role="status" aria-live="polite">
        {session && (
          <Chip tone={standTone(session)}>{standLabel(session, trans)}</Chip>
        )}
        {session?.phase !== 'running' && <p>{text}</p>}
        <WaitingNote model={model} />
      </div>
      <RunningTotal model={model} />
    </>
  );
}

/** Whether the form can be sent as it is. */
function useIsValid(model: IModelProps['model']): boolean {
  return useValue(
    model.formChanged,
    () => model.checkedDraft.settings !== null
  );
}

/** The code cell a run would go on from, null where it begins with the first. */
function useGoesOnFrom(model: IModelProps['model']): number | null {
  return useValue(model.documentChanged, () => model.goesOnFrom);
}

function ReviewButton({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { review } = model;
  useSignal(review.changed);
  const { undecided } = review;
  if (undecided.length === 0 || model.isWorking) {
    return null;
  }
  return (
    <Button
      look="primary"
      icon={checkIcon}
      label={trans._n(
        'Review %1 change',
        'Review %1 changes',
        undecided.length
      )}
      caption={trans.__('Go to the first change that waits for you')}
      onClick={() => review.select(undecided[0].edit.id, true)}
    />
  );
}

function MainButton({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const session = useSession(model);
  const isBusy = useValue(model.busyChanged, () => model.isBusy);
  const isIdle = useIdle(model);
  const isValid = useIsValid(model);
  const goesOn = useGoesOnFrom(model);
  if (model.isWorking) {
    return (
      <Button
        icon={stopIcon}
        label={trans.__('Cancel')}
        caption={trans.__('Stop the work; the notebook stays as it is')}
        isEnabled={!isBusy}
        onClick={() => void model.actions.cancel()}
      />
    );
  }
  const isAgain = session !== null && session.iterations.length > 0;
  // Not the next step while changes wait for review, nor once the notebook is reproducible.
  const isNext =
    session?.phase !== 'reviewing' && (session?.verdict ?? null) === null;
  if (goesOn !== null) {
    return (
      <Button
        look={isNext ? 'primary' : 'plain'}
        icon={runIcon}
        label={trans.__('Continue from cell %1', goesOn)}
        caption={trans.__(
          'Go on in the kernel that waits there; the cells before are not run again'
        )}
        isEnabled={isIdle && isValid}
        onClick={() => void model.actions.run()}
      />
    );
  }
  return (
    <Button
      look={isNext ? 'primary' : 'plain'}
      icon={isAgain ? runIcon : modernizeIcon}
      label={isAgain ? trans.__('Run again') : trans.__('Modernize')}
      caption={trans.__('Run the notebook as it is now in a sandbox')}
      isEnabled={isIdle && isValid}
      onClick={() => void model.actions.run()}
    />
  );
}

function FreshButton({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const isIdle = useIdle(model);
  const isValid = useIsValid(model);
  if (useGoesOnFrom(model) === null || model.isWorking) {
    return null;
  }
  return (
    <Button
      look="quiet"
      label={trans.__('Run from the start')}
      caption={trans.__('End the kernel that waits and run all cells')}
      isEnabled={isIdle && isValid}
      onClick={() => void model.actions.run(true)}
    />
  );
}

function WorkProgress({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const progress = model.session?.progress ?? null;
  const startedAt = progress?.cells_started_at ?? null;
  const now = useClock(() => model.serverNow(), startedAt !== null);
  // Only a rehearsal has a limit of its own.
  const ownLimit = progress?.time_limit ?? null;
  const limit = ownLimit ?? model.session?.settings.time_limit ?? 0;
  const seconds =
    startedAt === null ? 0 : Math.max(0, (now - Date.parse(startedAt)) / 1000);
  const { ordinal = null, total = null } = progress ?? {};
  const hasCells = ordinal !== null && total !== null && total > 0;
  const isRunning = model.session?.phase === 'running';
  const cell = trans.__('cell %1 of %2', ordinal, total);
  const cells = [
    isRunning ? progress?.label : '',
    hasCells && isRunning
      ? ownLimit === null
        ? cell
        : trans.__('Rehearsing on a sample: %1', cell)
      : ''
  ]
    .filter(part => part)
    .join(' · ');
  const clock =
    startedAt !== null && isRunning
      ? trans.__('%1 of %2', formatClock(seconds), formatClock(limit))
      : '';
  const text = [cells, clock].filter(part => part).join(' · ');
  return (
    <div className="jp-mle-Progress">
      <div
        className="jp-mle-Progress-track"
        role="progressbar"
        aria-label={trans.__('Progress of the run')}
        aria-valuemin={0}
        aria-valuemax={hasCells ? total : undefined}
        aria-valuenow={hasCells && isRunning ? ordinal : undefined}
        aria-valuetext={text || undefined}
      >
        <div
          className={`jp-mle-Progress-bar${hasCells && isRunning ? '' : ' jp-mod-unknown'}`}
          style={
            hasCells && isRunning
              ? { width: `${(100 * (ordinal - 0.5)) / total}%` }
              : undefined
          }
        />
      </div>
      {text && (
        <div className="jp-mle-Progress-text">
          <span>{cells}</span>
          <span>{clock}</span>
        </div>
      )}
    </div>
  );
}

/**
 * What the session's model calls cost so far, as they come back.
 */
export function RunningTotal({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const usage = model.session?.usage;
  if (!usage || usage.calls === 0) {
    return null;
  }
  const facts = [
    trans._n('%1 call', '%1 calls', usage.calls),
    tokensText(usage, trans),
    cachedText(usage, trans),
    pricesText(usage, trans)
  ];
  return (
    <p
      className="jp-mle-Total"
      role="group"
      aria-label={trans.__('Cost of this session')}
    >
      <strong>{costText(usage, trans)}</strong>{' '}
      <span>{facts.filter(text => text).join(' · ')}</span>
    </p>
  );
}

/**
 * Where the run waits and until when, or why it does not. While a run goes on that decides, it says
 * so.
 */
function WaitingNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const goesOn = useGoesOnFrom(model);
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
      {goesOn === null
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

import { checkIcon, runIcon, stopIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { type IModelProps, useIdle, useSession } from '../review/useModel';
import { currentIteration, missingFile } from '../session/reading';
import { formatClock, formatDuration } from '../words/numbers';
import { modernizeIcon } from '../ui/icons';
import { Button, type IButtonProps } from '../ui/Button';
import { Prose } from '../ui/Prose';
import { Chip } from '../ui/Chip';
import {
  PanelContext,
  useClock,
  useSignal,
  useTrans,
  useValue
} from '../ui/context';
import { CommandIDs } from '../commandIds';
import { FinishedNote, useFinished } from '../finish/FinishedNote';
import {
  cachedText,
  callsText,
  costText,
  pricesText,
  tokensText
} from '../words/usage';
import { standCaption, standLabel, standTone } from '../words/labels';
import {
  firstError,
  largeEnvironment,
  lackingPackages,
  longerExamination,
  longerLimit,
  nextSteps,
  stageOf,
  type Step,
  withPackages
} from './nextStep';
import { messagesText, messageText } from '../words/message';

/**
 * State of the modernization, current work, and the button for the next step.
 */
export function StatusLine({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const session = useSession(model);
  useSignal(model.preflight.changed);
  const actions = useKeptFocus();
  const isFirst = stageOf(session, model.isWorking) === 'first';
  const ahead = isFirst ? model.preflight.found : null;
  // Fixed code has lost what its age is inferred from.
  const isFixed = (session?.reviews ?? []).some(({ decisions }) =>
    Object.values(decisions).some(({ state }) => state === 'accepted')
  );
  const intro = ahead
    ? ''
    : model.preflight.isAwaited
      ? trans.__('Looking for known breaking changes; it can be run meanwhile.')
      : trans.__(
          'Run this notebook in a sandbox to see what broke and how far its score is off.'
        );
  const cells = model.places.namesIn(session);
  const message = session ? messagesText(session.message, trans, cells) : intro;
  const step = model.isWorking ? (session?.progress?.message ?? []) : [];
  const text = messagesText(step, trans, cells) || message;
  const details = model.isWorking ? [] : (session?.details ?? []);
  // Advice on a missing file has its own note.
  const isMissing = session !== null && missingFile(session) !== null;
  const told = session?.message.slice(0, isMissing ? 1 : undefined) ?? [];
  return (
    <>
      <div className="jp-mle-Stand" role="status" aria-live="polite">
        {ahead && (
          <>
            {ahead.headline.length > 0 && !isFixed && (
              <p className="jp-mle-Era">
                {messagesText(ahead.headline, trans)}
              </p>
            )}
            <p>{messagesText(ahead.outlook, trans)}</p>
          </>
        )}
        {session && (
          <Chip tone={standTone(session)} title={standCaption(session, trans)}>
            {standLabel(session, trans)}
          </Chip>
        )}
        {session?.phase !== 'running' &&
          (details.length > 0 ? (
            <>
              {told.map((message, index) => (
                <p key={index}>
                  <Prose text={messageText(message, trans, cells)} />
                </p>
              ))}
              <details className="jp-mle-More">
                <summary>{trans.__('Details')}</summary>
                {details.map((message, index) => (
                  <p key={index}>
                    <Prose text={messageText(message, trans, cells)} />
                  </p>
                ))}
              </details>
            </>
          ) : (
            text && (
              <p>
                <Prose text={text} />
              </p>
            )
          ))}
        <WaitsFor model={model} />
        <WaitingNote model={model} />
        <FinishedNote model={model} />
      </div>
      <div className="jp-mle-Status">
        {model.isWorking && <WorkProgress model={model} />}
        <div className="jp-mle-Status-actions" ref={actions}>
          <Steps model={model} />
        </div>
      </div>
      <RunningTotal model={model} />
    </>
  );
}

/**
 * Retain the focus within an element: if the focused button is removed or
 * disabled, focus the first enabled one.
 */
function useKeptFocus(): React.RefObject<HTMLDivElement> {
  const ref = React.useRef<HTMLDivElement>(null);
  React.useEffect(() => {
    const host = ref.current;
    if (!host) {
      return;
    }
    let isInside = false;
    const enter = () => {
      isInside = true;
    };
    const leave = (event: Event) => {
      // Removing a focused button moves the focus to nothing; a user moves it
      // to another element.
      if (
        event.type === 'pointerdown'
          ? !host.contains(event.target as Node)
          : (event as FocusEvent).relatedTarget !== null
      ) {
        isInside = false;
      }
    };
    const observer = new MutationObserver(() => {
      const { activeElement } = document;
      const isLost =
        activeElement === null ||
        activeElement === document.body ||
        (activeElement instanceof HTMLButtonElement && activeElement.disabled);
      if (isInside && isLost) {
        host
          .querySelector<HTMLButtonElement>('button:not(:disabled)')
          ?.focus({ preventScroll: true });
      }
    });
    host.addEventListener('focusin', enter);
    host.addEventListener('focusout', leave);
    document.addEventListener('pointerdown', leave, true);
    observer.observe(host, {
      attributes: true,
      childList: true,
      subtree: true
    });
    return () => {
      host.removeEventListener('focusin', enter);
      host.removeEventListener('focusout', leave);
      document.removeEventListener('pointerdown', leave, true);
      observer.disconnect();
    };
  }, []);
  return ref;
}

/** Return whether the form can be sent as it is. */
function useIsValid(model: IModelProps['model']): boolean {
  return useValue(
    model.formChanged,
    () => model.checkedDraft.settings !== null
  );
}

/**
 * Return the number of the code cell at which a run would resume, null if it
 * begins with the first.
 */
function useGoesOnFrom(model: IModelProps['model']): number | null {
  return useValue(model.documentChanged, () => model.goesOnFrom);
}

function Steps({ model }: IModelProps): JSX.Element {
  const session = useSession(model);
  useSignal(model.preflight.changed);
  useSignal(model.formChanged);
  const goesOnFrom = useGoesOnFrom(model);
  const stage = stageOf(session, model.isWorking);
  const { others, primary } = nextSteps({
    stage,
    session,
    goesOnFrom,
    canPropose: model.preflight.hasFixes && model.draft.mode === 'step',
    hasModel: model.info.llm.configured,
    canFinish: useValue(model.documentChanged, () => model.canFinish),
    isFinished: useFinished(model)?.isChanged === false
  });
  const recommended = primary === null ? [] : [primary];
  // One list with keys: a button is never replaced by another one under the
  // pointer. The forecast comes later, so its button comes behind.
  const steps =
    stage === 'first'
      ? [...others, ...recommended]
      : [...recommended, ...others];
  return (
    <>
      {steps.map(step => (
        <StepButton
          key={step}
          model={model}
          step={step}
          isPrimary={step === primary}
        />
      ))}
    </>
  );
}

/** Properties of a step's button. */
interface IStepButtonProps extends IModelProps {
  /** The step. */
  step: Step;
  /** Whether it is the recommended one. */
  isPrimary?: boolean;
}

function StepButton({
  isPrimary = false,
  model,
  step
}: IStepButtonProps): JSX.Element {
  const look = isPrimary ? 'primary' : 'plain';
  return <Button look={look} {...useStep(model, step)} />;
}

/** Return the button of a step, without its look. */
function useStep(model: IModelProps['model'], step: Step): IButtonProps {
  const trans = useTrans();
  const { actions, preflight, review } = model;
  const { execute } = React.useContext(PanelContext);
  const isBusy = useValue(model.busyChanged, () => model.isBusy);
  const isIdle = useIdle(model);
  const isValid = useIsValid(model);
  const canRun = isIdle && isValid;
  switch (step) {
    case 'cancel':
      return {
        look: 'plain',
        icon: stopIcon,
        label: trans.__('Cancel'),
        caption: trans.__('Stop the work; the notebook stays as it is'),
        isEnabled: !isBusy,
        onClick: () => void actions.cancel()
      };
    case 'review': {
      const { open } = review;
      return {
        icon: checkIcon,
        label: trans._n('Review %1 change', 'Review %1 changes', open),
        caption: trans.__('Go to the first pending change'),
        onClick: () => review.begin()
      };
    }
    case 'propose-known':
      return {
        icon: modernizeIcon,
        label: trans._n('Fix it', 'Fix them', preflight.affected),
        caption: trans.__(
          'One patch for your review; nothing runs, and nothing changes before you accept it'
        ),
        isEnabled: canRun,
        onClick: () => void preflight.propose()
      };
    case 'modernize':
      return {
        icon: modernizeIcon,
        label: trans.__('Modernize'),
        caption: trans.__('Run the notebook as it is now in a sandbox'),
        isEnabled: canRun,
        onClick: () => void actions.run()
      };
    case 'continue':
      return {
        icon: runIcon,
        label: trans.__(
          'Continue from cell %1',
          model.places.nameAt(model.goesOnFrom ?? 0) ?? model.goesOnFrom
        ),
        caption: trans.__(
          'Continue in the paused kernel; the cells before are not run again'
        ),
        isEnabled: canRun,
        onClick: () => void actions.run()
      };
    case 'finish':
      return {
        icon: checkIcon,
        label: trans.__('Finish'),
        caption: trans.__(
          'Take the outputs of this run into the notebook, or into a copy, and save it'
        ),
        isEnabled: isIdle,
        onClick: () => execute(CommandIDs.finish)
      };
    case 'prove':
      return {
        icon: checkIcon,
        label: trans.__('Prove it'),
        caption: trans.__(
          'Three more runs: as it is, on shuffled labels, and on shuffled test rows'
        ),
        isEnabled: isIdle,
        onClick: () => void actions.prove()
      };
    case 'run-longer': {
      const minutes = longerLimit(model.session?.settings.time_limit ?? 0);
      return {
        icon: runIcon,
        label: trans.__('Run with %1', formatDuration(60 * minutes)),
        caption: trans.__(
          'No cell failed up to the time limit: run it again with a longer one'
        ),
        isEnabled: canRun,
        onClick: () => {
          model.edit({ time_limit: 60 * minutes });
          void actions.run();
        }
      };
    }
    case 'examine-longer':
      return {
        icon: modernizeIcon,
        label: trans.__('Try again with more time'),
        caption: trans.__('Give the rules four times as much processor time'),
        isEnabled: canRun,
        onClick: () => {
          const { rules_seconds: seconds } = model.draft;
          model.edit({ rules_seconds: longerExamination(seconds) });
          void (model.draft.mode === 'auto'
            ? actions.run()
            : actions.proposeFix());
        }
      };
    case 'make-environment': {
      const { session } = model;
      const names = (session && lackingPackages(session)?.known) ?? [];
      return {
        icon: modernizeIcon,
        label: trans._n('Add %2', 'Add %1 packages', names.length, names[0]),
        caption: trans.__(
          'Run it with its own environment of today’s packages; nothing is installed into yours, and the code does not change'
        ),
        isEnabled: canRun,
        onClick: () => {
          model.edit(withPackages(model.draft, names));
          void actions.run();
        }
      };
    }
    case 'go-to-error': {
      const error = model.session && firstError(model.session);
      const place = error && model.places.find(error.cell_id);
      return {
        label: trans.__('Go to the cell that fails'),
        caption: trans.__('Show the first cell that fails in the notebook'),
        isEnabled: place !== null,
        onClick: () => place && void model.document.reveal(place)
      };
    }
    case 'prepare': {
      const size = (model.session && largeEnvironment(model.session)) ?? 0;
      return {
        icon: modernizeIcon,
        label: trans.__('Prepare it (%1 MB)', Math.round(size)),
        caption: trans.__(
          'Download the packages into an environment of this notebook, and run it there; nothing is installed into yours'
        ),
        isEnabled: canRun,
        onClick: () => {
          model.edit({ ask_above: null });
          void actions.run();
        }
      };
    }
    case 'run-without':
      return {
        look: 'plain',
        label: trans.__('Run without it'),
        caption: trans.__(
          'Run with the packages of the server; imports of missing ones fail'
        ),
        isEnabled: !isBusy && isValid,
        onClick: () => void actions.runWithoutEnvironment()
      };
    case 'connect-model':
      return {
        look: 'link',
        label: trans.__('Connect a model: how'),
        caption: trans.__('Show the settings of a language model'),
        onClick: () => execute(CommandIDs.openGuide)
      };
    case 'run-here':
      return {
        icon: runIcon,
        label: trans.__('Check in JupyterLab’s kernel'),
        caption: trans.__(
          'Run a copy of the cells in a new kernel of JupyterLab; the notebook stays as it is'
        ),
        isEnabled: isIdle,
        onClick: () => execute(CommandIDs.runHere)
      };
    case 'run':
    case 'run-fresh':
      return {
        icon: runIcon,
        label: trans.__('Run again'),
        caption:
          step === 'run'
            ? trans.__('Run the notebook as it is now in a sandbox')
            : trans.__('End the paused kernel and run all cells'),
        isEnabled: canRun,
        onClick: () => void actions.run(step === 'run-fresh')
      };
  }
}

function WorkProgress({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const progress = model.session?.progress ?? null;
  const startedAt = progress?.cells_started_at ?? null;
  const since = progress?.since ?? null;
  const now = useClock(() => model.serverNow(), true);
  // Only a rehearsal has a limit of its own.
  const ownLimit = progress?.time_limit ?? null;
  const limit = ownLimit ?? model.session?.settings.time_limit ?? 0;
  const secondsFrom = (time: string) =>
    Math.max(0, (now - Date.parse(time)) / 1000);
  const { ordinal = null, total = null } = progress ?? {};
  const hasCells = ordinal !== null && total !== null && total > 0;
  const isRunning = model.session?.phase === 'running';
  const cell = trans.__('cell %1 of %2', ordinal, total);
  const cells = [
    isRunning ? messagesText(progress?.label ?? [], trans) : '',
    hasCells && isRunning
      ? ownLimit === null
        ? cell
        : trans.__('Rehearsing: %1', cell)
      : ''
  ]
    .filter(part => part)
    .join(' · ');
  const clock =
    startedAt !== null && isRunning
      ? trans.__(
          '%1 of %2',
          formatClock(secondsFrom(startedAt)),
          formatClock(limit)
        )
      : since === null
        ? ''
        : formatClock(secondsFrom(since));
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

/** Cost of the session's model calls so far, updated with each response. */
export function RunningTotal({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const usage = model.session?.usage;
  if (!usage || usage.calls === 0) {
    return null;
  }
  const facts = [
    callsText(usage, trans),
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

/** Link to the notebook whose work comes first. */
function WaitsFor({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const path = model.session?.progress?.waits_for ?? null;
  if (!model.isWorking || path === null || path === model.document.path) {
    return null;
  }
  return (
    <Button
      look="link"
      label={trans.__('Go to %1', path.split('/').pop() ?? path)}
      caption={trans.__('Open %1', path)}
      onClick={() => execute('docmanager:open', { path })}
    />
  );
}

/**
 * The cell at which the run waits and its deadline, or the reason for not
 * waiting. While a run that decides this is under way, a note to that effect.
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
    // Why nothing waits: effects of the cell before it failed.
    const execution = currentIteration(session)?.execution;
    return execution?.ending === 'stopped' ? (
      <p className="jp-mle-Hint">
        <Prose
          text={messagesText(
            execution.message,
            trans,
            model.places.namesIn(session)
          )}
        />
      </p>
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
            'A cell before cell %1 was changed, so the next run starts at the first cell.',
            model.places.name(waiting.cell_id) ?? waiting.ordinal
          )
        : trans.__(
            'The kernel is paused at cell %1 until %2.',
            model.places.name(waiting.cell_id) ?? waiting.ordinal,
            until
          )}
    </p>
  );
}

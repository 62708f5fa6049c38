import type { TranslationBundle } from '@jupyterlab/translation';
import { copyIcon, downloadIcon, undoIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import type { Diagnosis, Iteration, Review, Session } from '../../api/types';
import { CommandIDs } from '../../commandIds';
import {
  formatPercent,
  formatScore,
  formatDuration
} from '../../words/numbers';
import {
  currentIteration,
  type GradedRun,
  isGraded
} from '../../session/reading';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { PanelContext, useTrans } from '../../ui/context';
import { ExchangeButton } from '../../exchange/ExchangeButton';
import { RehearsalMark } from '../errors/Rehearsal';
import { Section } from '../../ui/Section';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Sessions } from './Sessions';
import { SessionStatistics } from '../../statistics/SessionStatistics';
import { UsageText } from '../../ui/UsageText';
import { outcomeLabel, runTone } from '../../words/labels';
import { labelOf } from '../../words/message';

/**
 * Every iteration; any of them can be brought back.
 */
export function History({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  if (!session) {
    return model.sessions.total > 0 ? (
      <Section title={trans.__('History')} isFolded>
        <Sessions model={model} />
      </Section>
    ) : null;
  }
  const count = session.iterations.length;
  return (
    <Section
      title={trans.__('History')}
      isFolded
      badge={
        <span className="jp-mle-Count">
          {trans._n('%1 run', '%1 runs', count)}
        </span>
      }
    >
      <ol className="jp-mle-History" reversed>
        {[...session.iterations].reverse().map(iteration => (
          <li key={iteration.number} value={iteration.number}>
            <HistoryEntry model={model} session={session} item={iteration} />
          </li>
        ))}
        <li value={0}>
          <div className="jp-mle-History-entry">
            <div className="jp-mle-History-line">
              <span className="jp-mle-History-number">0</span>
              <span className="jp-mle-History-outcome">
                {trans.__('The notebook as it was at the start')}
              </span>
            </div>
            {session.reviews.map(review => (
              <p key={review.proposal.id} className="jp-mle-History-fix">
                <ReviewText review={review} />
              </p>
            ))}
            <EntryActions model={model} number={0} />
          </div>
        </li>
      </ol>
      <p className="jp-mle-History-total">
        {trans._n('%1 fix so far', '%1 fixes so far', session.fixes)}{' '}
        <UsageText usage={session.usage} />{' '}
        {session.usage.calls + session.usage.failed > 0 && <ExchangeButton />}
      </p>
      <SessionStatistics session={session} />
      <Report model={model} />
      <Sessions model={model} />
      <div className="jp-mle-Actions">
        <Button
          label={trans.__('New session')}
          caption={trans.__(
            'Close this session; the next run starts a new one'
          )}
          isEnabled={isIdle}
          onClick={() => void model.actions.startOver()}
        />
      </div>
    </Section>
  );
}

/** Properties of an entry of the history. */
interface IHistoryEntryProps extends IModelProps {
  /** The session. */
  session: Session;
  /** The iteration. */
  item: Iteration;
}

/** Return the text on a run that was resumed or stopped early. */
function goingOnText(item: Iteration, trans: TranslationBundle): string {
  const { execution } = item;
  if (item.kind === 'resumed' && execution) {
    const earlier = formatDuration(execution.carried);
    return trans.__('went on after %1', earlier);
  }
  return execution?.ending === 'stopped'
    ? trans.__('stopped at the first error')
    : '';
}

/** Outcome of a run on all data. */
function OutcomeChip(
  props: Pick<GradedRun, 'agreement'> & {
    diagnosis: Diagnosis;
    hasTarget: boolean;
  }
): JSX.Element {
  const trans = useTrans();
  return (
    <Chip tone={runTone(props, props.hasTarget)}>
      {outcomeLabel(props, props.hasTarget, trans)}
    </Chip>
  );
}

function HistoryEntry(props: IHistoryEntryProps): JSX.Element {
  const trans = useTrans();
  const { item, model, session } = props;
  const { diagnosis, execution } = item;
  const hasTarget = session.settings.target_score !== null;
  const errors = diagnosis
    ? diagnosis.findings.filter(finding => finding.kind !== 'harmless').length
    : (execution?.errors.length ?? 0);
  const facts = [
    scoreText(item),
    execution ? formatDuration(execution.seconds - execution.carried) : '',
    goingOnText(item, trans),
    execution ? trans._n('%1 error', '%1 errors', errors) : ''
  ].filter(text => text);
  return (
    <div className="jp-mle-History-entry">
      <div className="jp-mle-History-line">
        <span className="jp-mle-History-number">{item.number}</span>
        <div className="jp-mle-History-outcome">
          {item.kind === 'rehearsal' && item.rehearsal ? (
            <RehearsalMark rehearsal={item.rehearsal} />
          ) : item.kind !== 'rehearsal' && item.diagnosis ? (
            <OutcomeChip
              agreement={item.agreement}
              diagnosis={item.diagnosis}
              hasTarget={hasTarget}
            />
          ) : (
            <Unfinished model={model} session={session} item={item} />
          )}
          {item.origin && item.origin.of > 1 && (
            <span className="jp-mle-Hint">
              {trans.__(
                'alternative %1 of %2',
                item.origin.number,
                item.origin.of
              )}
            </span>
          )}
          {session.best === item.number && session.iterations.length > 1 && (
            <span className="jp-mle-Best">{trans.__('best')}</span>
          )}
        </div>
      </div>
      {facts.length > 0 && (
        <p className="jp-mle-History-facts">{facts.join(' · ')}</p>
      )}
      {item.reviews.map(review => (
        <p key={review.proposal.id} className="jp-mle-History-fix">
          <ReviewText review={review} />{' '}
          <UsageText usage={review.proposal.usage} />
        </p>
      ))}
      {item.spent.calls > 0 && (
        <p className="jp-mle-History-fix">
          {trans.__('Asked in vain')} <UsageText usage={item.spent} />
        </p>
      )}
      <EntryActions model={model} number={item.number} />
    </div>
  );
}

/**
 * The mark of a run without an outcome: only the latest can still be running.
 */
function Unfinished({ item, model, session }: IHistoryEntryProps): JSX.Element {
  const trans = useTrans();
  const isLatest = item === currentIteration(session);
  if (isLatest && model.isWorking) {
    return <Chip tone="busy">{trans.__('Running')}</Chip>;
  }
  const isCancelled =
    item.execution?.ending === 'cancelled' ||
    (isLatest && session.phase === 'cancelled');
  return (
    <Chip tone="plain">
      {isCancelled ? trans.__('Cancelled') : trans.__('Not finished')}
    </Chip>
  );
}

function ReviewText({ review }: { review: Review }): JSX.Element {
  const trans = useTrans();
  const { proposal } = review;
  const total = proposal.edits.length;
  const accepted = proposal.edits.filter(
    edit => review.decisions[edit.id]?.state === 'accepted'
  ).length;
  const who =
    proposal.fixer === 'rules'
      ? trans.__('Rules')
      : proposal.model || trans.__('Model');
  const what = review.final
    ? trans.__('Final review')
    : trans.__('%1 by %2', labelOf('fix-type', proposal.fix_type, trans), who);
  const result = review.adopted
    ? trans._n('%1 edit tried', '%1 edits tried', total)
    : trans._n(
        '%2 of %1 edit accepted',
        '%2 of %1 edits accepted',
        total,
        accepted
      );
  return (
    <>
      {[what, result].join(': ')}{' '}
      {!review.final && proposal.fixer === 'llm' && (
        <ExchangeButton proposal={proposal.id} />
      )}
    </>
  );
}

function EntryActions(props: IModelProps & { number: number }): JSX.Element {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const { model, number } = props;
  const isIdle = useIdle(model);
  return (
    <div className="jp-mle-Actions">
      <Button
        look="quiet"
        icon={undoIcon}
        label={trans.__('Restore')}
        caption={trans.__(
          'Bring these sources back into the notebook; one undo takes it back'
        )}
        isEnabled={isIdle}
        onClick={() =>
          execute(CommandIDs.restoreIteration, { iteration: number })
        }
      />
      <Button
        look="quiet"
        icon={copyIcon}
        label={trans.__('Save as copy')}
        caption={trans.__('Save these sources as a new notebook')}
        onClick={() => execute(CommandIDs.saveCopy, { iteration: number })}
      />
    </div>
  );
}

function scoreText(item: Iteration): string {
  const grade = isGraded(item) ? item.grade : null;
  if (!grade || grade.score === null) {
    return '';
  }
  const score = formatScore(grade.score);
  if (grade.deviation === null) {
    return score;
  }
  const deviation = grade.deviation_is_absolute
    ? formatScore(grade.deviation)
    : formatPercent(grade.deviation);
  return `${score} (Δ ${deviation})`;
}

/** The report, for users and for programs. */
function Report({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const session = useSession(model);
  if (!session || session.iterations.length === 0) {
    return null;
  }
  const formats = [
    [
      'html',
      trans.__('HTML'),
      trans.__(
        'Download what happened as a page with differences, scores and pictures'
      )
    ],
    [
      'markdown',
      trans.__('Markdown'),
      trans.__('Download what happened, to read')
    ],
    ['json', trans.__('JSON'), trans.__('Download what happened, for programs')]
  ];
  return (
    <div
      className="jp-mle-Actions"
      role="group"
      aria-label={trans.__('Report')}
    >
      <span>{trans.__('Report')}</span>
      {formats.map(([format, label, caption]) => (
        <Button
          key={format}
          icon={downloadIcon}
          label={label}
          caption={caption}
          onClick={() => execute(CommandIDs.downloadReport, { format })}
        />
      ))}
    </div>
  );
}

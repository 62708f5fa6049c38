import * as React from 'react';

import type { Execution, Grade } from '../../api/types';
import { formatScore, formatDuration } from '../../words/numbers';
import { currentIteration, isGraded } from '../../session/reading';
import { useTrans } from '../../ui/context';
import { CellLink } from '../../review/CellLink';
import { Prose } from '../../ui/Prose';
import { Section } from '../../ui/Section';
import { type IModelProps, useSession } from '../../review/useModel';
import { messageText, messagesText } from '../../words/message';

/**
 * Details of the latest run: sandbox, duration, environment, and files it left.
 */
export function RunDetails({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const iteration = session && currentIteration(session);
  const execution = iteration?.execution ?? null;
  if (!iteration || !execution) {
    return null;
  }
  const cells = model.places.namesIn(session);
  const era =
    session?.settings.era ?? messagesText(session?.era?.summary ?? [], trans);
  return (
    <Section title={trans.__('Run')} isFolded>
      <dl className="jp-mle-Facts">
        {era && (
          <>
            <dt>{trans.__('Written for')}</dt>
            <dd>{era}</dd>
          </>
        )}
        <dt>{trans.__('Time')}</dt>
        <dd>
          {trans.__(
            '%1 of %2',
            formatDuration(execution.seconds),
            formatDuration(execution.time_limit)
          )}
        </dd>
        <dt>{trans.__('Sandbox')}</dt>
        <dd>{execution.sandbox}</dd>
        {execution.image && (
          <>
            <dt>{trans.__('Image')}</dt>
            <dd>{execution.image}</dd>
          </>
        )}
        <dt>{trans.__('Python')}</dt>
        <dd>{execution.environment.python}</dd>
        {Object.entries(execution.environment.packages).map(
          ([name, version]) => (
            <React.Fragment key={name}>
              <dt>{name}</dt>
              <dd>{version}</dd>
            </React.Fragment>
          )
        )}
      </dl>
      {execution.message.length > 0 && (
        <p className="jp-mle-Hint">
          <Prose text={messagesText(execution.message, trans, cells)} />
        </p>
      )}
      {execution.remarks.length > 0 && (
        <ul
          className="jp-mle-Remarks"
          aria-label={trans.__('Differences from the settings')}
        >
          {execution.remarks.map((remark, index) => (
            <li key={index}>
              <Prose text={messageText(remark, trans, cells)} />
            </li>
          ))}
        </ul>
      )}
      <Submissions
        execution={execution}
        grade={isGraded(iteration) ? iteration.grade : null}
      />
      {execution.pip_installs.length > 0 && (
        <ul className="jp-mle-Pip">
          {execution.pip_installs.map((install, index) => (
            <li key={index}>
              <CellLink model={model} cellId={install.cell_id} />{' '}
              <code>{install.command}</code>{' '}
              {install.ok
                ? trans.__('installed')
                : trans.__('failed: %1', install.message)}
            </li>
          ))}
        </ul>
      )}
      <Warnings model={model} execution={execution} />
    </Section>
  );
}

function Submissions(props: {
  execution: Execution;
  grade: Grade | null;
}): JSX.Element | null {
  const trans = useTrans();
  const candidates = props.grade?.candidates ?? [];
  if (candidates.length === 0) {
    return null;
  }
  return (
    <ul className="jp-mle-Csv" aria-label={trans.__('CSV files of the run')}>
      {candidates.map(candidate => (
        <li key={candidate.path}>
          <code>{candidate.path}</code>{' '}
          {candidate.valid
            ? candidate.score === null
              ? trans.__('valid')
              : trans.__('valid, scores %1', formatScore(candidate.score))
            : messagesText(candidate.reason, trans)}{' '}
          {messagesText(candidate.note, trans)}
        </li>
      ))}
    </ul>
  );
}

function Warnings({
  execution,
  model
}: IModelProps & { execution: Execution }): JSX.Element | null {
  const trans = useTrans();
  const cells = execution.cells.filter(cell => cell.warnings.length > 0);
  if (cells.length === 0) {
    return null;
  }
  return (
    <details className="jp-mle-More">
      <summary>
        {trans._n('Warnings in %1 cell', 'Warnings in %1 cells', cells.length)}
      </summary>
      <ul className="jp-mle-Remarks">
        {cells.flatMap(cell =>
          cell.warnings.map((warning, index) => (
            <li key={`${cell.cell_id}/${index}`}>
              <CellLink model={model} cellId={cell.cell_id} /> {warning}
            </li>
          ))
        )}
      </ul>
    </details>
  );
}

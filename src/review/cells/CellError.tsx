import * as React from 'react';

import type { CellRun, Finding, Iteration } from '../../api/types';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { Link } from '../../ui/Link';
import type { Modernization } from '../modernization';
import { currentIteration } from '../../session/reading';
import { FixCell } from './FixCell';
import { type IFrame, framesOf } from './frames';

/** Properties of the note below a cell that failed. */
export interface ICellErrorProps {
  /** The notebook's modernization. */
  model: Modernization;
  /** The error. */
  finding: Finding;
  /**
   * Whether the note explains the error, rather than the change that fixes it.
   */
  isExplained: boolean;
  /** Goes to a line of a cell; from 1. */
  onLine: (cellId: string, line: number) => void;
}

/**
 * The error that stopped a cell in the latest run: one line, its meaning, and
 * the next step.
 */
export function CellError(props: ICellErrorProps): JSX.Element {
  const trans = useTrans();
  const { finding, model, onLine } = props;
  const { error } = finding;
  const session = model.session;
  const first = session && firstRoot(currentIteration(session));
  const isFirst = first?.error.cell_id === error.cell_id;
  const { edits, undecided } = model.review;
  const isReviewing = undecided.length > 0;
  const isAnswered = edits.some(
    ({ edit, status }) =>
      edit.cell_id === error.cell_id && status === 'accepted'
  );
  const frames = React.useMemo(
    () =>
      framesOf(
        error,
        order(session ? currentIteration(session)?.execution?.cells : null)
      ),
    [error, session]
  );
  return (
    <div
      className={`jp-mle-CellError${isAnswered ? ' jp-mle-mod-past' : ''}`}
      role="group"
      aria-label={
        isAnswered
          ? trans.__('Error of the run before this change')
          : trans.__('Error of the run')
      }
    >
      <p className="jp-mle-CellError-line">
        {isAnswered && (
          <span className="jp-mle-Hint">
            {trans.__('Before this change:')}{' '}
          </span>
        )}
        <strong>{error.ename}</strong>: {error.summary}
      </p>
      {props.isExplained && finding.explanation && (
        <p className="jp-mle-CellError-why">
          {finding.explanation}{' '}
          <Link address={finding.link}>{trans.__('Read more')}</Link>
        </p>
      )}
      <div className="jp-mle-CellBar-line">
        {isFirst && !isReviewing && !isAnswered && <FixCell model={model} />}
        {frames.map((frame, index) => (
          <FrameLink key={index} model={model} frame={frame} onLine={onLine} />
        ))}
      </div>
    </div>
  );
}

function FrameLink(props: {
  model: Modernization;
  frame: IFrame;
  onLine: ICellErrorProps['onLine'];
}): JSX.Element | null {
  const trans = useTrans();
  const { frame, model, onLine } = props;
  const place = model.places.find(frame.cellId);
  const ordinal = model.places.name(frame.cellId);
  if (place === null || ordinal === null) {
    return null;
  }
  return (
    <Button
      look="link"
      label={trans.__('Cell %1, line %2', ordinal, frame.line)}
      caption={trans.__('Go to this line')}
      onClick={() => onLine(place, frame.line)}
    />
  );
}

function firstRoot(iteration: Iteration | null): Finding | undefined {
  return iteration?.diagnosis?.findings.find(item => item.kind === 'root');
}

/** Return the ids of the cells in the order they ran. */
function order(cells: readonly CellRun[] | null | undefined): string[] {
  return (cells ?? [])
    .filter(cell => cell.status !== 'not-run')
    .map(cell => cell.cell_id);
}

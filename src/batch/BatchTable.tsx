import * as React from 'react';

import type { BatchRow } from '../api/types';
import { Button } from '../ui/Button';
import { Chip } from '../ui/Chip';
import { useTrans } from '../ui/context';
import { formatCost, formatPercent, formatDuration } from '../words/numbers';
import { stateLabel, stateTone } from '../words/statistics';
import type { IChosen, SortKey } from './rows';

/** Rows that are drawn at once; more are a click away. */
const PAGE = 200;

/** Properties of the table. */
export interface IBatchTableProps {
  /** The selected rows, in order. */
  rows: readonly BatchRow[];
  /** Filter and order of the rows. */
  chosen: IChosen;
  /** Whether there is more than one arm. */
  hasArms: boolean;
  /** Sorts by another column, or the other way round. */
  onSort: (by: SortKey) => void;
  /** Opens a notebook, with the review of its proposal if there is one. */
  onOpen: (row: BatchRow) => void;
}

/**
 * A line a notebook, sorted by a click on a column's head.
 */
export function BatchTable(props: IBatchTableProps): JSX.Element {
  const trans = useTrans();
  const { chosen, hasArms, onOpen, onSort, rows } = props;
  const [most, setMost] = React.useState(PAGE);
  const head = (by: SortKey, label: string, isDetail = false) => (
    <th
      scope="col"
      className={isDetail ? 'jp-mle-Batch-detail' : undefined}
      aria-sort={
        chosen.by !== by
          ? 'none'
          : chosen.isDescending
            ? 'descending'
            : 'ascending'
      }
    >
      <button
        type="button"
        className="jp-mle-Batch-head"
        onClick={() => onSort(by)}
      >
        {label}
        <span aria-hidden="true">
          {chosen.by !== by ? '' : chosen.isDescending ? ' ↓' : ' ↑'}
        </span>
      </button>
    </th>
  );
  return (
    <>
      <div
        className="jp-mle-Table-frame"
        role="group"
        aria-label={trans.__('Notebooks of the batch')}
        tabIndex={0}
      >
        <table className="jp-mle-Table jp-mle-Batch-table">
          <caption>
            {trans._n('%1 notebook', '%1 notebooks', rows.length, rows.length)}
          </caption>
          <thead>
            <tr>
              {head('name', trans.__('Notebook'))}
              {hasArms && <th scope="col">{trans.__('Arm')}</th>}
              {head('first', trans.__('First run'), true)}
              {head('last', trans.__('Best run'))}
              <th scope="col" className="jp-mle-Batch-detail">
                {trans.__('Deviation')}
              </th>
              {head('fixes', trans.__('Fixes'), true)}
              {head('seconds', trans.__('Time'), true)}
              {head('cost', trans.__('Cost'), true)}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(row => (
              <tr key={row.key}>
                <th scope="row" title={row.message}>
                  {row.name}
                </th>
                {hasArms && <td>{row.arm}</td>}
                <td className="jp-mle-Batch-detail">
                  {row.runs > 0
                    ? stateLabel(row.first, trans, row.has_target)
                    : '–'}
                </td>
                <td>
                  {row.status === 'done' ? (
                    <Chip tone={stateTone(row.last, row.has_target)}>
                      {stateLabel(row.last, trans, row.has_target)}
                    </Chip>
                  ) : (
                    <Chip tone="bad">
                      {row.status === 'refused'
                        ? trans.__('Refused')
                        : trans.__('Set aside')}
                    </Chip>
                  )}
                </td>
                <td className="jp-mle-Batch-detail">
                  {row.deviation === null ? '–' : formatPercent(row.deviation)}
                </td>
                <td className="jp-mle-Batch-detail">
                  {row.by_model
                    ? trans.__('%1, with a model', row.fixes)
                    : row.fixes}
                </td>
                <td className="jp-mle-Batch-detail">
                  {formatDuration(row.seconds)}
                </td>
                <td className="jp-mle-Batch-detail">
                  {row.cost === null ? '–' : formatCost(row.cost)}
                </td>
                <td>
                  <Button
                    look="link"
                    label={row.changed ? trans.__('Review') : trans.__('Open')}
                    name={
                      row.changed
                        ? trans.__('Review the changes of %1', row.name)
                        : trans.__('Open %1', row.name)
                    }
                    caption={
                      row.path === null
                        ? trans.__('It is not among the files shown here')
                        : row.message
                    }
                    isEnabled={row.path !== null}
                    onClick={() => onOpen(row)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && (
        <div className="jp-mle-Actions">
          <Button
            label={trans.__('Show %1 more', Math.min(PAGE, rows.length - most))}
            onClick={() => setMost(most + PAGE)}
          />
        </div>
      )}
    </>
  );
}

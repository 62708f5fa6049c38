import * as React from 'react';

import type { FixRow } from '../api/types';
import { formatPercent } from '../words/numbers';
import { useTrans } from '../ui/context';
import {
  ledTo,
  rowLabel,
  stateLabel,
  statesOf,
  STATES
} from '../words/statistics';

const WIDTH = 640;
const NAME = 132;
const COUNT = 56;
const BAR = 22;
const GAP = 12;

/**
 * Outcomes of fixes, as a bar for each kind; the table next to it has the same
 * in numbers.
 */
export function FixChart(props: {
  rows: readonly FixRow[];
}): JSX.Element | null {
  const trans = useTrans();
  const rows = props.rows.filter(row => row.applied > 0);
  if (rows.length === 0) {
    return null;
  }
  const height = rows.length * (BAR + GAP);
  const states = statesOf(rows);
  return (
    <figure className="jp-mle-Chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={trans.__('What fixes of each type led to, in shares')}
      >
        {rows.map((row, index) => (
          <Bar key={row.name} row={row} y={index * (BAR + GAP) + GAP / 2} />
        ))}
      </svg>
      <figcaption>
        <ul className="jp-mle-Chart-legend">
          {states.map(state => (
            <li key={state}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <rect className={look(state)} width="12" height="12" />
              </svg>
              {stateLabel(state, trans)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function Bar({ row, y }: { row: FixRow; y: number }): JSX.Element {
  const trans = useTrans();
  const room = WIDTH - NAME - COUNT;
  let x = NAME;
  return (
    <g>
      <text x={NAME - 8} y={y + BAR / 2} textAnchor="end" dy="0.35em">
        {rowLabel(row.name, trans)}
      </text>
      {statesOf([row]).map(state => {
        const share = ledTo(row, state) / row.applied;
        const width = share * room;
        const start = x;
        x += width;
        return (
          <g key={state}>
            <rect
              className={look(state)}
              x={start}
              y={y}
              width={Math.max(0, width - 1)}
              height={BAR}
            >
              <title>
                {trans.__(
                  '%1: %2 of %3 (%4)',
                  stateLabel(state, trans),
                  ledTo(row, state),
                  row.applied,
                  formatPercent(share)
                )}
              </title>
            </rect>
            {width > 44 && (
              <text
                className="jp-mle-Chart-share"
                x={start + width / 2}
                y={y + BAR / 2}
                textAnchor="middle"
                dy="0.35em"
              >
                {`${Math.round(share * 100)} %`}
              </text>
            )}
          </g>
        );
      })}
      <text x={WIDTH - COUNT + 6} y={y + BAR / 2} dy="0.35em">
        {row.applied}
      </text>
    </g>
  );
}

function look(state: (typeof STATES)[number]): string {
  return `jp-mle-Chart-part jp-mod-${state}`;
}

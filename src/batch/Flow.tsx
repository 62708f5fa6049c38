import * as React from 'react';

import type { BatchRow, State } from '../api/types';
import { useTrans } from '../ui/context';
import { stateLabel, STATES, stateTone } from '../words/statistics';

const WIDTH = 720;
const HEIGHT = 240;
const BAR = 12;
const GAP = 10;
const MARGIN = 190;

interface IBar {
  state: State;
  count: number;
  x: number;
  y: number;
  height: number;
}

interface IBand {
  first: State;
  last: State;
  count: number;
  from: number;
  to: number;
  height: number;
}

/**
 * Number of notebooks by outcome of the first and of the best run; the table
 * has the same by notebook.
 */
export function Flow(props: { rows: readonly BatchRow[] }): JSX.Element | null {
  const trans = useTrans();
  const { bands, bars } = React.useMemo(
    () => pictureOf(props.rows),
    [props.rows]
  );
  if (bands.length === 0) {
    return null;
  }
  const hasTargets = props.rows.some(row => row.has_target);
  const label = (state: State) => stateLabel(state, trans, hasTargets);
  return (
    <svg
      className="jp-mle-Batch-flow"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={trans.__(
        'How many notebooks went from which outcome of their first run to which of their best run'
      )}
    >
      {bands.map(band => (
        <path
          key={`${band.first} ${band.last}`}
          className={`jp-mod-${stateTone(band.last, hasTargets)}`}
          d={pathOf(band)}
        >
          <title>
            {`${label(band.first)} → ${label(band.last)}: ${band.count}`}
          </title>
        </path>
      ))}
      {bars.map(bar => (
        <g key={`${bar.x} ${bar.state}`}>
          <rect
            className={`jp-mod-${stateTone(bar.state, hasTargets)}`}
            x={bar.x}
            y={bar.y}
            width={BAR}
            height={bar.height}
          />
          <text
            x={bar.x === MARGIN ? bar.x - 6 : bar.x + BAR + 6}
            y={bar.y + bar.height / 2}
            textAnchor={bar.x === MARGIN ? 'end' : 'start'}
            dominantBaseline="middle"
          >
            {`${label(bar.state)} (${bar.count})`}
          </text>
        </g>
      ))}
    </svg>
  );
}

function pictureOf(rows: readonly BatchRow[]): {
  bars: IBar[];
  bands: IBand[];
} {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const row of rows) {
    add(`first ${row.first}`);
    add(`last ${row.last}`);
    add(`${row.first} ${row.last}`);
  }
  const count = (key: string) => counts.get(key) ?? 0;
  const scale = (HEIGHT - GAP * (STATES.length - 1)) / Math.max(1, rows.length);
  const bars: IBar[] = [];
  const tops = {
    first: new Map<State, number>(),
    last: new Map<State, number>()
  };
  for (const side of ['first', 'last'] as const) {
    let y = 0;
    for (const state of STATES) {
      const here = count(`${side} ${state}`);
      if (here > 0) {
        const height = Math.max(1, here * scale);
        const x = side === 'first' ? MARGIN : WIDTH - MARGIN - BAR;
        bars.push({ state, count: here, x, y, height });
        tops[side].set(state, y);
        y += height + GAP;
      }
    }
  }
  const bands: IBand[] = [];
  for (const first of STATES) {
    for (const last of STATES) {
      const here = count(`${first} ${last}`);
      if (here > 0) {
        const height = Math.max(1, here * scale);
        const from = tops.first.get(first) ?? 0;
        const to = tops.last.get(last) ?? 0;
        bands.push({ first, last, count: here, from, to, height });
        tops.first.set(first, from + height);
        tops.last.set(last, to + height);
      }
    }
  }
  return { bars, bands };
}

function pathOf({ from, height, to }: IBand): string {
  const [left, right] = [MARGIN + BAR, WIDTH - MARGIN - BAR];
  const middle = (left + right) / 2;
  return (
    `M${left} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}` +
    `V${to + height}C${middle} ${to + height} ${middle} ${from + height} ${left} ${from + height}Z`
  );
}

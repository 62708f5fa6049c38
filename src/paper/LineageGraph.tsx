import * as React from 'react';

import type { Ancestor } from '../api/types';
import { useTrans } from '../ui/context';

const WIDTH = 320;
const ROW = 44;
const BOX = { width: 150, height: 32 };
const LONGEST = 24; // characters that fit a box

/**
 * The works that a paper builds on, as a small graph: a full line to available
 * ones, a dashed one to the others, labelled with the number of values taken
 * from the work.
 */
export function LineageGraph(props: {
  /** The paper's title. */
  title: string;
  /** The works. */
  lineage: readonly Ancestor[];
}): JSX.Element {
  const trans = useTrans();
  const { lineage, title } = props;
  const height = ROW * lineage.length;
  const middle = height / 2;
  return (
    <svg
      className="jp-mle-Lineage"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={trans._n(
        'The paper builds on %1 work',
        'The paper builds on %1 works',
        lineage.length
      )}
    >
      {lineage.map((item, index) => {
        const y = ROW * index + ROW / 2;
        const taken = item.taken.length;
        const isAtHand = item.sources.length > 0;
        return (
          <g key={item.key} className={isAtHand ? undefined : 'jp-mod-missing'}>
            <title>{item.text}</title>
            <line
              x1={BOX.width}
              y1={middle}
              x2={WIDTH - BOX.width}
              y2={y}
              strokeDasharray={isAtHand ? undefined : '4 3'}
            />
            <Box x={WIDTH - BOX.width} y={y} text={item.text} />
            {taken > 0 && (
              <text x={WIDTH / 2} y={(middle + y) / 2 - 3} textAnchor="middle">
                {trans._n('%1 value', '%1 values', taken)}
              </text>
            )}
          </g>
        );
      })}
      <g>
        <title>{title}</title>
        <Box x={0} y={middle} text={title} />
      </g>
    </svg>
  );
}

function Box(props: { x: number; y: number; text: string }): JSX.Element {
  const { text, x, y } = props;
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  return (
    <>
      <rect x={x} y={y - BOX.height / 2} {...BOX} rx={3} />
      <text x={x + BOX.width / 2} y={y + 4} textAnchor="middle">
        {short}
      </text>
    </>
  );
}

import * as React from 'react';

import type { Improvement, TriedVersion } from '../../api/types';
import { useTrans } from '../../ui/context';
import { comparisonWords, gainWords } from '../../words/improvement';

const WIDTH = 260;
const HEIGHT = 110;
const MARGIN = 10;

interface IPoint {
  version: TriedVersion;
  x: number;
  y: number;
}

/**
 * Versions in the order of the trials, from left to right: the higher, the
 * better; a line connects a version to its parent.
 */
export function Lineage({ found }: { found: Improvement }): JSX.Element | null {
  const trans = useTrans();
  const points = pointsOf(found);
  if (points.length < 2) {
    return null;
  }
  const placed = new Map(points.map(point => [point.version.name, point]));
  const [baseline] = points;
  return (
    <>
      <h4>{trans.__('One after the other')}</h4>
      <svg
        className="jp-mle-Improve-lineage"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={trans.__(
          'Gain of each version in the order they were tried; lines lead from what each was made of'
        )}
      >
        <line
          className="jp-mle-Improve-zero"
          x1={0}
          x2={WIDTH}
          y1={baseline.y}
          y2={baseline.y}
        />
        {points.slice(1).map(point => {
          const from = placed.get(point.version.parent) ?? baseline;
          return (
            <line
              key={point.version.notebook_hash}
              className="jp-mle-Improve-reach"
              x1={from.x}
              y1={from.y}
              x2={point.x}
              y2={point.y}
            />
          );
        })}
        {points.map(({ version, x, y }) => (
          <circle
            key={version.notebook_hash}
            className={`jp-mod-${version.comparison ?? 'open'}`}
            cx={x}
            cy={y}
            r={4}
          >
            <title>
              {[
                version.name,
                gainWords(version, trans),
                version === found.baseline
                  ? ''
                  : comparisonWords(version, trans)
              ]
                .filter(Boolean)
                .join(' · ')}
            </title>
          </circle>
        ))}
      </svg>
    </>
  );
}

/**
 * Return the baseline, then the versions with a gain, in the order of the
 * trials.
 */
function pointsOf(found: Improvement): IPoint[] {
  const parents = new Set(found.candidates.map(one => one.parent));
  const shown = [
    found.baseline,
    ...found.ablations.filter(one => parents.has(one.name)),
    ...found.candidates
  ].filter(one => one === found.baseline || one.gain !== null);
  const gains = shown.map(one => one.gain?.mean ?? 0);
  const [low, high] = [Math.min(...gains), Math.max(...gains)];
  return shown.map((version, index) => ({
    version,
    x: MARGIN + (index * (WIDTH - 2 * MARGIN)) / Math.max(1, shown.length - 1),
    y:
      high === low
        ? HEIGHT / 2
        : HEIGHT -
          MARGIN -
          ((gains[index] - low) / (high - low)) * (HEIGHT - 2 * MARGIN)
  }));
}

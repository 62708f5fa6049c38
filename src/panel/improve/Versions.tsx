import * as React from 'react';

import type { Improvement, TriedVersion } from '../../api/types';
import { type IModelProps, useIdle } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import {
  COMPARISON_TONES,
  comparisonWords,
  gainWords,
  lineageWords
} from '../../words/improvement';
import { messagesText } from '../../words/message';

const WIDTH = 260;
const HEIGHT = 16;
const MARGIN = 6;

/**
 * The versions that were compared, the best first, each with its gain and the interval.
 */
export function Versions(
  props: IModelProps & { found: Improvement }
): JSX.Element | null {
  const trans = useTrans();
  const { found, model } = props;
  const isReady = useIdle(model);
  const tried = [
    ...found.candidates,
    ...found.ablations.filter(one => one.comparison === 'better')
  ];
  if (tried.length === 0) {
    return null;
  }
  const reach = Math.max(...tried.map(reachOf));
  return (
    <ul
      className="jp-mle-Improve-versions"
      aria-label={trans.__('Compared versions')}
    >
      {[...tried].sort(byGain).map(version => (
        <li key={version.notebook_hash}>
          <div className="jp-mle-Improve-name">
            <strong>{version.name}</strong>
            <Chip
              tone={
                version.comparison
                  ? COMPARISON_TONES[version.comparison]
                  : 'plain'
              }
            >
              {comparisonWords(version, trans)}
            </Chip>
          </div>
          {version.what.length > 0 && (
            <p className="jp-mle-Hint">{messagesText(version.what, trans)}</p>
          )}
          {version.parent && (
            <p className="jp-mle-Hint">{lineageWords(version, trans)}</p>
          )}
          {version.comparison === 'failed' && (
            <p className="jp-mle-Hint">
              {messagesText(
                version.scores[version.scores.length - 1]?.reason ?? [],
                trans
              )}
            </p>
          )}
          {version.gain && (
            <>
              <span className="jp-mle-Improve-gain">
                {gainWords(version, trans)}
              </span>
              <Interval version={version} reach={reach} />
            </>
          )}
          {mayBeReviewed(version, found) && (
            <div className="jp-mle-Actions">
              <Button
                label={trans.__('Review this version')}
                caption={trans.__(
                  'Show what it changes in the cells; nothing changes before you accept it'
                )}
                isEnabled={isReady}
                onClick={() =>
                  void model.actions.proposeVersion(version.notebook_hash)
                }
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/**
 * Return whether a version was better; with one hold-out set, whether it scored
 * higher there.
 */
function mayBeReviewed(version: TriedVersion, found: Improvement): boolean {
  const gained = version.gain !== null && version.gain.mean > 0;
  return version.comparison === 'better' || (found.folds.count === 1 && gained);
}

function byGain(one: TriedVersion, other: TriedVersion): number {
  return (other.gain?.mean ?? -Infinity) - (one.gain?.mean ?? -Infinity) || 0;
}

function reachOf({ gain }: TriedVersion): number {
  return gain === null
    ? 0
    : Math.max(
        ...[gain.mean, gain.low ?? 0, gain.high ?? 0].map(end => Math.abs(end))
      );
}

/** The gain with its interval, on one scale for all; the line in the middle is no gain. */
function Interval(props: {
  version: TriedVersion;
  reach: number;
}): JSX.Element | null {
  const { reach, version } = props;
  const { gain } = version;
  if (!gain || reach === 0) {
    return null;
  }
  const toX = (value: number) =>
    WIDTH / 2 + (value / reach) * (WIDTH / 2 - MARGIN);
  return (
    <svg
      className={`jp-mle-Improve-interval jp-mod-${version.comparison ?? 'open'}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <line
        className="jp-mle-Improve-zero"
        x1={WIDTH / 2}
        x2={WIDTH / 2}
        y1={0}
        y2={HEIGHT}
      />
      {gain.low !== null && gain.high !== null && (
        <line
          className="jp-mle-Improve-reach"
          x1={toX(gain.low)}
          x2={toX(gain.high)}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
        />
      )}
      <circle cx={toX(gain.mean)} cy={HEIGHT / 2} r={4} />
    </svg>
  );
}

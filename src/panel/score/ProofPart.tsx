import * as React from 'react';

import type { Proof, Session } from '../../api/types';
import { currentIteration, type GradedRun } from '../../session/reading';
import { labelOf, messagesText } from '../../words/message';
import { formatScore, formatDuration } from '../../words/numbers';
import { PROOF_TONES } from '../../words/proofs';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { type IModelProps, useIdle } from '../../review/useModel';

const WIDTH = 260;
const HEIGHT = 44;
const MARGIN = 50;

/**
 * Proof by runs on shuffled data that the result comes from a trained model.
 */
export function ProofPart(
  props: IModelProps & { best: GradedRun; session: Session }
): JSX.Element {
  const trans = useTrans();
  const { best, model, session } = props;
  const isReady = useIdle(model);
  const seconds = best.execution?.seconds ?? 0;
  const isCurrent = [best, currentIteration(session)].some(
    run => run?.notebook_hash === session.proven
  );
  const proofs = isCurrent ? session.proofs : [];
  return (
    <div className="jp-mle-Verification">
      <h4>{trans.__('Does it come from a trained model?')}</h4>
      {proofs.length > 0 && <Proofs proofs={proofs} />}
      <div className="jp-mle-Actions">
        <Button
          label={trans.__('Prove the result')}
          caption={trans.__(
            'Three runs of about %1 each: as it is, on shuffled labels, and on shuffled test rows; a long one on a sample of the training data',
            formatDuration(seconds)
          )}
          isEnabled={isReady}
          onClick={() => void model.actions.prove()}
        />
      </div>
    </div>
  );
}

/** Results of experiments, and the duration of their runs. */
export function Proofs({ proofs }: { proofs: readonly Proof[] }): JSX.Element {
  const trans = useTrans();
  const runs = proofs.filter(proof => proof.seconds > 0);
  const total = runs.reduce((sum, proof) => sum + proof.seconds, 0);
  const sample = proofs.find(proof => proof.sample.length > 0)?.sample;
  return (
    <>
      <ul className="jp-mle-Proofs">
        {proofs.map(proof => (
          <li key={proof.kind}>
            <Chip tone={PROOF_TONES[proof.outcome]}>
              {`${labelOf('proof-kind', proof.kind, trans)}: ${labelOf('proof-outcome', proof.outcome, trans)}`}
            </Chip>{' '}
            {labelOf('proof', proof.code, trans, {
              ...proof.parameters,
              reason: proof.reason
            })}
            {proof.parameters.original === 'no-training' &&
              ` ${trans.__('The original trains nothing, so this is no reproach.')}`}
            <ScoresPicture proof={proof} />
          </li>
        ))}
      </ul>
      {runs.length > 0 && (
        <p className="jp-mle-Hint">
          {trans._n(
            '%1 run, %2',
            '%1 runs, %2',
            runs.length,
            formatDuration(total)
          )}
          {sample &&
            ` · ${trans.__('on a sample (%1)', messagesText(sample, trans))}`}
        </p>
      )}
    </>
  );
}

/**
 * The score of the unchanged notebook, on shuffled labels and without
 * knowledge, on one scale.
 */
function ScoresPicture({ proof }: { proof: Proof }): JSX.Element | null {
  const trans = useTrans();
  const named: [string, string][] = [
    ['normal', trans.__('as it is')],
    ['shuffled', trans.__('shuffled')],
    ['floor', trans.__('no knowledge')]
  ];
  const points = named
    .map(([key, label]) => ({
      key,
      label,
      score: Number(proof.parameters[key])
    }))
    .filter(point => Number.isFinite(point.score));
  const scores = points.map(point => point.score);
  const low = Math.min(...scores);
  const span = Math.max(...scores) - low;
  if (points.length < 2 || !points.some(point => point.key === 'shuffled')) {
    return null;
  }
  const toX = (score: number) =>
    MARGIN + (span ? (score - low) / span : 0.5) * (WIDTH - 2 * MARGIN);
  const words = points.map(
    point => `${point.label} ${formatScore(point.score)}`
  );
  return (
    <svg
      className="jp-mle-Gauge-image"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={trans.__('Scores: %1', words.join('; '))}
    >
      <line
        className="jp-mle-Gauge-axis"
        x1={MARGIN / 2}
        x2={WIDTH - MARGIN / 2}
        y1={HEIGHT / 2}
        y2={HEIGHT / 2}
      />
      {points.map(point => (
        <g
          key={point.key}
          className={`jp-mle-Gauge-point${point.key === 'normal' ? ' jp-mod-inside' : ''}`}
        >
          <circle cx={toX(point.score)} cy={HEIGHT / 2} r={5} />
        </g>
      ))}
      {points.map((point, at) => (
        <text
          key={point.key}
          className="jp-mle-Gauge-tick"
          x={toX(point.score)}
          y={at === 1 ? HEIGHT - 4 : at === 0 ? 11 : HEIGHT - 4}
          textAnchor="middle"
        >
          {point.key === 'floor' ? '' : words[at]}
        </text>
      ))}
    </svg>
  );
}

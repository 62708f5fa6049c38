import * as React from 'react';

import type { RepeatedRun, Session, Verification } from '../../api/types';
import { bestRun, type GradedRun } from '../../session/reading';
import { formatScore, formatDuration } from '../../words/numbers';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { Choice } from '../../ui/fields';
import { NoisePart } from './NoisePart';
import { ProofPart } from './ProofPart';
import { RunList, scoreText } from './RunList';
import { GaugePicture } from './ScoreGauge';
import { Section } from '../../ui/Section';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import type { Tone } from '../../words/labels';
import { messagesText } from '../../words/message';

/** Choices for the number of runs of a strict verification. */
const RUNS = [3, 5, 10] as const;

/**
 * Check by repeated runs that the outcome is stable, and of the parts that its
 * score depends on.
 */
export function VerificationSection({
  model
}: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const [runs, setRuns] = React.useState<number>(10);
  const session = useSession(model);
  const isReady = useIdle(model);
  const best = session && bestRun(session);
  if (!session || !best?.grade || best.grade.score === null) {
    return null;
  }
  const seconds = best.execution?.seconds ?? 0;
  const said = session.verification;
  return (
    <Section
      title={trans.__('Verification')}
      badge={said && <AnswerChip said={said} />}
      isFolded={
        !said &&
        !session.noise &&
        session.calibrations.length === 0 &&
        session.proofs.length === 0
      }
    >
      {!said && <QuickLabel best={best} />}
      {said && <Said said={said} session={session} best={best} />}
      <div className="jp-mle-Form-row">
        <Choice
          label={trans.__('Runs at most')}
          help={trans.__(
            'Up to %1 runs of about %2 each, in fresh kernels; it ends early where the answer is certain.',
            runs,
            formatDuration(seconds)
          )}
          value={String(runs)}
          options={RUNS.map(count => [String(count), String(count)] as const)}
          onChange={value => setRuns(Number(value))}
        />
      </div>
      <div className="jp-mle-Actions">
        <Button
          label={trans.__('Verify strictly')}
          caption={trans.__(
            'Run the best iteration’s notebook again and test its scores against the target'
          )}
          isEnabled={isReady}
          onClick={() => void model.actions.verify('strict', runs)}
        />
        <Button
          look="quiet"
          label={trans.__('Run once more')}
          caption={trans.__('Verify quickly, by one more clean run')}
          isEnabled={isReady}
          onClick={() => void model.actions.verify('quick', 2)}
        />
      </div>
      <NoisePart model={model} best={best} session={session} />
      <ProofPart model={model} best={best} session={session} />
    </Section>
  );
}

/** Significance of a single run. */
function QuickLabel({ best }: { best: GradedRun }): JSX.Element {
  const trans = useTrans();
  const text = best.grade?.within_threshold
    ? trans.__(
        'Verified quickly: one clean run (iteration %1) is inside the band.',
        best.number
      )
    : trans.__('No clean run is inside the band so far.');
  return <p className="jp-mle-Hint">{text}</p>;
}

const TONES: Record<Verification['answer'], Tone> = {
  reproducible: 'good',
  'not-reproducible': 'bad',
  open: 'plain'
};

function AnswerChip({ said }: { said: Verification }): JSX.Element {
  const trans = useTrans();
  const words: Record<Verification['answer'], string> = {
    reproducible:
      said.kind === 'strict'
        ? trans.__('reproducible (strict)')
        : trans.__('reproducible (quick)'),
    'not-reproducible':
      said.kind === 'strict'
        ? trans.__('not reproducible (strict)')
        : trans.__('not reproducible (quick)'),
    open: said.done ? trans.__('no answer') : trans.__('going on')
  };
  return <Chip tone={TONES[said.answer]}>{words[said.answer]}</Chip>;
}

function Said(props: {
  said: Verification;
  session: Session;
  best: GradedRun;
}): JSX.Element {
  const trans = useTrans();
  const { said } = props;
  const { p_value: p, spread } = said;
  const facts: [string, string][] = [];
  if (spread) {
    facts.push([trans.__('Mean'), formatScore(spread.mean)]);
  }
  if (spread && spread.deviation !== null) {
    facts.push([trans.__('Standard deviation'), formatScore(spread.deviation)]);
  }
  if (spread && spread.low !== null && spread.high !== null) {
    facts.push([
      trans.__('95 % confidence interval'),
      trans.__('%1 to %2', formatScore(spread.low), formatScore(spread.high))
    ]);
  }
  if (p !== null) {
    facts.push([trans.__('p (t-test)'), formatScore(p)]);
  }
  facts.push([
    trans.__('Inside the band'),
    trans.__('%1 of %2 runs', said.runs_within, said.runs.length)
  ]);
  return (
    <div className="jp-mle-Verification">
      {said.message.length > 0 && <p>{messagesText(said.message, trans)}</p>}
      {said.ended.length > 0 && (
        <p className="jp-mle-Hint">{messagesText(said.ended, trans)}</p>
      )}
      {said.iteration !== null && said.iteration !== props.best.number && (
        <p className="jp-mle-Hint">
          {trans.__('Of the notebook of iteration %1.', said.iteration)}
        </p>
      )}
      <GaugePicture
        session={asSession(props.session, props.best, said.runs)}
        label={trans.__(
          'Scores of repeated runs: %1',
          said.runs.map(run => scoreText(run)).join('; ')
        )}
      />
      <dl className="jp-mle-Verification-facts">
        {facts.map(([name, value]) => (
          <React.Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </React.Fragment>
        ))}
      </dl>
      <RunList runs={said.runs} />
    </div>
  );
}

/** Return repeated runs as iterations for the gauge. */
export function asSession(
  session: Session,
  best: GradedRun,
  runs: readonly RepeatedRun[]
): Session {
  const iterations = runs.flatMap(run =>
    best.grade && run.score !== null
      ? [
          {
            ...best,
            number: run.number,
            grade: {
              ...best.grade,
              score: run.score,
              within_threshold: run.within_threshold
            }
          }
        ]
      : []
  );
  return { ...session, iterations };
}

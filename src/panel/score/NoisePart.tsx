import * as React from 'react';

import type {
  Calibration,
  Noise,
  Session,
  SessionSettings,
  Tried
} from '../../api/types';
import { formatScore, formatDuration } from '../../words/numbers';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans, useValue } from '../../ui/context';
import { Choice } from '../../ui/fields';
import { Link } from '../../ui/Link';
import { RunList } from './RunList';
import { type IModelProps, useIdle } from '../../review/useModel';
import type { Tone } from '../../words/labels';
import type { GradedRun } from '../../session/reading';
import { messagesText } from '../../words/message';
import type { CellNames } from '../../words/parameters';

/** Cause of a score's distance: library changes, or mere noise. */
export function NoisePart(
  props: IModelProps & { best: GradedRun; session: Session }
): JSX.Element | null {
  const trans = useTrans();
  const { best, model, session } = props;
  const isReady = useIdle(model);
  const runs = useValue(model.formChanged, () => model.draft.noise_runs);
  const when = useValue(model.formChanged, () => model.draft.measure_noise);
  if (best.grade?.deviation === null) {
    return null;
  }
  const seconds = formatDuration(best.execution?.seconds ?? 0);
  const cause = session.calibrations[session.calibrations.length - 1];
  return (
    <div className="jp-mle-Verification">
      <h4>
        {best.grade?.within_threshold
          ? trans.__('What does the score depend on?')
          : trans.__('Why is the score off?')}
      </h4>
      {cause && (
        <CauseFound found={cause} cells={model.places.namesIn(session)} />
      )}
      {session.noise && <NoiseFound noise={session.noise} />}
      <div className="jp-mle-Actions">
        <Button
          label={trans.__('Look for the cause')}
          caption={trans.__(
            'Restore what libraries changed silently in runs apart, and see what moves the score; nothing is proposed by that'
          )}
          isEnabled={isReady}
          onClick={() => void model.actions.seekCause()}
        />
        <Button
          label={trans.__('Measure the noise')}
          caption={trans.__(
            '%1 runs of about %2 each, of copies with other seeds',
            runs,
            seconds
          )}
          isEnabled={isReady}
          onClick={() => void model.actions.measureNoise(runs)}
        />
      </div>
      <Choice
        label={trans.__('Auto mode does both before it calibrates')}
        help={trans.__('It costs runs, and saves fixes of what is only noise.')}
        value={when}
        options={[
          ['when-cheap', trans.__('Where a run takes less than a minute')],
          ['always', trans.__('Always')],
          ['never', trans.__('Never')]
        ]}
        onChange={value =>
          model.edit({
            measure_noise: value as SessionSettings['measure_noise']
          })
        }
      />
    </div>
  );
}

const TONES: Record<Noise['answer'], Tone> = {
  'within-noise': 'good',
  'beyond-noise': 'fair',
  steady: 'fair',
  open: 'plain'
};

function NoiseFound({ noise }: { noise: Noise }): JSX.Element {
  const trans = useTrans();
  const words: Record<Noise['answer'], string> = {
    'within-noise': trans.__('within noise'),
    'beyond-noise': trans.__('not noise'),
    steady: trans.__('not random'),
    open: noise.done ? trans.__('no answer') : trans.__('going on')
  };
  return (
    <div>
      <p>
        <Chip tone={TONES[noise.answer]}>{words[noise.answer]}</Chip>{' '}
        {messagesText(noise.message, trans)}
      </p>
      {noise.seeds.length > 0 && (
        <p className="jp-mle-Hint">
          {trans.__('Seeds in the notebook: %1', noise.seeds.join(', '))}
        </p>
      )}
      {noise.runs.length > 0 && <RunList runs={noise.runs} />}
    </div>
  );
}

function CauseFound(props: {
  found: Calibration;
  cells: CellNames;
}): JSX.Element {
  const trans = useTrans();
  const { cells, found } = props;
  return (
    <div>
      {found.causes.length === 0 && <p>{messagesText(found.message, trans)}</p>}
      {found.causes.map(cause => (
        <CauseLine key={cause.rules.join(' ')} cause={cause} cells={cells} />
      ))}
      {found.causes.length > 0 && found.left_out.length > 0 && (
        <p className="jp-mle-Hint">
          {trans._n(
            '%1 other change was tried without use for the score, and is not proposed.',
            '%1 other changes were tried without use for the score, and are not proposed.',
            found.left_out.length
          )}
        </p>
      )}
    </div>
  );
}

function CauseLine(props: { cause: Tried; cells: CellNames }): JSX.Element {
  const trans = useTrans();
  const { cause, cells } = props;
  const after = cause.after === null ? '–' : formatScore(cause.after);
  return (
    <p>
      <Chip tone={cause.nearer ? 'good' : 'fair'}>
        {cause.within_threshold
          ? trans.__('the cause')
          : cause.nearer
            ? trans.__('a part of the cause')
            : trans.__('away from the target')}
      </Chip>{' '}
      {messagesText(cause.what, trans, cells)}{' '}
      <strong>
        {trans.__('Score %1 → %2', formatScore(cause.before), after)}
      </strong>{' '}
      {cause.changes.map(change => (
        <Link key={change.link} address={change.link}>
          {change.name}
        </Link>
      ))}
    </p>
  );
}

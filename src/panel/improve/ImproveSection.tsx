import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Block, Course, Improvement, RoleChoice } from '../../api/types';
import { bestRun, type GradedRun } from '../../session/reading';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { Choice } from '../../ui/fields';
import { Section } from '../../ui/Section';
import { earlierWords, opinionWords, planWords } from '../../words/improvement';
import { labelOf, messagesText } from '../../words/message';
import { formatDuration } from '../../words/numbers';
import { Proofs } from '../score/ProofPart';
import { Blocks } from './Blocks';
import { Lineage } from './Lineage';
import { Parts } from './Parts';
import { Versions } from './Versions';

const FOLDS = [1, 3, 5, 10] as const;
/** Runs on changed data that look for leaks, at most. */
const EXPERIMENTS = 3;
/**
 * Maximum number of partitions of the rows into folds; those after the first are
 * only for versions that the first cannot distinguish.
 */
const PARTITIONS = 3;
const COURSE: Course = {
  models: 2,
  rounds: 2,
  steps: 3,
  ensembles: 1,
  most_runs: 60,
  asks_model: true
};
/** Maximum number of repairs of a failing change by a model. */
const REPAIRS = 2;
/**
 * Number of requests to a model: for models, merges, steps and ensembles with
 * repairs; for leaks.
 */
const REQUESTS =
  (1 + REPAIRS) *
    (2 * COURSE.models - 1 + COURSE.rounds * COURSE.steps + COURSE.ensembles) +
  1;

type Way = 'each' | 'ablate' | 'refine';

/**
 * Search for a higher score: known changes of the notebook, compared on
 * validation folds.
 */
export function ImproveSection({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const best = session && bestRun(session);
  if (!session || !best?.grade || best.grade.score === null) {
    return null;
  }
  const found = session.improvement;
  return (
    <Section title={trans.__('Improve')} isFolded={!found}>
      {found && <Found model={model} found={found} />}
      {best.grade.score_kind === 'graded' ? (
        <Start model={model} best={best} hasFound={found !== null} />
      ) : (
        <p className="jp-mle-Hint">
          {trans.__(
            'Versions are compared by a graded submission. Choose a competition, and let the notebook write a submission.'
          )}
        </p>
      )}
    </Section>
  );
}

function Start(
  props: IModelProps & { best: GradedRun; hasFound: boolean }
): JSX.Element {
  const trans = useTrans();
  const { best, hasFound, model } = props;
  const [folds, setFolds] = React.useState<number>(5);
  const [minutes, setMinutes] = React.useState('60');
  const [way, setWay] = React.useState<Way>('each');
  const [blocks, setBlocks] = React.useState<readonly Block[] | null>(null);
  const [roles, setRoles] = React.useState<readonly RoleChoice[]>([]);
  React.useEffect(() => {
    setBlocks(null);
    setRoles([]);
  }, [best.notebook_hash]);
  const isReady = useIdle(model);
  const asksModel =
    model.info.llm.configured &&
    (model.session?.settings.fixers.includes('llm') ?? false);
  const seconds = best.execution?.seconds ?? 0;
  return (
    <>
      <p className="jp-mle-Hint">
        {trans.__(
          'Tries changes of the model and its data on folds of the training data, and separates gains from chance. The competition’s own answers are not used. Nothing changes without your review.'
        )}
      </p>
      <div className="jp-mle-Form-row">
        <Choice
          label={trans.__('Folds')}
          help={trans.__(
            'About %1 for the baseline (with %2 leak checks), then up to %3 per change.',
            formatDuration((folds + EXPERIMENTS) * seconds),
            EXPERIMENTS,
            formatDuration(folds * seconds)
          )}
          value={String(folds)}
          options={FOLDS.map(
            count =>
              [
                String(count),
                count === 1
                  ? trans.__('1 (weak: one hold-out set)')
                  : String(count)
              ] as const
          )}
          onChange={value => setFolds(Number(value))}
        />
        <Choice
          label={trans.__('Time at most')}
          help={trans.__('Changes that do not fit into it are left out.')}
          value={minutes}
          options={[
            ['10', trans.__('10 minutes')],
            ['60', trans.__('1 hour')],
            ['240', trans.__('4 hours')],
            ['', trans.__('No limit')]
          ]}
          onChange={setMinutes}
        />
      </div>
      <Choice
        label={trans.__('What is tried')}
        help={wayHelp(way, asksModel, trans)}
        value={way}
        options={[
          ['each', trans.__('Known changes, each alone')],
          ['ablate', trans.__('Known changes, where it matters most first')],
          ['refine', trans.__('Step by step from the best version')]
        ]}
        onChange={value => setWay(value as Way)}
      />
      <Blocks
        model={model}
        blocks={blocks}
        roles={roles}
        onBlocks={setBlocks}
        onRoles={setRoles}
      />
      <div className="jp-mle-Actions">
        <Button
          label={
            hasFound
              ? trans.__('Look again')
              : trans.__('Look for a better score')
          }
          caption={trans.__(
            'Run the notebook and changed versions of it on validation folds'
          )}
          isEnabled={isReady}
          onClick={() =>
            void model.actions.improve({
              folds,
              partitions: PARTITIONS,
              budget: minutes ? 60 * Number(minutes) : null,
              ablate: way === 'ablate',
              refine: way === 'refine' ? COURSE : null,
              split: null,
              column: null,
              seed: 0,
              roles: [...roles]
            })
          }
        />
      </div>
    </>
  );
}

function wayHelp(
  way: Way,
  asksModel: boolean,
  trans: TranslationBundle
): string {
  switch (way) {
    case 'each':
      return trans.__('Each change is made to the notebook as it is.');
    case 'ablate':
      return trans.__(
        'Runs the notebook without one part each, and tries changes of the most important parts first.'
      );
    case 'refine':
      return asksModel
        ? trans.__(
            'Finds out what each part is worth, then asks the model for one change after the other: at most %1 requests and %2 runs.',
            REQUESTS,
            COURSE.most_runs
          )
        : trans.__(
            'Finds out what each part is worth, then makes known changes and puts in models of the catalogue, one on top of the other: at most %1 runs.',
            COURSE.most_runs
          );
  }
}

function Found(props: IModelProps & { found: Improvement }): JSX.Element {
  const trans = useTrans();
  const { found, model } = props;
  return (
    <div className="jp-mle-Verification">
      <p className="jp-mle-Hint">{planWords(found.folds, trans)}</p>
      {found.leaks.length > 0 && (
        <>
          <h4>{trans.__('This may make a score look better than it is')}</h4>
          <ul className="jp-mle-Improve-leaks">
            {found.leaks.map(leak => (
              <li key={`${leak.cell_id}:${leak.line}:${leak.kind}`}>
                {trans.__(
                  'Cell %1, line %2: %3.',
                  model.places.name(leak.cell_id) ?? leak.cell,
                  leak.line,
                  labelOf('leak', leak.kind, trans, {
                    name: leak.name || trans.__('a column')
                  })
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {found.experiments.length > 0 && (
        <>
          <h4>{trans.__('Leaks that runs look for')}</h4>
          <Proofs proofs={found.experiments} />
        </>
      )}
      {found.opinion && (
        <p>
          {opinionWords(found.opinion, trans, cell =>
            model.places.nameAt(Number(cell))
          )}
        </p>
      )}
      {found.folds.copies > 0 && (
        <p>
          {trans.__(
            '%1 of %2 rows that the last fold holds out are among its training rows too, but for the id.',
            found.folds.copies,
            lastHeldOut(found)
          )}
        </p>
      )}
      {found.unopened.length > 0 && (
        <p>
          {trans.__(
            'Public files that the code does not name: %1.',
            found.unopened.join(', ')
          )}
        </p>
      )}
      {found.over_budget && found.folds.count > 1 && (
        <p>
          {trans.__(
            'The notebook alone takes more than the time allowed on %1 folds. Allow more time, or compare on 1 fold: one hold-out set, which is weak evidence.',
            found.folds.count
          )}
        </p>
      )}
      <Versions model={model} found={found} />
      {found.earlier.length > 0 && (
        <details>
          <summary>{trans.__('Earlier searches on similar tasks')}</summary>
          <ul className="jp-mle-Improve-leaks">
            {found.earlier.map(one => (
              <li key={`${one.kind}:${one.name}`}>
                {earlierWords(one, trans)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {found.refined && <Lineage found={found} />}
      {found.unused.length > 0 && <Unused found={found} />}
      {found.ablations.length > 0 && <Parts found={found} />}
      <p className="jp-mle-Hint">
        {[
          trans._n('%1 run', '%1 runs', found.runs, found.runs),
          found.cut_short &&
            trans.__(
              'versions without a verdict were left out for lack of time'
            ),
          found.cancelled && trans.__('cancelled')
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

function lastHeldOut({ folds }: Improvement): number {
  return folds.held_out[folds.held_out.length - 1];
}

/** Requests to a model, and the untried changes with the reason. */
function Unused({ found }: { found: Improvement }): JSX.Element {
  const trans = useTrans();
  return (
    <>
      <h4>{trans.__('Not tried')}</h4>
      <ul className="jp-mle-Improve-leaks">
        {found.unused.map((one, index) => (
          <li key={index}>{messagesText(one.reason, trans)}</li>
        ))}
      </ul>
    </>
  );
}

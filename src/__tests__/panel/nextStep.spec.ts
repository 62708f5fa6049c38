import type { Session } from '../../api/types';
import { standLabel } from '../../words/labels';
import {
  isDone,
  lackingPackages,
  largeEnvironment,
  longerExamination,
  longerLimit,
  withPackages,
  nextSteps,
  stageOf
} from '../../panel/nextStep';
import { proposal, reviewing } from '../fakeServer';
import {
  makeDiagnosis,
  makeFinding,
  makeIteration,
  makeProgress,
  makeReview,
  makeSession,
  trans
} from '../values';

function decided(state: 'accepted' | 'rejected') {
  const { edits } = proposal().proposal;
  const decision = { state, partial: false, confirmed: false };
  return makeReview(edits, {
    decisions: Object.fromEntries(edits.map(({ id }) => [id, decision]))
  });
}

/**
 * Return a session whose run, in an environment of the user's, raised one
 * error.
 */
function lackingSession(
  missed: Session['missing_packages'],
  missing: string[] = [],
  unknown: string[] = [],
  origin: 'server' | 'made' = 'server'
): Session {
  return makeSession({
    iterations: [makeIteration({ diagnosis: makeDiagnosis() })],
    missing_packages: missed,
    environment: {
      added: [],
      asked: 'server',
      compared: 'server',
      detail: '',
      environment: {
        name: 'server',
        origin,
        interpreter: '/python',
        directories: [],
        python: '3.11.7',
        ipykernel: '7',
        packages: {},
        missing: [],
        trouble: null,
        is_started: true
      },
      imports: 1,
      lines_done: false,
      missing,
      needs: '',
      problem: null,
      reason: 'asked',
      remarks: [],
      unknown
    }
  });
}

const ran = makeSession({ iterations: [makeIteration()] });

const facts = {
  stage: 'first',
  session: null,
  goesOnFrom: null,
  canPropose: false,
  canFinish: false,
  hasModel: false,
  isFinished: false
} as const;

describe('where a notebook stands', () => {
  it.each([
    ['first', null, false],
    ['first', makeSession(), false],
    ['working', ran, true],
    ['review', reviewing(), false],
    ['review', makeSession({ reviews: [proposal()] }), false],
    ['run-due', reviewing(decided('accepted')), false],
    ['after', reviewing(decided('rejected')), false],
    ['after', ran, false]
  ] as const)('is %s', (stage, session, isWorking) => {
    expect(stageOf(session, isWorking)).toBe(stage);
  });
});

describe('the steps that are offered', () => {
  it('are one recommended one and at most one other', () => {
    expect(nextSteps(facts)).toEqual({ primary: 'modernize', others: [] });
    expect(nextSteps({ ...facts, canPropose: true })).toEqual({
      primary: 'propose-known',
      others: ['modernize']
    });
    expect(
      nextSteps({ ...facts, stage: 'review', session: reviewing() })
    ).toEqual({ primary: 'review', others: [] });
    expect(nextSteps({ ...facts, stage: 'working', session: ran })).toEqual({
      primary: null,
      others: ['cancel']
    });
    expect(nextSteps({ ...facts, stage: 'after', session: ran })).toEqual({
      primary: 'run',
      others: []
    });
  });

  it('are to cancel, or to run without, while an environment is prepared', () => {
    const message = [
      { code: 'making.for', parameters: { packages: 'statsmodels', step: [] } }
    ];
    const session = makeSession({ progress: makeProgress({ message }) });
    expect(nextSteps({ ...facts, stage: 'working', session })).toEqual({
      primary: null,
      others: ['cancel', 'run-without']
    });
  });

  it('ask before a large environment is prepared', () => {
    const message = [
      {
        code: 'making.ask',
        parameters: { packages: 'statsmodels', megabytes: 130 }
      }
    ];
    const session = makeSession({ message });
    expect(largeEnvironment(session)).toBe(130);
    expect(nextSteps({ ...facts, session })).toEqual({
      primary: 'prepare',
      others: ['run-without']
    });
  });

  it('are a longer run where the time was up and no cell had failed', () => {
    const session = makeSession({
      iterations: [makeIteration()],
      phase: 'finished',
      verdict: 'needs-time'
    });
    expect(nextSteps({ ...facts, stage: 'after', session })).toEqual({
      primary: 'run-longer',
      others: ['run']
    });
    expect([90, 600, 3600, 90_000].map(longerLimit)).toEqual([
      10, 60, 540, 3000
    ]);
  });

  it('are a proof of a score that an edit led to', () => {
    const session = makeSession({
      iterations: [makeIteration({ needs_proof: true })],
      phase: 'finished',
      verdict: 'reached'
    });
    expect(nextSteps({ ...facts, stage: 'after', session })).toEqual({
      primary: 'prove',
      others: ['run']
    });
    expect(standLabel(session, trans)).toBe('Reached, not proven');
    expect(isDone(session)).toBe(false);
  });

  it('are more time for the rules where it was too short', () => {
    const session = makeSession({
      iterations: [makeIteration()],
      phase: 'finished',
      verdict: 'not-examined'
    });
    expect(nextSteps({ ...facts, stage: 'after', session })).toEqual({
      primary: 'examine-longer',
      others: ['run']
    });
    expect([30, 120, 1920].map(longerExamination)).toEqual([120, 480, 3600]);
  });

  it('ask for consent to a large environment, or do without it', () => {
    const parameters = { packages: 'statsmodels', megabytes: 130 };
    const message = [{ code: 'making.ask', parameters }];
    const session = makeSession({ phase: 'ready', message });
    expect(nextSteps({ ...facts, session })).toEqual({
      primary: 'prepare',
      others: ['run-without']
    });
    const progress = makeProgress({
      message: [{ code: 'making.for', parameters }]
    });
    const preparing = makeSession({ phase: 'preparing', progress });
    expect(
      nextSteps({ ...facts, stage: 'working', session: preparing }).others
    ).toEqual(['cancel', 'run-without']);
  });

  it('lead to the cell that fails, and to a model, where no fix is known', () => {
    const diagnosis = makeDiagnosis({ findings: [makeFinding()] });
    const session = makeSession({
      iterations: [makeIteration({ diagnosis })],
      phase: 'finished',
      verdict: 'no-fix'
    });
    const after = { ...facts, stage: 'after', session } as const;
    expect(nextSteps(after)).toEqual({
      primary: 'go-to-error',
      others: ['run', 'connect-model']
    });
    expect(nextSteps({ ...after, hasModel: true }).others).toEqual(['run']);
    // A model does not help if the notebook cannot run.
    expect(
      nextSteps({ ...after, session: { ...session, verdict: 'cannot-run' } })
    ).toEqual({ primary: 'go-to-error', others: ['run'] });
  });

  it('are the packages that were missing, once their names are known', () => {
    const catboost = { module: 'catboost', package: 'catboost' };
    const mine = { module: 'mine', package: null };
    const next = (session: Session) =>
      nextSteps({ ...facts, stage: 'after', session }).primary;
    const known = lackingSession([catboost], ['catboost', 'missingno']);
    expect(lackingPackages(known)).toEqual({
      known: ['catboost', 'missingno'],
      unknown: []
    });
    expect(next(known)).toBe('make-environment');
    // The package the environment was created for is installed.
    const made = lackingSession([mine], ['catboost'], ['other'], 'made');
    expect(lackingPackages(made)).toEqual({ known: [], unknown: ['mine'] });
    expect(next(made)).toBeNull();
    const none = lackingSession([], ['catboost']);
    expect(lackingPackages(none)).toBeNull();
    expect(next(none)).toBe('run');
  });

  it.each([
    [null, null],
    ['own-time', 'own-time'],
    ['server', 'own'],
    ['ml', 'own']
  ])('never go into an environment of the person: %s', (before, after) => {
    const draft = { environment: before, packages: ['stop-words'] };
    expect(withPackages(draft, ['catboost', 'stop-words'])).toEqual({
      environment: after,
      packages: ['stop-words', 'catboost']
    });
  });

  it('go on where a run waits, or begin anew', () => {
    const waiting = { ...facts, stage: 'run-due', session: ran } as const;
    expect(nextSteps({ ...waiting, goesOnFrom: 3 })).toEqual({
      primary: 'continue',
      others: ['run-fresh']
    });
  });

  it('end with the notebook that has the outputs, and its check here', () => {
    const session = { ...ran, verdict: 'reproduced' } as const;
    const after = { ...facts, stage: 'after', session } as const;
    expect(nextSteps({ ...after, canFinish: true })).toEqual({
      primary: 'finish',
      others: ['run']
    });
    const done = { primary: null, others: ['run-here', 'run'] };
    expect(nextSteps({ ...after, canFinish: true, isFinished: true })).toEqual(
      done
    );
    // A copy that is opened has no session of its own.
    expect(nextSteps({ ...facts, isFinished: true })).toEqual(done);
  });

  it('recommend nothing once there is a verdict', () => {
    const session = { ...ran, verdict: 'reproduced' } as const;
    expect(nextSteps({ ...facts, stage: 'after', session })).toEqual({
      primary: null,
      others: ['run']
    });
  });
});

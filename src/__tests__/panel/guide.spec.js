const fs = require('fs');

const { nextSteps } = require('../../panel/nextStep');
const values = require('../values');

const { makeDiagnosis, makeEdit, makeFinding, makeIteration } = values;
const { makeReview, makeSession } = values;

const ran = makeSession({ iterations: [makeIteration()] });
const fine = { ...ran, verdict: 'reproduced' };
const lacking = {
  ...ran,
  missing_packages: [{ module: 'catboost', package: 'catboost' }]
};
const stuck = {
  ...makeSession({
    iterations: [
      makeIteration({ diagnosis: makeDiagnosis({ findings: [makeFinding()] }) })
    ]
  }),
  verdict: 'no-fix'
};
const reviewing = makeSession({
  iterations: [makeIteration({ reviews: [makeReview([makeEdit()])] })]
});

const FACTS = {
  stage: 'first',
  session: null,
  goesOnFrom: null,
  canPropose: false,
  canFinish: false,
  hasModel: false,
  isFinished: false
};

/** What the panel knows in each state of the guide's table. */
const STATES = {
  'not run, fixes are known': { canPropose: true },
  'not run, nothing is known to break': {},
  'changes wait for you': { stage: 'review', session: reviewing },
  'changes were accepted': { stage: 'run-due', session: ran },
  'changes were accepted, the kernel waits at the cell that failed': {
    stage: 'run-due',
    session: ran,
    goesOnFrom: 7
  },
  'a package is missing': { stage: 'after', session: lacking },
  'the time was up and no cell had failed': {
    stage: 'after',
    session: { ...ran, verdict: 'needs-time' }
  },
  'the rules could not examine all of it in their time': {
    stage: 'after',
    session: { ...ran, verdict: 'not-examined' }
  },
  'a cell fails, and no fix is known': {
    stage: 'after',
    session: stuck
  },
  'it reached its target, or ran without an error where it has none': {
    stage: 'after',
    session: fine,
    canFinish: true
  },
  'it has the outputs of that run': {
    stage: 'after',
    session: fine,
    canFinish: true,
    isFinished: true
  }
};

/** What stands on the button of each step. */
const LABELS = {
  'propose-known': 'Fix them',
  modernize: 'Modernize',
  review: 'Review %1 changes',
  run: 'Run again',
  continue: 'Continue from cell %1',
  'make-environment': 'Add %2',
  'run-longer': 'Run with %1',
  'examine-longer': 'Try again with more time',
  'go-to-error': 'Go to the cell that fails',
  finish: 'Finish'
};

describe('the table of the next things in the guide', () => {
  const guide = fs.readFileSync('docs/users.md', 'utf8');
  const [, table] = guide.split('| where the notebook stands | next |');
  const rows = table
    .split('\n\n')[0]
    .split('\n')
    .slice(2)
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(([, state, next]) => ({ state, next }));

  it('has every state, and each next thing', () => {
    expect(rows.map(({ state }) => state)).toEqual(Object.keys(STATES));
    const steps = Object.values(STATES).map(
      state => nextSteps({ ...FACTS, ...state }).primary
    );
    expect(steps).toEqual([...Object.keys(LABELS), null]);
  });

  it.each(rows)('is in step with the panel: $state', ({ state, next }) => {
    const { primary } = nextSteps({ ...FACTS, ...STATES[state] });
    if (primary === null) {
      expect(next).toMatch(/^nothing;/);
      return;
    }
    const label = LABELS[primary];
    const pattern = label
      .replace('cell %1', 'cell \\[\\d+\\] …')
      .replace('%1', '\\d[\\w ]*')
      .replace('%2', '\\w+');
    expect(next).toMatch(new RegExp(`^\\*${pattern}\\*$`));
    const source = fs.readFileSync('src/panel/StatusLine.tsx', 'utf8');
    expect(source).toContain(`'${label}'`);
  });
});

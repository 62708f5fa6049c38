import { act, fireEvent, render, screen, within } from '@testing-library/react';
import * as React from 'react';

import type { Improvement, Session, TriedVersion } from '../../../api/types';
import { ImproveSection } from '../../../panel/improve/ImproveSection';
import { Modernization } from '../../../review/modernization';
import {
  FakeDocument,
  info,
  type IRequest,
  makeClient,
  makeDiagnosis,
  makeGrade,
  makeHints,
  makeIteration,
  makeNotebook,
  makeQuestions,
  makeSession,
  makeSessionList,
  said,
  settle,
  trans
} from '../../values';

const version = (
  name: string,
  letter: string,
  change: Partial<TriedVersion>
): TriedVersion => ({
  name,
  notebook_hash: letter.repeat(64),
  scores: [],
  gain: null,
  comparison: null,
  raced_out: false,
  kind: '',
  what: [],
  block: null,
  parent: '',
  step: null,
  round: 0,
  source: 'rules',
  ...change
});

const gain = (mean: number, low: number, high: number) => ({
  mean,
  low,
  high,
  p: 0.01,
  confidence: 0.95
});

const found: Improvement = {
  folds: {
    count: 5,
    split: 'stratified',
    column: null,
    seed: 0,
    reason: 'labels',
    table: 'train.csv',
    rows: 120,
    held_out: [24, 24, 24, 24, 24],
    classes: ['0', '1'],
    copies: 3
  },
  higher_is_better: true,
  baseline: version('Baseline', 'a', {}),
  candidates: [
    version('scaling', 'b', {
      comparison: 'undecided',
      gain: gain(0.001, -0.01, 0.012)
    }),
    version('more trees', 'c', {
      comparison: 'better',
      gain: gain(0.03, 0.02, 0.04),
      what: said('Takes 500 trees.')
    }),
    version('<b>broken</b>', 'd', {
      comparison: 'failed',
      scores: [
        { fold: 1, score: null, seconds: 1, reason: said('No submission.') }
      ]
    })
  ],
  runs: 13,
  done: true,
  cancelled: false,
  searched: true,
  tried: 3,
  leaks: [
    {
      kind: 'fit-on-test',
      cell_id: 'c1',
      cell: 2,
      line: 5,
      name: 'StandardScaler'
    }
  ],
  unopened: ['shops.csv'],
  experiments: [
    {
      kind: 'label-shuffle',
      outcome: 'passed',
      code: 'labels-matter',
      parameters: { normal: '0.81', shuffled: '0.52', floor: '0.5' },
      reason: [],
      seconds: 4,
      sample: []
    },
    {
      kind: 'half-rows',
      outcome: 'failed',
      code: 'rows-together',
      parameters: { moved: '7', rows: '12' },
      reason: [],
      seconds: 8,
      sample: []
    }
  ],
  opinion: { leaks: true, cells: [2], why: 'It <b>sees</b> y.', reason: [] },
  budget: null,
  over_budget: false,
  cut_short: false,
  refined: false,
  unused: [],
  most_runs: null,
  earlier: [
    { kind: 'boosting', name: 'LightGBM', tried: 3, better: 2, worse: 1 }
  ],
  blocks: [
    {
      number: 1,
      role: 'features',
      cell_id: 'c1',
      cell: 2,
      first: 1,
      last: 2,
      text: 'x = 1',
      submitted: true,
      corrected: false
    }
  ],
  ablations: [
    version('without age', 'e', {
      comparison: 'worse',
      gain: gain(-0.2, -0.3, -0.1),
      block: 1
    })
  ]
};

async function show(
  change: Partial<Session> = {},
  kind: 'graded' | 'printed' = 'graded'
): Promise<{ requests: IRequest[]; model: Modernization }> {
  const session = makeSession({
    phase: 'finished',
    best: 1,
    iterations: [
      makeIteration({
        grade: makeGrade({ score: 0.8, score_kind: kind }),
        diagnosis: makeDiagnosis({ outcome: 'error-free-reproducible' })
      })
    ],
    ...change
  });
  const { client, requests } = makeClient(({ method, route }) => {
    if (method === 'GET' && route.endsWith('/blocks')) {
      return { body: { blocks: found.blocks } };
    }
    if (method === 'GET' && route.startsWith('sessions?')) {
      return { body: makeSessionList(session) };
    }
    return method === 'GET'
      ? { body: session }
      : { status: 202, body: { ...session, seq: 2, phase: 'preparing' } };
  });
  const model = new Modernization({
    document: new FakeDocument(makeNotebook(['1'])),
    client,
    hints: makeHints().hints,
    info,
    trans,
    preferences: {},
    questions: makeQuestions()
  });
  await model.load();
  await settle();
  render(<ImproveSection model={model} />);
  return { requests, model };
}

const open = () => {
  const heading = screen.getByRole('heading', { name: 'Improve' });
  (heading.closest('details') as HTMLDetailsElement).open = true;
};

const posted = (requests: readonly IRequest[]) =>
  [...requests].reverse().find(({ method }) => method === 'POST');

describe('the search for a better score', () => {
  it('starts with what the person chose', async () => {
    const { requests } = await show();
    open();
    fireEvent.change(screen.getByLabelText('Folds'), {
      target: { value: '3' }
    });
    fireEvent.change(screen.getByLabelText('Time at most'), {
      target: { value: '10' }
    });
    fireEvent.change(screen.getByLabelText('What is tried'), {
      target: { value: 'ablate' }
    });
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', { name: 'Look for a better score' })
      );
      await settle();
    });
    expect(posted(requests)).toMatchObject({
      route: expect.stringMatching(/\/improve$/),
      body: { folds: 3, budget: 600, ablate: true, refine: null }
    });
  });

  it('goes step by step, and says how far before it starts', async () => {
    const { requests } = await show();
    open();
    fireEvent.change(screen.getByLabelText('What is tried'), {
      target: { value: 'refine' }
    });
    expect(
      screen.getByText(/one on top of the other: at most 60 runs/)
    ).toBeTruthy();
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', { name: 'Look for a better score' })
      );
      await settle();
    });
    expect(posted(requests)).toMatchObject({
      body: { ablate: false, refine: { rounds: 2, steps: 3, most_runs: 60 } }
    });
  });

  it('shows what a step was made of, and what was not tried', async () => {
    const refined: Improvement = {
      ...found,
      refined: true,
      candidates: [
        ...found.candidates,
        version('refine 1', 'f', {
          comparison: 'better',
          gain: gain(0.05, 0.03, 0.07),
          parent: 'more trees',
          step: gain(0.02, 0.01, 0.03),
          round: 1,
          source: 'model'
        })
      ],
      unused: [{ kind: 'refine', round: 1, reason: said('It was no patch.') }]
    };
    await show({ improvement: refined });
    expect(screen.getByText('Made of more trees: +0.02 over it')).toBeTruthy();
    expect(screen.getByText('It was no patch.')).toBeTruthy();
    const picture = screen.getByRole('img', { name: /Gain of each version/ });
    expect(
      [...picture.querySelectorAll('circle title')].map(one => one.textContent)
    ).toContain('refine 1 · +0.05 (+0.03 to +0.07) · better');
  });

  it('shows what each part does, and takes a correction', async () => {
    const { requests } = await show();
    open();
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', { name: 'Show what each part does' })
      );
      await settle();
    });
    const role = screen.getByLabelText<HTMLSelectElement>('Role of part 1');
    expect(role.value).toBe('features');
    fireEvent.change(role, { target: { value: 'encoding' } });
    expect(screen.getByText('corrected')).toBeTruthy();
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', { name: 'Look for a better score' })
      );
      await settle();
    });
    expect(posted(requests)).toMatchObject({
      body: { roles: [{ cell_id: 'c1', text: 'x = 1', role: 'encoding' }] }
    });
    fireEvent.change(role, { target: { value: 'features' } });
    expect(screen.queryByText('corrected')).toBeNull();
  });

  it('calls one hold-out set weak, and lets its gains be reviewed', async () => {
    const folds = { ...found.folds, count: 1, held_out: [24] };
    await show({ improvement: { ...found, folds, over_budget: true } });
    expect(screen.getByText(/This is weak evidence/)).toBeTruthy();
    expect(screen.queryByText(/Allow more time/)).toBeNull();
    expect(
      screen.getAllByRole('button', { name: 'Review this version' })
    ).toHaveLength(2);
  });

  it('offers one hold-out set where folds take too long', async () => {
    await show({ improvement: { ...found, over_budget: true } });
    expect(screen.getByText(/or compare on 1 fold/)).toBeTruthy();
    expect(
      screen.getByRole('option', { name: '1 (weak: one hold-out set)' })
    ).toBeTruthy();
  });

  it('says what earlier searches on similar tasks found', async () => {
    await show({ improvement: found });
    expect(
      screen.getByText('LightGBM: better in 2, worse in 1 of 3 searches')
    ).toBeTruthy();
  });

  it('is not offered where no submission is graded', async () => {
    await show({}, 'printed');
    open();
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText(/Choose a competition/)).toBeTruthy();
  });

  it('shows the best first, and offers only what is better', async () => {
    const { requests } = await show({ improvement: found });
    const rows = within(
      screen.getByRole('list', { name: 'Compared versions' })
    ).getAllByRole('listitem');
    expect(rows.map(row => row.querySelector('strong')?.textContent)).toEqual([
      'more trees',
      'scaling',
      '<b>broken</b>'
    ]);
    expect(rows[0].textContent).toContain('+0.03 (+0.02 to +0.04)');
    expect(rows[1].textContent).toContain('cannot be told apart');
    expect(rows[2].textContent).toContain('No submission.');
    const reviews = screen.getAllByRole('button', {
      name: 'Review this version'
    });
    expect(reviews).toHaveLength(1);
    await act(async () => {
      fireEvent.click(reviews[0]);
      await settle();
    });
    expect(posted(requests)).toMatchObject({
      route: expect.stringMatching(/\/improve\/proposal$/),
      body: { notebook_hash: 'c'.repeat(64) }
    });
  });

  it('says what a score may rest on, and what each part is worth', async () => {
    await show({ improvement: found });
    expect(
      screen.getByText(
        'Cell 2, line 5: StandardScaler is fitted on rows of the test data.'
      )
    ).toBeTruthy();
    expect(screen.getByText(/does not name: shops.csv/)).toBeTruthy();
    expect(screen.getByText(/3 of 24 rows that the last fold/)).toBeTruthy();
    expect(
      screen.getByText(
        'The model’s opinion: a leak in cell 2. It <b>sees</b> y.'
      )
    ).toBeTruthy();
    const [labels, half] = screen
      .getAllByRole('listitem')
      .filter(item =>
        /Shuffled labels:|Half of the test rows:/.test(item.textContent ?? '')
      );
    expect(labels.textContent).toContain('Shuffled labels: passed');
    expect(half.textContent).toContain('Half of the test rows: failed');
    expect(half.textContent).toContain('7 of 12 rows have another prediction');
    const row = screen.getByRole('row', { name: /without age/ });
    expect(row.textContent).toBe('without age (features)0.2');
  });
});

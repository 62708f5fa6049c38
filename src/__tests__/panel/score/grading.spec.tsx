import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as React from 'react';

import type {
  CompetitionGuess,
  CompetitionInfo,
  Grade,
  ServerInfo,
  TargetSuggestion
} from '../../../api/types';
import { ScoreGauge } from '../../../panel/score/ScoreGauge';
import { SettingsForm } from '../../../panel/target/TargetForm';
import { TypedScore } from '../../../panel/score/TypedScore';
import { Modernization } from '../../../review/modernization';
import { layOut } from '../../../panel/score/gauge';
import {
  FakeDocument,
  info,
  type IAnswer,
  makeClient,
  makeGrade,
  makeHints,
  makeIteration,
  makeNotebook,
  makeSession,
  settings,
  settle,
  makeQuestions,
  trans,
  said
} from '../../values';

function showGrade(change: Partial<Grade>) {
  const iterations = [makeIteration({ grade: makeGrade(change) })];
  return render(<ScoreGauge session={makeSession({ iterations })} />);
}

describe('the score card', () => {
  it('says a distance once where both are the same number', () => {
    showGrade({ deviation: 0.00001, floor_deviation: 0.00002 });
    expect(screen.getByText(/off the target 0.8/)).toBeVisible();
    expect(screen.queryByText(/Relative to the floor/)).toBeNull();
  });

  it('says the distance relative to the floor, and the kind of score only where it is another', () => {
    showGrade({});
    expect(screen.getByText(/is 25 % off the target 0.8/)).toBeVisible();
    expect(screen.queryByText(/^Score: /)).toBeNull();
    expect(
      screen.getByText(
        'Relative to the floor, the sample submission’s score 0.5, it is 66.7 % off.'
      )
    ).toBeVisible();
  });

  it('says what the floor is and which distance the threshold is put on', () => {
    showGrade({ floor_kind: 'constant-prediction', measure: 'floor' });
    expect(
      screen.getByText(
        /best constant prediction’s score 0.5, it is 66.7 % off; the threshold is put on this/
      )
    ).toBeVisible();
  });

  it('says why there is no distance relative to the floor', () => {
    const { rerender } = showGrade({ floor_deviation: null });
    expect(screen.getByText(/not better than the floor/)).toBeVisible();
    const grade = makeGrade({ floor: null, floor_deviation: null });
    const iterations = [makeIteration({ grade })];
    rerender(<ScoreGauge session={makeSession({ iterations })} />);
    expect(screen.getByText(/There is no floor/)).toBeVisible();
  });

  it('does not compare scores of different kinds, and says so', () => {
    showGrade({
      score_kind: 'printed',
      deviation: null,
      floor_deviation: null,
      reason: said('The score was printed, the target was graded.')
    });
    expect(screen.queryByText(/off the target/)).toBeNull();
    expect(
      screen.getByText('Score: printed by a cell. Target: graded.')
    ).toBeVisible();
    expect(
      screen.getByText('The score was printed, the target was graded.')
    ).toBeVisible();
  });

  it('says what trapped the grader, with the corrected score', () => {
    showGrade({
      traps: [
        { what: said('Rows are taken as they stand.'), corrected: 0.7123 }
      ]
    });
    const traps = screen.getByRole('list', {
      name: 'What decided about this score'
    });
    expect(traps).toHaveTextContent(
      'Rows are taken as they stand. Without it the score is 0.7123.'
    );
  });

  it('lists the other CSVs with their scores and why they were not graded', () => {
    const none = { score: null, reason: said(''), note: said(''), traps: [] };
    showGrade({
      candidates: [
        { ...none, path: 'out/blend.csv', valid: true, score: 0.65 },
        {
          ...none,
          path: '<b>x</b>.csv',
          valid: false,
          reason: said('No id column.')
        },
        { ...none, path: 'submission.csv', valid: true, score: 0.6 }
      ]
    });
    expect(screen.getByText('2 other CSVs of this run')).toBeVisible();
    const [graded, blend, bad] = within(
      screen.getByRole('list', { name: 'CSVs of this run', hidden: true })
    ).getAllByRole('listitem', { hidden: true });
    expect(graded).toHaveTextContent(/submission.csv 0.6 ✓graded/);
    expect(blend).toHaveTextContent(
      /blend.csv 0.65 ○not taken.*sample submission/
    );
    expect(bad).toHaveTextContent(/<b>x<\/b>.csv ✕invalid.*No id column\./);
    expect(document.querySelector('b')).toBeNull();
  });

  it('draws the band the threshold is put on', () => {
    const grade = makeGrade({ measure: 'floor', floor: 0.5, score: 0.79 });
    const gauge = layOut(
      makeSession({ iterations: [makeIteration({ grade })] })
    );
    // A tenth of 0.3 to each side, not a tenth of 0.8.
    const [low, high] = gauge?.ends ?? [0, 0];
    const { from = 0, to = 0 } = gauge?.target ?? {};
    expect((to - from) * (high - low)).toBeCloseTo(0.06);
  });
});

const guess: CompetitionGuess = {
  directory: 'old',
  files: ['train.csv', 'more.csv'],
  train: 'train.csv',
  test: null,
  sample: null,
  columns: ['Id', 'town', 'price'],
  id_column: 'Id',
  target_columns: ['price'],
  task: 'regression',
  metrics: ['rmse', 'mae'],
  split: 'random',
  name: 'old',
  id: 'old'
};

const made: CompetitionInfo = {
  id: 'old',
  name: 'Old houses',
  metric: 'rmse',
  higher_is_better: false,
  target_columns: ['price']
};

function Shown({ model }: { model: Modernization }): JSX.Element {
  return <SettingsForm hasTarget model={model} />;
}

async function open(
  targets: TargetSuggestion[] = [],
  refuse: (body: unknown) => IAnswer | null = () => null
) {
  let serverInfo: ServerInfo = info;
  const { client, requests } = makeClient(({ body, method, route }) => {
    if (route.startsWith('sessions?') && method === 'GET') {
      return { body: { sessions: [] } };
    }
    if (route.startsWith('detect')) {
      return {
        body: { competition: null, reason: said('Nothing tells.'), targets }
      };
    }
    if (route.startsWith('competitions/look')) {
      return { body: guess };
    }
    if (route.startsWith('competitions')) {
      const refused = refuse(body);
      if (!refused) {
        serverInfo = {
          ...info,
          competitions: [...info.competitions, made]
        };
      }
      return refused ?? { status: 201, body: made };
    }
    return { body: route.startsWith('info') ? serverInfo : makeSession() };
  });
  const model = new Modernization({
    client,
    document: new FakeDocument(makeNotebook(['x = 1', 'print("AUC:", auc)'])),
    hints: makeHints().hints,
    info: {
      ...info,
      defaults: { ...settings, competition: null, target_score: null }
    },
    preferences: {},
    questions: makeQuestions(),
    trans
  });
  await model.load();
  render(<Shown model={model} />);
  return { model, requests, user: userEvent.setup() };
}

/** Choose another value for a field. */
function choose(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

describe('the scores a notebook speaks of', () => {
  it('are offered with where they stand; a click takes one, a run keeps it', async () => {
    const { model, requests, user } = await open([
      { score: 0.79, source: 'title', quote: 'titanic LB 0.79', cell_id: null },
      { score: 0.8, source: 'markdown', quote: '<i>LB</i> 0.8', cell_id: 'c' }
    ]);
    const detect = requests.find(item => item.route.startsWith('detect'));
    expect(detect?.body).toMatchObject({ path: 'old/titanic.ipynb' });
    const list = screen.getByRole('list', {
      name: 'Scores the notebook mentions'
    });
    expect(list).toHaveTextContent('The title says “titanic LB 0.79”.');
    expect(list).toHaveTextContent('A text cell says “<i>LB</i> 0.8”.');
    await user.click(screen.getByRole('button', { name: 'Use 0.79' }));
    expect(screen.getByLabelText('Target score')).toHaveValue('0.79');
    expect(list).not.toBeInTheDocument();
    const { shared } = model.document;
    expect(shared.getMetadata('mle_modernizer')).toBeUndefined();
    await act(() => model.actions.run());
    expect(shared.getMetadata('mle_modernizer')).toEqual({
      target_score: 0.79,
      target_kind: 'graded',
      distance: 'target'
    });
  });
});

describe('a score that is typed', () => {
  it('is sent for a run without one, and not where one was graded', async () => {
    const { model, requests, user } = await open();
    const iterations = [makeIteration({ grade: makeGrade({ score: null }) })];
    act(() => model.take(makeSession({ phase: 'finished', iterations })));
    const { unmount } = render(<TypedScore model={model} />);
    fireEvent.click(screen.getByText('Type the score of this run'));
    const take = screen.getByRole('button', { name: 'Take this score' });
    expect(take).toBeDisabled();
    choose('Score of this run', 'high');
    expect(screen.getByLabelText('Score of this run')).toBeInvalid();
    choose('Score of this run', '0,81');
    await user.click(take);
    await act(settle);
    const asked = requests.find(item => item.route.endsWith('/scores'));
    expect(asked?.body).toEqual({ score: 0.81 });
    unmount();
    const graded = [makeIteration({ grade: makeGrade() })];
    act(() => model.take(makeSession({ seq: 9, iterations: graded })));
    render(<TypedScore model={model} />);
    expect(screen.queryByText('Type the score of this run')).toBeNull();
  });
});

describe('how scores are compared', () => {
  it('is chosen under more settings, with cell, pattern and which of several', async () => {
    const { model } = await open();
    fireEvent.click(screen.getByText('More settings'));
    choose('Threshold is a share of', 'floor');
    choose('The target score was', 'printed');
    fireEvent.click(
      screen.getByRole('checkbox', { name: /^Read the score from an output/ })
    );
    expect(
      screen.getByRole('option', { name: 'Cell [ ] print("AUC:", auc)' })
    ).toHaveValue('c1');
    choose('Output of', 'c1');
    const pattern = screen.getByLabelText('Text around the number');
    choose('Text around the number', 'AUC:');
    expect(pattern).toHaveAccessibleDescription(/needs {} once/);
    choose('Text around the number', 'AUC: {}');
    choose('Of several', 'best');
    expect(model.checkedDraft.settings).toMatchObject({
      distance: 'floor',
      target_kind: 'printed',
      score_reading: { cell_id: 'c1', pattern: 'AUC: {}', which: 'best' }
    });
  });
});

describe('a competition of one’s own', () => {
  async function looked(refuse?: (body: unknown) => IAnswer | null) {
    const opened = await open([], refuse);
    const { user } = opened;
    fireEvent.click(screen.getByText('Make one from labelled data'));
    expect(screen.getByLabelText('Directory with the data')).toHaveValue('old');
    await user.click(screen.getByRole('button', { name: 'Look at the data' }));
    await act(settle);
    return opened;
  }

  it('shows the guesses, takes changes, is made and then chosen', async () => {
    const { model, requests, user } = await looked();
    expect(screen.getByText('This looks like regression.')).toBeVisible();
    expect(screen.getByLabelText('Id column')).toHaveValue('Id');
    expect(screen.getByLabelText('Target column')).toHaveValue('price');
    choose('Metric', 'mae');
    choose('Hold out', 'group');
    const create = screen.getByRole('button', { name: 'Make the competition' });
    expect(create).toBeDisabled();
    choose('Group column', 'town');
    choose('Share held out', '25');
    await user.click(create);
    await act(settle);
    const asked = requests.find(item => item.route === 'competitions');
    expect(asked?.body).toEqual({
      directory: 'old',
      train: 'train.csv',
      id_column: 'Id',
      target_columns: ['price'],
      metric: 'mae',
      split: 'group',
      split_column: 'town',
      share: 0.25,
      seed: 0,
      name: 'old',
      id: 'old',
      overwrite: false
    });
    expect(model.draft.competition).toBe('old');
    expect(screen.getByLabelText('Competition')).toHaveValue('old');
    expect(screen.getByText('RMSE, lower is better ↓')).toBeVisible();
  });

  it('is looked at again with another target', async () => {
    const { requests } = await looked();
    choose('Target column', 'town');
    await act(settle);
    const asked = requests.filter(item => item.route === 'competitions/look');
    expect(asked[1].body).toMatchObject({
      directory: 'old',
      train: 'train.csv',
      target_columns: ['town']
    });
  });

  it('is written over another only after a yes, and says what went wrong', async () => {
    const { requests, user } = await looked(body =>
      (body as { overwrite: boolean }).overwrite
        ? null
        : {
            status: 409,
            body: { code: 'conflict', message: 'There is a folder old.' }
          }
    );
    const yes = { name: 'Overwrite what is there' };
    expect(screen.queryByRole('checkbox', yes)).toBeNull();
    const create = screen.getByRole('button', { name: 'Make the competition' });
    await user.click(create);
    await act(settle);
    expect(screen.getByText('There is a folder old.')).toBeVisible();
    fireEvent.click(screen.getByRole('checkbox', yes));
    await user.click(create);
    await act(settle);
    const asked = requests.filter(item => item.route === 'competitions');
    expect(asked[1].body).toMatchObject({ overwrite: true });
    expect(screen.queryByText('There is a folder old.')).toBeNull();
  });
});

import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import type { Session } from '../../../api/types';
import { PrintedScores, SavedOutputs } from '../../../panel/score/SavedOutputs';
import { Modernization } from '../../../review/modernization';
import {
  FakeDocument,
  info,
  makeClient,
  makeHints,
  makeIteration,
  makeNotebook,
  makeQuestions,
  makeSession,
  settle,
  trans,
  makeSessionList
} from '../../values';

async function makeModel(session: Session): Promise<Modernization> {
  const { client } = makeClient(({ method, route }) =>
    method === 'GET' && route.startsWith('sessions?')
      ? { body: makeSessionList(session) }
      : { body: session }
  );
  const model = new Modernization({
    document: new FakeDocument(makeNotebook(['1', '2'])),
    client,
    hints: makeHints().hints,
    info,
    trans,
    preferences: {},
    questions: makeQuestions()
  });
  await act(async () => {
    await model.load();
    await settle();
  });
  return model;
}

const iteration = makeIteration({
  agreement: {
    agreeing: 1,
    close: 1,
    compared: 4,
    cells: [
      {
        cell_id: 'c0',
        ordinal: 0,
        match: 'close',
        picture_likeness: null,
        reached: 0,
        remark: [],
        difference: {
          kind: 'number',
          saved: 'F1: 0.91',
          fresh: 'F1: 0.93',
          line: 1,
          column: null
        }
      },
      {
        cell_id: 'c1',
        ordinal: 1,
        match: 'different',
        picture_likeness: null,
        reached: 0,
        remark: [
          { code: 'outputs.unrun', parameters: { count: 1, cells: '1' } }
        ],
        difference: {
          kind: 'number',
          saved: 'AUC: 0.81',
          fresh: 'AUC: 0.52',
          line: 4,
          column: null
        }
      },
      {
        cell_id: 'c2',
        ordinal: 2,
        match: 'failed',
        picture_likeness: null,
        reached: 0,
        remark: [],
        difference: null
      }
    ]
  }
});

describe('SavedOutputs', () => {
  it('says how many cells agree, and the first that does not', async () => {
    const model = await makeModel(makeSession({ iterations: [iteration] }));
    render(<SavedOutputs model={model} />);
    expect(screen.getByText('1 of 4 outputs')).toBeTruthy();
    expect(
      screen.getByText(/1 more is close: its numbers are within/)
    ).toBeTruthy();
    expect(screen.getByText('AUC: 0.81')).toBeTruthy();
    expect(screen.getByText('AUC: 0.52')).toBeTruthy();
    expect(screen.getByText('Saved (line 4)')).toBeTruthy();
    expect(screen.getByText('2 more cells')).toBeTruthy();
    expect(screen.getByText(/close to its saved output/)).toBeTruthy();
  });

  it('names cells that had not been run when it was saved', async () => {
    const model = await makeModel(
      makeSession({ phase: 'finished', iterations: [iteration] })
    );
    render(<SavedOutputs model={model} />);
    expect(
      screen.getByText(/had not been run when the outputs were saved/)
    ).toBeVisible();
  });

  it('is not there where nothing was saved', async () => {
    const model = await makeModel(makeSession());
    const { container } = render(<SavedOutputs model={model} />);
    expect(container.textContent).toBe('');
  });
});

describe('PrintedScores', () => {
  it('takes a score with the place it is read from', async () => {
    const session = makeSession({
      printed_scores: [
        {
          cell_id: 'c1',
          ordinal: 1,
          name: 'Validation AUC',
          value: 0.8123,
          pattern: 'Validation AUC: {}'
        }
      ],
      settings: { ...makeSession().settings, target_score: null }
    });
    const model = await makeModel(session);
    render(<PrintedScores model={model} />);
    act(() => {
      fireEvent.click(screen.getByRole('button', { name: /Use 0\.8123/ }));
    });
    expect(model.draft).toMatchObject({
      target_score: 0.8123,
      target_kind: 'printed',
      score_reading: {
        cell_id: 'c1',
        pattern: 'Validation AUC: {}',
        which: 'last'
      }
    });
  });
});

import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import type { Proof, Session } from '../../../api/types';
import { ProofPart } from '../../../panel/score/ProofPart';
import { ScoreGauge } from '../../../panel/score/ScoreGauge';
import { Modernization } from '../../../review/modernization';
import {
  FakeDocument,
  info,
  type IRequest,
  makeClient,
  makeGrade,
  makeHints,
  makeIteration,
  makeNotebook,
  makeQuestions,
  makeSession,
  settle,
  trans,
  makeSessionList
} from '../../values';

const proof = (change: Partial<Proof>): Proof => ({
  kind: 'way',
  outcome: 'passed',
  code: 'cells-ran',
  parameters: {},
  reason: [],
  seconds: 0,
  sample: [],
  ...change
});

const labels = proof({
  kind: 'label-shuffle',
  code: 'labels-matter',
  parameters: { normal: '0.81', shuffled: '0.52', floor: '0.5' },
  seconds: 4
});

async function show(
  change: Partial<Session> = {}
): Promise<{ requests: IRequest[]; model: Modernization }> {
  const best = makeIteration({ grade: makeGrade({ score: 0.81 }) });
  const session = makeSession({
    phase: 'finished',
    best: 1,
    iterations: [best],
    proven: best.notebook_hash,
    ...change
  });
  const { client, requests } = makeClient(({ method, route }) => {
    if (method === 'GET' && route.startsWith('sessions?')) {
      return { body: makeSessionList(session) };
    }
    const working = { ...session, seq: 2, phase: 'preparing' };
    return method === 'GET'
      ? { body: session }
      : { status: 202, body: working };
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
  render(<ProofPart model={model} best={best} session={session} />);
  return { requests, model };
}

describe('the proof of a result', () => {
  it('is asked for with a button', async () => {
    const { requests } = await show();
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Prove the result' }));
      await settle();
    });
    const posted = requests.filter(({ method }) => method === 'POST');
    expect(posted.map(({ route }) => route)).toEqual([
      expect.stringMatching(/^sessions\/[^/]+\/proof$/)
    ]);
  });

  it('says in words and in a picture what it showed and cost', async () => {
    await show({
      proofs: [proof({}), labels, proof({ kind: 'row-shuffle', seconds: 3 })]
    });
    expect(screen.getByText('Shuffled labels: passed')).toBeVisible();
    expect(
      screen.getByText(/The score is lost: it comes from training\./)
    ).toBeVisible();
    const picture = screen.getByRole('img');
    expect(picture).toHaveAccessibleName(
      /as it is 0\.81; shuffled 0\.52; no knowledge 0\.5/
    );
    expect(picture.querySelectorAll('circle')).toHaveLength(3);
    expect(screen.getByText(/^2 runs, 7/)).toBeVisible();
  });

  it('says what speaks against a result, and no markup of others', async () => {
    await show({
      proofs: [
        proof({
          kind: 'no-copy',
          outcome: 'failed',
          code: 'copy',
          parameters: { file: '<b>old.csv</b>' }
        }),
        proof({
          kind: 'label-shuffle',
          outcome: 'unclear',
          code: 'labels-unused',
          parameters: { original: 'no-training' }
        })
      ]
    });
    expect(screen.getByText('No copy: failed')).toBeVisible();
    expect(screen.getByText(/copy of <b>old\.csv<\/b>\./)).toBeVisible();
    expect(screen.getByText(/trains nothing/)).toBeVisible();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('shows no proof of another notebook', async () => {
    await show({ proofs: [labels], proven: 'b'.repeat(64) });
    expect(screen.queryByText(/Shuffled labels/)).toBeNull();
  });
});

it('a score in doubt is neither inside nor outside the band', () => {
  const grade = makeGrade({
    score: 0.8,
    deviation: 0,
    doubt: { copy_of: 'sample_submission.csv', cells: [], in_band: true }
  });
  render(
    <ScoreGauge
      session={makeSession({ iterations: [makeIteration({ grade })] })}
    />
  );
  expect(screen.getByText('not judged yet')).toBeVisible();
  expect(screen.queryByText(/the band/)).toBeNull();
});

it('the floor stands beside the score, with a target or without', () => {
  const grade = makeGrade({
    score: 0.8,
    target: null,
    deviation: null,
    floor: 0.5,
    floor_kind: 'constant-prediction'
  });
  render(
    <ScoreGauge
      session={makeSession({ iterations: [makeIteration({ grade })] })}
    />
  );
  expect(
    screen.getByText('Floor: the best constant prediction’s score 0.5.')
  ).toBeVisible();
});

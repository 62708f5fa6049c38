import { messagesText } from '../../../words/message';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import * as React from 'react';

import type {
  Calibration,
  Noise,
  RepeatedRun,
  Session,
  Verification
} from '../../../api/types';
import { VerificationSection } from '../../../panel/score/VerificationSection';
import { standLabel, standTone } from '../../../words/labels';
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
  makeSession,
  settle,
  makeQuestions,
  trans,
  said,
  makeSessionList
} from '../../values';

const run = (number: number, change: Partial<RepeatedRun>): RepeatedRun => ({
  number,
  outcome: 'error-free-reproducible',
  score: 0.8,
  within_threshold: true,
  seconds: 2.5,
  reseeded: false,
  reason: said(''),
  ...change
});

const strict: Verification = {
  kind: 'strict',
  notebook_hash: 'a'.repeat(64),
  iteration: 1,
  asked: 10,
  runs: [
    run(1, {}),
    run(2, { score: 0.82 }),
    run(3, {
      score: null,
      within_threshold: false,
      reason: said('<b>No CSV.</b>')
    })
  ],
  target: 0.8,
  threshold: 0.1,
  spread: {
    count: 2,
    mean: 0.81,
    deviation: 0.01414,
    least: 0.8,
    greatest: 0.82,
    low: 0.6829,
    high: 0.9371,
    steady: false
  },
  p_value: 0.5,
  deviation: 0.0125,
  within_threshold: true,
  runs_within: 2,
  answer: 'not-reproducible',
  message: said('Not reproducible: run 3 has no score.'),
  ended: said('Ended after 3 of 10 runs: one had no score.'),
  cancelled: false,
  failed: false,
  done: true
};

const noise: Noise = {
  notebook_hash: 'a'.repeat(64),
  iteration: 1,
  asked: 5,
  runs: [run(1, {}), run(2, { reseeded: true, score: 0.79 })],
  seeds: ['random_state=42'],
  repeats: true,
  target: 0.9,
  score: 0.8,
  spread: null,
  low: null,
  high: null,
  multiple: 5.2,
  answer: 'beyond-noise',
  message: said('The distance is 5.2 times the notebook’s own spread.'),
  done: true
};

const cause: Calibration = {
  notebook_hash: 'a'.repeat(64),
  iteration: 1,
  score: 0.81,
  target: 0.79,
  control: 0.81,
  tried: [],
  causes: [
    {
      rules: ['sklearn-pin-forest-size'],
      what: said('n_estimators=10 is written out.'),
      changes: [{ name: 'sklearn 0.22', link: 'https://example.org/0.22' }],
      before: 0.81,
      after: 0.79,
      moved: true,
      nearer: true,
      within_threshold: true,
      seconds: 1
    }
  ],
  left_out: ['sklearn-pin-svm-gamma'],
  message: said('It is the cause.'),
  done: true
};

function Shown({ model }: { model: Modernization }): JSX.Element {
  return <VerificationSection model={model} />;
}

async function show(
  change: Partial<Session> = {}
): Promise<{ requests: IRequest[]; model: Modernization }> {
  const session = makeSession({
    phase: 'finished',
    best: 1,
    iterations: [
      makeIteration({
        grade: makeGrade({ score: 0.8, within_threshold: true }),
        diagnosis: makeDiagnosis({ outcome: 'error-free-reproducible' })
      })
    ],
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
  render(<Shown model={model} />);
  return { requests, model };
}

const open = () => {
  const heading = screen.getByRole('heading', { name: 'Verification' });
  (heading.closest('details') as HTMLDetailsElement).open = true;
};

/** The last request that started something; the panel reads on after it. */
const posted = (requests: readonly IRequest[]) =>
  [...requests].reverse().find(({ method }) => method === 'POST');

describe('the verification', () => {
  it('says what a run by itself is worth and what a strict one takes', async () => {
    const { requests } = await show();
    open();
    expect(
      screen.getByText(/Verified quickly: one clean run \(iteration 1\)/)
    ).toBeVisible();
    fireEvent.change(screen.getByLabelText('Runs at most'), {
      target: { value: '5' }
    });
    expect(screen.getByText(/Up to 5 runs of about/)).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Verify strictly' }));
    await act(settle);
    const made = requests.filter(({ method }) => method === 'POST');
    expect(made.map(({ route }) => route)).toEqual([
      `sessions/${'0'.repeat(32)}/verify`
    ]);
    expect(made[0].body).toEqual({ kind: 'strict', runs: 5, notebook: null });
    // The server is at work: nothing else can be started.
    expect(
      screen.getByRole('button', { name: 'Run once more' })
    ).toBeDisabled();
  });

  it('shows the scores against the band, and the figures', async () => {
    await show({ verification: strict });
    expect(screen.getByText('not reproducible (strict)')).toBeVisible();
    expect(screen.getByText(messagesText(strict.message, trans))).toBeVisible();
    expect(screen.getByText(messagesText(strict.ended, trans))).toBeVisible();
    const picture = screen.getByRole('img', {
      name: 'Scores of repeated runs: 0.8; 0.82; –'
    });
    expect(picture.querySelectorAll('.jp-mle-Gauge-point')).toHaveLength(2);
    expect(picture.querySelector('.jp-mle-Gauge-band')).not.toBeNull();
    expect(screen.getByText('0.6829 to 0.9371')).toBeVisible();
    expect(screen.getByText('2 of 3 runs')).toBeVisible();
    const items = within(
      screen.getByText('3 runs').closest('details') as HTMLElement
    ).getAllByRole('listitem', { hidden: true });
    expect(items[2]).toHaveTextContent('–, 2.5 s · <b>No CSV.</b>');
    expect(document.querySelector('b')).toBeNull();
  });

  it('shows what the score depends on, and looks for more', async () => {
    const { model, requests } = await show({ noise, calibrations: [cause] });
    expect(screen.getByText('the cause')).toBeVisible();
    expect(screen.getByText('Score 0.81 → 0.79')).toBeVisible();
    expect(screen.getByRole('link', { name: 'sklearn 0.22' })).toHaveAttribute(
      'href',
      'https://example.org/0.22'
    );
    expect(
      screen.getByText(/^1 other change was tried without use/)
    ).toBeVisible();
    expect(screen.getByText('not noise')).toBeVisible();
    expect(
      screen.getByText('Seeds in the notebook: random_state=42')
    ).toBeVisible();
    fireEvent.change(screen.getByLabelText(/Auto mode does both/), {
      target: { value: 'never' }
    });
    expect(model.checkedDraft.settings?.measure_noise).toBe('never');
    fireEvent.click(screen.getByRole('button', { name: 'Measure the noise' }));
    await act(settle);
    expect(posted(requests)).toMatchObject({
      route: `sessions/${'0'.repeat(32)}/noise`,
      body: { runs: 5 }
    });
  });

  it('looks for the cause', async () => {
    const { requests } = await show();
    open();
    fireEvent.click(screen.getByRole('button', { name: 'Look for the cause' }));
    await act(settle);
    expect(posted(requests)?.route).toBe(`sessions/${'0'.repeat(32)}/cause`);
  });

  it('is not there before a run has a score', async () => {
    await show({ iterations: [], best: null });
    expect(screen.queryByText('Verification')).toBeNull();
  });

  it('has a word for a score within the noise', () => {
    const session = makeSession({ phase: 'finished', verdict: 'within-noise' });
    expect(standLabel(session, trans)).toBe('Within its own variation');
    expect(standTone(session)).toBe('good');
  });
});

import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import type { OwnTimeContrast, OwnTimeRun, Session } from '../../../api/types';
import { BackportSection } from '../../../panel/score/BackportSection';
import { OwnTimeSection } from '../../../panel/score/OwnTimeSection';
import { Modernization } from '../../../review/modernization';
import {
  FakeDocument,
  info,
  type IRequest,
  makeClient,
  makeHints,
  makeIteration,
  makeNotebook,
  makeQuestions,
  makeSession,
  makeSessionList,
  settle,
  trans
} from '../../values';

const ownTime: OwnTimeRun = {
  end: 'score',
  notebook_hash: 'a'.repeat(64),
  environment: '0'.repeat(16),
  lock: 'b'.repeat(64),
  python: '3.7.9',
  packages: { pandas: '0.24.2' },
  until: '2019-06-30',
  remarks: [],
  score: 0.81,
  score_kind: 'graded',
  reason: [],
  failing: [],
  ran: [],
  compared: 0,
  agreeing: 0,
  close: 0,
  seconds: 3
};

const cell = {
  cell_id: 'c2',
  ordinal: 2,
  kind: 'values' as const,
  values: [{ name: "df['<b>age</b>'] mean", then: '29.7', now: '31.2' }],
  unlisted: 3,
  output: null,
  error: ''
};

const contrast: OwnTimeContrast = {
  notebook_hash: 'a'.repeat(64),
  iteration: 1,
  compared: 5,
  agreeing: 3,
  unsteady: 1,
  cells: [
    {
      ...cell,
      cell_id: 'c1',
      ordinal: 1,
      kind: 'settings',
      unlisted: 0,
      values: []
    },
    cell
  ],
  first: cell
};

const TITLE = 'Python 3.7.9 of 2019-06 (<b>a</b>.ipynb)';

async function makeModel(
  change: Partial<Session>
): Promise<{ model: Modernization; requests: IRequest[] }> {
  const session = makeSession({ iterations: [makeIteration()], ...change });
  const { client, requests } = makeClient(({ method, route }) =>
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
  return { model, requests };
}

async function shown(change: Partial<Session>): Promise<IRequest[]> {
  const { model, requests } = await makeModel(change);
  render(
    <>
      <OwnTimeSection model={model} />
      <BackportSection model={model} />
    </>
  );
  return requests;
}

describe('OwnTimeSection', () => {
  it('shows the first cell that gives something else, then and now', async () => {
    await shown({ best: 1, own_time: ownTime, contrast });
    expect(screen.getByText('3 of 5 cells')).toBeTruthy();
    expect(screen.getByText("df['<b>age</b>'] mean")).toBeTruthy();
    expect(screen.getByText('29.7')).toBeTruthy();
    expect(screen.getByText('31.2')).toBeTruthy();
    expect(screen.getByText('3 more values')).toBeTruthy();
    expect(screen.getByText('1 more cell')).toBeTruthy();
    expect(screen.getByText(/1 value varies from run to run/)).toBeTruthy();
  });

  it('compares the best notebook', async () => {
    const requests = await shown({ best: 1 });
    await act(async () => {
      fireEvent.click(screen.getByText('What differs today?'));
      await settle();
    });
    expect(requests.slice(-1)[0]).toMatchObject({
      method: 'POST',
      route: `sessions/${'0'.repeat(32)}/contrast`,
      body: { notebook: null }
    });
  });

  it('is not there before anything ran to its end', async () => {
    await shown({ best: null });
    expect(
      screen.queryByText('Compare with the original libraries')
    ).toBeNull();
  });
});

describe('BackportSection', () => {
  it('puts a kernel with its original libraries into the menu', async () => {
    const requests = await shown({ best: 1 });
    await act(async () => {
      fireEvent.click(
        screen.getByText('Make a kernel with its original libraries')
      );
      await settle();
    });
    expect(requests.slice(-1)[0]).toMatchObject({
      method: 'POST',
      route: `sessions/${'0'.repeat(32)}/backport`
    });
  });

  it('names the kernel that is there, and takes it away', async () => {
    const requests = await shown({
      best: 1,
      own_time: ownTime,
      backport: {
        environment: '0'.repeat(16),
        lock: 'b'.repeat(64),
        kernel: 'mle-modernizer-0',
        title: TITLE
      }
    });
    expect(
      screen.getByText(/“Python 3.7.9 of 2019-06 \(<b>a<\/b>.ipynb\)”/)
    ).toBeTruthy();
    await act(async () => {
      fireEvent.click(screen.getByText('Remove the kernel'));
      await settle();
    });
    expect(requests.slice(-1)[0]).toMatchObject({
      method: 'DELETE',
      route: `sessions/${'0'.repeat(32)}/backport`
    });
  });

  it('stays folded where fixes brought it no further: there is enough to see', async () => {
    await shown({ best: 1, verdict: 'no-progress' });
    const details = screen
      .getByText('Keep the old libraries instead')
      .closest('details') as HTMLDetailsElement;
    expect(details.open).toBe(false);
  });
});

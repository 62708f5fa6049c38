import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as React from 'react';

import type { Execution, Session } from '../../api/types';
import { PanelContext } from '../../ui/context';
import { StatusLine } from '../../panel/StatusLine';
import { Modernization } from '../../review/modernization';
import { goesOnFrom } from '../../session/reading';
import {
  FakeDocument,
  info,
  makeClient,
  makeHints,
  makeIteration,
  makeNotebook,
  makeProgress,
  makeQuestions,
  makeSession,
  trans,
  wireNotebook,
  said,
  makeSessionList
} from '../values';

const RAN = ['import pandas as pd', 'early = 1', 'late', 'last'];

const waiting = makeSession({
  phase: 'ready',
  iterations: [makeIteration()],
  waiting: {
    cell_id: 'c2',
    ordinal: 3,
    notebook_hash: 'a'.repeat(64),
    since: '2026-01-01T00:00:00Z',
    until: '2026-01-01T00:30:00Z'
  }
});

describe('where a run goes on from', () => {
  const from = (...sources: string[]) =>
    goesOnFrom(waiting, wireNotebook(sources), wireNotebook(RAN));

  it('is the cell it waits at while all code before is the same', () => {
    expect(from(...RAN)).toBe(3);
    expect(from(RAN[0], RAN[1], 'mended', 'last')).toBe(3);
    expect(from(RAN[0], RAN[1], 'new', 'late', 'last')).toBe(3);
  });

  it('is nowhere once a cell before was changed, added or removed', () => {
    expect(from(RAN[0], 'early = 2', RAN[2], RAN[3])).toBeNull();
    expect(from('new', ...RAN)).toBeNull();
    expect(from(RAN[1], RAN[2], RAN[3])).toBeNull();
    expect(from(RAN[0], RAN[1])).toBeNull();
  });

  it('does not count text cells', () => {
    const now = wireNotebook(RAN);
    now.cells.unshift({
      id: 't',
      type: 'markdown',
      source: '# Title',
      tags: []
    });
    expect(goesOnFrom(waiting, now, wireNotebook(RAN))).toBe(3);
  });

  it('is nowhere where no run waits', () => {
    const none = { ...waiting, waiting: null };
    expect(goesOnFrom(none, wireNotebook(RAN), null)).toBeNull();
  });
});

async function open(session: Session) {
  const { client, requests } = makeClient(({ method, route }) => {
    if (route.startsWith('sessions?') && method === 'GET') {
      return { body: makeSessionList(session) };
    }
    if (route.includes('/notebooks/')) {
      return { body: wireNotebook(RAN) };
    }
    return { body: session };
  });
  const document = new FakeDocument(makeNotebook(RAN));
  const model = new Modernization({
    client,
    document,
    hints: makeHints().hints,
    info,
    preferences: {},
    questions: makeQuestions(),
    trans
  });
  await model.load();
  const execute = jest.fn();
  render(
    <PanelContext.Provider value={{ trans, languages: null, execute }}>
      <StatusLine model={model} />
    </PanelContext.Provider>
  );
  return { document, execute, model, requests, user: userEvent.setup() };
}

describe('work that waits for other work', () => {
  const inLine = [
    { code: 'progress.next-in-line', parameters: { notebook: 'b/other.ipynb' } }
  ];

  it('names the notebook at work, with a link and a clock', async () => {
    const progress = makeProgress({
      message: inLine,
      since: new Date(Date.now() - 72_000).toISOString(),
      waiting: true,
      waits_for: 'b/other.ipynb'
    });
    const { execute, user } = await open(
      makeSession({ phase: 'preparing', progress })
    );
    expect(screen.getByRole('status')).toHaveTextContent(
      'Waiting for b/other.ipynb, which is running'
    );
    expect(screen.getByText(/^1:[1-5]\d$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Go to other.ipynb' }));
    expect(execute).toHaveBeenCalledWith('docmanager:open', {
      path: 'b/other.ipynb'
    });
  });
});

function stoppedRun(message: string): Execution {
  return {
    status: 'error',
    ending: 'stopped',
    sandbox: 'process',
    image: '',
    seconds: 4,
    carried: 0,
    time_limit: 600,
    environment: { python: '3.11.2', packages: {} },
    cells: [],
    errors: [],
    pip_installs: [],
    csv_files: [],
    message: said(message),
    remarks: [],
    profile: null,
    files_beside: [],
    network: null
  };
}

function runs(requests: { route: string; body?: unknown }[]) {
  return requests.filter(({ route }) => route.endsWith('/runs'));
}

describe('the button of a run that waits', () => {
  it('goes on, and says how long the kernel waits', async () => {
    const { requests, user } = await open(waiting);
    expect(screen.getByText(/is paused at cell \[ \] late until/)).toBeTruthy();
    await user.click(
      screen.getByRole('button', { name: 'Continue from cell [ ] late' })
    );
    await waitFor(() => expect(runs(requests)).toHaveLength(1));
    expect(runs(requests)[0].body).toMatchObject({ fresh: false });
  });

  it('can begin from the start instead', async () => {
    const { requests, user } = await open(waiting);
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    await waitFor(() => expect(runs(requests)).toHaveLength(1));
    expect(runs(requests)[0].body).toMatchObject({ fresh: true });
  });

  it('is the usual one once an earlier cell was changed', async () => {
    const { model } = await open(waiting);
    await waitFor(() =>
      expect(model.sources.peek('a'.repeat(64))).not.toBeNull()
    );
    model.document.shared.cells[0].setSource('import numpy');
    expect(model.goesOnFrom).toBeNull();
  });

  it('is not there, and it says why, where going on would not be sound', async () => {
    const message = 'It had changed `df` before it failed.';
    await open(
      makeSession({
        phase: 'ready',
        iterations: [makeIteration({ execution: stoppedRun(message) })]
      })
    );
    expect(document.body.textContent).toContain(
      'It had changed df before it failed.'
    );
    expect(screen.getByRole('button', { name: 'Run again' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Continue/ })).toBeNull();
  });

  it('says that a clean run decides', async () => {
    await open(
      makeSession({
        phase: 'running',
        iterations: [
          { ...makeIteration(), kind: 'resumed' },
          makeIteration({ number: 2 })
        ]
      })
    );
    expect(screen.getByText(/A clean run decides/)).toBeTruthy();
  });
});

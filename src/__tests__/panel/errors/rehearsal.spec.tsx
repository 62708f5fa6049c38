import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import * as React from 'react';

import type { Execution, Rehearsal, Session } from '../../../api/types';
import { PanelContext } from '../../../ui/context';
import { Errors } from '../../../panel/errors/Errors';
import { History } from '../../../panel/history/History';
import {
  RehearsalAdvice,
  RehearsalMark
} from '../../../panel/errors/Rehearsal';
import { RehearsalSettings } from '../../../panel/target/TargetForm';
import { StatusLine } from '../../../panel/StatusLine';
import { Modernization } from '../../../review/modernization';
import { readPreferences } from '../../../session/form/preferences';
import { checkDraft } from '../../../session/form/settings';
import {
  FakeDocument,
  info,
  makeClient,
  makeDiagnosis,
  makeError,
  makeFinding,
  makeHints,
  makeIteration,
  makeNotebook,
  makeProgress,
  makeRehearsal,
  makeSession,
  settings,
  makeQuestions,
  trans,
  said,
  makeSessionList
} from '../../values';

const rehearsal: Rehearsal = {
  rows: 2000,
  seconds_for_sample: 1.5,
  sample: {
    tables: [
      { name: 'stores.csv', rows: 2000, of: 3000 },
      { name: 'train.csv', rows: 2100, of: 891000 }
    ],
    files_left_out: 0,
    notes: said('How the ids correspond.')
  },
  doubtful: { c1: said('The sample may have too few rows for this.') },
  shortened: []
};

function execution(seconds: number): Execution {
  return {
    status: 'error-free',
    ending: 'completed',
    sandbox: 'process',
    seconds,
    carried: 0,
    time_limit: 600,
    environment: { python: '3.11', packages: {} },
    cells: [],
    errors: [],
    pip_installs: [],
    csv_files: [],
    message: said(''),
    image: '',
    remarks: [],
    profile: null,
    files_beside: [],
    network: null
  };
}

function rehearsed(change: Partial<Session> = {}): Session {
  const findings = [
    makeFinding({ error: makeError({ cell_id: 'c0', ename: 'TypeError' }) }),
    makeFinding({ error: makeError({ cell_id: 'c1', ename: 'ValueError' }) })
  ];
  return makeSession({
    iterations: [
      makeRehearsal({
        rehearsal,
        execution: execution(3),
        diagnosis: {
          execution_status: 'error',
          findings,
          fix_type: 'error-repair',
          summary: said('Two cells fail.')
        }
      })
    ],
    ...change
  });
}

async function show(
  session: Session | null,
  parts: (model: Modernization) => JSX.Element
): Promise<Modernization> {
  const { client } = makeClient(({ method, route }) =>
    route.startsWith('sessions?') && method === 'GET'
      ? { body: makeSessionList(session) }
      : { body: session ?? makeSession() }
  );
  const model = new Modernization({
    client,
    document: new FakeDocument(makeNotebook(['a', 'b'])),
    hints: makeHints().hints,
    info,
    preferences: {},
    questions: makeQuestions(),
    trans
  });
  await model.load();
  function Shown(): JSX.Element {
    return parts(model);
  }
  render(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: jest.fn() }}
    >
      <Shown />
    </PanelContext.Provider>
  );
  return model;
}

describe('the setting of a rehearsal', () => {
  it('is off, and asks for the rows once it is on', async () => {
    const user = userEvent.setup();
    const model = await show(null, model => (
      <RehearsalSettings model={model} />
    ));
    expect(screen.getByText(/only gives hints/)).toBeVisible();
    expect(screen.queryByLabelText(/Rows of a table/)).toBeNull();
    await user.click(screen.getByLabelText(/Rehearse with a sample/));
    expect(model.checkedDraft.settings?.rehearsal).toEqual({
      rows: 2000,
      time_limit: null
    });
    const rows = screen.getByLabelText(/Rows of a table/);
    await user.clear(rows);
    await user.type(rows, '7');
    expect(rows).toBeInvalid();
    expect(model.checkedDraft.settings).toBeNull();
    await user.click(screen.getByLabelText(/Rehearse with a sample/));
    expect(model.checkedDraft.settings?.rehearsal).toBeNull();
  });

  it('gives back what it shows', () => {
    const chosen = { ...settings, rehearsal: { rows: 500, time_limit: 45 } };
    expect(checkDraft(chosen, trans).settings).toEqual(chosen);
  });

  it('can be set for all new sessions', () => {
    const read = (user: Record<string, unknown>) =>
      readPreferences({
        user,
        composite: user
      } as unknown as ISettingRegistry.ISettings).session.rehearsal;
    expect(read({ rehearsal: true })).toEqual({ rows: 2000, time_limit: null });
    expect(read({ rehearsal: true, rehearsalRows: 300 })?.rows).toBe(300);
    expect(read({ rehearsal: 'yes' })).toBeUndefined();
  });
});

describe('a rehearsal', () => {
  it('shows its errors as hints, and which may come from the sample', async () => {
    await show(rehearsed(), model => <Errors model={model} />);
    expect(
      screen.getByRole('heading', { name: /Hints of a rehearsal/ })
    ).toBeVisible();
    expect(
      screen.getByText(/rehearsal on 2,100 rows of 891,000/)
    ).toBeVisible();
    expect(screen.getByText(/ids correspond/)).toBeVisible();
    const doubts = screen.getAllByText(/May come from the rehearsal/);
    expect(doubts).toHaveLength(1);
    expect(doubts[0].closest('article')).toHaveTextContent('ValueError');
  });

  it('says in the history how much it used, without an outcome', async () => {
    await show(rehearsed(), model => <History model={model} />);
    fireEvent.click(screen.getByRole('heading', { name: 'History' }));
    expect(
      screen.getByText('Rehearsal on 2,100 rows of 891,000')
    ).toBeVisible();
    expect(screen.queryByText('Failed')).toBeNull();
  });

  it('says if the training is short', async () => {
    const shortened = [{ cell_id: 'c0', name: 'epochs', was: '50' }];
    const sample = { tables: [], files_left_out: 0, notes: [] };
    const short = { ...rehearsal, sample, shortened };
    await show(null, () => <RehearsalMark rehearsal={short} />);
    expect(
      screen.getByText('Rehearsal on all data, with a short training')
    ).toBeVisible();
  });

  it('says while it goes on that it is one, with its own limit', async () => {
    const progress = makeProgress({
      message: said('Rehearsing: cell 7 of 23'),
      cell_id: 'c0',
      ordinal: 7,
      total: 23,
      cells_started_at: new Date(Date.now() - 12_000).toISOString(),
      time_limit: 60
    });
    await show(makeSession({ phase: 'running', progress }), model => (
      <StatusLine model={model} />
    ));
    expect(screen.getByText('Rehearsing: cell 7 of 23')).toBeVisible();
    expect(screen.getByText('0:12 of 1:00')).toBeVisible();
  });

  it('says why there was none', async () => {
    const session = makeSession({
      unrehearsed: said('No rehearsal was possible: this.'),
      iterations: [makeIteration({ diagnosis: makeDiagnosis({}) })]
    });
    await show(session, model => <Errors model={model} />);
    expect(screen.getByText(/No rehearsal was possible: this/)).toBeVisible();
  });
});

describe('the advice to rehearse', () => {
  const after = (seconds: number, ending: 'completed' | 'timed-out') => {
    const ran = execution(seconds);
    return makeSession({
      iterations: [makeIteration({ execution: ran && { ...ran, ending } })]
    });
  };

  it.each([
    [121, 'completed'],
    [30, 'timed-out']
  ] as const)('comes after %d s, %s, and is followed', async (time, ending) => {
    const user = userEvent.setup();
    const model = await show(after(time, ending), model => (
      <RehearsalAdvice model={model} />
    ));
    await user.click(
      screen.getByRole('button', { name: 'Rehearse from now on' })
    );
    expect(model.draft.rehearsal?.rows).toBe(2000);
    expect(screen.queryByText(/would meet errors/)).toBeNull();
  });

  it('does not come after a short run, nor after a rehearsal', async () => {
    await show(after(30, 'completed'), model => (
      <RehearsalAdvice model={model} />
    ));
    await show(rehearsed(), model => <RehearsalAdvice model={model} />);
    expect(screen.queryByText(/would meet errors/)).toBeNull();
  });
});

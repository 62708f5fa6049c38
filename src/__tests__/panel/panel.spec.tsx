import type { YCodeCell } from '@jupyter/ydoc';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as React from 'react';

import type { ServerInfo, Session } from '../../api/types';
import { asUpdate } from '../fakeServer';
import { PanelContext } from '../../ui/context';
import { Panel } from '../../panel/Panel';
import { Modernization } from '../../review/modernization';
import type { IModernizer } from '../../tokens';
import {
  FakeDocument,
  FakeModernizer,
  info,
  makeClient,
  makeDiagnosis,
  makeEdit,
  makeError,
  makeFinding,
  makeGrade,
  makeHints,
  makeIteration,
  makeNotebook,
  makeProgress,
  makeReview,
  makeSession,
  makeQuestions,
  settle,
  trans,
  said,
  makeSessionList
} from '../values';

const execute = jest.fn();

function show(modernizer: IModernizer) {
  return render(
    <PanelContext.Provider value={{ trans, languages: null, execute }}>
      <Panel modernizer={modernizer} />
    </PanelContext.Provider>
  );
}

async function open(
  session: Session | null,
  language = 'python',
  server: ServerInfo = info,
  found: string | null = 'titanic'
) {
  const { client, requests } = makeClient(({ method, route }) => {
    if (route.startsWith('sessions?') && method === 'GET') {
      return { body: makeSessionList(session) };
    }
    if (route === 'info') {
      return { body: server };
    }
    if (route === 'preflight') {
      return {
        status: 409,
        body: { code: 'sandbox_unavailable', message: '' }
      };
    }
    if (route.startsWith('detect')) {
      return {
        body: {
          competition: found,
          reason: found === null ? [] : said(`It reads ${found}.`),
          targets: []
        }
      };
    }
    const body = session ?? makeSession();
    return { body: route.includes('?since=') ? asUpdate(body) : body };
  });
  const document = new FakeDocument(
    makeNotebook(['import pandas as pd', 'df.append(x)']),
    language
  );
  const model = new Modernization({
    client,
    document,
    hints: makeHints().hints,
    info: server,
    preferences: {},
    questions: makeQuestions(),
    trans
  });
  await model.load();
  const modernizer = new FakeModernizer();
  modernizer.current = model;
  show(modernizer);
  return { document, model, requests, user: userEvent.setup() };
}

/** Unfold a part of the panel. */
function unfold(title: string) {
  fireEvent.click(screen.getByRole('heading', { name: title }));
}

/** A part of an edit by a rule. */
const PART = {
  rule: 'a',
  what: 'It was removed.',
  reason: 'It was removed.',
  short: '',
  link: '',
  lines: [],
  places: 1
};

describe('the panel without a modernization', () => {
  it('says that no notebook is open', () => {
    const modernizer = new FakeModernizer();
    modernizer.hasNotebook = false;
    show(modernizer);
    expect(
      screen.getByRole('heading', { name: 'No notebook is open' })
    ).toBeVisible();
  });

  it('says why the server part does not answer, and tries again', async () => {
    const modernizer = new FakeModernizer();
    modernizer.server = {
      kind: 'failed',
      code: 'server_missing',
      message: 'Install it.'
    };
    show(modernizer);
    expect(screen.getByRole('alert')).toHaveTextContent('Install it.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(modernizer.connect).toHaveBeenCalled();
  });

  it('says that a notebook in another language cannot be modernized', async () => {
    await open(null, 'r');
    expect(
      screen.getByRole('heading', { name: 'Not a Python notebook' })
    ).toBeVisible();
  });
});

describe('the target form', () => {
  it('shows what was found, metric and direction', async () => {
    await open(null);
    expect(screen.getByLabelText('Competition')).toHaveValue('titanic');
    expect(screen.getByText('Accuracy, higher is better ↑')).toBeVisible();
    expect(screen.getByText('It reads titanic.')).toBeVisible();
  });

  it('says how to name the folder of competitions where there is none', async () => {
    await open(null, 'python', {
      ...info,
      competitions: [],
      no_data: said('No competition is set up.')
    });
    fireEvent.change(screen.getByLabelText('Competition'), {
      target: { value: '' }
    });
    expect(screen.getByText('No competition is set up.')).toBeVisible();
    expect(screen.queryByText('It reads titanic.')).toBeNull();
    expect(screen.queryByText(/cannot be read/)).toBeNull();
  });

  it('says what failed when the server started, without being asked', async () => {
    const part = 'Sessions are kept in memory until the server is restarted';
    const parameters = { part, error: 'no file can be there' };
    await open(null, 'python', {
      ...info,
      problems: [{ code: 'server.problem', parameters }]
    });
    expect(screen.getByText('1 problem on the server')).toBeVisible();
    expect(screen.getByText(`${part}: no file can be there`)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Modernize' })).toBeEnabled();
  });

  it('says nothing of competitions where the notebook speaks of none', async () => {
    const none = { competitions: [], no_data: said('Not set up.') };
    await open(null, 'python', { ...info, ...none }, null);
    expect(screen.getByLabelText('Competition')).toBeVisible();
    expect(screen.queryByText('Not set up.')).toBeNull();
  });

  it('names what is wrong at the field, and does not run', async () => {
    const { user } = await open(null);
    const field = screen.getByLabelText('Target score');
    await user.clear(field);
    await user.type(field, 'high');
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(/^Type a number/);
    expect(screen.getByRole('button', { name: 'Modernize' })).toBeDisabled();
  });

  it('is locked while work goes on', async () => {
    await open(makeSession({ phase: 'running' }));
    expect(screen.getByLabelText('Target score')).toBeDisabled();
  });
});

describe('the goal before the first run', () => {
  const goal = () =>
    screen
      .getByRole('heading', { name: 'Competition and target score' })
      .closest('details');

  it('is folded where the notebook reads no competition’s path', async () => {
    const defaults = {
      ...info.defaults,
      competition: null,
      target_score: null
    };
    const bare = { ...info, defaults };
    const { model } = await open(null, 'python', bare, null);
    expect(goal()).not.toHaveAttribute('open');
    act(() => model.edit({ target_score: 0.8 }));
    expect(goal()).toHaveAttribute('open');
    act(() => model.edit({ target_score: null }));
    expect(goal()).toHaveAttribute('open');
  });

  it('is open where it reads one', async () => {
    await open(null);
    expect(goal()).toHaveAttribute('open');
  });
});

describe('a run that goes on', () => {
  it('shows cell and clock, and can be cancelled', async () => {
    const { requests, user } = await open(
      makeSession({
        phase: 'running',
        progress: makeProgress({
          message: said('Running cell 7 of 23'),
          cell_id: 'c0',
          ordinal: 7,
          total: 23,
          cells_started_at: new Date(Date.now() - 72_000).toISOString()
        })
      })
    );
    const bar = screen.getByRole('progressbar');
    expect(bar).toHaveAttribute('aria-valuenow', '7');
    expect(bar).toHaveAttribute('aria-valuemax', '23');
    expect(screen.getByText('cell 7 of 23')).toBeVisible();
    expect(screen.getByText(/^1:[1-5]\d of 10:00$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(requests.some(item => item.route.includes('/cancel'))).toBe(true);
  });

  it('shows an error as soon as it comes up', async () => {
    await open(
      makeSession({
        phase: 'running',
        iterations: [makeIteration()],
        progress: makeProgress({ errors: [makeError({ cell_id: 'c1' })] })
      })
    );
    expect(screen.getByText('NameError')).toBeVisible();
  });

  it('groups equal errors, and folds those beyond the fifth', async () => {
    const same = ['c0', 'c1', 'c2'].map(cell_id => makeError({ cell_id }));
    const others = [1, 2, 3, 4, 5].map(number =>
      makeError({ evalue: `name 'x${number}' is not defined` })
    );
    await open(
      makeSession({
        phase: 'running',
        iterations: [makeIteration()],
        progress: makeProgress({ errors: [...same, ...others] })
      })
    );
    const errors = screen.getByRole('region', { name: 'Errors so far' });
    expect(within(errors).getAllByRole('article')).toHaveLength(5);
    expect(within(errors).getByText('The same in 2 more cells')).toBeVisible();
    expect(within(errors).getByText('1 other error')).toBeVisible();
  });
});

function diagnosed(change: Partial<Session> = {}): Session {
  return makeSession({
    phase: 'reviewing',
    message: said('One cell fails.'),
    iterations: [
      makeIteration({
        grade: makeGrade(),
        diagnosis: makeDiagnosis({
          findings: [
            makeFinding({
              error: makeError({ cell_id: 'c1', evalue: '<img src=x>' }),
              explanation: 'It was removed.',
              link: 'javascript:alert(1)'
            }),
            makeFinding({
              kind: 'cascade',
              caused_by: 'c1',
              error: makeError({ cell_id: 'c0' })
            }),
            makeFinding({ kind: 'harmless' })
          ]
        }),
        reviews: [
          makeReview(
            [
              makeEdit({
                id: 'e1',
                cell_id: 'c1',
                base_source: 'df.append(x)',
                new_source: 'pd.concat([df, x])',
                reason: 'append is gone.',
                meaning: 'experiment'
              }),
              makeEdit({ id: 'e2', cell_id: 'gone', base_source: 'x' })
            ],
            {},
            {
              plan: [
                {
                  code: 'plan.step',
                  parameters: { count: 1, cells: '1', what: 'Replace append.' }
                }
              ],
              notes: [
                {
                  severity: 'blocker',
                  code: 'private-answers',
                  cell_id: null,
                  line: null,
                  parameters: { key: 'answers.csv' }
                }
              ]
            }
          )
        ]
      })
    ],
    ...change
  });
}

describe('what came out of a run', () => {
  it('is said in a live region', async () => {
    await open(diagnosed());
    const [status] = screen.getAllByRole('status');
    expect(status).toHaveTextContent('Your review');
    expect(status).toHaveTextContent('One cell fails.');
  });

  it('names what stops it and the next step, and folds the rest', async () => {
    await open(
      diagnosed({
        phase: 'finished',
        message: [
          ...said('It stops in cell 2.'),
          ...said('Choose an environment.')
        ],
        details: said('No rule covers it.')
      })
    );
    const [status] = screen.getAllByRole('status');
    expect(within(status).getByText('It stops in cell 2.')).toBeVisible();
    expect(within(status).getByText('Choose an environment.')).toBeVisible();
    const details = within(status).getByText('No rule covers it.');
    expect(details).not.toBeVisible();
    fireEvent.click(within(status).getByText('Details'));
    expect(details).toBeVisible();
  });

  it('is drawn with a text for those who cannot see it', async () => {
    await open(diagnosed());
    unfold('Run details');
    expect(
      screen.getByRole('img', {
        name: 'Scores: target 0.8; iteration 1 scored 0.6; sample submission 0.5'
      })
    ).toBeVisible();
    expect(screen.getByText('outside the band')).toBeVisible();
  });

  it('leads from an error to its cell', async () => {
    const { document, user } = await open(diagnosed());
    unfold('Run details');
    const errors = screen.getByRole('region', { name: 'Errors' });
    await user.click(within(errors).getAllByText('Cell [ ] df.append(x)')[0]);
    expect(document.revealed).toEqual(['c1']);
  });

  it('never takes a text of the notebook for HTML, nor any address for a link', async () => {
    await open(diagnosed());
    unfold('Run details');
    expect(screen.getByText('<img src=x>')).toBeVisible();
    expect(document.querySelector('img')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Read more' })).toBeNull();
  });

  it('says of an error that it stands in the saved outputs, too', async () => {
    const { document } = await open(diagnosed());
    unfold('Run details');
    const said = /it failed when it was written too/;
    expect(screen.queryByText(said)).toBeNull();
    const saved = (evalue: string) =>
      act(() =>
        (document.shared.getCell(1) as YCodeCell).setOutputs([
          { output_type: 'error', ename: 'NameError', evalue, traceback: [] }
        ])
      );
    saved('another one');
    expect(screen.queryByText(said)).toBeNull();
    saved('<img src=x>');
    expect(await screen.findByText(said)).toBeVisible();
  });

  it('folds cascades under their root and sets harmless errors apart', async () => {
    await open(diagnosed());
    unfold('Run details');
    expect(screen.getByText('1 error follows from it')).toBeVisible();
    expect(
      screen.getByText('1 harmless error: only displayed, or expected')
    ).toBeVisible();
    expect(screen.getByText('1 root error')).toBeVisible();
  });

  it('presets the fix by the diagnosis and sends what was chosen by hand', async () => {
    const { requests, user } = await open(diagnosed());
    unfold('Run details');
    fireEvent.click(screen.getByText('Error repair, Rules'));
    expect(screen.getByLabelText('Fix type')).toHaveValue('error-repair');
    fireEvent.change(screen.getByLabelText('Fix type'), {
      target: { value: 'score-calibration' }
    });
    await user.click(screen.getByRole('button', { name: 'Propose a fix' }));
    await act(() => new Promise(resolve => setTimeout(resolve, 20)));
    const asked = requests.find(item => item.route.includes('/fixes'));
    expect(asked?.body).toMatchObject({
      fix_type: 'score-calibration',
      scope: 'file',
      fixers: ['rules']
    });
  });

  it('offers no model where none is configured, and says what to do', async () => {
    await open(diagnosed());
    unfold('Run details');
    fireEvent.click(screen.getByText('Error repair, Rules'));
    expect(screen.getByRole('option', { name: 'Model' })).toBeDisabled();
    expect(screen.getByText(/Set a key on the server/)).toBeVisible();
  });
});

describe('the proposal', () => {
  it('says plan, integrity, and how far the review is', async () => {
    await open(diagnosed());
    expect(screen.getByRole('list', { name: 'Plan' })).toHaveTextContent(
      'Cell [ ] import pandas as pd: Replace append.'
    );
    expect(screen.getByText('Not allowed:')).toBeVisible();
    expect(
      screen.getByText(/reads the answers of the competition \(answers.csv\)/)
    ).toBeVisible();
    expect(screen.getByText('0 of 2 reviewed')).toBeVisible();
  });

  it('folds the steps of a long plan', async () => {
    const session = diagnosed();
    const [review] = session.iterations[0].reviews;
    review.proposal.plan = Array.from({ length: 6 }, (_, step) => ({
      code: 'text',
      parameters: { text: `Step ${step + 1}.` }
    }));
    await open(session);
    const plan = screen.getByRole('list', { name: 'Plan' });
    expect(within(plan).getAllByRole('listitem')).toHaveLength(4);
    expect(screen.getByText('2 more steps')).toBeVisible();
    expect(screen.queryByText('Step 6.')).toBeNull();
  });

  it('folds the plan of rules, whose changes say the same', async () => {
    const session = diagnosed();
    const [{ proposal }] = session.iterations[0].reviews;
    for (const edit of proposal.edits) {
      edit.parts = [PART];
    }
    proposal.plan = [
      ...proposal.plan,
      { code: 'text', parameters: { text: 'Another.' } }
    ];
    await open(session);
    expect(screen.queryByRole('list', { name: 'Plan' })).toBeNull();
    expect(screen.queryByText(/Replace append/)).toBeNull();
    fireEvent.click(screen.getByText('Plan: 2 steps'));
    expect(await screen.findByText(/Replace append/)).toBeInTheDocument();
  });

  it('leaves out the single step of rules', async () => {
    const session = diagnosed();
    const [{ proposal }] = session.iterations[0].reviews;
    for (const edit of proposal.edits) {
      edit.parts = [PART];
    }
    proposal.plan = proposal.plan.slice(0, 1);
    await open(session);
    expect(screen.queryByText(/^Plan/)).toBeNull();
    expect(screen.queryByText(/Replace append/)).toBeNull();
  });

  it('shows each edit with its reason, its meaning and a diff', async () => {
    await open(diagnosed());
    const edit = screen.getByRole('article', {
      name: 'Change cell [ ] df.append(x)'
    });
    expect(within(edit).getByText('append is gone.')).toBeVisible();
    expect(within(edit).getByText('Changes the experiment')).toBeVisible();
    const diff = within(edit).getByRole('textbox', {
      name: 'Change cell [ ] df.append(x)'
    });
    expect(diff).toHaveAttribute('aria-readonly', 'true');
    expect(diff).toHaveTextContent('pd.concat([df, x])');
    expect(diff).toHaveTextContent('df.append(x)');
  });

  it('says that a cell is gone and offers to propose again', async () => {
    await open(diagnosed());
    fireEvent.click(screen.getByRole('option', { name: /Change a text cell/ }));
    const edit = screen.getByRole('article', { name: 'Change a text cell' });
    expect(
      within(edit).getByText('The cell is no longer in the notebook.')
    ).toBeVisible();
    expect(
      within(edit).getByRole('button', { name: 'Propose again' })
    ).toBeEnabled();
  });

  it('puts an accepted edit into the document, after the yes it needs', async () => {
    const { document, user } = await open(diagnosed());
    const edit = screen.getByRole('article', {
      name: 'Change cell [ ] df.append(x)'
    });
    // It changes the experiment.
    await user.click(within(edit).getByRole('checkbox', { name: /^Yes/ }));
    await user.click(within(edit).getByRole('button', { name: 'Accept' }));
    await act(() => new Promise(resolve => setTimeout(resolve, 20)));
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
  });
});

describe('the history', () => {
  it('brings any iteration back by its command', async () => {
    const { user } = await open(diagnosed());
    const history = screen.getByRole('region', { name: 'History' });
    const [first] = within(history).getAllByRole('button', { name: 'Restore' });
    await user.click(first);
    expect(execute).toHaveBeenCalledWith('mle-modernizer:restore-iteration', {
      iteration: 1
    });
  });
});

function afterRun(change: Partial<Session> = {}): Session {
  return makeSession({
    phase: 'finished',
    message: said('Done.'),
    iterations: [
      makeIteration({ diagnosis: makeDiagnosis(), grade: makeGrade() })
    ],
    ...change
  });
}

describe('a run that nothing grades', () => {
  const agreement = { agreeing: 5, close: 0, compared: 5, cells: [] };
  const fine = makeDiagnosis({
    outcome: 'error-free-non-reproducible',
    execution_status: 'error-free',
    fix_type: null
  });
  const ungraded = (change: Partial<Session> = {}) =>
    afterRun({
      settings: {
        ...makeSession().settings,
        competition: null,
        target_score: null
      },
      scored: false,
      result: [{ code: 'result.saved-outputs', parameters: {} }],
      message: [
        {
          code: 'summary.all-saved-outputs',
          parameters: { count: 5 }
        }
      ],
      iterations: [
        makeIteration({
          agreement,
          diagnosis: fine,
          grade: makeGrade({ score: null, target: null, deviation: null })
        })
      ],
      ...change
    });

  it('came out as its saved outputs say, with no score and no fix', async () => {
    await open(ungraded());
    const status = screen.getAllByRole('status')[0];
    expect(status).toHaveTextContent(
      'Reproduces its saved outputsAll 5 outputs that can be compared match.'
    );
    expect(status.querySelector('.jp-mle-Chip.jp-mod-good')).not.toBeNull();
    expect(screen.queryByRole('region', { name: 'Score' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Saved outputs' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Propose a fix' })).toBeNull();
    unfold('History');
    const history = screen.getByRole('region', { name: 'History' });
    expect(
      within(history).getAllByText('Reproduces its saved outputs').length
    ).toBeGreaterThan(0);
  });

  it('is said to be close, in green, and needs no fix', async () => {
    const close = { ...agreement, agreeing: 3, close: 2 };
    await open(
      ungraded({
        result: [{ code: 'result.close-outputs', parameters: {} }],
        iterations: [makeIteration({ agreement: close, diagnosis: fine })]
      })
    );
    const status = screen.getAllByRole('status')[0];
    expect(status).toHaveTextContent('Runs, outputs close to the saved ones');
    expect(status.querySelector('.jp-mle-Chip.jp-mod-good')).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Propose a fix' })).toBeNull();
  });

  it('is said to run, with other outputs or with errors, and can be fixed', async () => {
    const other = { ...agreement, agreeing: 4 };
    await open(
      ungraded({
        result: [{ code: 'result.other-outputs', parameters: {} }],
        iterations: [makeIteration({ agreement: other, diagnosis: fine })]
      })
    );
    expect(screen.getAllByRole('status')[0]).toHaveTextContent(
      'Runs, but outputs differ'
    );
    expect(screen.getByRole('button', { name: 'Propose a fix' })).toBeVisible();
  });
});

describe('a run that was cut off', () => {
  it('does not say in green that there are no errors', async () => {
    await open(
      afterRun({
        iterations: [
          makeIteration({
            diagnosis: makeDiagnosis({ execution_status: 'timeout' })
          })
        ]
      })
    );
    const errors = screen.getByRole('region', { name: 'Errors' });
    expect(errors).toHaveTextContent('none so far');
    expect(errors).toHaveTextContent('No cell failed before the time was up.');
    expect(errors.querySelector('.jp-mle-Chip.jp-mod-good')).toBeNull();
  });

  it('is not shown as running once it was cancelled', async () => {
    await open(
      afterRun({
        phase: 'running',
        iterations: [
          makeIteration({ diagnosis: null }),
          makeIteration({ number: 2, diagnosis: null })
        ]
      })
    );
    unfold('History');
    const history = screen.getByRole('region', { name: 'History' });
    const runs = (text: string) =>
      within(history)
        .getAllByText(text)
        .filter(chip => !chip.closest('[aria-label="Sessions"]'));
    expect(runs('Running')).toHaveLength(1);
    expect(runs('Not finished')).toHaveLength(1);
  });
});

describe('a file that is missing', () => {
  const error = makeError({
    ename: 'FileNotFoundError',
    evalue: "[Errno 2] No such file or directory: '../input/train.csv'"
  });
  const missing = (change: Partial<Session> = {}) =>
    afterRun({
      iterations: [
        makeIteration({
          diagnosis: makeDiagnosis({ findings: [makeFinding({ error })] })
        })
      ],
      ...change
    });

  it('is named with its cause and what to do', async () => {
    const settings = { ...makeSession().settings, competition: null };
    const { requests, user } = await open(missing({ settings }));
    const note = screen.getByRole('group', { name: 'Missing data' });
    expect(note).toHaveTextContent('“../input/train.csv”');
    expect(note).toHaveTextContent('which is not in its folder');
    expect(screen.getByLabelText('Competition')).toBeVisible();
    fireEvent.change(screen.getByLabelText('Competition'), {
      target: { value: 'titanic' }
    });
    await user.click(
      within(note).getByRole('button', { name: 'Run with this competition' })
    );
    await settle();
    expect(requests.some(({ route }) => route.endsWith('/runs'))).toBe(true);
  });

  it('is looked for again', async () => {
    const { requests, user } = await open(missing());
    expect(
      screen.getByRole('group', { name: 'Missing data' })
    ).toHaveTextContent('not in the data of');
    await user.click(
      screen.getByRole('button', { name: 'Look for data again' })
    );
    await settle();
    expect(requests.some(({ route }) => route === 'info')).toBe(true);
  });
});

describe('the focus', () => {
  it('stays at the button for the next step while work begins and ends', async () => {
    const { model, user } = await open(afterRun({ verdict: null }));
    const run = screen.getByRole('button', { name: 'Run again' });
    await user.click(run);
    await act(settle);
    expect(document.activeElement).not.toBe(document.body);
    act(() =>
      model.take(afterRun({ phase: 'running', seq: 99, verdict: null }))
    );
    await act(settle);
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    act(() => model.take(afterRun({ seq: 100, verdict: null })));
    await act(settle);
    expect(screen.getByRole('button', { name: 'Run again' })).toHaveFocus();
  });
});

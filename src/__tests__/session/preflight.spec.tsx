import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Signal } from '@lumino/signaling';
import * as React from 'react';

import type { Foreseen, Preflight, PreflightRequest } from '../../api/types';
import { BeforeRun } from '../../panel/errors/BeforeRun';
import { StatusLine } from '../../panel/StatusLine';
import { PanelContext } from '../../ui/context';
import { byCell, PreflightModel } from '../../session/preflight';
import { checkDraft } from '../../session/form/settings';
import { tracesOf } from '../../session/document/traces';
import { open, proposal } from '../fakeServer';
import {
  makeEdit,
  makeIteration,
  makeNotebook,
  makeReview,
  makeSession,
  said,
  settings,
  trans
} from '../values';

function foreseen(change: Partial<Foreseen> = {}): Foreseen {
  return {
    cell_id: 'c1',
    rule: 'pandas-append',
    library: 'pandas',
    since: '2.0',
    impact: 'stops',
    certain: true,
    likely: true,
    fixable: true,
    proposed: true,
    what: 'append was removed.',
    replacement: 'concat does it.',
    link: 'https://pandas.pydata.org/',
    left: [],
    ...change
  };
}

function makePreflight(change: Partial<Preflight> = {}): Preflight {
  return {
    era: {
      chosen: '',
      first_year: 2017,
      last_year: 2018,
      libraries: [],
      evidence: [
        {
          text: said('It uses .ix.'),
          cell_id: 'c2',
          library: 'pandas',
          at_least: '',
          below: '1.0',
          since: '',
          until: '',
          certain: true
        }
      ],
      used: ['pandas'],
      summary: said('pandas 0.2x (2017)')
    },
    headline: said('Written for pandas 0.2x (2017). You have pandas 3.1.'),
    environment: { python: '3.12.1', packages: { pandas: '3.1.0' } },
    sandbox: 'process',
    items: [
      foreseen(),
      foreseen({
        rule: 'sklearn-pin-forest-size',
        library: 'sklearn',
        since: '0.22',
        impact: 'default',
        cell_id: 'c3'
      }),
      foreseen({ rule: 'odd', certain: false, proposed: false, cell_id: 'c3' }),
      foreseen({
        rule: 'rare',
        certain: false,
        likely: false,
        proposed: false,
        what: 'A rare thing.',
        cell_id: 'c3'
      })
    ],
    notes: [
      { cell_id: 'c0', text: said('Was not looked into: it is Python 2.') }
    ],
    files: [],
    needs: { network: [], gpu_cells: [] },
    pending: false,
    choice: null,
    outlook: [
      { code: 'preflight.cells-fail', parameters: { count: 1 } },
      { code: 'preflight.results-change', parameters: { count: 1 } }
    ],
    stops: 1,
    silent: 1,
    possible: 2,
    likely: 1,
    complete: true,
    ...change
  };
}

async function ahead(found: Preflight | null, session = null as null | object) {
  const opened = await open(session ? makeSession(session) : null);
  const { server } = opened;
  server.refuse = request => {
    if (request.route !== 'preflight') {
      return null;
    }
    return found
      ? { body: found }
      : {
          status: 409,
          body: { code: 'sandbox_unavailable', message: 'None works here.' }
        };
  };
  await opened.model.preflight.look();
  render(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: () => undefined }}
    >
      <StatusLine model={opened.model} />
      <BeforeRun model={opened.model} />
    </PanelContext.Provider>
  );
  return { ...opened, user: userEvent.setup() };
}

/** Click on a summary and wait for the effects; jsdom emits no toggle event. */
async function unfold(summary: HTMLElement): Promise<void> {
  fireEvent.click(summary);
  await act(async () => {
    await new Promise(resolve => setTimeout(resolve, 0));
  });
}

const asked = (requests: { route: string; body: unknown }[]) =>
  requests
    .filter(request => request.route === 'preflight')
    .map(request => request.body as PreflightRequest);

describe('the card before the first run', () => {
  it('names files that are not found, and asks which of several is meant', async () => {
    const file = {
      cell_id: 'c1',
      candidates: [],
      taken: null,
      written: false,
      outside: false
    };
    const { model, requests } = await ahead(
      makePreflight({
        items: [],
        notes: [],
        stops: 0,
        silent: 0,
        files: [
          {
            ...file,
            path: 'train.csv',
            candidates: ['a/train.csv', 'b/train.csv']
          },
          {
            ...file,
            path: 'test.csv',
            candidates: ['a/test.csv'],
            taken: 'a/test.csv'
          },
          { ...file, path: 'gone.csv' },
          { ...file, path: '../above.csv', outside: true }
        ]
      })
    );
    const card = screen.getByRole('region', { name: 'Before the first run' });
    const list = within(card).getByRole('list', {
      name: 'Files that are not found'
    });
    expect(list).toHaveTextContent(
      'test.csv does not exist; a/test.csv is used.'
    );
    expect(list).toHaveTextContent(
      'gone.csv does not exist, and no file of that name'
    );
    expect(list).toHaveTextContent('../above.csv exists, but a run sees no');
    expect(model.preflight.hasFixes).toBe(true);
    fireEvent.change(screen.getByLabelText('Which file is train.csv?'), {
      target: { value: 'b/train.csv' }
    });
    await act(() => model.preflight.look());
    const sent = asked(requests);
    expect(sent[0].path).toBe(model.document.path);
    expect(sent[sent.length - 1].settings.file_choices).toEqual({
      'train.csv': 'b/train.csv'
    });
  });

  it('says the era, what breaks by cell and why, with a link', async () => {
    const { document, user } = await ahead(makePreflight());
    const card = screen.getByRole('region', { name: 'Before the first run' });
    expect(screen.getByRole('status')).toHaveTextContent(
      'Written for pandas 0.2x (2017). You have pandas 3.1.' +
        '1 cell will fail. ' +
        '1 library change alters results without an error.'
    );
    const list = within(card).getByRole('list', { name: 'What will break' });
    expect(list).toHaveTextContent('append was removed. concat does it.');
    expect(
      within(list).getByRole('link', { name: 'pandas 2.0' })
    ).toHaveAttribute('href', 'https://pandas.pydata.org/');
    await user.click(
      within(list).getByRole('button', { name: 'Cell [ ] df.append(x)' })
    );
    expect(document.revealed).toEqual(['c1']);
  });

  it('lists downloads, and has all files fetched with one click', async () => {
    const address = 'https://download.pytorch.org/models/resnet18-f37072fd.pth';
    const { model, user } = await ahead(
      makePreflight({
        needs: {
          network: [
            {
              cell_id: 'c1',
              what: 'weights of resnet18',
              addresses: [address]
            },
            { cell_id: 'c3', what: 'a data set of fastai', addresses: [] }
          ],
          gpu_cells: []
        }
      })
    );
    const list = screen.getByRole('list', { name: 'Downloads' });
    expect(list).toHaveTextContent('weights of resnet18');
    expect(list).toHaveTextContent('Only a run with a network can get it.');
    await user.click(
      screen.getByRole('button', { name: 'Fetch the file for the runs' })
    );
    expect(model.draft.resources).toEqual([address]);
  });

  it('says why a change is left, and shows no version that is unknown', async () => {
    await ahead(
      makePreflight({
        items: [
          foreseen({
            rule: '',
            since: '',
            link: '',
            what: 'cv2 5.0 has no cv2.CascadeClassifier.',
            replacement: '',
            proposed: false,
            left: said('Left as it is: the notebook uses Keras.')
          })
        ]
      })
    );
    const list = screen.getByRole('list', { name: 'What will break' });
    expect(list).toHaveTextContent('Left as it is: the notebook uses Keras.');
    expect(within(list).queryByRole('link')).toBeNull();
  });

  it('does not date code that was fixed', async () => {
    await ahead(makePreflight(), {
      reviews: [
        makeReview([makeEdit()], {
          decisions: {
            e0: { state: 'accepted', partial: false, confirmed: false }
          }
        })
      ]
    });
    expect(screen.getByText(/1 cell will fail/)).toBeVisible();
    expect(screen.queryByText(/Written for/)).toBeNull();
  });

  it('folds what seldom breaks, with its number', async () => {
    await ahead(makePreflight());
    const may = screen.getByRole('list', { name: 'What may break' });
    expect(may).not.toHaveTextContent('A rare thing.');
    const folded = screen.getByText('1 more that rarely breaks');
    expect(folded.closest('details')).not.toHaveAttribute('open');
    await unfold(folded);
    expect(folded.closest('details')).toHaveTextContent('A rare thing.');
  });

  it('proposes all of it without a run, as one patch', async () => {
    const { model, requests, user } = await ahead(makePreflight());
    const name = 'Fix them';
    await act(() => user.click(screen.getByRole('button', { name })));
    const fix = requests.find(request => request.route.endsWith('/fixes'));
    expect(fix?.body).toMatchObject({
      fix_type: 'before-run',
      fixers: ['rules'],
      notebook: { cells: expect.any(Array) as unknown }
    });
    expect(requests.some(item => item.route.endsWith('/runs'))).toBe(false);
    expect(model.isWorking).toBe(true);
  });

  it('says "it" of the only thing that it fixes', async () => {
    const one = { code: 'preflight.cells-fail', parameters: { count: 1 } };
    await ahead(makePreflight({ outlook: [one] }));
    expect(screen.getByRole('button', { name: 'Fix it' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Fix them' })).toBeNull();
  });

  it('recommends the whole way where the mode is auto', async () => {
    const { model } = await ahead(makePreflight());
    act(() => model.edit({ mode: 'auto' }));
    expect(screen.queryByRole('button', { name: 'Fix them' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Modernize' })).toBeVisible();
  });

  it('turns no button into another one under a pointer when it arrives', async () => {
    const { model } = await ahead(null);
    const button = screen.getByRole('button', { name: 'Modernize' });
    const { preflight } = model;
    jest.spyOn(preflight, 'hasFixes', 'get').mockReturnValue(true);
    act(() => (preflight.changed as Signal<typeof preflight, void>).emit());
    const proposing = screen.getByRole('button', { name: 'Fix it' });
    expect(proposing).not.toBe(button);
    expect(button.nextElementSibling).toBe(proposing);
    expect(screen.getByRole('button', { name: 'Modernize' })).toBe(button);
  });

  it('is not there when nothing is known to break', async () => {
    await ahead(makePreflight({ items: [], notes: [], stops: 0, silent: 0 }));
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('is not there once the notebook has run', async () => {
    const { requests } = await ahead(makePreflight(), {
      iterations: [makeIteration()]
    });
    expect(asked(requests)).toEqual([]);
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('says in one line why it cannot look ahead', async () => {
    await ahead(null);
    expect(screen.getByText(/None works here/)).toBeVisible();
  });

  it('steps back while the patch waits for review', async () => {
    await ahead(makePreflight(), {
      phase: 'reviewing',
      reviews: [proposal()]
    });
    expect(screen.queryByRole('button', { name: 'Fix them' })).toBeNull();
  });
});

describe('looking ahead', () => {
  it('asks again when the notebook, the sandbox or the era changed, not otherwise', async () => {
    const { document, model, requests } = await ahead(makePreflight());
    const look = () => act(() => model.preflight.look());
    await look();
    expect(asked(requests)).toHaveLength(1);
    document.shared.cells[1].setSource('pd.concat([df, x])');
    await look();
    model.edit({ era: '2018', sandbox: 'process' });
    await look();
    expect(
      asked(requests).map(({ settings }) => [settings.era, settings.sandbox])
    ).toEqual([
      [null, null],
      [null, null],
      ['2018', 'process']
    ]);
  });

  it('asks again while the installed packages are still looked up', async () => {
    const { model } = await open(null);
    const answers = [makePreflight({ pending: true }), makePreflight()];
    const client = { preflight: jest.fn(async () => answers.shift()!) };
    const { actions } = model;
    const looking = new PreflightModel({ model, actions, client, again: 1 });
    const done = new Promise<void>(resolve =>
      looking.changed.connect(() => {
        if (looking.found?.pending === false) {
          resolve();
        }
      })
    );
    await looking.look();
    await done;
    expect(client.preflight).toHaveBeenCalledTimes(2);
    looking.dispose();
  });

  it('shows the review of a fix proposed before any run', async () => {
    const { model } = await ahead(makePreflight(), {
      phase: 'reviewing',
      reviews: [proposal()]
    });
    expect(model.review.shown?.iteration).toBeNull();
    expect(model.review.edits).toHaveLength(3);
  });

  it('groups by cell, in order', () => {
    const items = [foreseen(), foreseen({ cell_id: 'c3' }), foreseen()];
    expect(byCell(items).map(group => group.cellId)).toEqual(['c1', 'c3']);
    expect(byCell(items)[0].items).toHaveLength(2);
  });
});

describe('the date of a document', () => {
  it('is read from metadata and outputs', () => {
    const shared = makeNotebook(['x']);
    shared.metadata = {
      language_info: { name: 'python', version: '3.6.5' },
      kernelspec: { name: 'python3', display_name: 'Python 3' },
      papermill: { start_time: '2019-04-02T10:00:00' }
    };
    const cell = shared.cells[0];
    if (cell.cell_type === 'code') {
      cell.setOutputs([
        {
          output_type: 'stream',
          name: 'stdout',
          text: '\u001b[31mpandas\u001b[0m 0.23.4'
        },
        { output_type: 'execute_result', data: { 'text/plain': ["'1.14.0'"] } }
      ]);
    }
    expect(tracesOf(shared)).toEqual({
      python: '3.6.5',
      kernel: 'python3',
      dates: ['2019-04-02'],
      outputs: "pandas 0.23.4\n'1.14.0'"
    });
  });

  it('can be said by the person', () => {
    const check = (era: string | null) =>
      checkDraft({ ...settings, era }, trans);
    expect(check(null).settings?.era).toBeNull();
    expect(check('2018').settings?.era).toBe('2018');
    expect(check('pandas 0.23, scikit-learn=0.19').errors).toEqual({});
    expect(check('long ago').errors.era).toMatch(/a year such as 2018/);
  });
});

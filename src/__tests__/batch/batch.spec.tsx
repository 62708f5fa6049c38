import { act, fireEvent, render, screen, within } from '@testing-library/react';
import type { Contents } from '@jupyterlab/services';
import * as React from 'react';

import { ApiError } from '../../api/client';
import type { BatchOverview, BatchRow } from '../../api/types';
import { BatchPage } from '../../batch/BatchPage';
import { CommandIDs } from '../../commandIds';
import { PanelContext } from '../../ui/context';
import { info, makeNotebook, makeSession, settle, trans } from '../values';

const row = (name: string, change: Partial<BatchRow> = {}): BatchRow => ({
  key: `${name}-1`,
  name,
  path: `course/${name}`,
  arm: 'modernized',
  repetition: 1,
  status: 'done',
  first: 'error-non-reproducible',
  last: 'error-free-reproducible',
  runs: 2,
  fixes: 1,
  by_model: false,
  score: 0.8,
  deviation: 0.01,
  seconds: 20,
  cost: null,
  changed: true,
  has_target: true,
  message: 'It runs.',
  ...change
});

const overview = (
  rows: BatchRow[],
  change: Partial<BatchOverview> = {}
): BatchOverview => ({
  path: 'out',
  what: 'course',
  arms: ['modernized'],
  rows,
  done: rows.length,
  unreadable: 0,
  stamp: 5,
  standing: null,
  report: null,
  ...change
});

interface IAsked {
  since: number[];
  reviewed: string[];
  opened: string[];
  executed: string[];
  started: string[];
}

async function show(
  answers: BatchOverview[],
  refusal: ApiError | null = null
): Promise<IAsked> {
  const asked: IAsked = {
    since: [],
    reviewed: [],
    opened: [],
    executed: [],
    started: []
  };
  const client = {
    batch: async (_: string, since: number) => {
      asked.since.push(since);
      if (answers.length === 0) {
        throw new ApiError('out is not a batch folder.', 'not_found', 404);
      }
      return answers[Math.min(asked.since.length, answers.length) - 1];
    },
    reviewBatchResult: async (body: { key: string }) => {
      asked.reviewed.push(body.key);
      if (refusal) {
        throw refusal;
      }
      return {} as never;
    },
    info: () => Promise.resolve(info),
    create: (body: { path: string }) => {
      asked.started.push(body.path);
      return Promise.resolve(makeSession({ id: body.path }));
    },
    run: () => Promise.resolve(makeSession())
  };
  const notebook = makeNotebook(['print(1)']);
  const nothing = notebook.toJSON();
  notebook.dispose();
  const contents = {
    get: (path: string) =>
      Promise.resolve({
        content: path.endsWith('.ipynb')
          ? nothing
          : [
              { type: 'notebook', path: 'out/a.ipynb' },
              { type: 'file', path: 'out/a.csv' },
              { type: 'notebook', path: 'out/b.ipynb' }
            ]
      } as Contents.IModel)
  };
  const context = {
    trans,
    languages: null,
    execute: (command: string) => asked.executed.push(command)
  };
  render(
    <PanelContext.Provider value={context}>
      <BatchPage
        path="out"
        client={client}
        contents={contents}
        open={async path => {
          asked.opened.push(path);
        }}
      />
    </PanelContext.Provider>
  );
  await act(async () => {
    await settle();
  });
  return asked;
}

const names = () =>
  screen.getAllByRole('rowheader').map(cell => cell.textContent);

const press = async (name: string | RegExp) => {
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name }));
    await settle();
  });
};

describe('an ordinary folder', () => {
  it('offers to modernize its notebooks, with rules alone', async () => {
    const asked = await show([]);
    expect(screen.getByRole('status')).toHaveTextContent('2 notebooks here.');
    await press('Modernize all');
    expect(asked.started).toEqual(['out/a.ipynb', 'out/b.ipynb']);
    expect(screen.getAllByText('started')).toHaveLength(2);
    await press('b.ipynb');
    expect(asked.opened).toEqual(['out/b.ipynb']);
  });
});

describe('the page of a batch', () => {
  it('asks of no score whether it was reproduced where there was none to reach', async () => {
    await show([
      overview([
        row('a.ipynb', {
          has_target: false,
          last: 'error-free-non-reproducible'
        })
      ])
    ]);
    expect(screen.getByRole('row', { name: /a\.ipynb/ }).textContent).toContain(
      'Runs without errors'
    );
    expect(document.body.textContent).not.toContain('not reproducible');
  });

  it('has a line a notebook, sorted and filtered', async () => {
    await show([
      overview([
        row('b.ipynb', { seconds: 5 }),
        row('a10.ipynb', { last: 'failed', changed: false, seconds: 90 }),
        row('a9.ipynb', { status: 'refused', runs: 0, last: 'not-run' })
      ])
    ]);
    expect(names()).toEqual(['a9.ipynb', 'a10.ipynb', 'b.ipynb']);
    await press('Time');
    expect(names()).toEqual(['b.ipynb', 'a9.ipynb', 'a10.ipynb']);
    await press(/Time/);
    expect(names()).toEqual(['a10.ipynb', 'a9.ipynb', 'b.ipynb']);
    fireEvent.change(screen.getByLabelText('Outcome'), {
      target: { value: 'refused' }
    });
    expect(names()).toEqual(['a9.ipynb']);
    fireEvent.change(screen.getByLabelText('Outcome'), {
      target: { value: '' }
    });
    fireEvent.change(screen.getByLabelText('Notebooks whose name has'), {
      target: { value: 'B.' }
    });
    expect(names()).toEqual(['b.ipynb']);
  });

  it('shows the flow, and where the batch stands', async () => {
    const now = new Date().toISOString();
    await show([
      overview([row('a.ipynb'), row('b.ipynb')], {
        standing: { at: now, line: '2 of 9 done', running: ['c.ipynb: w1'] }
      })
    ]);
    expect(screen.getByText('2 of 9 done')).toBeTruthy();
    expect(screen.getByText('c.ipynb: w1')).toBeTruthy();
    const picture = screen.getByRole('img', { name: /from which outcome/ });
    expect(picture.querySelector('path title')?.textContent).toBe(
      'Errors, not reproducible → Error-free, reproducible: 2'
    );
  });

  it('opens a notebook with the review of what is proposed', async () => {
    const asked = await show([overview([row('a.ipynb')])]);
    await press('Review the changes of a.ipynb');
    expect(asked).toMatchObject({
      reviewed: ['a.ipynb-1'],
      opened: ['course/a.ipynb'],
      executed: [CommandIDs.openPanel]
    });
  });

  it('only opens what has nothing to review, or lies elsewhere', async () => {
    const asked = await show([
      overview([
        row('a.ipynb', { changed: false }),
        row('b.ipynb', { path: null })
      ])
    ]);
    await press('Open a.ipynb');
    expect(asked).toMatchObject({ reviewed: [], opened: ['course/a.ipynb'] });
    const elsewhere = screen.getByRole('button', {
      name: 'Review the changes of b.ipynb'
    });
    expect((elsewhere as HTMLButtonElement).disabled).toBe(true);
  });

  it('says so where a notebook has changed, and opens it all the same', async () => {
    const changed = new ApiError('It was changed since.', 'conflict', 409);
    const asked = await show([overview([row('a.ipynb')])], changed);
    await press('Review the changes of a.ipynb');
    expect(screen.getByRole('alert').textContent).toBe('It was changed since.');
    expect(asked.opened).toEqual(['course/a.ipynb']);
  });

  it('asks for what is new, and for all where results are gone', async () => {
    const asked = await show([
      overview([row('a.ipynb'), row('b.ipynb')]),
      overview([], { done: 1 }),
      overview([row('a.ipynb')])
    ]);
    await press('Look again');
    expect(asked.since).toEqual([0, 5, 0]);
    expect(names()).toEqual(['a.ipynb']);
  });

  it('draws many rows page by page, and no markup of others', async () => {
    const many = Array.from({ length: 450 }, (_, n) => row(`n${n}.ipynb`));
    await show([overview([...many, row('<img src=x>')])]);
    expect(names()).toHaveLength(200);
    expect(document.querySelector('.jp-mle-Batch-table img')).toBeNull();
    await press('Show 200 more');
    await press('Show 51 more');
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(
      452
    );
  });
});

import type { ISharedCodeCell } from '@jupyter/ydoc';

import type { FinishedRun } from '../../api/types';
import {
  finishedNotebook,
  fromReplaced,
  notebookState,
  putState,
  toReplaced,
  withState
} from '../../review/finishing';
import { dataLink, dataPaths } from '../../finish/paths';
import { finishedState, sourcesCrc32 } from '../../session/document/provenance';
import { makeNotebook, wireNotebook } from '../values';

const run: FinishedRun = {
  run: 2,
  notebook_hash: 'h',
  cut: false,
  cells: [
    {
      cell_id: 'ran',
      execution_count: 1,
      outputs: [{ output_type: 'stream', name: 'stdout', text: 'fresh' }]
    }
  ],
  provenance: {
    tool: 'MLE Modernizer 1',
    finished_at: '2026-01-02T03:04:05Z',
    session: 's',
    run: 2,
    outcome: 'reproduced',
    competition: null,
    metric: null,
    score: 0.9,
    target_score: null,
    deviation: null,
    deviation_is_absolute: false,
    python: '3.12.1',
    packages: { pandas: '2.2' },
    sandbox: 'bubblewrap',
    image: '',
    seconds: 1,
    fixes: 1,
    models: [],
    // Of `sources_crc32` in Python, for these two cells.
    sources_crc32: '5ad2abb4'
  }
};
const places = new Map([['ran', 'c0']]);

describe('a finished notebook', () => {
  const make = () => {
    const shared = makeNotebook(['print("ä")', '1']);
    shared.setMetadata('mle_modernizer', { target_score: 0.9 });
    return shared;
  };

  it('has the outputs of the run, and says where they come from', () => {
    const shared = make();
    putState(shared, finishedNotebook(shared, run, places, null));
    const [first, second] = shared.toJSON().cells;
    expect(first).toMatchObject({
      execution_count: 1,
      outputs: [{ text: 'fresh' }]
    });
    expect(second.outputs).toEqual([]);
    const { metadata } = shared;
    expect(metadata.language_info?.version).toBe('3.12.1');
    expect(metadata.mle_modernizer).toMatchObject({
      target_score: 0.9,
      provenance: { run: 2, packages: { pandas: '2.2' } }
    });
  });

  it('is what it was once that is taken back', () => {
    const shared = make();
    const before = shared.toJSON();
    const state = notebookState(shared);
    putState(shared, finishedNotebook(shared, run, places, null));
    putState(shared, state);
    expect(shared.toJSON()).toEqual(before);
  });

  it('is taken back cell by cell, wherever they are by then', () => {
    const shared = make();
    const state = notebookState(shared);
    putState(shared, finishedNotebook(shared, run, places, null));
    shared.insertCell(0, { cell_type: 'code', source: 'new' });
    (shared.cells[0] as ISharedCodeCell).execution_count = 7;
    putState(shared, state);
    const { cells } = shared.toJSON();
    expect(cells.map(cell => cell.execution_count)).toEqual([7, null, null]);
    expect(cells[1].outputs).toEqual([]);
  });

  it('is taken back from what the server kept, also where cells have new ids', () => {
    const shared = make();
    const before = shared.toJSON();
    const kept = toReplaced(notebookState(shared), '2026-01-02T03:04:05Z');
    putState(shared, finishedNotebook(shared, run, places, null));
    shared.setMetadata('later', 1); // foreign metadata stays
    const wire = JSON.parse(JSON.stringify(kept)) as typeof kept;
    putState(shared, fromReplaced(shared, wire)!);
    expect(shared.toJSON()).toEqual({
      ...before,
      metadata: { ...before.metadata, later: 1 }
    });

    const renamed = {
      ...wire,
      cells: wire.cells.map((cell, index) => ({
        ...cell,
        cell_id: `old${index}`,
        execution_count: 5 + index
      }))
    };
    putState(shared, fromReplaced(shared, renamed)!);
    const counts = shared.toJSON().cells.map(cell => cell.execution_count);
    expect(counts).toEqual([5, 6]);
    expect(fromReplaced(shared, { ...wire, cells: [] })).toBeNull();
  });

  it('never trusts what came out of the sandbox', () => {
    const shared = make();
    const state = finishedNotebook(shared, run, places, null);
    const { cells } = withState(shared.toJSON(), state);
    expect(cells[0].metadata.trusted).toBe(false);
  });

  it('knows whether its code was changed since', () => {
    const shared = make();
    putState(shared, finishedNotebook(shared, run, places, null));
    const { metadata } = shared;
    const same = wireNotebook(['print("ä")', '1']);
    expect(finishedState(metadata, same)?.isChanged).toBe(false);
    const other = wireNotebook(['print("ä")', '2']);
    expect(finishedState(metadata, other)?.isChanged).toBe(true);
  });

  it.each([
    {},
    { mle_modernizer: 'x' },
    { mle_modernizer: { provenance: [1] } },
    { mle_modernizer: { provenance: { sources_crc32: 7 } } }
  ])('is not told by metadata of anybody: %j', metadata => {
    expect(finishedState(metadata, wireNotebook(['1']))).toBeNull();
  });

  it('takes nothing of the wrong kind from its metadata', () => {
    const provenance = { sources_crc32: '', python: { a: 1 }, score: '1' };
    const metadata = { mle_modernizer: { provenance } };
    expect(finishedState(metadata, wireNotebook(['1']))?.provenance).toEqual({
      sources_crc32: ''
    });
  });
});

it('counts the sources as zlib does', () => {
  expect(sourcesCrc32([])).toBe('00000000');
});

describe('the data a notebook names', () => {
  it('are found in its strings, as far as they are known', () => {
    const notebook = wireNotebook([
      "pd.read_csv('../input/titanic/train.csv')\nopen(f'/kaggle/input/{name}/x')",
      "glob('../input/*.csv')  # nothing/input/else"
    ]);
    expect(dataPaths(notebook)).toEqual([
      '../input/titanic/train.csv',
      '/kaggle/input',
      '../input'
    ]);
  });

  it('are not those of a cell that is not run', () => {
    const notebook = wireNotebook(["open('../input/train.csv')"]);
    notebook.cells[0].tags = ['skip-execution'];
    expect(dataPaths(notebook)).toEqual([]);
  });

  it('are linked to where the code looks', () => {
    const info = { data_root: '/my data/' };
    const data = '/my data/titanic/prepared/public';
    const place = (path: string) => dataLink(path, 'titanic', info);
    expect(place('../input/titanic/train.csv')).toEqual({
      data,
      place: '../input/titanic'
    });
    expect(place('../input/train.csv')).toEqual({ data, place: '../input' });
    expect(place('/kaggle/input/titanic')).toEqual({
      data,
      place: '/kaggle/input/titanic'
    });
  });
});

import type { ISharedCodeCell } from '@jupyter/ydoc';

import type { Execution } from '../../../api/types';
import { CellPlaces } from '../../../session/document/places';
import { messagesText } from '../../../words/message';
import {
  FakeDocument,
  makeIteration,
  makeNotebook,
  makeSession,
  trans
} from '../../values';

describe('the names of cells in messages', () => {
  const notebook = makeNotebook(['import os', 'model = Forest()', 'x = 1']);
  (notebook.cells[1] as ISharedCodeCell).execution_count = 73;
  const places = new CellPlaces(new FakeDocument(notebook), () =>
    Promise.reject(new Error('not needed'))
  );

  afterAll(() => {
    places.dispose();
  });

  it('are prompt and code, by number and by id', () => {
    const names = places.namesIn(null);
    expect(names(2)).toBe('[73] model = Forest()');
    expect(names('c0')).toBe('[ ] import os');
    expect(names(9)).toBeNull();
    const left = {
      code: 'left-out.needs',
      parameters: { cell: 'c1', needs: 1 }
    };
    expect(messagesText([left], trans, names)).toContain(
      'cell `[73] model = Forest()` was left out: it needs the edit of cell `[ ] import os`'
    );
  });

  it('count the cells of the latest run, also after one was inserted', () => {
    const execution: Execution = {
      status: 'error',
      ending: 'completed',
      sandbox: 'process',
      image: '',
      seconds: 1,
      carried: 0,
      time_limit: 600,
      environment: { python: '3.11.2', packages: {} },
      cells: [
        {
          cell_id: 'c1',
          index: 0,
          seconds: 1,
          status: 'error',
          types: {},
          warnings: []
        }
      ],
      errors: [],
      pip_installs: [],
      csv_files: [],
      message: [],
      remarks: [],
      profile: null,
      files_beside: [],
      network: null
    };
    const session = makeSession({ iterations: [makeIteration({ execution })] });
    expect(places.namesIn(session)(1)).toBe('[73] model = Forest()');
  });
});

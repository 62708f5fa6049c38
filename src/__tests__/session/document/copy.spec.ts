import type { Contents } from '@jupyterlab/services';

import { freePath, withSources } from '../../../session/document/copy';
import { makeNotebook, wireNotebook } from '../../values';

describe('a copy of an iteration', () => {
  it('has its sources; outputs stay only with sources that are the same', () => {
    const notebook = makeNotebook(['same', 'new']);
    const content = notebook.toJSON();
    notebook.dispose();
    const output = { output_type: 'stream', name: 'stdout', text: 'x' };
    content.cells.forEach(cell => Object.assign(cell, { outputs: [output] }));
    const copy = withSources(
      content,
      wireNotebook(['same', 'old', 'gone by now']),
      new Map([
        ['c0', 'c0'],
        ['c1', 'c1']
      ])
    );
    expect(copy.cells.map(cell => cell.source)).toEqual([
      'same',
      'old',
      'gone by now'
    ]);
    expect(copy.cells.map(cell => cell.outputs)).toEqual([[output], [], []]);
    expect(copy.nbformat_minor).toBe(5);
  });

  it('never takes the place of a file', async () => {
    const taken = ['a.ipynb', 'a-modernized.ipynb', 'a-modernized-2.ipynb'];
    const contents = {
      get: () => Promise.resolve({ content: taken.map(name => ({ name })) })
    } as unknown as Contents.IManager;
    expect(await freePath(contents, 'old/a.ipynb')).toBe(
      'old/a-modernized-3.ipynb'
    );
    expect(await freePath(contents, 'b.ipynb')).toBe('b-modernized.ipynb');
  });
});

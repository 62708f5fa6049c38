import { toNotebook } from '../../session/document/document';
import { FakeDocument, makeNotebook } from '../values';

describe('the tags of a cell', () => {
  it('that say how it runs go over the wire, others do not', () => {
    const notebook = makeNotebook(['1/0', 'long()', 'x']);
    notebook.cells[0].setMetadata('tags', ['mine', 'raises-exception']);
    notebook.cells[1].setMetadata('tags', ['skip-execution']);
    notebook.cells[2].setMetadata('tags', 'skip-execution');
    const { cells } = toNotebook(new FakeDocument(notebook));
    expect(cells.map(({ tags }) => tags)).toEqual([
      ['raises-exception'],
      ['skip-execution'],
      []
    ]);
  });
});

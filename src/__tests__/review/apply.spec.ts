import {
  applyAll,
  applyChange,
  type DocumentChange,
  updateText
} from '../../review/apply';
import { planRestore } from '../../review/restore';
import { liveCells, matchCells } from '../../session/document/cells';
import { makeNotebook, sourcesOf, wireNotebook } from '../values';

const modify = (id: string, base: string, source: string): DocumentChange => ({
  kind: 'modify',
  id,
  base,
  source
});

describe('applying one change', () => {
  it('is taken back by one undo of the cell, and leaves what was typed before', () => {
    const notebook = makeNotebook(['']);
    const cell = notebook.getCell(0);
    cell.updateSource(0, 0, 'df.append(x)');
    const result = applyChange(
      notebook,
      modify('c0', 'df.append(x)', 'pd.concat([df, x])')
    );
    expect(result).toBe('applied');
    expect(cell.getSource()).toBe('pd.concat([df, x])');
    cell.undo();
    expect(cell.getSource()).toBe('df.append(x)');
    cell.redo();
    expect(cell.getSource()).toBe('pd.concat([df, x])');
  });

  it('is a step of its own, apart from what is typed afterwards', () => {
    const notebook = makeNotebook(['a']);
    const cell = notebook.getCell(0);
    applyChange(notebook, modify('c0', 'a', 'b'));
    cell.updateSource(1, 1, ' # typed');
    cell.undo();
    expect(cell.getSource()).toBe('b');
  });

  it('does not touch a cell that is no longer what the change was made for', () => {
    const notebook = makeNotebook(['mine']);
    expect(applyChange(notebook, modify('c0', 'theirs', 'new'))).toBe('stale');
    expect(sourcesOf(notebook)).toEqual(['mine']);
  });

  it('does not touch anything where the cell is gone', () => {
    const notebook = makeNotebook(['a']);
    expect(applyChange(notebook, modify('gone', 'a', 'b'))).toBe('stale');
    expect(sourcesOf(notebook)).toEqual(['a']);
  });

  it('empties a cell', () => {
    const notebook = makeNotebook(['a']);
    expect(applyChange(notebook, modify('c0', 'a', ''))).toBe('applied');
    expect(sourcesOf(notebook)).toEqual(['']);
  });

  it('inserts a cell under the id that was proposed; one undo removes it', () => {
    const notebook = makeNotebook(['a', 'b']);
    const result = applyChange(notebook, {
      kind: 'insert',
      id: 'new',
      after: 'c0',
      type: 'markdown',
      source: '# why'
    });
    expect(result).toBe('applied');
    expect(sourcesOf(notebook)).toEqual(['a', '# why', 'b']);
    expect(notebook.getCell(1).getId()).toBe('new');
    expect(notebook.getCell(1).cell_type).toBe('markdown');
    notebook.undo();
    expect(sourcesOf(notebook)).toEqual(['a', 'b']);
  });

  it('inserts at the top', () => {
    const notebook = makeNotebook(['a']);
    applyChange(notebook, {
      kind: 'insert',
      id: 'new',
      after: null,
      type: 'code',
      source: 'first'
    });
    expect(sourcesOf(notebook)).toEqual(['first', 'a']);
  });

  it('deletes a cell; one undo brings it back and nothing else', () => {
    const notebook = makeNotebook(['a', 'b']);
    notebook.insertCell(2, { cell_type: 'code', source: 'mine' });
    expect(applyChange(notebook, { kind: 'delete', id: 'c0', base: 'a' })).toBe(
      'applied'
    );
    expect(sourcesOf(notebook)).toEqual(['b', 'mine']);
    notebook.undo();
    expect(sourcesOf(notebook)).toEqual(['a', 'b', 'mine']);
  });

  it('makes an old document keep its cell ids', () => {
    const notebook = makeNotebook(['a'], 4);
    const id = notebook.getCell(0).getId();
    applyChange(notebook, modify(id, 'a', 'b'));
    expect(notebook.nbformat_minor).toBe(5);
    expect(notebook.toJSON().cells[0].id).toBe(id);
  });

  it('leaves the format of a document alone where nothing is applied', () => {
    const notebook = makeNotebook(['a'], 4);
    applyChange(notebook, modify('c0', 'not this', 'b'));
    expect(notebook.nbformat_minor).toBe(4);
  });
});

describe('applying all changes', () => {
  const changes: DocumentChange[] = [
    {
      kind: 'insert',
      id: 'new1',
      after: 'c0',
      type: 'code',
      source: 'import warnings'
    },
    {
      kind: 'insert',
      id: 'new2',
      after: 'new1',
      type: 'code',
      source: 'warnings.simplefilter("ignore")'
    },
    modify('c1', 'b', 'B'),
    { kind: 'delete', id: 'c2', base: 'c' }
  ];

  it('is one step: one undo takes all of it back, one redo brings it again', () => {
    const notebook = makeNotebook(['a', 'b', 'c', 'd']);
    expect(applyAll(notebook, changes)).toEqual([
      'applied',
      'applied',
      'applied',
      'applied'
    ]);
    const after = [
      'a',
      'import warnings',
      'warnings.simplefilter("ignore")',
      'B',
      'd'
    ];
    expect(sourcesOf(notebook)).toEqual(after);
    notebook.undo();
    expect(sourcesOf(notebook)).toEqual(['a', 'b', 'c', 'd']);
    notebook.redo();
    expect(sourcesOf(notebook)).toEqual(after);
  });

  it('leaves out what no longer fits and makes the rest', () => {
    const notebook = makeNotebook(['a', 'edited by hand', 'c', 'd']);
    expect(applyAll(notebook, changes)).toEqual([
      'applied',
      'applied',
      'stale',
      'applied'
    ]);
    expect(sourcesOf(notebook)).toContain('edited by hand');
  });
});

describe('changing a text', () => {
  it.each([
    ['', 'a\nb\n'],
    ['a\nb\n', ''],
    ['x = df.append(y)', 'x = pd.concat([df, y])'],
    ['a 😀 b', 'a 😁 b'],
    ['😀😀', '😀😁😀'],
    ['p = "😀"', 'p = "\ud83d\udc00"'],
    ['tab\there', 'tab  here\r\n'],
    ['a'.repeat(5000), `${'a'.repeat(2500)}b${'a'.repeat(2500)}`]
  ])('arrives at the new text %#', (old, source) => {
    const notebook = makeNotebook([old]);
    const cell = notebook.getCell(0);
    updateText(cell, source);
    expect(cell.getSource()).toBe(source);
    notebook.dispose();
  });

  it('touches only what differs', () => {
    const notebook = makeNotebook(['keep this\nold line\nkeep that']);
    const cell = notebook.getCell(0);
    let inserted = '';
    cell.changed.connect((_, change) => {
      for (const delta of change.sourceChange ?? []) {
        inserted += typeof delta.insert === 'string' ? delta.insert : '';
      }
    });
    updateText(cell, 'keep this\nnew line\nkeep that');
    expect(inserted).not.toContain('keep');
    notebook.dispose();
  });
});

describe('finding cells again', () => {
  it('goes by id', () => {
    const places = matchCells(wireNotebook(['a', 'b']), [
      { id: 'c1', source: 'changed' },
      { id: 'c0', source: 'a' }
    ]);
    expect([...places]).toEqual([
      ['c0', 'c0'],
      ['c1', 'c1']
    ]);
  });

  it('goes by text where the ids are new', () => {
    const places = matchCells(wireNotebook(['a', 'b', 'c']), [
      { id: 'x', source: 'b' },
      { id: 'y', source: 'a' },
      { id: 'z', source: 'changed' }
    ]);
    expect([...places]).toEqual([
      ['c0', 'y'],
      ['c1', 'x']
    ]);
  });

  it('takes the same position where several cells have the same text', () => {
    const places = matchCells(wireNotebook(['a', 'same', 'b', 'same']), [
      { id: 'w', source: 'a' },
      { id: 'x', source: 'same' },
      { id: 'y', source: 'b' },
      { id: 'z', source: 'same' }
    ]);
    expect(places.get('c1')).toBe('x');
    expect(places.get('c3')).toBe('z');
  });

  it('does not guess between cells of the same text', () => {
    const places = matchCells(wireNotebook(['same']), [
      { id: 'x', source: 'other' },
      { id: 'y', source: 'same' },
      { id: 'z', source: 'same' }
    ]);
    expect(places.size).toBe(0);
  });
});

describe('restoring an earlier notebook', () => {
  it('brings its sources back as one step to undo', () => {
    const notebook = makeNotebook(['a', 'new text', 'c', 'added later']);
    const earlier = {
      language: 'python',
      cells: [
        ...wireNotebook(['a', 'old text']).cells,
        {
          id: 'was-deleted',
          type: 'code' as const,
          source: 'deleted',
          tags: []
        },
        { id: 'c2', type: 'code' as const, source: 'c', tags: [] }
      ]
    };
    const live = liveCells(notebook);
    const changes = planRestore(live, earlier, matchCells(earlier, live));
    expect(applyAll(notebook, changes)).not.toContain('stale');
    expect(sourcesOf(notebook)).toEqual(['a', 'old text', 'deleted', 'c']);
    notebook.undo();
    expect(sourcesOf(notebook)).toEqual(['a', 'new text', 'c', 'added later']);
  });

  it('changes nothing where nothing differs', () => {
    const live = liveCells(makeNotebook(['a', 'b']));
    const earlier = wireNotebook(['a', 'b']);
    expect(planRestore(live, earlier, matchCells(earlier, live))).toEqual([]);
  });
});

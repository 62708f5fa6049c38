import { isAlike, pairCells, proposedCells } from '../../review/compare';
import { open, reviewing, SOURCES } from '../fakeServer';
import { wireNotebook } from '../values';

function cells(...sources: string[]) {
  return sources.map(source => ({
    id: source[0],
    type: 'code' as const,
    source,
    tags: []
  }));
}

function ids(pairs: ReturnType<typeof pairCells>) {
  return pairs.map(({ left, right }) => [left?.source, right?.source]);
}

describe('two notebooks side by side', () => {
  it('have their cells in pairs, in the order of the right one', () => {
    const pairs = pairCells(
      cells('a', 'b', 'c', 'd'),
      cells('a', 'x', 'b2', 'd')
    );
    expect(ids(pairs)).toEqual([
      ['a', 'a'],
      [undefined, 'x'],
      ['b', 'b2'],
      ['c', undefined],
      ['d', 'd']
    ]);
    expect(pairs.map(isAlike)).toEqual([true, false, false, false, true]);
  });

  it('keep every cell once, also where one was moved', () => {
    const pairs = pairCells(cells('a', 'b', 'c'), cells('c', 'a', 'b'));
    expect(ids(pairs)).toEqual([
      ['c', 'c'],
      ['a', 'a'],
      ['b', 'b']
    ]);
  });

  it('end with the cells that only the left one has', () => {
    expect(ids(pairCells(cells('a', 'b'), cells('a')))).toEqual([
      ['a', 'a'],
      ['b', undefined]
    ]);
  });
});

describe('the notebook as it would be', () => {
  it('is what accepting everything makes of the document', async () => {
    const { model } = await open(reviewing());
    const now = wireNotebook(SOURCES).cells;
    const proposed = proposedCells(now, model.review.edits);
    await model.review.acceptAll();
    expect(proposed.map(cell => cell.source)).toEqual(
      model.places.live().map(cell => cell.source)
    );
  });

  it('is the document itself where everything is decided', async () => {
    const { model } = await open(reviewing());
    await model.review.rejectAll();
    const now = wireNotebook(SOURCES).cells;
    expect(proposedCells(now, model.review.edits)).toEqual(now);
  });
});

import {
  countLines,
  findHunks,
  type HunkPlace,
  locate,
  replaceLines
} from '../../review/hunks';

const OLD = 'one\ntwo\nthree\nfour\nfive\nsix\nseven';
const NEW = 'ONE\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight';

function holds(places: readonly HunkPlace[]): string[] {
  return places.map(place => place.holds);
}

/** Toggle hunks of the text between their old and their new lines. */
function turn(text: string, old: string, fresh: string, which: number[]) {
  const hunks = findHunks(old, fresh);
  const places = locate(old, hunks, text);
  return replaceLines(
    text,
    which.flatMap(index => {
      const place = places[index];
      return place.holds === 'other'
        ? []
        : [
            {
              from: place.from,
              to: place.to,
              lines:
                place.holds === 'old' ? hunks[index].fresh : hunks[index].old
            }
          ];
    })
  );
}

describe('hunks', () => {
  it('are the places that differ', () => {
    const hunks = findHunks(OLD, NEW);
    expect(hunks.map(hunk => [hunk.old, hunk.fresh])).toEqual([
      [['one'], ['ONE']],
      [['four'], ['FOUR']],
      [[], ['eight']]
    ]);
    expect(findHunks(OLD, OLD)).toEqual([]);
  });

  it.each([
    ['a\nb', 'a\nb\n'],
    ['a\nb\n', 'a\nb'],
    ['', 'a'],
    ['a', ''],
    ['a\nb\nc', 'c'],
    ['c', 'a\nb\nc'],
    ['a\n\n\nb', 'a\n\nb'],
    [OLD, NEW]
  ])('can all be put in and taken out again %#', (old, fresh) => {
    const all = findHunks(old, fresh).map((_, index) => index);
    expect(turn(old, old, fresh, all)).toBe(fresh);
    expect(turn(fresh, old, fresh, all)).toBe(old);
    for (const one of all) {
      const half = turn(old, old, fresh, [one]);
      expect(turn(half, old, fresh, [one])).toBe(old);
      const rest = all.filter(index => index !== one);
      expect(turn(half, old, fresh, rest)).toBe(fresh);
    }
  });
});

describe('finding hunks in what has become of a text', () => {
  const hunks = findHunks(OLD, NEW);

  it('knows which are in it', () => {
    expect(holds(locate(OLD, hunks, OLD))).toEqual(['old', 'old', 'old']);
    expect(holds(locate(OLD, hunks, NEW))).toEqual(['new', 'new', 'new']);
    const half = 'one\ntwo\nthree\nFOUR\nfive\nsix\nseven';
    expect(holds(locate(OLD, hunks, half))).toEqual(['old', 'new', 'old']);
  });

  it('lets them move with what is written above', () => {
    const text = `# mine\n\n${OLD.replace('six', 'SIX')}`.replace(
      'two',
      'two\nand a half'
    );
    const places = locate(OLD, hunks, text);
    expect(places[1]).toEqual({ holds: 'old', from: 6, to: 7 });
    expect(turn(text, OLD, NEW, [1]).split('\n')[6]).toBe('FOUR');
  });

  it('loses only those whose own lines were changed', () => {
    const text = OLD.replace('four', 'vier');
    expect(holds(locate(OLD, hunks, text))).toEqual(['old', 'other', 'old']);
    expect(turn(text, OLD, NEW, [0, 1, 2])).toBe(
      'ONE\ntwo\nthree\nvier\nfive\nsix\nseven\neight'
    );
  });

  it('tells hunks apart that stand close together', () => {
    const old = 'a\nb\nc\nd';
    const fresh = 'A\nb\nC\nd';
    const close = findHunks(old, fresh);
    expect(holds(locate(old, close, 'A\nb\nc\nd'))).toEqual(['new', 'old']);
    expect(holds(locate(old, close, 'a\nb\nC\nd'))).toEqual(['old', 'new']);
    expect(holds(locate(old, close, 'A\nb\nC\nd'))).toEqual(['new', 'new']);
  });

  it('agrees with what was put in, for any texts', () => {
    let seed = 7;
    const random = (limit: number) => {
      seed = (seed * 16807) % 2147483647;
      return seed % limit;
    };
    for (let round = 0; round < 200; round++) {
      const old = Array.from({ length: 6 }, () => 'abc'[random(3)]);
      const fresh = old.flatMap(line =>
        [[line], [], [line, 'x'], ['y']][random(4)].map(String)
      );
      const [a, b] = [old.join('\n'), fresh.join('\n')];
      const found = findHunks(a, b);
      const all = found.map((_, index) => index);
      expect(turn(a, a, b, all)).toBe(b);
      const chosen = all.filter(() => random(2) === 1);
      const half = turn(a, a, b, chosen);
      const places = locate(a, found, half);
      // Applying the remaining hunks to a partially changed text leaves no hunk
      // unmatched.
      const left = all.filter(index => places[index].holds === 'old');
      const end = turn(half, a, b, left);
      expect(holds(locate(a, found, end))).not.toContain('other');
    }
  });
});

describe('counting lines', () => {
  it.each([
    ['a\nb\nc', 'a\nB\nc', 1, 1],
    ['a', 'a\nb\nc', 0, 2],
    ['a\nb\nc', 'a', 2, 0],
    ['', 'a\nb', 0, 2],
    ['a\nb', '', 2, 0],
    ['same', 'same', 0, 0]
  ])('of %j and %j', (old, proposed, removed, added) => {
    expect(countLines(old, proposed)).toEqual({ removed, added });
  });
});

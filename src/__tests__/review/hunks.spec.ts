import {
  acceptHunk,
  countLines,
  openHunks,
  rejectHunk,
  stage
} from '../../review/hunks';

const OLD = 'one\ntwo\nthree\nfour\nfive\nsix\nseven';
const NEW = 'ONE\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight';

describe('an edit, hunk by hunk', () => {
  it('has a hunk for each place that differs', () => {
    expect(openHunks(stage(OLD, NEW))).toBe(3);
    expect(openHunks(stage(OLD, OLD))).toBe(0);
  });

  it('ends as the new text when every hunk is accepted', () => {
    let staged = stage(OLD, NEW);
    while (openHunks(staged) > 0) {
      staged = acceptHunk(staged, 0);
    }
    expect(staged.original).toBe(NEW);
    expect(staged.proposed).toBe(NEW);
    expect(staged.accepted).toBe(3);
  });

  it('ends as the old text when every hunk is rejected', () => {
    let staged = stage(OLD, NEW);
    while (openHunks(staged) > 0) {
      staged = rejectHunk(staged, openHunks(staged) - 1);
    }
    expect(staged.original).toBe(OLD);
    expect(staged.proposed).toBe(OLD);
    expect(staged.rejected).toBe(3);
  });

  it('ends with the accepted hunks only, whatever the order', () => {
    let staged = stage(OLD, NEW);
    staged = rejectHunk(staged, 1);
    staged = acceptHunk(staged, 1);
    staged = acceptHunk(staged, 0);
    expect(openHunks(staged)).toBe(0);
    expect(staged.proposed).toBe(
      'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\neight'
    );
    expect(staged.original).toBe(staged.proposed);
  });

  it.each([
    ['a\nb', 'a\nb\n'],
    ['a\nb\n', 'a\nb'],
    ['', 'a'],
    ['a', ''],
    ['a\nb\nc', 'c'],
    ['c', 'a\nb\nc'],
    ['a\n\n\nb', 'a\n\nb']
  ])('keeps line ends right %#', (old, proposed) => {
    let accepted = stage(old, proposed);
    while (openHunks(accepted) > 0) {
      accepted = acceptHunk(accepted, 0);
    }
    let rejected = stage(old, proposed);
    while (openHunks(rejected) > 0) {
      rejected = rejectHunk(rejected, 0);
    }
    expect(accepted.proposed).toBe(proposed);
    expect(rejected.proposed).toBe(old);
  });

  it('takes an unknown hunk for none', () => {
    const staged = stage(OLD, NEW);
    expect(acceptHunk(staged, 7)).toBe(staged);
    expect(rejectHunk(staged, -1)).toBe(staged);
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

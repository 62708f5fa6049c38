import { Chunk, type DiffConfig } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/** Options for all comparisons of two texts: all must find the same hunks. */
export const DIFF_CONFIG: DiffConfig = { scanLimit: 500, timeout: 500 };

/** More hunks in one place than this are looked at as one. */
const MOST_TOGETHER = 8;

/**
 * Whole lines of one text that are others in a second one. Line numbers count from 0, an end is
 * the first line behind.
 */
export interface IHunk {
  /** First of the old lines. */
  from: number;
  /** End of the old lines. */
  to: number;
  /** First of the new lines. */
  fromNew: number;
  /** End of the new lines. */
  toNew: number;
  /** The old lines. */
  old: readonly string[];
  /** The new lines. */
  fresh: readonly string[];
}

/**
 * Place of a hunk in the current text: old lines found, new lines found, or
 * neither.
 */
export type HunkPlace =
  { holds: 'old' | 'new'; from: number; to: number } | { holds: 'other' };

/** Number of lines that differ between two texts. */
export interface ILineCount {
  /** Lines taken away. */
  removed: number;
  /** Lines brought. */
  added: number;
}

/** Return the lines that differ between two texts, in their order. */
export function findHunks(old: string, fresh: string): IHunk[] {
  if (old === fresh) {
    return [];
  }
  const a = old.split('\n');
  const b = fresh.split('\n');
  return Chunk.build(Text.of(a), Text.of(b), DIFF_CONFIG).map(chunk => {
    let from = lineAt(old, chunk.fromA);
    let to = lineAt(old, chunk.toA);
    let fromNew = lineAt(fresh, chunk.fromB);
    let toNew = lineAt(fresh, chunk.toB);
    // A line that got a break at its end is the same line.
    while (from < to && fromNew < toNew && a[from] === b[fromNew]) {
      from += 1;
      fromNew += 1;
    }
    while (from < to && fromNew < toNew && a[to - 1] === b[toNew - 1]) {
      to -= 1;
      toNew -= 1;
    }
    return {
      from,
      to,
      fromNew,
      toNew,
      old: a.slice(from, to),
      fresh: b.slice(fromNew, toNew)
    };
  });
}

/** Count the lines that differ between two texts. */
export function countLines(old: string, fresh: string): ILineCount {
  const count = { removed: 0, added: 0 };
  for (const hunk of findHunks(closed(old), closed(fresh))) {
    count.removed += hunk.old.length;
    count.added += hunk.fresh.length;
  }
  return count;
}

/**
 * Find every hunk in the current version of the old text.
 *
 * A hunk is found if others wrote above or below it; if its own lines or those
 * next to them were changed, it is lost.
 *
 * @param base - The old text of the hunks.
 * @param hunks - In their order.
 * @param text - The current text.
 * @returns The place of each hunk, in their order.
 */
export function locate(
  base: string,
  hunks: readonly IHunk[],
  text: string
): HunkPlace[] {
  const made = findHunks(base, text);
  const lines = text.split('\n');
  const old = base.split('\n');
  const places: HunkPlace[] = [];
  let shift = 0;
  let next = 0;
  for (let first = 0; first < hunks.length;) {
    // Changes above.
    while (next < made.length && made[next].to < hunks[first].from) {
      shift += growth(made[next]);
      next += 1;
    }
    // All hunks and changes that touch each other.
    const region = { from: hunks[first].from, to: hunks[first].to };
    let last = first + 1;
    let end = next;
    let grown = 0;
    for (;;) {
      if (end < made.length && made[end].from <= region.to) {
        region.from = Math.min(region.from, made[end].from);
        region.to = Math.max(region.to, made[end].to);
        grown += growth(made[end]);
        end += 1;
      } else if (
        end > next &&
        last < hunks.length &&
        hunks[last].from <= region.to
      ) {
        region.to = Math.max(region.to, hunks[last].to);
        last += 1;
      } else {
        break;
      }
    }
    const together = hunks.slice(first, last);
    const now = lines.slice(region.from + shift, region.to + shift + grown);
    const found =
      end === next
        ? together.map(() => false)
        : explain(old, together, region, now);
    places.push(...placesOf(together, found, shift));
    shift += grown;
    next = end;
    first = last;
  }
  return places;
}

/**
 * Return a text with some of its lines replaced.
 *
 * @param edits - Removed and added lines, in their order.
 */
export function replaceLines(
  text: string,
  edits: readonly { from: number; to: number; lines: readonly string[] }[]
): string {
  const lines = text.split('\n');
  for (const { from, to, lines: fresh } of [...edits].reverse()) {
    lines.splice(from, to - from, ...fresh);
  }
  return lines.join('\n');
}

/**
 * Return for each hunk whether its new lines, rather than its old ones, are in a
 * region; null if no combination explains the region.
 */
function explain(
  base: readonly string[],
  hunks: readonly IHunk[],
  region: { from: number; to: number },
  now: readonly string[]
): boolean[] | null {
  const wanted = now.join('\n');
  const most =
    hunks.length > MOST_TOGETHER
      ? [0, -1]
      : [...Array(2 ** hunks.length).keys()];
  for (const mask of most) {
    const taken = hunks.map((_, index) => ((mask >> index) & 1) === 1);
    const lines: string[] = [];
    let at = region.from;
    hunks.forEach((hunk, index) => {
      lines.push(...base.slice(at, hunk.from));
      lines.push(...(taken[index] ? hunk.fresh : hunk.old));
      at = hunk.to;
    });
    lines.push(...base.slice(at, region.to));
    if (lines.length === now.length && lines.join('\n') === wanted) {
      return taken;
    }
  }
  return null;
}

function placesOf(
  hunks: readonly IHunk[],
  found: readonly boolean[] | null,
  shift: number
): HunkPlace[] {
  if (!found) {
    return hunks.map(() => ({ holds: 'other' }));
  }
  let moved = shift;
  return hunks.map((hunk, index) => {
    const from = hunk.from + moved;
    const lines = found[index] ? hunk.fresh : hunk.old;
    moved += lines.length - hunk.old.length;
    return {
      holds: found[index] ? 'new' : 'old',
      from,
      to: from + lines.length
    };
  });
}

function growth(hunk: IHunk): number {
  return hunk.fresh.length - hunk.old.length;
}

/**
 * Return the number of the line that begins at an offset; an offset past the
 * end of the text begins another line.
 */
function lineAt(text: string, offset: number): number {
  let line = 0;
  const end = Math.min(offset, text.length);
  for (
    let at = text.indexOf('\n');
    at >= 0 && at < end;
    at = text.indexOf('\n', at + 1)
  ) {
    line += 1;
  }
  return offset > text.length ? line + 1 : line;
}

/**
 * Return the text with a break after its last line, so that all lines are
 * equal; an empty text has no line.
 */
function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

import { Chunk, type DiffConfig } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/**
 * How two texts are compared, here and in the view: both must find the same hunks.
 */
export const DIFF_CONFIG: DiffConfig = { scanLimit: 500, timeout: 500 };

/**
 * An edit under review, hunk by hunk.
 *
 * An accepted hunk goes into `original`, a rejected one out of `proposed`; what still differs
 * waits for a decision. When nothing differs any more, both are the result.
 */
export interface IStagedText {
  /** The old text with every accepted hunk. */
  original: string;
  /** The new text without every rejected hunk: the result if the rest is accepted. */
  proposed: string;
  /** Hunks accepted so far. */
  accepted: number;
  /** Hunks rejected so far. */
  rejected: number;
}

/**
 * How much differs between two texts.
 */
export interface ILineCount {
  /** Lines taken away. */
  removed: number;
  /** Lines brought. */
  added: number;
}

/**
 * An edit before any decision.
 */
export function stage(original: string, proposed: string): IStagedText {
  return { original, proposed, accepted: 0, rejected: 0 };
}

/**
 * How many hunks wait for a decision.
 */
export function openHunks(staged: IStagedText): number {
  let count = counts.get(staged);
  if (count === undefined) {
    count = chunks(staged).length;
    counts.set(staged, count);
  }
  return count;
}

/** The review is drawn with every key typed in the notebook: a text is compared once. */
const counts = new WeakMap<IStagedText, number>();

/**
 * Takes one waiting hunk in.
 *
 * @param index - Which of the waiting hunks, from 0; unknown ones change nothing.
 */
export function acceptHunk(staged: IStagedText, index: number): IStagedText {
  const chunk = chunks(staged)[index];
  if (!chunk) {
    return staged;
  }
  const original = replaceLines(staged.original, chunk.fromA, chunk.toA, {
    text: staged.proposed,
    from: chunk.fromB,
    to: chunk.toB
  });
  return { ...staged, original, accepted: staged.accepted + 1 };
}

/**
 * Leaves one waiting hunk out.
 *
 * @param index - Which of the waiting hunks, from 0; unknown ones change nothing.
 */
export function rejectHunk(staged: IStagedText, index: number): IStagedText {
  const chunk = chunks(staged)[index];
  if (!chunk) {
    return staged;
  }
  const proposed = replaceLines(staged.proposed, chunk.fromB, chunk.toB, {
    text: staged.original,
    from: chunk.fromA,
    to: chunk.toA
  });
  return { ...staged, proposed, rejected: staged.rejected + 1 };
}

/**
 * Lines that differ between two texts.
 */
export function countLines(original: string, proposed: string): ILineCount {
  const a = closed(original);
  const b = closed(proposed);
  const count = { removed: 0, added: 0 };
  for (const chunk of Chunk.build(toText(a), toText(b), DIFF_CONFIG)) {
    count.removed += breaksIn(a, chunk.fromA, chunk.toA);
    count.added += breaksIn(b, chunk.fromB, chunk.toB);
  }
  return count;
}

function chunks(staged: IStagedText): readonly Chunk[] {
  return Chunk.build(
    toText(staged.original),
    toText(staged.proposed),
    DIFF_CONFIG
  );
}

function toText(text: string): Text {
  return Text.of(text.split('\n'));
}

/**
 * The text with a break after its last line, so that every line counts alike.
 */
function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function breaksIn(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1;
}

/**
 * Puts whole lines of one text in the place of whole lines of another.
 *
 * Chunks end one past the last line's break, also where the last line has none: a text is cut as
 * if a break followed its end, and the break is taken off the result.
 */
function replaceLines(
  target: string,
  from: number,
  to: number,
  source: { text: string; from: number; to: number }
): string {
  const whole = `${target}\n`;
  const lines = `${source.text}\n`.slice(source.from, source.to);
  return (whole.slice(0, from) + lines + whole.slice(to)).slice(0, -1);
}

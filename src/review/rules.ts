import type { Meaning } from '../api/types';
import type { IEditView, IHunkView } from './change';

/** The changes of one rule in all cells of a proposal. */
export interface IRuleView {
  /** The rule's id; never displayed. */
  rule: string;
  /** The change of the library, and the new code. */
  what: string;
  /**
   * The first place in short (`np.float → float`), null if it is too long for
   * that.
   */
  sample: string | null;
  /** Page that documents it. */
  link: string;
  /** Effect on the experiment, the gravest of its edits. */
  meaning: Meaning;
  /** Its places: the hunks that hold it. */
  places: readonly { editId: string; index: number }[];
  /** Number of its hunks that wait for a decision. */
  open: number;
  /** Number of its hunks that were accepted. */
  accepted: number;
}

const LONGEST_SAMPLE = 32;
const isName = (word: string) => /^\w/.test(word);

/** Group the edits of a proposal by rule, those with most places first. */
export function groupByRule(edits: readonly IEditView[]): IRuleView[] {
  const rules = new Map<string, IRuleView & { places: object[] }>();
  for (const { edit, hunks } of edits) {
    for (const part of edit.parts) {
      const mine = hunks.filter(hunk => hunk.parts.includes(part));
      const places = mine.map(({ index }) => ({ editId: edit.id, index }));
      const known = rules.get(part.rule);
      const open = mine.filter(hunk => hunk.state === 'pending').length;
      const accepted = mine.filter(hunk => hunk.state === 'accepted').length;
      rules.set(part.rule, {
        rule: part.rule,
        what: known?.what ?? part.what,
        link: known?.link ?? part.link,
        sample: known ? known.sample : sampleOf(mine),
        meaning:
          known && known.meaning !== 'other' ? known.meaning : edit.meaning,
        places: [...(known?.places ?? []), ...places],
        open: (known?.open ?? 0) + open,
        accepted: (known?.accepted ?? 0) + accepted
      });
    }
  }
  return [...rules.values()].sort((a, b) => b.places.length - a.places.length);
}

/** Return the change in the first line of the first hunk, from name to name. */
function sampleOf(hunks: readonly IHunkView[]): string | null {
  const [hunk] = hunks;
  if (!hunk || hunk.parts.length > 1) {
    return null;
  }
  const [old, fresh] = [hunk.old[0] ?? '', hunk.fresh[0] ?? ''];
  if (!old || !fresh) {
    return null;
  }
  const words = (line: string) => line.match(/[\w.]+|\s+|[^\w\s.]/g) ?? [];
  const [a, b] = [words(old), words(fresh)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    start += 1;
  }
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end += 1;
  }
  if ([a, b].some(line => /^\W/.test(line.slice(start).join('').trim()))) {
    // `print x → print(x)`: brackets are meaningless without the name before
    // them.
    do {
      start -= 1;
    } while (start > 0 && !isName(a[start]));
    start = Math.max(start, 0);
  }
  const gone = a
    .slice(start, a.length - end)
    .join('')
    .trim();
  const come = b
    .slice(start, b.length - end)
    .join('')
    .trim();
  return gone &&
    come &&
    gone.length <= LONGEST_SAMPLE &&
    come.length <= LONGEST_SAMPLE
    ? `${gone} → ${come}`
    : null;
}

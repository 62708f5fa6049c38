import type { Meaning } from '../api/types';
import type { IEditView } from './change';

/** The changes of one rule in all cells of a proposal. */
export interface IRuleView {
  /** The rule's id; never displayed. */
  rule: string;
  /** The change of the library, and the new code. */
  what: string;
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

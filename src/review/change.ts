import type { CellEdit, Review } from '../api/types';
import { editState, type EditStatus } from '../session/reading';
import type { DocumentChange } from './apply';
import type { IStagedText } from './hunks';

export type { EditStatus } from '../session/reading';

/**
 * An edit as the review shows it.
 */
export interface IEditView {
  /** What the fixer proposed. */
  edit: CellEdit;
  /** What became of it. */
  status: EditStatus;
  /** Whether the server waits for a decision on it. */
  isOpen: boolean;
  /** Only some of its hunks were accepted. */
  isPartial: boolean;
  /** Its text, hunk by hunk. */
  staged: IStagedText;
  /** How many of its hunks wait. */
  open: number;
  /** The document's id of the cell, null where the document does not have it. */
  place: string | null;
  /** The person's yes to a change of the experiment. */
  consent: 'not-needed' | 'missing' | 'given';
}

/**
 * Finds the document's id of a cell the server speaks of, null where the document has none.
 */
export type FindCell = (cellId: string) => string | null;

/**
 * An edit in the document's terms, null where the document does not have its cell.
 */
export function changeFor(
  view: Pick<IEditView, 'edit' | 'place' | 'staged'>,
  review: Review,
  find: FindCell
): DocumentChange | null {
  const { edit, place, staged } = view;
  if (edit.kind === 'insert') {
    return {
      kind: 'insert',
      id: edit.cell_id,
      after: anchorOf(edit, review, find),
      type: edit.cell_type,
      source: staged.proposed
    };
  }
  if (place === null) {
    return null;
  }
  const base = edit.base_source;
  return edit.kind === 'delete'
    ? { kind: 'delete', id: place, base }
    : { kind: 'modify', id: place, base, source: staged.proposed };
}

/**
 * The cell an insertion goes behind. Where that one is an insertion too and does not come, the
 * one before it.
 */
function anchorOf(
  edit: CellEdit,
  review: Review,
  find: FindCell
): string | null {
  const { edits } = review.proposal;
  let after = edit.after;
  for (let steps = 0; after !== null && steps <= edits.length; steps++) {
    const place = find(after);
    const source = edits.find(
      item => item.kind === 'insert' && item.cell_id === after
    );
    if (place !== null || !source) {
      return place ?? after;
    }
    if (editState(review, source.id) === 'pending') {
      return after;
    }
    after = source.after;
  }
  return after;
}

import type { CellEdit, EditState, Review } from '../api/types';
import type { CellPlaces } from '../session/places';
import { editState } from '../session/reading';
import { type DocumentChange, fits } from './apply';
import { type IStagedText, openHunks } from './hunks';

/**
 * What a person sees of an edit: the server's state, and two that only the document tells.
 *
 * - `stale`: waits for a decision, but the cell is no longer what the edit was made for.
 * - `undone`: accepted, and then taken back in the document.
 */
export type EditStatus = EditState | 'undone';

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
  /** The edit in the document's terms, null where the document does not have its cell. */
  change: DocumentChange | null;
}

/** Where the cells of an edit are. */
export type Places = Pick<CellPlaces, 'find' | 'live'>;

/**
 * Looks at an edit against the document as it is now.
 */
export function viewEdit(
  edit: CellEdit,
  review: Review,
  staged: IStagedText,
  places: Places
): IEditView {
  const state = editState(review, edit.id);
  const isPartial = review.decisions[edit.id]?.partial ?? false;
  const place = places.find(edit.cell_id);
  const change = toChange(edit, review, staged, places);
  const isFresh = change !== null && fits(places.live(), change);
  let status: EditStatus = state;
  if (state === 'accepted' && isFresh) {
    // Which hunks were accepted is not kept: after a reload only a whole edit is told undone.
    status = isPartial && staged.rejected === 0 ? state : 'undone';
  } else if (state === 'pending' && !isFresh && edit.kind !== 'insert') {
    // An insertion may wait for the cell it follows, which is proposed as well.
    status = 'stale';
  }
  return {
    edit,
    status,
    isOpen: state === 'pending',
    isPartial,
    staged,
    open: openHunks(staged),
    place,
    change
  };
}

function toChange(
  edit: CellEdit,
  review: Review,
  staged: IStagedText,
  places: Places
): DocumentChange | null {
  const source = staged.proposed;
  if (edit.kind === 'insert') {
    return {
      kind: 'insert',
      id: edit.cell_id,
      after: anchor(edit, review, places),
      type: edit.cell_type,
      source
    };
  }
  const id = places.find(edit.cell_id);
  if (id === null) {
    return null;
  }
  const base = edit.base_source;
  return edit.kind === 'delete'
    ? { kind: 'delete', id, base }
    : { kind: 'modify', id, base, source };
}

/**
 * The cell an insertion goes behind. Where that one is an insertion too and does not come, the
 * one before it.
 */
function anchor(edit: CellEdit, review: Review, places: Places): string | null {
  const { edits } = review.proposal;
  let after = edit.after;
  for (let steps = 0; after !== null && steps <= edits.length; steps++) {
    const place = places.find(after);
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

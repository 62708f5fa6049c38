import type { CellEdit, EditPart } from '../api/types';
import type { EditStatus } from '../session/reading';
import type { DocumentChange } from './apply';
import type { HunkPlace, IHunk } from './hunks';

export type { EditStatus } from '../session/reading';

/** Decision on one hunk of an edit. */
export type HunkState =
  'pending' | 'accepted' | 'rejected' | 'undone' | 'stale';

/**
 * One hunk of an edit as the review displays it. An added or deleted cell is
 * one hunk.
 */
export interface IHunkView extends IHunk {
  /** Number of the hunk in the edit, from 0. */
  index: number;
  /** Decision on it, or its state in the document. */
  state: HunkState;
  /** Its place in the current text of the cell. */
  place: HunkPlace;
  /** Explanations of the rules that changed something here. */
  parts: readonly EditPart[];
}

/**
 * An edit as the review shows it.
 */
export interface IEditView {
  /** The fixer's edit. */
  edit: CellEdit;
  /** Its status. */
  status: EditStatus;
  /** Whether the server waits for a decision on it. */
  isOpen: boolean;
  /**
   * Whether it was accepted, but not in this document: in another tab, or before
   * the page was loaded.
   */
  isElsewhere: boolean;
  /** Only some of its hunks were accepted. */
  isPartial: boolean;
  /** Its hunks, in the order of their lines. */
  hunks: readonly IHunkView[];
  /** Number of its hunks that wait. */
  open: number;
  /** The document's id of the cell, null if the document does not have it. */
  place: string | null;
  /** The current text of the cell, null if the document does not have it. */
  source: string | null;
  /** The user's consent to a change of the experiment. */
  consent: 'not-needed' | 'missing' | 'given';
  /** Whether its decision can be undone here. */
  canUndo: boolean;
}

/**
 * Finds the document's id of a cell of the server, null if the document has
 * none.
 */
export type FindCell = (cellId: string) => string | null;

/**
 * Return the cell that an insertion follows: if that one is an insertion too
 * and is not applied, the one before it.
 *
 * @param coming - Ids of the cells that are inserted in the same step.
 * @returns Null for the first place; undefined if no cell before it is left.
 */
export function anchorOf(
  edit: CellEdit,
  edits: readonly CellEdit[],
  find: FindCell,
  coming: ReadonlySet<string> = new Set()
): string | null | undefined {
  let { after } = edit;
  for (let steps = 0; after !== null && steps <= edits.length; steps++) {
    const place = find(after);
    if (place !== null || coming.has(after)) {
      return place ?? after;
    }
    const name: string = after;
    const source = edits.find(
      item => item.kind === 'insert' && item.cell_id === name
    );
    if (!source) {
      return undefined;
    }
    after = source.after;
  }
  return after;
}

/**
 * Return the rules' explanations of one hunk: the parts whose lines are in it.
 * A part with unknown lines belongs to the hunks without any other part, or
 * else to all of them.
 */
export function partsOf(
  parts: readonly EditPart[],
  hunks: readonly IHunk[]
): (readonly EditPart[])[] {
  if (parts.length <= 1) {
    return hunks.map(() => parts);
  }
  const inside = hunks.map(hunk =>
    parts.filter(part =>
      part.lines.some(
        line => hunk.from < line && line <= Math.max(hunk.to, hunk.from + 1)
      )
    )
  );
  const placed = new Set(inside.flat());
  const loose = parts.filter(part => !placed.has(part));
  const isBare = inside.some(found => found.length === 0);
  return inside.map(found =>
    loose.length > 0 && (found.length === 0 || !isBare)
      ? [...found, ...loose]
      : found
  );
}

/**
 * A change of the document together with the edit that it applies or reverts.
 */
export interface IEditChange {
  /** The edit. */
  editId: string;
  /** The change of the document. */
  change: DocumentChange;
}

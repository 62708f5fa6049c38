import type { CellEdit, EditPart } from '../api/types';
import type { EditStatus } from '../session/reading';
import type { DocumentChange } from './apply';
import type { HunkPlace, IHunk } from './hunks';

export type { EditStatus } from '../session/reading';

/**
 * What became of one hunk of an edit.
 */
export type HunkState =
  'pending' | 'accepted' | 'rejected' | 'undone' | 'stale';

/**
 * One hunk of an edit as the review shows it. A cell that comes or goes is one hunk.
 */
export interface IHunkView extends IHunk {
  /** Which of the edit's hunks it is, from 0. */
  index: number;
  /** What became of it. */
  state: HunkState;
  /** Where it is in the cell as it is now. */
  place: HunkPlace;
  /** What the rules say that changed something here. */
  parts: readonly EditPart[];
}

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
  /** Its hunks, in the order of their lines. */
  hunks: readonly IHunkView[];
  /** How many of its hunks wait. */
  open: number;
  /** The document's id of the cell, null where the document does not have it. */
  place: string | null;
  /** The cell's text as it is now, null where the document does not have it. */
  source: string | null;
  /** The person's yes to a change of the experiment. */
  consent: 'not-needed' | 'missing' | 'given';
  /** Whether its decision can be taken back here. */
  canUndo: boolean;
}

/**
 * Finds the document's id of a cell the server speaks of, null where the document has none.
 */
export type FindCell = (cellId: string) => string | null;

/**
 * The cell an insertion goes behind: where that one is an insertion too and does not come, the
 * one before it.
 *
 * @param coming - Ids of the cells that come in the same step.
 * @returns Null for the first place; undefined where no cell before it is left.
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
 * What the rules say of one hunk: the parts whose lines are in it. A part whose lines are not
 * known belongs to the hunks of which nothing else is said, or else to all of them.
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
 * A change of the document together with the edit it carries out or takes back.
 */
export interface IEditChange {
  /** The edit. */
  editId: string;
  /** What happens to the document. */
  change: DocumentChange;
}

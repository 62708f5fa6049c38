import type { Cell } from '../api/types';
import type { IEditView } from './change';
import { replaceLines } from './hunks';

/**
 * One line of a comparison of two notebooks: a cell of both, or of one of them.
 */
export interface IPair {
  /** The cell's id, the same in both. */
  id: string;
  /** The cell on the left, or null. */
  left: Cell | null;
  /** The cell on the right, or null. */
  right: Cell | null;
}

/**
 * Pair the cells of two notebooks, in the order of the right one; a cell that
 * only the left one has is at its old position.
 */
export function pairCells(
  left: readonly Cell[],
  right: readonly Cell[]
): IPair[] {
  const onLeft = new Map(left.map(cell => [cell.id, cell]));
  const onRight = new Set(right.map(cell => cell.id));
  const pairs: IPair[] = [];
  let at = 0;
  const putGone = () => {
    while (at < left.length && !onRight.has(left[at].id)) {
      pairs.push({ id: left[at].id, left: left[at], right: null });
      at += 1;
    }
  };
  for (const cell of right) {
    putGone();
    if (left[at]?.id === cell.id) {
      at += 1;
    }
    pairs.push({
      id: cell.id,
      left: onLeft.get(cell.id) ?? null,
      right: cell
    });
  }
  for (; at < left.length; at++) {
    if (!onRight.has(left[at].id)) {
      pairs.push({ id: left[at].id, left: left[at], right: null });
    }
  }
  return pairs;
}

/** Return whether a pair's cells are equal. */
export function isAlike({ left, right }: IPair): boolean {
  return left !== null && right !== null && left.source === right.source;
}

/**
 * Return the notebook as if all pending edits were accepted.
 *
 * @param now - The cells of the document, with the server's ids.
 */
export function proposedCells(
  now: readonly Cell[],
  edits: readonly IEditView[]
): Cell[] {
  let cells = [...now];
  for (const { edit, hunks } of edits) {
    const waiting = hunks.filter(
      hunk => hunk.state === 'pending' || hunk.state === 'undone'
    );
    const at = cells.findIndex(cell => cell.id === edit.cell_id);
    if (waiting.length === 0) {
      continue;
    }
    if (edit.kind === 'insert') {
      const after = cells.findIndex(cell => cell.id === edit.after);
      cells.splice(after + 1, 0, {
        id: edit.cell_id,
        type: edit.cell_type,
        source: edit.new_source,
        tags: []
      });
    } else if (edit.kind === 'delete') {
      cells = cells.filter(cell => cell.id !== edit.cell_id);
    } else if (at >= 0) {
      const lines = waiting.flatMap(({ fresh, place }) =>
        place.holds === 'old'
          ? [{ from: place.from, to: place.to, lines: fresh }]
          : []
      );
      const source = replaceLines(cells[at].source, lines);
      cells[at] = { ...cells[at], source };
    }
  }
  return cells;
}

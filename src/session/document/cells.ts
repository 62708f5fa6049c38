import type { ISharedCell, ISharedNotebook } from '@jupyter/ydoc';

import type { Cell, Notebook } from '../../api/types';

/**
 * A cell of the live document.
 */
export interface ILiveCell {
  /** Its id in the document. */
  id: string;
  /** Its text. */
  source: string;
}

/** Return the cells of a document as plain values. */
export function liveCells(shared: ISharedNotebook): ILiveCell[] {
  return shared.cells.map((cell: ISharedCell) => ({
    id: cell.getId(),
    source: cell.getSource()
  }));
}

/**
 * Find the cells of an earlier state of a notebook in the live document.
 *
 * By id if the document has it. A document older than nbformat 4.5 stores no
 * ids, so they are new each time it is opened: then a cell is found by its
 * text, if only one cell has that text or the one at the same position does.
 *
 * @param earlier - The notebook as the server has it.
 * @param live - The cells of the document, in order.
 * @returns Id in the document by id in the earlier notebook; cells not found
 *   are missing.
 */
export function matchCells(
  earlier: Notebook,
  live: readonly ILiveCell[]
): Map<string, string> {
  const found = new Map<string, string>();
  const ids = new Set(live.map(cell => cell.id));
  const taken = new Set<string>();
  for (const cell of earlier.cells) {
    if (ids.has(cell.id)) {
      found.set(cell.id, cell.id);
      taken.add(cell.id);
    }
  }
  earlier.cells.forEach((cell, index) => {
    if (found.has(cell.id)) {
      return;
    }
    const match = bySource(cell, index, live, taken);
    if (match) {
      found.set(cell.id, match.id);
      taken.add(match.id);
    }
  });
  return found;
}

function bySource(
  cell: Cell,
  index: number,
  live: readonly ILiveCell[],
  taken: ReadonlySet<string>
): ILiveCell | null {
  const same = live.filter(
    item => item.source === cell.source && !taken.has(item.id)
  );
  if (same.length === 1) {
    return same[0];
  }
  return same.find(item => item === live[index]) ?? null;
}

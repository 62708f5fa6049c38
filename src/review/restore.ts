import type { ISharedNotebook } from '@jupyter/ydoc';

import type { Notebook } from '../api/types';
import type { ILiveCell } from '../session/document/cells';
import type { CellPlaces } from '../session/document/places';
import { applyAll, type DocumentChange } from './apply';

/**
 * Restore the sources of an earlier notebook in a document, as one undo step.
 *
 * @returns Number of changed cells.
 */
export function restore(
  shared: ISharedNotebook,
  places: CellPlaces,
  earlier: Notebook
): number {
  const changes = planRestore(places.live(), earlier, places.match(earlier));
  return applyAll(shared, changes).filter(result => result === 'applied')
    .length;
}

/**
 * Return the changes that restore the sources of an earlier notebook in the
 * live document.
 *
 * Cells that both have remain in place, with their outputs and metadata.
 *
 * @param live - The document's cells.
 * @param earlier - The notebook to restore.
 * @param places - Id in the document by id in the earlier notebook.
 */
export function planRestore(
  live: readonly ILiveCell[],
  earlier: Notebook,
  places: ReadonlyMap<string, string>
): DocumentChange[] {
  const sources = new Map(live.map(cell => [cell.id, cell.source]));
  const changes: DocumentChange[] = [];
  const kept = new Set<string>();
  let previous: string | null = null;
  for (const cell of earlier.cells) {
    const id: string = places.get(cell.id) ?? cell.id;
    const base = sources.get(id);
    if (base === undefined) {
      changes.push({
        kind: 'insert',
        id,
        after: previous,
        type: cell.type,
        source: cell.source
      });
    } else {
      kept.add(id);
      if (base !== cell.source) {
        changes.push({ kind: 'modify', id, base, source: cell.source });
      }
    }
    previous = id;
  }
  for (const cell of live) {
    if (!kept.has(cell.id)) {
      changes.push({ kind: 'delete', id: cell.id, base: cell.source });
    }
  }
  return changes;
}

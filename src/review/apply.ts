import { diff } from '@codemirror/merge';
import type { ISharedCell, ISharedNotebook } from '@jupyter/ydoc';
import type * as nbformat from '@jupyterlab/nbformat';

import type { CellType } from '../api/types';
import { type ILiveCell, liveCells } from '../session/document/cells';

/**
 * A change of one cell of the live document; ids are the document's.
 */
export type DocumentChange =
  | { kind: 'modify'; id: string; base: string; source: string }
  | {
      kind: 'insert';
      id: string;
      after: string | null;
      type: CellType;
      source: string;
      /**
       * The whole of a deleted cell: its outputs and metadata are restored with
       * it.
       */
      content?: nbformat.ICell;
    }
  | { kind: 'delete'; id: string; base: string };

/** Outcome of a change. */
export type ApplyResult = 'applied' | 'stale' | 'failed';

/**
 * Apply one change as one undo step.
 *
 * A text is changed in the cell's own transaction, so that undo in the cell
 * finds it; cells are added and removed in the notebook's. Capturing is stopped
 * before and after, so that the user's typing remains a step of its own.
 */
export function applyChange(
  notebook: ISharedNotebook,
  change: DocumentChange
): ApplyResult {
  if (!fits(liveCells(notebook), change)) {
    return 'stale';
  }
  keepIds(notebook);
  const cell = findCell(notebook, change.id);
  if (change.kind === 'modify' && cell) {
    separateSteps(cell);
    cell.transact(() => updateText(cell, change.source));
    separateSteps(cell);
  } else {
    separateSteps(notebook);
    const order = cellIds(notebook);
    notebook.transact(() => carryOut(notebook, change, order));
    separateSteps(notebook);
  }
  return holds(liveCells(notebook), change) ? 'applied' : 'failed';
}

/**
 * Apply many changes as one step of the notebook: one undo reverts all of them.
 *
 * Changes that do not fit the document are left out, the others are applied.
 *
 * @returns The outcome of each change, in their order.
 */
export function applyAll(
  notebook: ISharedNotebook,
  changes: readonly DocumentChange[]
): ApplyResult[] {
  const fitting = fitTogether(liveCells(notebook), changes);
  keepIds(notebook);
  separateSteps(notebook);
  const order = cellIds(notebook);
  notebook.transact(() => {
    changes.forEach((change, index) => {
      if (fitting[index]) {
        carryOut(notebook, change, order);
      }
    });
  });
  separateSteps(notebook);
  const after = liveCells(notebook);
  return changes.map((change, index) => {
    if (!fitting[index]) {
      return 'stale';
    }
    return holds(after, change) ? 'applied' : 'failed';
  });
}

/**
 * Return whether the document is still in the state that the change starts
 * from.
 */
export function fits(
  cells: readonly ILiveCell[],
  change: DocumentChange
): boolean {
  const cell = cells.find(item => item.id === change.id);
  if (change.kind !== 'insert') {
    return cell?.source === change.base;
  }
  const placed =
    change.after === null || cells.some(item => item.id === change.after);
  return !cell && placed;
}

/**
 * Return the changes that fit if they are applied in order: an insertion may
 * follow a cell that an earlier one adds.
 */
export function fitTogether(
  cells: readonly ILiveCell[],
  changes: readonly DocumentChange[]
): boolean[] {
  let now = [...cells];
  return changes.map(change => {
    if (!fits(now, change)) {
      return false;
    }
    if (change.kind === 'delete') {
      now = now.filter(cell => cell.id !== change.id);
    } else {
      const { id, source } = change;
      now = [...now.filter(cell => cell.id !== id), { id, source }];
    }
    return true;
  });
}

/** Return whether the document already has the result of the change. */
export function holds(
  cells: readonly ILiveCell[],
  change: DocumentChange
): boolean {
  const cell = cells.find(item => item.id === change.id);
  return change.kind === 'delete' ? !cell : cell?.source === change.source;
}

/**
 * Change a text by as few characters as possible: cursors and simultaneous
 * typing of others are preserved.
 */
export function updateText(cell: ISharedCell, source: string): void {
  const old = cell.getSource();
  const changes = diff(old, source, { scanLimit: 500, timeout: 200 });
  // From the end, so that earlier positions stay right.
  for (const change of [...changes].reverse()) {
    const { from, to, insert } = wholeCharacters(old, source, change);
    cell.updateSource(from, to, insert);
  }
}

/**
 * Extend a change that begins or ends inside a surrogate pair: the shared text
 * would break the character in two.
 */
function wholeCharacters(
  old: string,
  source: string,
  change: { fromA: number; toA: number; fromB: number; toB: number }
): { from: number; to: number; insert: string } {
  let { fromA, toA, fromB, toB } = change;
  if (splitsPair(old, fromA) || splitsPair(source, fromB)) {
    fromA -= 1;
    fromB -= 1;
  }
  if (splitsPair(old, toA) || splitsPair(source, toB)) {
    toA += 1;
    toB += 1;
  }
  return { from: fromA, to: toA, insert: source.slice(fromB, toB) };
}

function splitsPair(text: string, at: number): boolean {
  return (
    at > 0 &&
    /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) &&
    /[\uDC00-\uDFFF]/.test(text.charAt(at))
  );
}

/**
 * Apply one change inside a transaction.
 *
 * @param order - Current ids of the cells; the shared model's own list of cells
 *   is not updated until the transaction ends.
 */
function carryOut(
  notebook: ISharedNotebook,
  change: DocumentChange,
  order: string[]
): void {
  switch (change.kind) {
    case 'modify': {
      const cell = findCell(notebook, change.id);
      if (cell) {
        updateText(cell, change.source);
      }
      break;
    }
    case 'insert': {
      const at = change.after === null ? 0 : order.indexOf(change.after) + 1;
      notebook.insertCell(at, {
        metadata: {},
        ...change.content,
        id: change.id,
        cell_type: change.type,
        source: change.source
      });
      order.splice(at, 0, change.id);
      break;
    }
    case 'delete': {
      const at = order.indexOf(change.id);
      notebook.deleteCell(at);
      order.splice(at, 1);
      break;
    }
  }
}

/**
 * Raise the format to nbformat 4.5, so that the file stores cell ids; without
 * them a later proposal could not name the cells.
 */
function keepIds(notebook: ISharedNotebook): void {
  if (notebook.nbformat === 4 && notebook.nbformat_minor < 5) {
    // Read-only in the interface, not in the shared model itself.
    Object.assign(notebook, { nbformat_minor: 5 });
  }
}

/** End the undo step that is being captured. */
function separateSteps(model: ISharedCell | ISharedNotebook): void {
  if ('undoManager' in model && isUndoManager(model.undoManager)) {
    model.undoManager.stopCapturing();
  }
}

function isUndoManager(value: unknown): value is { stopCapturing(): void } {
  return (
    typeof value === 'object' && value !== null && 'stopCapturing' in value
  );
}

function cellIds(notebook: ISharedNotebook): string[] {
  return notebook.cells.map((cell: ISharedCell) => cell.getId());
}

function findCell(notebook: ISharedNotebook, id: string): ISharedCell | null {
  return (
    notebook.cells.find((cell: ISharedCell) => cell.getId() === id) ?? null
  );
}

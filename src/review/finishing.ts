import type {
  ISharedCodeCell,
  ISharedCell,
  ISharedNotebook
} from '@jupyter/ydoc';
import type * as nbformat from '@jupyterlab/nbformat';

import type { CellOutputs, FinishedRun, ReplacedByFinish } from '../api/types';
import {
  METADATA_KEY,
  ownPart,
  withProvenance
} from '../session/document/provenance';

/** The outputs and the number of one code cell. */
export interface ICellState {
  /** The cell's in the document: cells may be put in and moved before this is undone. */
  id: string;
  /** As nbformat has them. */
  outputs: nbformat.IOutput[];
  /** In which order it ran. */
  executionCount: number | null;
}

/**
 * The state of a notebook that finishing changes: its cells in their order, and
 * its metadata.
 */
export interface INotebookState {
  /** A code cell's, null for every other cell and for an unchanged one. */
  cells: readonly (ICellState | null)[];
  /** All of the notebook's. */
  metadata: nbformat.INotebookMetadata;
}

/** The kernel a notebook is for from now on. */
export type KernelSpec = nbformat.IKernelspecMetadata;

/**
 * Return the finished state of a document.
 *
 * @param shared - The document; it is only read.
 * @param run - The run with the outputs.
 * @param places - Id in the document by id in that run.
 * @param kernel - The kernel that will run it here; null retains the
 *   metadata's.
 */
export function finishedNotebook(
  shared: ISharedNotebook,
  run: FinishedRun,
  places: ReadonlyMap<string, string>,
  kernel: KernelSpec | null
): INotebookState {
  const fresh = new Map<string, CellOutputs>();
  for (const cell of run.cells) {
    fresh.set(places.get(cell.cell_id) ?? cell.cell_id, cell);
  }
  const { metadata } = shared;
  return {
    cells: shared.cells.map(cell => {
      const made = fresh.get(cell.getId());
      return isCode(cell) && made
        ? {
            id: cell.getId(),
            outputs: made.outputs as nbformat.IOutput[],
            executionCount: made.execution_count
          }
        : null;
    }),
    metadata: {
      ...metadata,
      ...(kernel ? { kernelspec: kernel } : {}),
      language_info: {
        ...metadata.language_info,
        name: 'python',
        version: run.provenance.python
      },
      [METADATA_KEY]: withProvenance(ownPart(metadata), run.provenance)
    }
  };
}

/**
 * Return the current state of the parts that finishing would change, to restore
 * it later.
 */
export function notebookState(shared: ISharedNotebook): INotebookState {
  return {
    cells: shared.cells.map(cell =>
      isCode(cell)
        ? {
            id: cell.getId(),
            outputs: cell.getOutputs(),
            executionCount: cell.execution_count
          }
        : null
    ),
    metadata: shared.metadata
  };
}

/** The parts of a notebook's metadata that finishing changes. */
const CHANGED = ['kernelspec', 'language_info', METADATA_KEY] as const;

/**
 * Return a notebook's state for the server to store: the parts that finishing
 * replaces.
 */
export function toReplaced(
  state: INotebookState,
  finishedAt: string
): ReplacedByFinish {
  const { metadata } = state;
  return {
    finished_at: finishedAt,
    cells: state.cells.flatMap(cell =>
      cell
        ? [
            {
              cell_id: cell.id,
              execution_count: cell.executionCount,
              outputs: cell.outputs as CellOutputs['outputs']
            }
          ]
        : []
    ),
    metadata: Object.fromEntries(
      CHANGED.filter(key => key in metadata).map(key => [key, metadata[key]])
    ) as ReplacedByFinish['metadata']
  };
}

/**
 * Return the state of a document from before it was finished, as stored on the
 * server. The cells of a notebook without ids get new ids each time it is
 * opened: then their order counts.
 *
 * @returns Null if the document has other code cells by now.
 */
export function fromReplaced(
  shared: ISharedNotebook,
  replaced: ReplacedByFinish
): INotebookState | null {
  const ids = shared.cells.filter(isCode).map(cell => cell.getId());
  const { cells } = replaced;
  if (ids.length !== cells.length) {
    return null;
  }
  const known = new Set(ids);
  const isByName = cells.every(({ cell_id }) => known.has(cell_id));
  const { metadata } = shared;
  const before = { ...metadata };
  for (const key of CHANGED) {
    delete before[key];
  }
  return {
    cells: cells.map((cell, index) => ({
      id: isByName ? cell.cell_id : ids[index],
      outputs: cell.outputs as nbformat.IOutput[],
      executionCount: cell.execution_count
    })),
    metadata: {
      ...before,
      ...(replaced.metadata as nbformat.INotebookMetadata)
    }
  };
}

/**
 * Put a state into a document; cells that are not in the state are unchanged.
 */
export function putState(shared: ISharedNotebook, state: INotebookState): void {
  const states = new Map<string, ICellState>();
  for (const cell of state.cells) {
    if (cell) {
      states.set(cell.id, cell);
    }
  }
  shared.cells.forEach(cell => {
    const next = states.get(cell.getId());
    if (next && isCode(cell)) {
      // Cleared first, on its own: an open cell appends to a stream that is replaced in one step.
      cell.setOutputs([]);
      cell.setOutputs(next.outputs);
      cell.execution_count = next.executionCount;
      // Start and duration belong to other outputs.
      cell.deleteMetadata('execution');
    }
  });
  shared.metadata = state.metadata;
}

/**
 * Return a notebook's content with a state of the same moment. Outputs of the
 * sandbox are not trusted: the notebook's code produced them, and JupyterLab
 * displays them without running them.
 */
export function withState(
  content: nbformat.INotebookContent,
  state: INotebookState
): nbformat.INotebookContent {
  const cells = content.cells.map((cell, index) => {
    const next = state.cells[index] ?? null;
    return next
      ? {
          ...cell,
          metadata: { ...cell.metadata, trusted: false },
          outputs: next.outputs,
          execution_count: next.executionCount
        }
      : cell;
  });
  return { ...content, metadata: state.metadata, cells };
}

function isCode(cell: ISharedCell): cell is ISharedCodeCell {
  return cell.cell_type === 'code';
}

import type { ISharedCell, ISharedCodeCell } from '@jupyter/ydoc';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { Notebook, Session } from '../../api/types';
import { type ILiveCell, liveCells, matchCells } from './cells';
import type { INotebookDocument } from './document';
import { currentIteration } from '../reading';

/**
 * Maps the cells of the server to those of the open document.
 *
 * Mostly they have the same ids. A document of an older format stores no ids,
 * so after it was opened again its cells are found by the notebook that ran.
 */
export class CellPlaces implements IDisposable {
  constructor(
    private readonly _document: INotebookDocument,
    private readonly _load: (hash: string) => Promise<Notebook>
  ) {
    this._document.changed.connect(this._forget, this);
  }

  /** Emitted when more cells were found. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Return the cells of the document. */
  live(): readonly ILiveCell[] {
    this._live ??= liveCells(this._document.shared);
    return this._live;
  }

  /**
   * Return the text of a cell of the document, null if there is no such cell.
   */
  source(id: string): string | null {
    return this._sources.get(id) ?? null;
  }

  /**
   * Return the document's id of a cell, null if the document has no such cell.
   */
  find(cellId: string): string | null {
    const ids = this._sources;
    if (ids.has(cellId)) {
      return cellId;
    }
    const known = this._known.get(cellId);
    return known !== undefined && ids.has(known) ? known : null;
  }

  /** Return the id in the document by id in an earlier notebook. */
  match(earlier: Notebook): Map<string, string> {
    const places = matchCells(earlier, this.live());
    for (const cell of earlier.cells) {
      const place = places.has(cell.id) ? null : this.find(cell.id);
      if (place) {
        places.set(cell.id, place);
      }
    }
    return places;
  }

  /** Return a document's notebook with the server's ids of its cells. */
  named(notebook: Notebook): Notebook {
    const names = new Map<string, string>();
    for (const [name, id] of this._known) {
      names.set(id, name);
    }
    const cells = notebook.cells.map(cell => ({
      ...cell,
      id: names.get(cell.id) ?? cell.id
    }));
    return { ...notebook, cells };
  }

  /**
   * Return the name of a code cell as the notebook shows it: its prompt and the
   * beginning of its code. Null for text cells and unknown ones.
   */
  name(cellId: string): string | null {
    const id = this.find(cellId);
    const cell =
      id === null ? undefined : this._code.find(item => item.id === id);
    return cell ? nameOf(cell) : null;
  }

  /**
   * Return the names of the cells in the messages of a session: numbers count
   * the cells of its latest run.
   */
  namesIn(session: Session | null): (cell: number | string) => string | null {
    const ran = session && currentIteration(session)?.execution;
    return cell => {
      if (typeof cell === 'string') {
        return this.name(cell);
      }
      const id = ran?.cells[cell - 1]?.cell_id;
      return id === undefined ? this.nameAt(cell) : this.name(id);
    };
  }

  /** Return the name of the code cell with this number, from 1. */
  nameAt(ordinal: number): string | null {
    const cell = this._code[ordinal - 1] as ISharedCodeCell | undefined;
    return cell ? nameOf(cell) : null;
  }

  /** Find the session's cells if the document does not have their ids. */
  follow(session: Session | null): void {
    const hash =
      session &&
      (currentIteration(session)?.notebook_hash ?? session.notebook_hash);
    if (!session || !hash || speaksOf(session).every(id => this.find(id))) {
      return;
    }
    // Each question once: deleted cells remain missing.
    const question = [hash, ...this.live().map(cell => cell.id)].join();
    if (question === this._asked) {
      return;
    }
    this._asked = question;
    this._load(hash)
      .then(ran => {
        for (const [name, id] of matchCells(ran, this.live())) {
          if (name !== id) {
            this._known.set(name, id);
          }
        }
        this._changed.emit();
      })
      .catch(() => {
        // Cells stay without a place; the next state of the session tries again.
        this._asked = null;
      });
  }

  dispose(): void {
    this._isDisposed = true;
    Signal.clearData(this);
  }

  /** The text of every cell of the document, by its id. */
  private get _sources(): ReadonlyMap<string, string> {
    this._byId ??= new Map(this.live().map(cell => [cell.id, cell.source]));
    return this._byId;
  }

  /** The code cells of the document. */
  private get _code(): readonly ISharedCodeCell[] {
    this._codeCells ??= this._document.shared.cells.filter(isCode);
    return this._codeCells;
  }

  /**
   * Drop the cached cells after a change: a long notebook is read once for each
   * of its states.
   */
  private _forget(): void {
    this._live = null;
    this._byId = null;
    this._codeCells = null;
  }

  private _live: readonly ILiveCell[] | null = null;
  private _byId: ReadonlyMap<string, string> | null = null;
  private _codeCells: readonly ISharedCodeCell[] | null = null;
  private readonly _known = new Map<string, string>();
  private readonly _changed = new Signal<this, void>(this);
  private _asked: string | null = null;
  private _isDisposed = false;
}

/** Characters of a cell's code in its name. */
const SNIPPET = 24;

function isCode(cell: ISharedCell): cell is ISharedCodeCell {
  return cell.cell_type === 'code';
}

function nameOf(cell: ISharedCodeCell): string {
  const lines = cell.getSource().split('\n');
  const line = (lines.find(text => text.trim() !== '') ?? '').trim();
  const snippet =
    line.length > SNIPPET ? `${line.slice(0, SNIPPET - 1)}…` : line;
  return `[${cell.execution_count ?? ' '}] ${snippet}`.trim();
}

/** Return the ids of the cells that the latest iteration of a session names. */
function speaksOf(session: Session): string[] {
  const iteration = currentIteration(session);
  return [
    ...(session.progress?.errors ?? []),
    ...(iteration?.execution?.cells ?? []),
    ...(iteration?.diagnosis?.findings.map(finding => finding.error) ?? []),
    ...(iteration?.reviews ?? session.reviews).flatMap(review =>
      review.proposal.edits.filter(edit => edit.kind !== 'insert')
    )
  ].map(item => item.cell_id);
}

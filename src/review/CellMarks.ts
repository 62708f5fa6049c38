import type { Cell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';

import { currentIteration } from '../session/reading';
import type { Modernization } from './modernization';
import type { IModernizer } from '../tokens';

/** Kinds of marks of a cell of the notebook. */
type Mark = 'edit' | 'failed' | 'running';

/**
 * Marks the cells of a notebook that failed, that run, and that a proposal changes.
 */
export class CellMarks implements IDisposable {
  constructor(
    private readonly _panel: NotebookPanel,
    private readonly _model: Modernization,
    private readonly _modernizer: IModernizer,
    private readonly _trans: TranslationBundle
  ) {
    this._model.sessionChanged.connect(this._plan, this);
    this._model.review.changed.connect(this._plan, this);
    this._modernizer.changed.connect(this._plan, this);
    this._plan();
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    Signal.clearData(this);
    if (!this._panel.isDisposed) {
      this._apply(new Map());
    }
  }

  /** Schedule one draw, however many signals report a change. */
  private _plan(): void {
    if (!this._isPlanned) {
      this._isPlanned = true;
      queueMicrotask(() => {
        this._isPlanned = false;
        if (!this._isDisposed && !this._panel.isDisposed) {
          this._apply(this._wanted());
        }
      });
    }
  }

  private _wanted(): Map<string, Set<Mark>> {
    const wanted = new Map<string, Set<Mark>>();
    const mark = (cellId: string | null | undefined, as: Mark) => {
      const place = cellId ? this._model.places.find(cellId) : null;
      if (place) {
        wanted.set(place, (wanted.get(place) ?? new Set<Mark>()).add(as));
      }
    };
    const { review, session } = this._model;
    if (!session || !this._modernizer.preferences.markCells) {
      return wanted;
    }
    for (const view of review.undecided) {
      mark(view.place ?? view.edit.after, 'edit');
    }
    const diagnosis = currentIteration(session)?.diagnosis;
    for (const finding of diagnosis?.findings ?? []) {
      if (finding.kind === 'root') {
        mark(finding.error.cell_id, 'failed');
      }
    }
    if (this._model.isWorking) {
      mark(session.progress?.cell_id, 'running');
      for (const error of session.progress?.errors ?? []) {
        mark(error.cell_id, 'failed');
      }
    }
    return wanted;
  }

  private _apply(wanted: ReadonlyMap<string, ReadonlySet<Mark>>): void {
    this._panel.content.widgets.forEach((cell: Cell) => {
      const marks = [...(wanted.get(cell.model.id) ?? [])].sort();
      const drawn = marks.join();
      // In a long notebook, touch only the cells whose marks changed.
      if ((this._drawn.get(cell) ?? '') === drawn) {
        return;
      }
      this._drawn.set(cell, drawn);
      this._draw(cell, marks);
    });
  }

  /**
   * Draw the mark and explain it there. It is an element of its own: the
   * backgrounds of cells are the application's.
   */
  private _draw(cell: Cell, marks: readonly Mark[]): void {
    let node = cell.node.querySelector<HTMLElement>(':scope > .jp-mle-Mark');
    if (marks.length === 0) {
      node?.remove();
      return;
    }
    if (!node) {
      node = document.createElement('div');
      node.setAttribute('role', 'img');
      cell.node.append(node);
    }
    const text = marks.map(mark => this._label(mark)).join(' · ');
    node.className = [
      'jp-mle-Mark',
      ...marks.map(mark => `jp-mod-${mark}`)
    ].join(' ');
    node.title = text;
    node.setAttribute('aria-label', text);
  }

  private _label(mark: Mark): string {
    switch (mark) {
      case 'edit':
        return this._trans.__('A change is proposed for this cell');
      case 'failed':
        return this._trans.__('This cell failed in the latest run');
      case 'running':
        return this._trans.__('This cell is running in the sandbox');
    }
  }

  private readonly _drawn = new WeakMap<Cell, string>();
  private _isPlanned = false;
  private _isDisposed = false;
}

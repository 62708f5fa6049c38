import { CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';

import type { SessionModel } from '../session/model';

/**
 * Displays `[*]` at the cell that runs in the sandbox, as JupyterLab does for
 * its own kernel; the document is unchanged.
 */
export class RunningCell implements IDisposable {
  constructor(
    private readonly _panel: NotebookPanel,
    private readonly _model: Pick<
      SessionModel,
      'isWorking' | 'places' | 'session' | 'sessionChanged'
    >
  ) {
    this._model.sessionChanged.connect(this._follow, this);
    this._follow();
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    if (!this._isDisposed) {
      this._isDisposed = true;
      this._model.sessionChanged.disconnect(this._follow, this);
      this._show(null);
    }
  }

  private _follow(): void {
    const { isWorking, places, session } = this._model;
    const cellId = isWorking ? session?.progress?.cell_id : null;
    const place = cellId ? places.find(cellId) : null;
    const cell = this._panel.isDisposed
      ? undefined
      : this._panel.content.widgets.find(({ model }) => model.id === place);
    this._show(cell instanceof CodeCell ? cell : null);
  }

  private _show(cell: CodeCell | null): void {
    if (cell === this._cell) {
      return;
    }
    if (this._cell && !this._cell.isDisposed) {
      const { executionCount } = this._cell.model;
      this._cell.setPrompt(
        executionCount === null ? '' : String(executionCount)
      );
    }
    cell?.setPrompt('*');
    this._cell = cell;
  }

  private _cell: CodeCell | null = null;
  private _isDisposed = false;
}

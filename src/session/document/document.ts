import type { ISharedCell, ISharedNotebook } from '@jupyter/ydoc';
import type { Cell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { type ISignal, Signal } from '@lumino/signaling';
import type { IDisposable } from '@lumino/disposable';

import type { CellTag, Notebook } from '../../api/types';

/** An open notebook, as the model of its modernization needs it. */
export interface INotebookDocument {
  /** Path on the server, without the prefix of a drive. */
  readonly path: string;
  /**
   * Its language, lower case: its kernelspec's, else its kernel's, else the one
   * that an earlier kernel wrote into the metadata; `python` if absent.
   */
  readonly language: string;
  /** MIME type of its code, for highlighting. */
  readonly mimeType: string;
  /** The shared model: the only thing an accepted edit touches. */
  readonly shared: ISharedNotebook;
  /** Emitted when a text or the list of cells changed. */
  readonly changed: ISignal<INotebookDocument, void>;
  /** Emitted when the language changes: a kernel was chosen, or has started. */
  readonly languageChanged: ISignal<INotebookDocument, void>;
  /** Scroll to a cell and make it the active one. */
  reveal(cellId: string): Promise<void>;
  /** Mark the cell that a link under the pointer leads to; null marks none. */
  point(cellId: string | null): void;
}

/** Return a document in its wire format. */
export function toNotebook(
  document: Pick<INotebookDocument, 'language' | 'shared'>
): Notebook {
  return {
    language: document.language,
    cells: document.shared.cells.map((cell: ISharedCell) => ({
      id: cell.getId(),
      type:
        cell.cell_type === 'code' || cell.cell_type === 'markdown'
          ? cell.cell_type
          : 'raw',
      source: cell.getSource(),
      tags: tagsOf(cell)
    }))
  };
}

const TAGS: readonly CellTag[] = ['raises-exception', 'skip-execution'];

/** Return the tags of a code cell that control its execution. */
export function tagsOf(cell: ISharedCell): CellTag[] {
  const tags: unknown = cell.getMetadata('tags');
  return cell.cell_type === 'code' && Array.isArray(tags)
    ? TAGS.filter(tag => tags.includes(tag))
    : [];
}

/**
 * A notebook open in JupyterLab.
 */
export class LiveDocument implements INotebookDocument, IDisposable {
  constructor(private readonly _panel: NotebookPanel) {
    this._panel.context.model.contentChanged.connect(this._onChange, this);
    this._panel.context.model.metadataChanged.connect(this._onKernel, this);
    this._panel.context.sessionContext.kernelChanged.connect(
      this._onKernel,
      this
    );
    this._panel.context.sessionContext.statusChanged.connect(
      this._onKernel,
      this
    );
    this._language = this.language;
  }

  get path(): string {
    return this._panel.context.localPath;
  }

  get language(): string {
    const { metadata } = this.shared;
    const { session, specsManager } = this._panel.context.sessionContext;
    const specs = specsManager.specs?.kernelspecs ?? {};
    const spec = (name: string | undefined) =>
      name === undefined ? undefined : specs[name]?.language;
    const { kernelspec, language_info } = metadata;
    // Notebooks of older formats, and those never run, have only some of these
    // fields or none.
    const said = [
      kernelspec?.language,
      spec(kernelspec?.name),
      spec(session?.kernel?.name),
      language_info?.name
    ].find(name => typeof name === 'string' && name.trim() !== '');
    return String(said ?? 'python')
      .trim()
      .toLowerCase();
  }

  get mimeType(): string {
    return this._panel.content.codeMimetype;
  }

  get shared(): ISharedNotebook {
    const model = this._panel.context.model;
    return model.sharedModel;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get languageChanged(): ISignal<this, void> {
    return this._languageChanged;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  async reveal(cellId: string): Promise<void> {
    const notebook = this._panel.content;
    const index = notebook.widgets.findIndex(
      (cell: Cell) => cell.model.id === cellId
    );
    if (index < 0) {
      return;
    }
    notebook.activeCellIndex = index;
    // Not by `scrollToCell`: that takes the focus into the cell.
    await notebook.scrollToItem(index, 'center');
  }

  point(cellId: string | null): void {
    for (const cell of this._panel.content.widgets) {
      cell.toggleClass('jp-mle-mod-pointed', cell.model.id === cellId);
    }
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private _onChange(): void {
    this._changed.emit();
  }

  private _onKernel(): void {
    const { language } = this;
    if (language !== this._language) {
      this._language = language;
      this._languageChanged.emit();
    }
  }

  private readonly _changed = new Signal<this, void>(this);
  private readonly _languageChanged = new Signal<this, void>(this);
  private _language: string;
  private _isDisposed = false;
}

import type { EditorView } from '@codemirror/view';
import { ReactWidget } from '@jupyterlab/apputils';
import type { Cell } from '@jupyterlab/cells';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { CodeMirrorEditor } from '@jupyterlab/codemirror';
import type { IDisposable } from '@lumino/disposable';
import { PanelLayout } from '@lumino/widgets';
import * as React from 'react';

import type { Finding } from '../../api/types';
import { type IPanelContext, PanelContext } from '../../ui/context';
import { editTitle } from '../../words/labels';
import type { Modernization } from '../modernization';
import type { IEditView } from '../change';
import { DiffView } from '../DiffView';
import { CellBar, decideAlone, namesOfOthers } from './CellBar';
import { CellError } from './CellError';
import { hunkControls } from './hunkControls';
import { inlineBounds, inlineReview, showInline } from './inline';

/** Contents of the review at one cell of the notebook. */
export interface ICellItem {
  /** The edit of the cell itself. */
  edit: IEditView | null;
  /** Cells to insert in front of it: only if it is the first one. */
  before: IEditView[];
  /** Cells to insert behind it. */
  after: IEditView[];
  /** The error that stopped it in the latest run. */
  error: Finding | null;
}

/**
 * Displays the proposal for one cell: the changes in its own editor, the
 * decision below it, and the cells to insert in front of it or behind it.
 * Nothing of it is in the document.
 */
export class CellReview implements IDisposable {
  /**
   * @param _cell - The cell; the review waits until a placeholder is rendered.
   * @param _model - The notebook's modernization.
   * @param _context - Services for components.
   * @param _onLine - Goes to a line of a cell.
   */
  constructor(
    private readonly _cell: Cell,
    private readonly _model: Modernization,
    private readonly _context: IPanelContext,
    private readonly _onLine: (cellId: string, line: number) => void
  ) {
    this._cell.disposed.connect(this.dispose, this);
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Id of the edit of the cell itself, null if it has none. */
  get editId(): string | null {
    return this._item.edit?.edit.id ?? null;
  }

  /** Return whether this cell displays an edit. */
  has(editId: string): boolean {
    const { after, before, edit } = this._item;
    return [edit, ...before, ...after].some(view => view?.edit.id === editId);
  }

  /** Set the contents; draw them when the cell is near the view. */
  show(item: ICellItem): void {
    this._item = item;
    if (this._isMounted) {
      this._draw();
    }
  }

  /** Begin to draw: at once, or when the cell itself is drawn. */
  mount(): void {
    if (this._isMounted || this._isDisposed) {
      return;
    }
    this._isMounted = true;
    this._draw();
    if (this._cell.isPlaceholder()) {
      void this._cell.ready.then(() => this._draw());
    }
  }

  /**
   * Return the part of the page that displays a hunk: its old lines and the
   * widget below them, or the whole edit if the editor does not display it.
   * Null until it is drawn.
   */
  boundsOf(editId: string, hunk: number): DOMRect | null {
    const editor = viewOf(this._cell.editor);
    const { edit } = this._item;
    if (edit?.edit.id === editId && this._canInline(edit) && editor) {
      return inlineBounds(editor, hunk);
    }
    const node = [
      ...this._cell.node.querySelectorAll<HTMLElement>('[data-mle-edit]')
    ].find(item => item.dataset.mleEdit === editId);
    return node?.getBoundingClientRect() ?? null;
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._cell.disposed.disconnect(this.dispose, this);
    for (const strip of [this._top, this._middle, this._bottom]) {
      strip?.dispose();
    }
    if (!this._cell.isDisposed) {
      CLASSES.forEach(name => this._cell.removeClass(name));
      this._showInline(null);
    }
  }

  private _draw(): void {
    if (this._isDisposed || this._cell.isDisposed || !this._cell.inputArea) {
      return;
    }
    const { after, before, edit, error } = this._item;
    const drawn = signature(this._item, this._model);
    if (drawn === this._drawn) {
      return;
    }
    this._drawn = drawn;
    const isInline = !!edit && this._canInline(edit);
    this._showInline(isInline ? edit : null);
    CLASSES.forEach(name =>
      this._cell.toggleClass(name, name === classOf(edit))
    );
    this._top = this._strip(
      this._top,
      before.length > 0 ? before.map(view => this._ghost(view)) : null,
      0
    );
    this._middle = this._strip(
      this._middle,
      edit && this._isBarNeeded(edit, isInline)
        ? this._edit(edit, isInline)
        : null,
      'input'
    );
    this._bottom = this._strip(
      this._bottom,
      error || after.length > 0 ? (
        <>
          {error && (
            <CellError
              model={this._model}
              finding={error}
              isExplained={!edit?.edit.reason.includes(error.explanation)}
              onLine={this._onLine}
            />
          )}
          {after.map(view => this._ghost(view))}
        </>
      ) : null,
      'end'
    );
  }

  /** Return whether the cell's own editor can display the edit. */
  private _canInline({ edit, status }: IEditView): boolean {
    const { model } = this._cell;
    return (
      edit.kind !== 'insert' &&
      status !== 'stale' &&
      model.type === 'code' &&
      !this._cell.inputHidden &&
      viewOf(this._cell.editor) !== null
    );
  }

  private _showInline(view: IEditView | null): void {
    const editor = viewOf(this._cell.editor);
    if (!editor) {
      return;
    }
    const isThere = PREPARED.has(editor);
    if (!view && !isThere) {
      return;
    }
    const { review } = this._model;
    const id = view?.edit.id ?? '';
    const together = review.groupOf(id).length;
    const { position } = review;
    const effects = showInline.of(
      view && {
        // A deleted cell has one decision, in the bar below it.
        hunks: view.hunks,
        current: position?.view.edit.id === id ? position.hunk : null,
        version: signatureOf(view, this._model),
        controls: hunk =>
          view.edit.kind === 'modify'
            ? hunkControls({
                hunk,
                view,
                together,
                isEnabled: review.isEnabled,
                trans: this._context.trans,
                others: namesOfOthers(this._model, view, this._context.trans),
                onWish: wish => void review.decideHunk(id, hunk.index, wish),
                onAlone: wish =>
                  void decideAlone(this._model, view, wish, this._context.trans)
              })
            : document.createElement('div')
      }
    );
    if (!isThere) {
      PREPARED.add(editor);
      codeMirrorOf(this._cell.editor)?.injectExtension(inlineReview());
    }
    editor.dispatch({ effects });
  }

  private _edit(view: IEditView, isInline: boolean): JSX.Element {
    return (
      <div
        className={`jp-mle-AtCell${this._isCurrent(view) && !isAtHunks(view, isInline) ? ' jp-mod-current' : ''}`}
        data-mle-edit={view.edit.id}
      >
        {isDiffNeeded(view, isInline) && this._diff(view)}
        <CellBar
          key={view.edit.id}
          model={this._model}
          view={view}
          title={this._title(view)}
          reasons={isAtHunks(view, isInline) ? 'none' : 'shown'}
          hasButtons={this._hasBarButtons(view, isInline)}
        />
      </div>
    );
  }

  private _ghost(view: IEditView): JSX.Element {
    return (
      <div
        key={view.edit.id}
        className={`jp-mle-Ghost jp-mod-${view.status}${this._isCurrent(view) ? ' jp-mod-current' : ''}`}
        data-mle-edit={view.edit.id}
      >
        {view.status !== 'rejected' && this._diff(view)}
        <CellBar
          model={this._model}
          view={view}
          title={this._title(view)}
          reasons="shown"
        />
      </div>
    );
  }

  /**
   * Return whether an edit needs a bar: what can be decided at its hunks is
   * decided there.
   */
  private _isBarNeeded(view: IEditView, isInline: boolean): boolean {
    return this._hasBarButtons(view, isInline) || view.consent !== 'not-needed';
  }

  /** Return whether the decision on the whole edit is another one than those at its hunks. */
  private _hasBarButtons(view: IEditView, isInline: boolean): boolean {
    const { edit, hunks, status } = view;
    const isOneOfSeveral = this._model.review.edits.length > 1;
    return (
      !isAtHunks(view, isInline) ||
      (hunks.length > 1 && edit.group === '' && isOneOfSeveral) ||
      status === 'failed' ||
      status === 'present'
    );
  }

  private _isCurrent({ edit }: IEditView): boolean {
    return this._model.review.current?.edit.id === edit.id;
  }

  private _diff({ edit }: IEditView): JSX.Element {
    return (
      <DiffView
        label={this._context.trans.__('What is proposed')}
        original={edit.base_source}
        proposed={edit.new_source}
        mimeType={
          edit.cell_type === 'code'
            ? this._model.document.mimeType
            : 'text/x-ipythongfm'
        }
        kind={edit.kind}
      />
    );
  }

  private _title({ edit }: IEditView): string {
    const cell = edit.kind === 'insert' ? edit.after : edit.cell_id;
    const ordinal = cell === null ? null : this._model.places.name(cell);
    return editTitle(edit, ordinal, this._context.trans);
  }

  /** Create, update or remove one of the cell's strips. */
  private _strip(
    strip: Strip | null,
    content: React.ReactNode,
    where: 0 | 'input' | 'end'
  ): Strip | null {
    if (content === null) {
      strip?.dispose();
      return null;
    }
    if (strip && !strip.isDisposed) {
      strip.draw(content);
      return strip;
    }
    const made = new Strip(this._context);
    made.draw(content);
    const { layout } = this._cell;
    if (layout instanceof PanelLayout) {
      const input = layout.widgets.findIndex(widget =>
        widget.contains(this._cell.inputArea ?? made)
      );
      const at = where === 'input' ? input + 1 : layout.widgets.length;
      layout.insertWidget(where === 0 ? 0 : at, made);
    }
    return made;
  }

  private _item: ICellItem = {
    edit: null,
    before: [],
    after: [],
    error: null
  };
  private _drawn = '';
  private _top: Strip | null = null;
  private _middle: Strip | null = null;
  private _bottom: Strip | null = null;
  private _isMounted = false;
  private _isDisposed = false;
}

/**
 * A part of the page inside a cell that is the review's: keys pressed in it are not the notebook's.
 */
class Strip extends ReactWidget {
  constructor(private readonly _context: IPanelContext) {
    super();
    this.addClass('jp-mle-InCell');
    this.addClass('jp-mle-mod-keys');
    this.node.dataset.lmSuppressShortcuts = 'true';
    // The notebook's shortcuts are found at a focused button itself: X would cut
    // the cell.
    this.node.addEventListener('keydown', event => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isPlain && event.key.length === 1 && !/[jkaru]/i.test(event.key)) {
        event.stopPropagation();
      }
    });
  }

  draw(content: React.ReactNode): void {
    this._content = content;
    this.update();
  }

  protected override render(): JSX.Element {
    return (
      <PanelContext.Provider value={this._context}>
        {this._content}
      </PanelContext.Provider>
    );
  }

  private _content: React.ReactNode = null;
}

const CLASSES = ['jp-mle-mod-deleted'];

function classOf(view: IEditView | null): string | null {
  const isGoing = view?.edit.kind === 'delete' && view.status === 'pending';
  return isGoing ? CLASSES[0] : null;
}

/** Return whether each hunk has its reason and its decision in the editor. */
function isAtHunks({ edit }: IEditView, isInline: boolean): boolean {
  return isInline && edit.kind === 'modify';
}

/**
 * Return whether an edit needs a diff because the cell's editor cannot display
 * it: a rendered text, a folded cell.
 */
function isDiffNeeded(view: IEditView, isInline: boolean): boolean {
  return !isInline && view.edit.kind === 'modify' && view.status !== 'accepted';
}

const PREPARED = new WeakSet<EditorView>();

function codeMirrorOf(
  editor: CodeEditor.IEditor | null
): CodeMirrorEditor | null {
  // By its shape: there may be two copies of the class, the application's and
  // an extension's.
  return editor && 'injectExtension' in editor
    ? (editor as CodeMirrorEditor)
    : null;
}

function viewOf(editor: CodeEditor.IEditor | null): EditorView | null {
  return codeMirrorOf(editor)?.editor ?? null;
}

function signature(item: ICellItem, model: Modernization): string {
  const { after, before, edit, error } = item;
  const views = [edit, ...before, ...after].map(view =>
    view ? signatureOf(view, model) : ''
  );
  return JSON.stringify([
    views,
    before.length,
    error?.error,
    error && [model.isWorking, model.isBusy, model.review.undecided.length > 0]
  ]);
}

/** Return all state that the picture of an edit depends on. */
function signatureOf(view: IEditView, model: Modernization): string {
  const { canUndo, consent, edit, hunks, isElsewhere, isPartial, status } =
    view;
  const { position } = model.review;
  return JSON.stringify([
    edit.id,
    position?.view.edit.id === edit.id ? position.hunk : null,
    isElsewhere,
    status,
    isPartial,
    canUndo,
    consent,
    hunks.map(({ place, state }) => [state, place]),
    model.review.groupOf(edit.id).map(item => item.status),
    model.review.isEnabled,
    model.places.name(edit.cell_id)
  ]);
}

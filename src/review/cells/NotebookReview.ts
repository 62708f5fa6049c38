import type { Cell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';
import { Widget } from '@lumino/widgets';
import { Signal } from '@lumino/signaling';

import type { Finding } from '../../api/types';
import type { IPanelContext } from '../../ui/context';
import { currentIteration } from '../../session/reading';
import type { Modernization } from '../modernization';
import type { IModernizer } from '../../tokens';
import { anchorOf, type IEditView } from '../change';
import type { ReviewModel } from '../model';
import { CellReview, type ICellItem } from './CellReview';
import { ReviewBar } from './ReviewBar';

/** The class of a notebook with a bar. */
const REVIEWED = 'jp-mle-mod-reviewed';

/** The class of a notebook with changes that wait: its keys are the review's. */
const WAITING = 'jp-mle-mod-waiting';

/** Places outside of the notebook where the keys of the review work, too. */
const OWN = '.jp-mle-Panel, .jp-mle-WideReview';

/** Distance of a change from the edges of the view, in pixels. */
const MARGIN = 24;

/** Milliseconds in which a cell's editor appears, on a slow machine. */
const LONGEST_WAIT = 4000;

/** Frames in which a change stays in its place until it counts as centred. */
const STEADY = 6;

/** Margin outside of the view, in pixels, within which cells are prepared. */
const AHEAD = '800px 0px';

/**
 * Displays the proposal under review in the notebook itself: every edit in its
 * cell, and a bar to step through them. The document is not touched.
 *
 * Cells are prepared when they come near the view: distant cells cost nothing.
 */
export class NotebookReview implements IDisposable {
  constructor(
    private readonly _panel: NotebookPanel,
    private readonly _model: Modernization,
    private readonly _modernizer: IModernizer,
    private readonly _context: IPanelContext
  ) {
    this._observer = new IntersectionObserver(
      entries => this._onSeen(entries),
      { root: this._panel.content.outerNode, rootMargin: AHEAD }
    );
    this._bar = new ReviewBar(this._model, this._context);
    this._bar.node.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        this._panel.content.activate();
      }
    });
    this._model.busyChanged.connect(this._plan, this);
    this._model.review.changed.connect(this._plan, this);
    this._model.review.selected.connect(this._onSelected, this);
    this._modernizer.changed.connect(this._plan, this);
    this._panel.node.addEventListener('focusin', this._onFocus);
    GESTURES.forEach(name =>
      this._panel.node.addEventListener(name, this._onGesture, {
        capture: true,
        passive: true
      })
    );
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
    this._panel.node.removeEventListener('focusin', this._onFocus);
    GESTURES.forEach(name =>
      this._panel.node.removeEventListener(name, this._onGesture, {
        capture: true
      })
    );
    this._observer.disconnect();
    this._cells.forEach(cell => cell.dispose());
    this._cells.clear();
    this._bar.dispose();
    if (!this._panel.isDisposed) {
      this._panel.removeClass(REVIEWED);
      this._panel.removeClass(WAITING);
    }
  }

  /** Schedule one draw, however many signals report a change. */
  private _plan(): void {
    if (!this._isPlanned) {
      this._isPlanned = true;
      queueMicrotask(() => {
        this._isPlanned = false;
        if (!this._isDisposed && !this._panel.isDisposed) {
          this._draw();
        }
      });
    }
  }

  private _draw(): void {
    const isShown = this._modernizer.preferences.reviewInCells;
    this._model.review.isByHunk = isShown;
    const items = isShown ? this._items() : new Map<string, ICellItem>();
    const widgets = new Map<string, Cell>(
      this._panel.content.widgets.map(cell => [cell.model.id, cell])
    );
    for (const [cell, review] of this._cells) {
      const item = items.get(cell.model.id);
      if (cell.isDisposed || widgets.get(cell.model.id) !== cell || !item) {
        review.dispose();
        this._cells.delete(cell);
        this._observer.unobserve(cell.node);
      }
    }
    for (const [id, item] of items) {
      const cell = widgets.get(id);
      if (!cell) {
        continue;
      }
      this._reviewOf(cell).show(item);
    }
    this._drawBar(isShown);
    if (isShown) {
      this._showFirst();
    }
  }

  /**
   * Centre the first change once work has ended, unless the user has scrolled
   * or typed meanwhile; the focus is unchanged.
   */
  private _showFirst(): void {
    const { isWorking, review } = this._model;
    if (isWorking) {
      this._begun ??= this._gesture;
      return;
    }
    const isUntouched = this._begun === this._gesture;
    this._begun = null;
    const { position } = review;
    if (isUntouched && position && review.open > 0 && this._panel.isVisible) {
      void this._reveal(position.view.edit.id, position.hunk);
    }
  }

  /** Return the review at a cell; create it at the first call. */
  private _reviewOf(cell: Cell): CellReview {
    const known = this._cells.get(cell);
    if (known) {
      return known;
    }
    const review = new CellReview(
      cell,
      this._model,
      this._context,
      (to, line) => this._toLine(to, line)
    );
    this._cells.set(cell, review);
    this._observer.observe(cell.node);
    return review;
  }

  private _drawBar(isShown: boolean): void {
    const { edits, undecided } = this._model.review;
    const isWanted = isShown && edits.length > 0 && !this._model.isWorking;
    if (isWanted && !this._bar.isAttached && this._panel.isAttached) {
      Widget.attach(this._bar, this._panel.node);
      this._panel.addClass(REVIEWED);
    } else if (!isWanted && this._bar.isAttached) {
      Widget.detach(this._bar);
      this._panel.removeClass(REVIEWED);
    }
    this._panel.toggleClass(WAITING, isWanted && undecided.length > 0);
  }

  /** Return the contents of the review by cell, with the document's ids. */
  private _items(): Map<string, ICellItem> {
    const items = new Map<string, ICellItem>();
    const at = (id: string): ICellItem => {
      let item = items.get(id);
      if (!item) {
        item = { edit: null, before: [], after: [], error: null };
        items.set(id, item);
      }
      return item;
    };
    const { edits } = this._model.review;
    for (const view of edits) {
      const { edit } = view;
      if (view.place !== null) {
        at(view.place).edit = view;
      } else if (edit.kind === 'insert') {
        this._addGhost(view, edits, at);
      }
    }
    for (const finding of this._findings()) {
      const place = this._model.places.find(finding.error.cell_id);
      if (place !== null) {
        at(place).error ??= finding;
      }
    }
    return items;
  }

  private _addGhost(
    view: IEditView,
    edits: readonly IEditView[],
    at: (id: string) => ICellItem
  ): void {
    const after = anchorOf(
      view.edit,
      edits.map(item => item.edit),
      id => this._model.places.find(id)
    );
    if (after === null) {
      const [first] = this._panel.content.widgets;
      if (first) {
        at(first.model.id).before.push(view);
      }
    } else if (after !== undefined) {
      at(after).after.push(view);
    }
  }

  /**
   * Return the run's errors that are causes; none while a newer run is under
   * way.
   */
  private _findings(): readonly Finding[] {
    const { isWorking, session } = this._model;
    const findings =
      session && !isWorking
        ? currentIteration(session)?.diagnosis?.findings
        : null;
    return (findings ?? []).filter(finding => finding.kind === 'root');
  }

  private _onSeen(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      if (!entry.isIntersecting) {
        continue;
      }
      for (const [cell, review] of this._cells) {
        if (cell.node === entry.target) {
          this._observer.unobserve(cell.node);
          review.mount();
        }
      }
    }
  }

  private _onSelected(
    _: ReviewModel,
    { editId, focus, hunk }: ReviewModel.ISelection
  ): void {
    if (!this._modernizer.preferences.reviewInCells) {
      return;
    }
    // Draw first: the previous edit may have left its cell, the bar may be new.
    this._draw();
    const isElsewhere = document.activeElement?.closest(OWN) ?? null;
    if (focus === 'move' || (focus === 'keep' && !isElsewhere)) {
      this._bar.takeFocus();
    }
    if (editId !== null && focus !== 'none') {
      void this._reveal(editId, hunk);
    }
  }

  /** Centre a hunk, once its cell's editor displays it. */
  private async _reveal(editId: string, hunk: number): Promise<void> {
    const gesture = ++this._gesture;
    const isOver = () =>
      gesture !== this._gesture || this._isDisposed || this._panel.isDisposed;
    const [cell, review] =
      [...this._cells].find(([, item]) => item.has(editId)) ?? [];
    if (!cell || !review) {
      return;
    }
    review.mount();
    // Paint the decision first: scrolling lays the whole notebook out.
    await nextFrame();
    if (isOver()) {
      return;
    }
    await this._scrollTo(cell);
    const end = performance.now() + LONGEST_WAIT;
    let steady = 0;
    while (steady < STEADY && performance.now() < end && !isOver()) {
      const bounds = cell.isDisposed ? null : review.boundsOf(editId, hunk);
      steady = bounds && !this._centre(bounds) ? steady + 1 : 0;
      await nextFrame();
    }
  }

  /** Scroll so that a part of the page is in the middle; return whether it moved. */
  private _centre(bounds: DOMRect): boolean {
    const { outerNode } = this._panel.content;
    const view = outerNode.getBoundingClientRect();
    const bar = this._bar.isAttached
      ? this._bar.node.getBoundingClientRect().top
      : view.bottom;
    const room = Math.min(view.bottom, bar) - view.top;
    const above = Math.max((room - bounds.height) / 2, MARGIN);
    const before = outerNode.scrollTop;
    const wanted = before + bounds.top - view.top - above;
    if (Math.abs(wanted - before) < 2) {
      return false;
    }
    outerNode.scrollTop = wanted;
    // At the notebook's ends there is nothing more to scroll.
    return outerNode.scrollTop !== before;
  }

  /** Scroll to a cell that is out of view; the focus is unchanged. */
  private async _scrollTo(cell: Cell): Promise<void> {
    const { content } = this._panel;
    const view = content.outerNode.getBoundingClientRect();
    const at = cell.node.getBoundingClientRect();
    const isInView =
      cell.isAttached && at.bottom > view.top && at.top < view.bottom;
    if (!isInView) {
      // Not by `scrollToCell`: that takes the focus into the cell.
      await content.scrollToItem(content.widgets.indexOf(cell), 'auto');
    }
  }

  /** Return the id of the edit that an element in a cell's editor belongs to. */
  private _editAt(node: Element | null): string | undefined {
    const [, review] =
      [...this._cells].find(([cell]) => cell.node.contains(node)) ?? [];
    return review?.editId ?? undefined;
  }

  private _toLine(cellId: string, line: number): void {
    const notebook = this._panel.content;
    const index = notebook.widgets.findIndex(cell => cell.model.id === cellId);
    if (index < 0) {
      return;
    }
    const cell = notebook.widgets[index];
    notebook.activeCellIndex = index;
    void notebook
      .scrollToItem(index, 'auto')
      .then(() => cell.ready)
      .then(() => {
        const { editor } = cell;
        if (editor) {
          notebook.mode = 'edit';
          const at = Math.min(line, editor.lineCount) - 1;
          editor.setCursorPosition({ line: at, column: 0 });
          editor.focus();
        }
      });
  }

  private readonly _observer: IntersectionObserver;
  private readonly _bar: ReviewBar;
  private readonly _cells = new Map<Cell, CellReview>();
  private readonly _onFocus = ({ target }: FocusEvent) => {
    // The keys decide on the change whose button has the focus.
    const node = target instanceof Element ? target : null;
    const hunk = node?.closest<HTMLElement>('[data-mle-hunk]')?.dataset.mleHunk;
    const edit =
      node?.closest<HTMLElement>('[data-mle-edit]')?.dataset.mleEdit ??
      (hunk === undefined ? undefined : this._editAt(node));
    const { position } = this._model.review;
    const isNew =
      edit !== position?.view.edit.id ||
      (hunk !== undefined && Number(hunk) !== position?.hunk);
    if (edit !== undefined && isNew) {
      this._model.review.select(
        edit,
        'none',
        hunk === undefined ? undefined : Number(hunk)
      );
    }
  };
  private readonly _onGesture = () => {
    this._gesture += 1;
  };
  private _gesture = 0;
  /** The number of gestures when work began; null if none is under way. */
  private _begun: number | null = null;
  private _isPlanned = false;
  private _isDisposed = false;
}

/** A user who scrolls or types is not scrolled back. */
const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

function nextFrame(): Promise<void> {
  return new Promise(resolve => {
    // A hidden page has no frames.
    window.setTimeout(resolve, 100);
    requestAnimationFrame(() => window.setTimeout(resolve, 0));
  });
}

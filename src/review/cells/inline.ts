import { presentableDiff } from '@codemirror/merge';
import {
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
  type Text
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  WidgetType
} from '@codemirror/view';

import type { HunkState, IHunkView } from '../change';
import { DIFF_CONFIG } from '../hunks';
import { showCode } from './highlight';

/** Contents of an edit in a cell's own editor. */
export interface IInlineEdit {
  /** Hunks in the order of their lines. */
  hunks: readonly IHunkView[];
  /** Number of the hunk that is looked at; null if none of them is. */
  current: number | null;
  /** Creates the buttons of a hunk, and its reason. */
  controls: (hunk: IHunkView) => HTMLElement;
  /** Changes whenever the controls must be created again. */
  version: string;
}

/**
 * Return the extension that displays an edit in a cell's editor. The text of
 * the editor is the document's: the proposal is displayed between its lines and
 * is no part of it.
 */
export function inlineReview(): Extension {
  return [field, seenWidth];
}

/**
 * Shows an edit, or none.
 */
export const showInline = StateEffect.define<IInlineEdit | null>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (decorations, transaction) => {
    let next = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(showInline)) {
        next = effect.value
          ? decorate(transaction.state, effect.value)
          : Decoration.none;
      }
    }
    return next;
  },
  provide: self => EditorView.decorations.from(self)
});

/**
 * Pass the width of the code's visible part to the style sheet: buttons and
 * reasons stay inside it if a line is longer than the view.
 */
const seenWidth = ViewPlugin.define(view => {
  const measure = {
    key: 'jp-mle-seen',
    read: () => {
      const left = view.contentDOM.offsetLeft;
      return { left, width: view.scrollDOM.clientWidth - left };
    },
    write: ({ left, width }: { left: number; width: number }) => {
      view.dom.style.setProperty('--jp-mle-seen-left', `${left}px`);
      view.dom.style.setProperty('--jp-mle-seen-width', `${width}px`);
    }
  };
  view.requestMeasure(measure);
  return {
    update: update => {
      if (update.geometryChanged) {
        view.requestMeasure(measure);
      }
    }
  };
});

/**
 * Return the bounds of a hunk on the screen: its old lines and the widget below
 * them. Null if the editor does not display it.
 */
export function inlineBounds(view: EditorView, index: number): DOMRect | null {
  const node = view.contentDOM.querySelector<HTMLElement>(
    `.jp-mle-Inline[data-mle-hunk="${index}"]`
  );
  if (!node) {
    return estimatedBounds(view, index);
  }
  const box = node.getBoundingClientRect();
  let first = node;
  for (
    let line = node.previousElementSibling;
    line instanceof HTMLElement && /jp-mle-Inline-/.test(line.className);
    line = line.previousElementSibling
  ) {
    first = line;
  }
  const { top } = first.getBoundingClientRect();
  return new DOMRect(box.left, top, box.width, box.bottom - top);
}

/** Return the estimated bounds of a hunk that is too far away to be drawn. */
function estimatedBounds(view: EditorView, index: number): DOMRect | null {
  for (
    const at = view.state.field(field, false)?.iter();
    at?.value;
    at.next()
  ) {
    const { widget } = at.value.spec as { widget?: unknown };
    if (widget instanceof HunkWidget && widget.index === index) {
      const { height, top } = view.lineBlockAt(at.from);
      return new DOMRect(0, view.documentTop + top, 0, height);
    }
  }
  return null;
}

function decorate(state: EditorState, edit: IInlineEdit): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const hunk of edit.hunks) {
    const { place } = hunk;
    if (place.holds === 'other' || place.to > state.doc.lines) {
      continue;
    }
    for (let line = place.from + 1; line <= place.to; line++) {
      ranges.push(lineMark(hunk).range(state.doc.line(line).from));
    }
    if (isOffered(hunk)) {
      ranges.push(...goneWords(state.doc, hunk, place.from));
    }
    const isAtTop = place.to === 0;
    const at = isAtTop ? 0 : state.doc.line(place.to).to;
    ranges.push(
      Decoration.widget({
        widget: new HunkWidget(hunk, edit),
        block: true,
        side: isAtTop ? -1 : 1
      }).range(at)
    );
  }
  return Decoration.set(ranges, true);
}

/**
 * Return whether the new lines are displayed because they are not in the
 * document: also while a decision is on its way to the server.
 */
function isOffered({ place, state }: IHunkView): boolean {
  return (
    state === 'pending' ||
    state === 'undone' ||
    (state === 'accepted' && place.holds === 'old')
  );
}

const LINES: Record<HunkState, Decoration> = {
  pending: Decoration.line({ class: 'jp-mle-Inline-gone' }),
  undone: Decoration.line({ class: 'jp-mle-Inline-gone' }),
  accepted: Decoration.line({ class: 'jp-mle-Inline-taken' }),
  rejected: Decoration.line({ class: 'jp-mle-Inline-left' }),
  stale: Decoration.line({ class: 'jp-mle-Inline-left' })
};

function lineMark(hunk: IHunkView): Decoration {
  return LINES[isOffered(hunk) ? 'pending' : hunk.state];
}

const GONE = Decoration.mark({ class: 'jp-mle-Inline-goneText' });

/** Mark the removed words of partly changed lines. */
function goneWords(
  doc: Text,
  hunk: IHunkView,
  from: number
): Range<Decoration>[] {
  if (hunk.old.length === 0 || hunk.fresh.length === 0) {
    return [];
  }
  const start = doc.line(from + 1).from;
  return wordChanges(hunk)
    .filter(change => change.toA > change.fromA)
    .map(change => GONE.range(start + change.fromA, start + change.toA));
}

function wordChanges({ fresh, old }: IHunkView) {
  return presentableDiff(old.join('\n'), fresh.join('\n'), DIFF_CONFIG);
}

/**
 * The lines a hunk brings, and the decision on it.
 */
class HunkWidget extends WidgetType {
  constructor(
    private readonly _hunk: IHunkView,
    private readonly _edit: IInlineEdit
  ) {
    super();
  }

  override eq(other: HunkWidget): boolean {
    return (
      other._edit.version === this._edit.version &&
      other._hunk.index === this._hunk.index &&
      other._hunk.state === this._hunk.state &&
      other.isCurrent === this.isCurrent
    );
  }

  /** Number of the hunk. */
  get index(): number {
    return this._hunk.index;
  }

  /** Whether it is the one that is looked at. */
  get isCurrent(): boolean {
    return this._edit.current === this._hunk.index;
  }

  override get estimatedHeight(): number {
    const lines = isOffered(this._hunk) ? this._hunk.fresh.length : 0;
    return lines * 18 + 30;
  }

  override toDOM(view: EditorView): HTMLElement {
    const node = document.createElement('div');
    node.className = `jp-mle-Inline jp-mle-mod-keys jp-mod-${this._hunk.state}${this.isCurrent ? ' jp-mod-current' : ''}`;
    node.dataset.mleHunk = String(this._hunk.index);
    // Keys pressed on its buttons are not the notebook's.
    node.dataset.lmSuppressShortcuts = 'true';
    if (isOffered(this._hunk) && this._hunk.fresh.length > 0) {
      const lines = document.createElement('div');
      lines.className = 'jp-mle-Inline-fresh';
      showCode(lines, this._hunk.fresh, view.state, 'jp-mle-Inline-line');
      node.append(lines);
    }
    node.append(this._edit.controls(this._hunk));
    return node;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

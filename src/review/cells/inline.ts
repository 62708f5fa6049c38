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

function decorate(state: EditorState, edit: IInlineEdit): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const hunk of edit.hunks) {
    const { place } = hunk;
    if (place.holds === 'other' || place.to > state.doc.lines) {
      continue;
    }
    for (let line = place.from + 1; line <= place.to; line++) {
      ranges.push(lineMark(hunk.state).range(state.doc.line(line).from));
    }
    if (isOffered(hunk.state)) {
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
 * document.
 */
function isOffered(state: HunkState): boolean {
  return state === 'pending' || state === 'undone';
}

const LINES: Record<HunkState, Decoration> = {
  pending: Decoration.line({ class: 'jp-mle-Inline-gone' }),
  undone: Decoration.line({ class: 'jp-mle-Inline-gone' }),
  accepted: Decoration.line({ class: 'jp-mle-Inline-taken' }),
  rejected: Decoration.line({ class: 'jp-mle-Inline-left' }),
  stale: Decoration.line({ class: 'jp-mle-Inline-left' })
};

function lineMark(state: HunkState): Decoration {
  return LINES[state];
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
      other._hunk.state === this._hunk.state
    );
  }

  override get estimatedHeight(): number {
    const lines = isOffered(this._hunk.state) ? this._hunk.fresh.length : 0;
    return lines * 18 + 30;
  }

  override toDOM(view: EditorView): HTMLElement {
    const node = document.createElement('div');
    node.className = `jp-mle-Inline jp-mod-${this._hunk.state}`;
    // Keys pressed on its buttons are not the notebook's.
    node.dataset.lmSuppressShortcuts = 'true';
    if (isOffered(this._hunk.state) && this._hunk.fresh.length > 0) {
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

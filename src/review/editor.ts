import { getChunks, unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import {
  type IEditorLanguageRegistry,
  jupyterTheme
} from '@jupyterlab/codemirror';
import type { TranslationBundle } from '@jupyterlab/translation';

import { DIFF_CONFIG } from './hunks';

/**
 * What a diff's editor is made from.
 */
export interface IDiffEditorOptions {
  /** Where it goes. */
  parent: HTMLElement;
  /** The old text. */
  original: string;
  /** The new text. */
  proposed: string;
  /** Language of both. */
  mimeType: string;
  /** Highlights them; null where the application has no registry. */
  languages: IEditorLanguageRegistry | null;
  /** What it is of, for those who cannot see it. */
  label: string;
  /** For the buttons. */
  trans: TranslationBundle;
  /** A decision on one hunk; null where single hunks cannot be decided. */
  onHunk: ((index: number, isAccepted: boolean) => void) | null;
}

/**
 * A read-only editor that shows two texts as one, apart from any cell.
 */
export function createDiffEditor(options: IDiffEditorOptions): EditorView {
  const { languages, mimeType, onHunk, trans } = options;
  const language = new Compartment();
  let view: EditorView | null = null;
  const control = (type: 'accept' | 'reject'): HTMLElement => {
    const isAccepted = type === 'accept';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = `jp-mle-HunkButton jp-mod-${type}`;
    button.textContent = isAccepted ? '✓' : '✕';
    const label = isAccepted
      ? trans.__('Accept this hunk')
      : trans.__('Reject this hunk');
    button.title = label;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', event => {
      event.preventDefault();
      if (view && onHunk) {
        onHunk(hunkAt(view, button), isAccepted);
      }
    });
    return button;
  };
  view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.proposed,
      extensions: [
        jupyterTheme,
        language.of([]),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': options.label,
          'aria-readonly': 'true',
          role: 'textbox',
          'aria-multiline': 'true'
        }),
        unifiedMergeView({
          original: options.original,
          collapseUnchanged: { margin: 3, minSize: 4 },
          diffConfig: DIFF_CONFIG,
          gutter: false,
          highlightChanges: options.original !== '' && options.proposed !== '',
          mergeControls: onHunk ? control : false
        })
      ]
    })
  });
  void loadLanguage(view, language, languages, mimeType);
  return view;
}

/**
 * Which of the shown hunks a button belongs to.
 */
function hunkAt(view: EditorView, button: HTMLElement): number {
  const at = view.posAtDOM(button);
  const chunks = getChunks(view.state)?.chunks ?? [];
  return chunks.findIndex(chunk => chunk.fromB <= at && at <= chunk.endB);
}

async function loadLanguage(
  view: EditorView,
  language: Compartment,
  languages: IEditorLanguageRegistry | null,
  mimeType: string
): Promise<void> {
  const spec = languages?.findByMIME(mimeType) ?? null;
  const loaded = spec && (await languages?.getLanguage(spec));
  if (loaded?.support && view.dom.isConnected) {
    view.dispatch({ effects: language.reconfigure(loaded.support) });
  }
}

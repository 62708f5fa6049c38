import { unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import {
  type IEditorLanguageRegistry,
  jupyterTheme
} from '@jupyterlab/codemirror';

import { DIFF_CONFIG } from './hunks';

/** Options of a diff's editor. */
export interface IDiffEditorOptions {
  /** Container of the editor. */
  parent: HTMLElement;
  /** The old text. */
  original: string;
  /** The new text. */
  proposed: string;
  /** Language of both. */
  mimeType: string;
  /** Highlights them; null if the application has no registry. */
  languages: IEditorLanguageRegistry | null;
  /** Text alternative. */
  label: string;
}

/**
 * Return a read-only editor that displays two texts as one, outside of any
 * cell.
 */
export function createDiffEditor(options: IDiffEditorOptions): EditorView {
  const { languages, mimeType } = options;
  const language = new Compartment();
  const view = new EditorView({
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
          mergeControls: false
        })
      ]
    })
  });
  void loadLanguage(view, language, languages, mimeType);
  return view;
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

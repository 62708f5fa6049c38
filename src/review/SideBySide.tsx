import { MergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import {
  type IEditorLanguageRegistry,
  jupyterTheme
} from '@jupyterlab/codemirror';
import * as React from 'react';

import { PanelContext, useTrans } from '../ui/context';
import { DIFF_CONFIG } from './hunks';

/** Properties of a comparison of two texts. */
export interface ISideBySideProps {
  /** The text on the left. */
  left: string;
  /** The text on the right. */
  right: string;
  /** Language of both. */
  mimeType: string;
  /** Text alternative. */
  label: string;
}

/**
 * Two texts side by side, their lines aligned. Created when it comes near the
 * view.
 */
export function SideBySide(props: ISideBySideProps): JSX.Element {
  const trans = useTrans();
  const { languages } = React.useContext(PanelContext);
  const host = React.useRef<HTMLDivElement>(null);
  const isNear = useNear(host);
  const { label, left, mimeType, right } = props;
  React.useEffect(() => {
    if (!host.current || !isNear) {
      return;
    }
    const language = new Compartment();
    const side = (doc: string, name: string) => ({
      doc,
      extensions: extensions(language, name)
    });
    const parent = host.current;
    const view = new MergeView({
      a: side(left, trans.__('%1, left', label)),
      b: side(right, trans.__('%1, right', label)),
      collapseUnchanged: { margin: 3, minSize: 4 },
      diffConfig: DIFF_CONFIG,
      gutter: false,
      highlightChanges: left !== '' && right !== ''
    });
    let isGone = false;
    // Insert the editors together, after all of them are created: creating an
    // editor forces a page layout, which costs nothing while the page is
    // unchanged.
    queueMicrotask(() => {
      if (!isGone) {
        parent.append(view.dom);
      }
    });
    void load(languages, mimeType).then(support => {
      if (support && !isGone) {
        for (const editor of [view.a, view.b]) {
          editor.dispatch({ effects: language.reconfigure(support) });
        }
      }
    });
    return () => {
      isGone = true;
      view.destroy();
    };
  }, [isNear, left, right, mimeType, languages, label, trans]);
  const lines = Math.max(left.split('\n').length, right.split('\n').length);
  return (
    <div
      ref={host}
      className="jp-mle-Diff jp-mle-SideBySide"
      style={isNear ? undefined : { minHeight: Math.min(lines, 12) * 18 }}
    />
  );
}

function extensions(language: Compartment, label: string): Extension[] {
  return [
    jupyterTheme,
    language.of([]),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': 'true',
      role: 'textbox',
      'aria-multiline': 'true'
    })
  ];
}

async function load(
  languages: IEditorLanguageRegistry | null,
  mimeType: string
): Promise<Extension | null> {
  const spec = languages?.findByMIME(mimeType) ?? null;
  const loaded = spec && (await languages?.getLanguage(spec));
  return loaded?.support ?? null;
}

/** Return whether an element has ever come near the view. */
function useNear(ref: React.RefObject<HTMLElement>): boolean {
  const [isNear, setNear] = React.useState(false);
  React.useEffect(() => {
    const node = ref.current;
    if (!node || isNear) {
      return;
    }
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) {
          setNear(true);
        }
      },
      { rootMargin: '200px 0px' }
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [isNear, ref]);
  return isNear;
}

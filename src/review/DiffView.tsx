import * as React from 'react';

import type { EditKind } from '../api/types';
import { PanelContext } from '../ui/context';
import { createDiffEditor } from './editor';

/** Properties of a diff. */
export interface IDiffViewProps {
  /** Text alternative. */
  label: string;
  /** The old text. */
  original: string;
  /** The new text. */
  proposed: string;
  /** Language of both. */
  mimeType: string;
  /** Kind of the edit: a new or a deleted cell has only one text. */
  kind: EditKind;
}

/** Two texts as one, with removed and added lines. */
export function DiffView(props: IDiffViewProps): JSX.Element {
  const { languages } = React.useContext(PanelContext);
  const host = React.useRef<HTMLDivElement>(null);
  const { label, mimeType, original, proposed } = props;
  React.useEffect(() => {
    if (!host.current) {
      return;
    }
    const view = createDiffEditor({
      parent: host.current,
      original,
      proposed,
      mimeType,
      languages,
      label
    });
    return () => view.destroy();
  }, [original, proposed, mimeType, languages, label]);
  return <div className={`jp-mle-Diff jp-mod-${props.kind}`} ref={host} />;
}

import * as React from 'react';

import type { EditKind } from '../api/types';
import { PanelContext } from '../ui/context';
import { createDiffEditor } from './editor';

/**
 * What a diff is made from.
 */
export interface IDiffViewProps {
  /** What it is of, for those who cannot see it. */
  label: string;
  /** The old text. */
  original: string;
  /** The new text. */
  proposed: string;
  /** Language of both. */
  mimeType: string;
  /** What happens to the cell: of a new or a deleted one there is only one text. */
  kind: EditKind;
}

/**
 * Two texts as one, with what goes and what comes.
 */
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

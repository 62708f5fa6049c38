import * as React from 'react';

import { useTrans, useValue } from '../ui/context';
import type { Modernization } from './modernization';

/** Properties of the link to a cell. */
export interface ICellLinkProps {
  /** The notebook's modernization. */
  model: Modernization;
  /** The cell, as the server names it. */
  cellId: string;
}

/**
 * The name of a cell; a click goes there.
 */
export function CellLink({ model, cellId }: ICellLinkProps): JSX.Element {
  const trans = useTrans();
  const place = useValue(model.documentChanged, () =>
    model.places.find(cellId)
  );
  const ordinal = useValue(model.documentChanged, () =>
    model.places.ordinal(cellId)
  );
  const label =
    ordinal === null ? trans.__('Cell') : trans.__('Cell %1', ordinal);
  if (place === null) {
    return (
      <span
        className="jp-mle-CellLink jp-mod-gone"
        title={trans.__('This cell is no longer in the notebook')}
      >
        {label}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="jp-mle-CellLink"
      title={trans.__('Show this cell in the notebook')}
      onClick={() => void model.document.reveal(place)}
    >
      {label}
    </button>
  );
}

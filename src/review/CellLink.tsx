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
 * The name of a cell: it marks the cell under the pointer, and a click goes
 * there.
 */
export function CellLink({ model, cellId }: ICellLinkProps): JSX.Element {
  const trans = useTrans();
  const place = useValue(model.documentChanged, () =>
    model.places.find(cellId)
  );
  const name = useValue(model.documentChanged, () => model.places.name(cellId));
  const { document } = model;
  const label = name === null ? trans.__('Cell') : trans.__('Cell %1', name);
  // A link that disappears under the pointer receives no further event.
  React.useEffect(() => () => document.point(null), [document]);
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
      onBlur={() => document.point(null)}
      onClick={() => void document.reveal(place)}
      onFocus={() => document.point(place)}
      onMouseEnter={() => document.point(place)}
      onMouseLeave={() => document.point(null)}
    >
      {label}
    </button>
  );
}

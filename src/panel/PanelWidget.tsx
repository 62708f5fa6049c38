import { ReactWidget } from '@jupyterlab/apputils';
import * as React from 'react';

import { modernizeIcon } from '../ui/icons';
import type { IModernizer } from '../tokens';
import { type IPanelContext, PanelContext } from '../ui/context';

/** Loaded when the panel is first seen. */
const Panel = React.lazy(async () => ({
  default: (await import('./Panel')).Panel
}));

/**
 * The panel as a widget for the right-hand area.
 */
export class PanelWidget extends ReactWidget {
  constructor(
    private readonly _modernizer: IModernizer,
    private readonly _context: IPanelContext
  ) {
    super();
    const { trans } = this._context;
    this.id = 'mle-modernizer-panel';
    this.addClass('jp-mle-Panel');
    this.title.icon = modernizeIcon;
    this.title.caption = trans.__('MLE Modernizer');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', trans.__('MLE Modernizer'));
  }

  protected override render(): JSX.Element {
    return (
      <PanelContext.Provider value={this._context}>
        <React.Suspense fallback={null}>
          <Panel modernizer={this._modernizer} />
        </React.Suspense>
      </PanelContext.Provider>
    );
  }
}

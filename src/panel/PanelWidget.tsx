import { ReactWidget } from '@jupyterlab/apputils';
import type { IStateDB } from '@jupyterlab/statedb';
import type { Message } from '@lumino/messaging';
import { SplitPanel, type Widget } from '@lumino/widgets';
import * as React from 'react';

import { type IPanelContext, PanelContext } from '../ui/context';
import { modernizeIcon } from '../ui/icons';
import type { IModernizer } from '../tokens';

/** Pixels the panel takes when it is opened for the first time. */
const FIRST_WIDTH = 400;

/** Maximum share of the window that it takes automatically. */
const MOST = 0.4;

const WIDTH_KEY = 'mle-modernizer:panel-was-sized';

/** Loaded when the panel first becomes visible. */
const Panel = React.lazy(async () => ({
  default: (await import('./Panel')).Panel
}));

/** Options of the panel's widget. */
export interface IPanelWidgetOptions {
  /** The modernizations of the open notebooks. */
  modernizer: IModernizer;
  /** Services of the application for components. */
  context: IPanelContext;
  /** Stores that the panel was opened before; null if nothing can be stored. */
  state: IStateDB | null;
}

/**
 * The panel as a widget for the right-hand area.
 */
export class PanelWidget extends ReactWidget {
  constructor(private readonly _options: IPanelWidgetOptions) {
    super();
    const { trans } = this._options.context;
    this.id = 'mle-modernizer-panel';
    this.addClass('jp-mle-Panel');
    this.addClass('jp-mle-mod-keys');
    this.title.icon = modernizeIcon;
    this.title.caption = trans.__('MLE Modernizer');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', trans.__('MLE Modernizer'));
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    void this._size();
  }

  protected override render(): JSX.Element {
    const { context, modernizer } = this._options;
    return (
      <PanelContext.Provider value={context}>
        <React.Suspense fallback={null}>
          <Panel modernizer={modernizer} />
        </React.Suspense>
      </PanelContext.Provider>
    );
  }

  /**
   * Widen the panel when it is first visible; later the user's width applies.
   */
  private async _size(): Promise<void> {
    if (this._isSized) {
      return;
    }
    this._isSized = true;
    const { state } = this._options;
    if ((await state?.fetch(WIDTH_KEY)) === true) {
      return;
    }
    await state?.save(WIDTH_KEY, true);
    // The area has its size once the browser has laid it out.
    window.requestAnimationFrame(() => widen(this, FIRST_WIDTH));
  }

  private _isSized = false;
}

/**
 * Widen the area of the application that a widget is in, at the cost of the
 * widest other area.
 */
export function widen(widget: Widget, pixels: number): void {
  let area = widget;
  let split = widget.parent;
  while (
    split &&
    !(split instanceof SplitPanel && split.orientation === 'horizontal')
  ) {
    area = split;
    split = split.parent;
  }
  if (!(split instanceof SplitPanel)) {
    return;
  }
  const space = split.widgets.reduce(
    (sum, { isHidden, node }) => sum + (isHidden ? 0 : node.offsetWidth),
    0
  );
  const sizes = split.relativeSizes();
  const index = split.widgets.indexOf(area);
  const widest = sizes.indexOf(Math.max(...sizes));
  const wanted = Math.min(pixels, space * MOST);
  const missing = Math.ceil(wanted - widget.node.offsetWidth) / space;
  if (missing > 0 && widest !== index && Number.isFinite(missing)) {
    sizes[index] += missing;
    sizes[widest] -= missing;
    split.setRelativeSizes(sizes);
  }
}

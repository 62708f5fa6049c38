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

/** Maximum share of the window that it takes. */
const MOST = 0.4;

/** Pixels the notebook needs; if it has less, the left area is folded. */
const LEAST_MAIN = 480;

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
  /** Folds the left area of the application. */
  foldLeft: () => void;
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
    void this._size().then(() => {
      // The area has its size once the browser has laid it out.
      window.requestAnimationFrame(() => {
        if (!this.isDisposed && mainWidth(this) < LEAST_MAIN) {
          this._options.foldLeft();
        }
      });
    });
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    window.requestAnimationFrame(() => {
      if (!this.isDisposed && this.isVisible) {
        narrow(this);
      }
    });
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
    window.requestAnimationFrame(() => widen(this, FIRST_WIDTH));
  }

  private _isSized = false;
}

/** The areas of the application beside each other, and the one of a widget. */
interface IAreas {
  split: SplitPanel;
  /** Index of the widget's area. */
  index: number;
  /** Pixels of all areas that are not hidden. */
  space: number;
}

function areasOf(widget: Widget): IAreas | null {
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
    return null;
  }
  const space = split.widgets.reduce(
    (sum, { isHidden, node }) => sum + (isHidden ? 0 : node.offsetWidth),
    0
  );
  return { split, index: split.widgets.indexOf(area), space };
}

/**
 * Widen the area of the application that a widget is in, at the cost of the
 * widest other area.
 */
export function widen(widget: Widget, pixels: number): void {
  const areas = areasOf(widget);
  if (areas) {
    const wanted = Math.min(pixels, window.innerWidth * MOST);
    resize(areas, Math.max(0, wanted - widget.node.offsetWidth));
  }
}

/** Narrow the widget's area to its maximum share of the window. */
export function narrow(widget: Widget): void {
  const areas = areasOf(widget);
  if (areas) {
    const most = Math.floor(window.innerWidth * MOST);
    resize(areas, Math.min(0, most - widget.node.offsetWidth));
  }
}

/** Give an area more pixels, or fewer, at the cost of the widest other one. */
function resize({ index, space, split }: IAreas, pixels: number): void {
  const sizes = split.relativeSizes();
  const others = sizes.map((size, at) => (at === index ? -1 : size));
  const widest = others.indexOf(Math.max(...others));
  const share = pixels / space;
  if (share !== 0 && Number.isFinite(share) && widest >= 0) {
    sizes[index] += share;
    sizes[widest] -= share;
    split.setRelativeSizes(sizes);
  }
}

/** Return the pixels of the widest area beside the widget's. */
function mainWidth(widget: Widget): number {
  const areas = areasOf(widget);
  const widths = areas?.split.widgets.map(({ isHidden, node }, at) =>
    isHidden || at === areas.index ? 0 : node.offsetWidth
  );
  return widths ? Math.max(...widths) : Infinity;
}

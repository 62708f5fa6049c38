import { ReactWidget } from '@jupyterlab/apputils';
import type { IStateDB } from '@jupyterlab/statedb';
import type { Message } from '@lumino/messaging';
import type { Widget } from '@lumino/widgets';
import * as React from 'react';

import { type IPanelContext, PanelContext } from '../ui/context';
import { modernizeIcon } from '../ui/icons';
import type { IModernizer } from '../tokens';
import type * as Areas from './areas';

/** Pixels the panel takes when it is opened for the first time. */
const FIRST_WIDTH = 400;

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
  /** The areas of the application. */
  shell: Areas.Shell;
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
    void this._size().then(() =>
      this._laidOut(areas => areas.makeRoom(this, this._options.shell))
    );
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    void this._laidOut(areas => areas.narrow(this));
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
    await this._laidOut(areas => areas.widen(this, FIRST_WIDTH));
  }

  /** Change the areas once the browser has laid them out. */
  private async _laidOut(change: (areas: typeof Areas) => void): Promise<void> {
    const areas = await import('./areas');
    window.requestAnimationFrame(() => {
      if (!this.isDisposed && this.isVisible) {
        change(areas);
      }
    });
  }

  private _isSized = false;
}

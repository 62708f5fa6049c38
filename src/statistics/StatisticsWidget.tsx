import { ReactWidget } from '@jupyterlab/apputils';
import * as React from 'react';

import { modernizeIcon } from '../ui/icons';
import { type IPanelContext, PanelContext } from '../ui/context';
import { StatisticsPage } from './StatisticsPage';

/**
 * The statistics of all sessions as a widget for the main area.
 */
export class StatisticsWidget extends ReactWidget {
  constructor(private readonly _context: IPanelContext) {
    super();
    const { trans } = this._context;
    this.id = 'mle-modernizer-statistics';
    this.addClass('jp-mle-WideReview');
    this.title.icon = modernizeIcon;
    this.title.label = trans.__('Modernization statistics');
    this.title.closable = true;
  }

  protected override render(): JSX.Element {
    return (
      <PanelContext.Provider value={this._context}>
        <StatisticsPage />
      </PanelContext.Provider>
    );
  }
}

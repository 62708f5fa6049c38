import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import * as React from 'react';

import type { ModernizerClient } from '../api/client';
import { CommandIDs } from '../commandIds';
import { modernizeIcon } from '../ui/icons';
import { tabOpener } from '../ui/tabs';
import { IModernizerClient } from '../tokens';

/**
 * The statistics of all sessions in a tab.
 */
export const statistics: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:statistics',
  description: 'Shows what fixes led to and what they cost, over all sessions.',
  autoStart: true,
  requires: [IModernizerClient],
  optional: [ITranslator, ILayoutRestorer],
  activate: (
    app: JupyterFrontEnd,
    client: ModernizerClient,
    translator: ITranslator | null,
    restorer: ILayoutRestorer | null
  ): void => {
    const trans = (translator ?? nullTranslator).load('mle_modernizer_server');
    const show = tabOpener(app, restorer, {
      namespace: 'mle-modernizer-statistics',
      command: CommandIDs.openStatistics,
      context: { client, trans },
      make: async () => {
        const { StatisticsPage } = await import('./StatisticsPage');
        return {
          label: trans.__('Modernization statistics'),
          page: React.createElement(StatisticsPage)
        };
      }
    });
    app.commands.addCommand(CommandIDs.openStatistics, {
      label: args =>
        args.isPalette === true
          ? trans.__('Statistics')
          : trans.__('Modernization Statistics'),
      caption: trans.__('Show what fixes led to and what they cost'),
      icon: modernizeIcon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => show()
    });
  }
};

import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

import type { ModernizerClient } from '../api/client';
import { CommandIDs } from '../commandIds';
import { modernizeIcon } from '../ui/icons';
import type { StatisticsWidget } from './StatisticsPage';
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
    const tracker = new WidgetTracker<MainAreaWidget<StatisticsWidget>>({
      namespace: 'mle-modernizer-statistics'
    });
    const openTab = async () => {
      const lazy = await import('./StatisticsPage');
      const content = new lazy.StatisticsWidget({
        client,
        execute: (command, args) => void app.commands.execute(command, args),
        languages: null,
        trans
      });
      const tab = new MainAreaWidget({ content });
      await tracker.add(tab);
      app.shell.add(tab, 'main');
      return tab;
    };
    app.commands.addCommand(CommandIDs.openStatistics, {
      label: args =>
        args.isPalette === true
          ? trans.__('Statistics')
          : trans.__('Modernization Statistics'),
      caption: trans.__('Show what fixes led to and what they cost'),
      icon: modernizeIcon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: async () => {
        const tab = tracker.currentWidget ?? (await openTab());
        app.shell.activateById(tab.id);
      }
    });
    if (restorer) {
      void restorer.restore(tracker, {
        command: CommandIDs.openStatistics,
        name: () => 'mle-modernizer-statistics'
      });
    }
  }
};

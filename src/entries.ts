import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { MainAreaWidget } from '@jupyterlab/apputils';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { IFileBrowserFactory } from '@jupyterlab/filebrowser';
import { ILauncher } from '@jupyterlab/launcher';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

import { CommandIDs } from './commandIds';
import type { ModernizerClient } from './api/client';
import { IModernizerClient } from './tokens';
import { modernizeIcon } from './ui/icons';

/**
 * Entry points without an open notebook: a card of the launcher and the guide.
 */
export const entries: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:entries',
  description: 'Offers the product in the launcher, and its guide under Help.',
  autoStart: true,
  requires: [IModernizerClient],
  optional: [ILauncher, IDocumentManager, ITranslator, IFileBrowserFactory],
  activate: (
    app: JupyterFrontEnd,
    client: ModernizerClient,
    launcher: ILauncher | null,
    documents: IDocumentManager | null,
    translator: ITranslator | null,
    factory: IFileBrowserFactory | null
  ): void => {
    const { commands, shell } = app;
    const trans = (translator ?? nullTranslator).load('mle_modernizer_server');
    let guide: MainAreaWidget | null = null;
    if (documents) {
      commands.addCommand(CommandIDs.chooseNotebook, {
        label: trans.__('Modernize a Notebook…'),
        caption: trans.__(
          'Select an old notebook, open it, and see what will break'
        ),
        icon: modernizeIcon,
        describedBy: { args: { type: 'object', properties: {} } },
        execute: async () => {
          const { FileDialog } = await import('@jupyterlab/filebrowser');
          const { value } = await FileDialog.getOpenFiles({
            manager: documents,
            title: trans.__('Choose a notebook'),
            filter: model => (model.type === 'notebook' ? {} : null)
          });
          const path = value?.[0]?.path;
          if (path !== undefined) {
            await commands.execute('docmanager:open', {
              path,
              factory: 'Notebook'
            });
            await commands.execute(CommandIDs.openPanel);
          }
        }
      });
      commands.addCommand(CommandIDs.modernizeFile, {
        label: trans.__('Modernize'),
        caption: trans.__('Open this notebook, and see what will break'),
        icon: modernizeIcon,
        describedBy: { args: { type: 'object', properties: {} } },
        execute: async () => {
          const items = factory?.tracker.currentWidget?.selectedItems() ?? [];
          for (const { path, type } of items) {
            if (type === 'notebook') {
              await commands.execute('docmanager:open', {
                path,
                factory: 'Notebook'
              });
              await commands.execute(CommandIDs.openPanel);
            }
          }
        }
      });
      commands.addCommand(CommandIDs.newFromTask, {
        label: trans.__('New Notebook from a Task…'),
        caption: trans.__(
          'Draft a first notebook for a competition: it loads and explores the data, fits a model and writes a submission'
        ),
        icon: modernizeIcon,
        describedBy: {
          args: {
            type: 'object',
            properties: {
              cwd: { type: 'string', description: 'The folder it is made in' },
              competition: {
                type: 'string',
                description: 'The task; asked for where it is left out'
              }
            }
          }
        },
        execute: async args => {
          const { newFromTask } = await import('./draft');
          const path = await newFromTask({
            client,
            contents: documents.services.contents,
            folder: typeof args.cwd === 'string' ? args.cwd : '',
            competition:
              typeof args.competition === 'string' ? args.competition : null,
            trans
          });
          if (path !== null) {
            await commands.execute('docmanager:open', {
              path,
              factory: 'Notebook'
            });
            await commands.execute(CommandIDs.openPanel);
          }
        }
      });
      for (const command of [
        CommandIDs.chooseNotebook,
        CommandIDs.newFromTask
      ]) {
        launcher?.add({ command, category: trans.__('Other'), rank: 99 });
      }
    }
    commands.addCommand(CommandIDs.openGuide, {
      label: args =>
        args.isPalette === true
          ? trans.__('Guide')
          : trans.__('MLE Modernizer Guide'),
      caption: trans.__('How to make an old notebook run again'),
      icon: modernizeIcon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: async () => {
        if (!guide || guide.isDisposed) {
          const { GuideWidget } = await import('./panel/Guide');
          guide = new MainAreaWidget({ content: new GuideWidget(trans) });
          guide.id = 'mle-modernizer-guide-tab';
          shell.add(guide, 'main');
        }
        shell.activateById(guide.id);
      }
    });
  }
};

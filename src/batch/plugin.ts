import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { IFileBrowserFactory } from '@jupyterlab/filebrowser';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import * as React from 'react';

import type { ModernizerClient } from '../api/client';
import { CommandIDs } from '../commandIds';
import { IModernizerClient } from '../tokens';
import { modernizeIcon } from '../ui/icons';
import { tabOpener } from '../ui/tabs';

/** Batches in tabs: from a batch's folder to the review of its proposals. */
export const batch: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:batch',
  description:
    'Shows a batch of notebooks and opens what it proposes for review.',
  autoStart: true,
  requires: [IModernizerClient],
  optional: [
    IFileBrowserFactory,
    IDocumentManager,
    ITranslator,
    ILayoutRestorer
  ],
  activate: (
    app: JupyterFrontEnd,
    client: ModernizerClient,
    factory: IFileBrowserFactory | null,
    documents: IDocumentManager | null,
    translator: ITranslator | null,
    restorer: ILayoutRestorer | null
  ): void => {
    const { commands } = app;
    const trans = (translator ?? nullTranslator).load('mle_modernizer_server');
    const open = async (file: string) => {
      await commands.execute('docmanager:open', { path: file });
      await commands.execute(CommandIDs.openPanel);
    };
    const show = tabOpener(app, restorer, {
      namespace: 'mle-modernizer-batch',
      command: CommandIDs.openBatch,
      context: { client, trans },
      make: async path => {
        const { BatchPage } = await import('./BatchPage');
        return {
          page: React.createElement(BatchPage, {
            path,
            client,
            contents: app.serviceManager.contents,
            open
          })
        };
      }
    });
    /**
     * Return the folder selected in the file browser; null unless exactly one
     * is.
     */
    const selected = (): string | null => {
      const items = [
        ...(factory?.tracker.currentWidget?.selectedItems() ?? [])
      ];
      return items.length === 1 && items[0].type === 'directory'
        ? items[0].path
        : null;
    };
    const ask = async (): Promise<string | null> => {
      if (!documents) {
        return null;
      }
      const { FileDialog } = await import('@jupyterlab/filebrowser');
      const { value } = await FileDialog.getExistingDirectory({
        manager: documents,
        title: trans.__('Choose the folder of a batch')
      });
      return value?.[0]?.path ?? null;
    };
    commands.addCommand(CommandIDs.openBatch, {
      label: args =>
        args.isPalette === true
          ? trans.__('Open a Batch…')
          : trans.__('Open as a Batch of Notebooks'),
      caption: trans.__(
        'Show the progress of a batch of notebooks, and review what it proposes'
      ),
      icon: modernizeIcon,
      describedBy: {
        args: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'The batch’s folder' }
          }
        }
      },
      execute: async args => {
        const path =
          typeof args.path === 'string'
            ? args.path
            : args.isPalette === true
              ? await ask()
              : (selected() ?? (await ask()));
        if (path !== null) {
          await show(path);
        }
      }
    });
  }
};

import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IFileBrowserFactory } from '@jupyterlab/filebrowser';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import * as React from 'react';

import type { ModernizerClient } from '../api/client';
import { CommandIDs } from '../commandIds';
import { IModernizerClient } from '../tokens';
import { modernizeIcon } from '../ui/icons';
import { tabOpener } from '../ui/tabs';

/** File names of papers. */
const PAPER = /\.(?:pdf|tex|ltx|tar\.gz|tgz)$/i;

/**
 * Papers in tabs: from the file browser to a notebook that does their experiments again.
 */
export const paper: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:paper',
  description: 'Reads a paper and makes the notebook to reproduce it.',
  autoStart: true,
  requires: [IModernizerClient],
  optional: [IFileBrowserFactory, ITranslator, ILayoutRestorer],
  activate: (
    app: JupyterFrontEnd,
    client: ModernizerClient,
    factory: IFileBrowserFactory | null,
    translator: ITranslator | null,
    restorer: ILayoutRestorer | null
  ): void => {
    const { commands } = app;
    const trans = (translator ?? nullTranslator).load('mle_modernizer_server');
    const open = (made: string) =>
      void commands.execute('docmanager:open', {
        path: made,
        factory: 'Notebook'
      });
    const show = tabOpener(app, restorer, {
      namespace: 'mle-modernizer-paper',
      command: CommandIDs.reproducePaper,
      context: { client, trans },
      make: async path => {
        const { PaperPage } = await import('./PaperPage');
        return {
          page: React.createElement(PaperPage, { path, client, open })
        };
      }
    });
    /**
     * Return the paper selected in the file browser; null unless exactly one
     * is.
     */
    const selected = (): string | null => {
      const items = [
        ...(factory?.tracker.currentWidget?.selectedItems() ?? [])
      ];
      const [item] = items;
      return items.length === 1 && item && PAPER.test(item.path)
        ? item.path
        : null;
    };
    commands.addCommand(CommandIDs.reproducePaper, {
      label: trans.__('Reproduce This Paper'),
      caption: trans.__(
        'Read what a paper claims, and make a notebook that repeats its experiment'
      ),
      icon: modernizeIcon,
      describedBy: {
        args: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'The paper’s file' }
          }
        }
      },
      isVisible: ({ path }) => path !== undefined || selected() !== null,
      isEnabled: ({ path }) => path !== undefined || selected() !== null,
      execute: async args => {
        const path = typeof args.path === 'string' ? args.path : selected();
        if (path !== null) {
          await show(path);
        }
      }
    });
  }
};

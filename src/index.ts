import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { INotebookTracker } from '@jupyterlab/notebook';
import type { ServerConnection } from '@jupyterlab/services';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStateDB } from '@jupyterlab/statedb';
import {
  ITranslator,
  nullTranslator,
  type TranslationBundle
} from '@jupyterlab/translation';
import * as React from 'react';

import { ModernizerClient } from './api/client';
import { SessionHints } from './api/hints';
import type { Session } from './api/types';
import { CommandIDs, commandLabel } from './commandIds';
import { addCommands } from './commands';
import { batch } from './batch/plugin';
import type { IPanelContext } from './ui/context';
import { tabOpener } from './ui/tabs';
import { PanelWidget } from './panel/PanelWidget';
import { entries } from './entries';
import { Greeter } from './greeter';
import { Modernizer } from './modernizer';
import type { Modernization } from './review/modernization';
import { paper } from './paper/plugin';
import { statistics } from './statistics/plugin';
import { IModernizer, IModernizerClient } from './tokens';

export { IModernizer, IModernizerClient } from './tokens';

const DOMAIN = 'mle_modernizer_server';
const SETTINGS = 'mle-modernizer:plugin';

/** Between JupyterLab's own panels and the end of the range for extensions. */
const PANEL_RANK = 600;

/**
 * The server part's routes.
 */
const client: JupyterFrontEndPlugin<ModernizerClient> = {
  id: 'mle-modernizer:client',
  description: 'Speaks with the server part.',
  autoStart: true,
  optional: [ITranslator],
  provides: IModernizerClient,
  activate: (
    app: JupyterFrontEnd,
    translator: ITranslator | null
  ): ModernizerClient =>
    makeClient(app.serviceManager.serverSettings, loadTrans(translator))
};

function makeClient(
  settings: ServerConnection.ISettings,
  trans: TranslationBundle
): ModernizerClient {
  return new ModernizerClient(settings, trans, async reason => {
    const { messagesText } = await import('./words/message');
    return messagesText(reason, trans);
  });
}

/**
 * The modernizations and the commands that work on them.
 */
const plugin: JupyterFrontEndPlugin<IModernizer> = {
  id: 'mle-modernizer:plugin',
  description:
    'Gives every open notebook its modernization, and the commands that work on it.',
  autoStart: true,
  requires: [INotebookTracker, IModernizerClient],
  optional: [ISettingRegistry, ITranslator, ICommandPalette],
  provides: IModernizer,
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    client: ModernizerClient,
    registry: ISettingRegistry | null,
    translator: ITranslator | null,
    palette: ICommandPalette | null
  ): IModernizer => {
    const trans = loadTrans(translator);
    const { events } = app.serviceManager;
    const modernizer = new Modernizer({
      client,
      hints: new SessionHints(events),
      tracker,
      trans
    });
    addCommands({ app, client, modernizer, trans });
    const ids = Object.values(CommandIDs);
    // A selected file is needed for one: it is in the file browser's menu.
    for (const command of ids.filter(id => id !== CommandIDs.modernizeFile)) {
      palette?.addItem({
        command,
        category: trans.__('MLE Modernizer'),
        args: { isPalette: true }
      });
    }
    // Redraw buttons and menus only if the availability of a command changes.
    let known = '';
    const refresh = () => {
      const able = ids.map(id =>
        app.commands.hasCommand(id)
          ? `${app.commands.isEnabled(id)}${app.commands.isVisible(id)}`
          : ''
      );
      if (able.join() === known) {
        return;
      }
      known = able.join();
      ids
        .filter(id => app.commands.hasCommand(id))
        .forEach(id => app.commands.notifyCommandChanged(id));
    };
    modernizer.changed.connect(refresh);
    modernizer.added.connect((_, model) => {
      model.sessionChanged.connect(refresh);
      model.busyChanged.connect(refresh);
      model.review.changed.connect(refresh);
    });
    const settings = registry?.load(SETTINGS) ?? Promise.resolve(null);
    settings
      .catch(error => {
        console.warn('The settings of MLE Modernizer cannot be read', error);
        return null;
      })
      .then(loaded => modernizer.start(loaded))
      .catch(error => {
        console.error('MLE Modernizer cannot start', error);
      });
    return modernizer;
  }
};

/** The panel next to the notebook. */
const panel: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:panel',
  description:
    'Shows the modernization of the active notebook in the right sidebar.',
  autoStart: true,
  requires: [IModernizer, IModernizerClient],
  optional: [IEditorLanguageRegistry, ITranslator, ILayoutRestorer, IStateDB],
  activate: (
    app: JupyterFrontEnd,
    modernizer: IModernizer,
    client: ModernizerClient,
    languages: IEditorLanguageRegistry | null,
    translator: ITranslator | null,
    restorer: ILayoutRestorer | null,
    state: IStateDB | null
  ): void => {
    const trans = loadTrans(translator);
    const widget = new PanelWidget({
      modernizer,
      context: panelContext(app, modernizer, client, languages, trans),
      shell: app.shell,
      state
    });
    app.shell.add(widget, 'right', {
      rank: PANEL_RANK,
      type: 'MLE Modernizer'
    });
    restorer?.add(widget, widget.id);
    const show = (): void => {
      // Notebook closes a side panel that is activated while it is open.
      if (widget.isVisible) {
        widget.activate();
      } else {
        app.shell.activateById(widget.id);
      }
    };
    // Until then Notebook folds its sides: an earlier panel would be closed
    // again.
    const open = async (): Promise<void> => {
      await app.restored;
      show();
    };
    app.commands.addCommand(CommandIDs.openPanel, {
      label: args =>
        args.isPalette === true
          ? trans.__('Show the Panel')
          : trans.__('MLE Modernizer'),
      caption: trans.__('Show the panel of MLE Modernizer'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => open()
    });
    const tell = async (model: Modernization, session: Session) => {
      const { standLabel } = await import('./words/labels');
      const { messagesText } = await import('./words/message');
      Notification.info(
        trans.__(
          '%1: %2. %3',
          model.document.path,
          standLabel(session, trans),
          messagesText(session.message, trans, model.places.namesIn(session))
        ),
        {
          autoClose: 8000,
          actions: [
            {
              label: trans.__('Show'),
              callback: show
            }
          ]
        }
      );
    };
    const greeter = new Greeter(modernizer, state, () => void open());
    modernizer.added.connect((_, model) => {
      greeter.watch(model);
      model.rested.connect((_, session) => {
        if (!widget.isVisible && modernizer.preferences.notify) {
          void tell(model, session);
        }
      });
    });
  }
};

/**
 * The review in a tab.
 */
const review: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:review',
  description: 'Shows the proposal under review in a tab, for wide code.',
  autoStart: true,
  requires: [IModernizer, IModernizerClient],
  optional: [IEditorLanguageRegistry, ITranslator, ILayoutRestorer],
  activate: (
    app: JupyterFrontEnd,
    modernizer: IModernizer,
    client: ModernizerClient,
    languages: IEditorLanguageRegistry | null,
    translator: ITranslator | null,
    restorer: ILayoutRestorer | null
  ): void => {
    const trans = loadTrans(translator);
    const show = tabOpener(app, restorer, {
      namespace: 'mle-modernizer-review',
      command: CommandIDs.openReview,
      context: panelContext(app, modernizer, client, languages, trans),
      make: async () => {
        const { WideReview } = await import('./review/WideReview');
        return {
          label: trans.__('Review of changes'),
          page: React.createElement(WideReview, { modernizer }),
          className: 'jp-mle-mod-keys'
        };
      }
    });
    app.commands.addCommand(CommandIDs.openReview, {
      label: commandLabel(trans.__('Open the Review'), trans),
      caption: trans.__('Show the changes in a tab beside the notebook'),
      describedBy: { args: { type: 'object', properties: {} } },
      isEnabled: () => modernizer.hasNotebook,
      execute: () => show()
    });
  }
};

/**
 * The marks on cells.
 */
const marks: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:cell-marks',
  description:
    'Marks the cells of a notebook that failed, that run, and that a proposal changes.',
  autoStart: true,
  requires: [IModernizer],
  optional: [ITranslator],
  activate: (
    _: JupyterFrontEnd,
    modernizer: IModernizer,
    translator: ITranslator | null
  ): void => {
    modernizer.added.connect(async (_, model) => {
      const { CellMarks } = await import('./review/CellMarks');
      const { RunningCell } = await import('./review/RunningCell');
      const notebook = modernizer.panelOf(model);
      if (notebook) {
        const cellMarks = new CellMarks(
          notebook,
          model,
          modernizer,
          loadTrans(translator)
        );
        const running = new RunningCell(notebook, model);
        notebook.disposed.connect(() => {
          cellMarks.dispose();
          running.dispose();
        });
      }
    });
  }
};

/**
 * The review in the notebook's cells.
 */
const cells: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:cell-review',
  description:
    'Shows the proposal under review in the cells of the notebook, with the decision on each change.',
  autoStart: true,
  requires: [IModernizer, IModernizerClient],
  optional: [IEditorLanguageRegistry, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    modernizer: IModernizer,
    client: ModernizerClient,
    languages: IEditorLanguageRegistry | null,
    translator: ITranslator | null
  ): void => {
    const context = panelContext(
      app,
      modernizer,
      client,
      languages,
      loadTrans(translator)
    );
    modernizer.added.connect((_, model) => {
      const notebook = modernizer.panelOf(model);
      if (!notebook) {
        return;
      }
      void import('./review/cells/NotebookReview').then(
        ({ NotebookReview }) => {
          if (!notebook.isDisposed) {
            const shown = new NotebookReview(
              notebook,
              model,
              modernizer,
              context
            );
            notebook.disposed.connect(() => shown.dispose());
          }
        }
      );
    });
  }
};

function loadTrans(translator: ITranslator | null): TranslationBundle {
  return (translator ?? nullTranslator).load(DOMAIN);
}

function panelContext(
  app: JupyterFrontEnd,
  modernizer: IModernizer,
  client: ModernizerClient,
  languages: IEditorLanguageRegistry | null,
  trans: TranslationBundle
): IPanelContext {
  return {
    client,
    languages,
    trans,
    showsInCells: () => modernizer.preferences.reviewInCells,
    execute: (command, args) => {
      void app.commands.execute(command, args);
    }
  };
}

export default [
  client,
  plugin,
  panel,
  review,
  marks,
  cells,
  paper,
  batch,
  statistics,
  entries
];

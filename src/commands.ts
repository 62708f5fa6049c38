import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import type * as nbformat from '@jupyterlab/nbformat';
import type { TranslationBundle } from '@jupyterlab/translation';
import {
  checkIcon,
  closeIcon,
  copyIcon,
  downloadIcon,
  type LabIcon,
  runIcon,
  settingsIcon,
  stopIcon,
  undoIcon
} from '@jupyterlab/ui-components';
import type {
  ReadonlyJSONObject,
  ReadonlyPartialJSONObject
} from '@lumino/coreutils';
import { DisposableSet, type IDisposable } from '@lumino/disposable';

import type { ModernizerClient, ReportFormat } from './api/client';
import { CommandIDs, commandLabel } from './commandIds';
import type { IFinishOptions } from './finish/finish';
import { addSentCommands } from './exchange/commands';
import { download } from './ui/download';
import { modernizeIcon } from './ui/icons';
import { currentIteration } from './session/reading';
import type { Modernization } from './review/modernization';
import { freePath, withSources } from './session/document/copy';
import type { IModernizer } from './tokens';

/** Options of the commands. */
export interface ICommandOptions {
  /** The application. */
  app: JupyterFrontEnd;
  /** The modernizations of the open notebooks. */
  modernizer: IModernizer;
  /** The server part's routes. */
  client: ModernizerClient;
  /** For labels and captions. */
  trans: TranslationBundle;
}

/**
 * A command on a notebook: the active one, or the one its argument names.
 */
interface INotebookCommand {
  /** Its name, without that of the product. */
  label: string;
  /** Description of the command. */
  caption: string;
  /** Its sign. */
  icon?: LabIcon;
  /** Its arguments in addition to the notebook's path. */
  properties?: ReadonlyJSONObject;
  /** Whether it is offered; always if omitted. */
  isVisible?: (model: Modernization | null) => boolean;
  /** Whether it can be executed. */
  isEnabled: (model: Modernization) => boolean;
  /** Carries it out. */
  execute: (
    model: Modernization,
    args: ReadonlyPartialJSONObject
  ) => Promise<unknown> | void;
}

/** Loaded when a notebook is finished. */
type FinishModule = typeof import('./finish/finish');

/** Register every command on a notebook. */
export function addCommands(options: ICommandOptions): IDisposable {
  const { app, client, modernizer, trans } = options;
  const added = new DisposableSet();
  const add = (id: string, command: INotebookCommand) => {
    const { caption, icon, isEnabled, isVisible, label } = command;
    const find = ({ path }: ReadonlyPartialJSONObject) =>
      typeof path === 'string' ? modernizer.find(path) : modernizer.current;
    added.add(
      app.commands.addCommand(id, {
        label: commandLabel(label, trans),
        caption,
        icon,
        describedBy: {
          args: {
            type: 'object',
            properties: { ...PATH(trans), ...command.properties }
          }
        },
        isVisible: isVisible && (args => isVisible(find(args))),
        isEnabled: args => {
          const model = find(args);
          // A notebook that is not open yet is opened first.
          return model ? isEnabled(model) : typeof args.path === 'string';
        },
        execute: async args => {
          const model = find(args) ?? (await open(options, args));
          if (model && isEnabled(model)) {
            await command.execute(model, args);
          }
        }
      })
    );
  };
  const isIdle = (model: Modernization) => !model.isWorking && !model.isBusy;
  // Also while a request is under way: keys that are pressed quickly all count.
  const hasReview = ({ review }: Modernization) =>
    review.isEnabled && review.undecided.length > 0;
  const hasEdits = (model: Modernization) => model.review.edits.length > 0;
  const hasRun = ({ session }: Modernization) =>
    session !== null && session.iterations.length > 0;
  const run = async (begin: () => Promise<void>): Promise<void> => {
    if (
      modernizer.preferences.openPanel &&
      app.commands.hasCommand(CommandIDs.openPanel)
    ) {
      await app.commands.execute(CommandIDs.openPanel);
    }
    await begin();
  };

  add(CommandIDs.modernize, {
    label: trans.__('Modernize'),
    caption: trans.__(
      'Run this notebook in a sandbox, see what broke, and get fixes to review'
    ),
    icon: modernizeIcon,
    isVisible: model => model?.isPython ?? true,
    isEnabled: model => isIdle(model) && model.isPython,
    execute: model => run(() => model.actions.modernize())
  });
  add(CommandIDs.runAgain, {
    label: trans.__('Run Again'),
    caption: trans.__('Run the notebook as it is now in a sandbox'),
    icon: runIcon,
    isEnabled: model => isIdle(model) && hasRun(model),
    execute: model => run(() => model.actions.run())
  });
  add(CommandIDs.cancel, {
    label: trans.__('Cancel'),
    caption: trans.__('Stop the work; the notebook stays as it is'),
    icon: stopIcon,
    isEnabled: model => model.isWorking,
    execute: model => model.actions.cancel()
  });
  add(CommandIDs.proposeFix, {
    label: trans.__('Propose a Fix'),
    caption: trans.__('Ask for a fix of the latest run'),
    isEnabled: model =>
      isIdle(model) &&
      model.session !== null &&
      Boolean(currentIteration(model.session)?.diagnosis),
    execute: model => model.actions.proposeFix()
  });
  add(CommandIDs.acceptEdit, {
    label: trans.__('Accept Change'),
    caption: trans.__('Put the current change into the notebook'),
    icon: checkIcon,
    isEnabled: hasReview,
    execute: ({ review }) => review.decideCurrent('accepted')
  });
  add(CommandIDs.rejectEdit, {
    label: trans.__('Reject Change'),
    caption: trans.__('Leave the cell of the current change as it is'),
    icon: closeIcon,
    isEnabled: hasReview,
    execute: ({ review }) => review.decideCurrent('rejected')
  });
  add(CommandIDs.undoEdit, {
    label: trans.__('Undo Decision'),
    caption: trans.__('Take the last decision back, also in the notebook'),
    icon: undoIcon,
    isEnabled: ({ review }) => review.canUndo,
    execute: ({ review }) => review.undoLast()
  });
  add(CommandIDs.acceptAll, {
    label: trans.__('Accept All Changes'),
    caption: trans.__('Accept all pending changes, as one undo step'),
    isEnabled: hasReview,
    execute: ({ review }) => review.acceptAll()
  });
  add(CommandIDs.rejectAll, {
    label: trans.__('Reject All Changes'),
    caption: trans.__('Leave the notebook as it is'),
    isEnabled: hasReview,
    execute: ({ review }) => review.rejectAll()
  });
  add(CommandIDs.nextEdit, {
    label: trans.__('Next Change'),
    caption: trans.__('Go to the next change of the proposal'),
    isEnabled: hasEdits,
    execute: ({ review }) => review.step(1)
  });
  add(CommandIDs.previousEdit, {
    label: trans.__('Previous Change'),
    caption: trans.__('Go to the previous change'),
    isEnabled: hasEdits,
    execute: ({ review }) => review.step(-1)
  });
  add(CommandIDs.newSession, {
    label: trans.__('New Session'),
    caption: trans.__('Close this session; the next run starts a new one'),
    isEnabled: model => isIdle(model) && model.session !== null,
    execute: model => model.actions.startOver()
  });
  add(CommandIDs.restoreIteration, {
    label: trans.__('Restore a Run’s Sources'),
    caption: trans.__(
      'Restore the sources of a run (by default the best one) in the notebook'
    ),
    icon: undoIcon,
    properties: ITERATION(trans),
    isEnabled: model => isIdle(model) && hasRun(model),
    execute: (model, args) => restore(model, args, trans)
  });
  add(CommandIDs.saveCopy, {
    label: trans.__('Save a Run’s Sources as a Copy'),
    caption: trans.__(
      'Save the sources of a run (by default the best one) as a new notebook'
    ),
    icon: copyIcon,
    properties: ITERATION(trans),
    isEnabled: hasRun,
    execute: (model, args) => saveCopy(options, model, args)
  });
  const finishing = async (
    model: Modernization,
    act: (lazy: FinishModule, options: IFinishOptions) => Promise<void>
  ) => {
    const panel = modernizer.panelOf(model);
    if (panel) {
      await model.requests.attempt(async () =>
        act(await import('./finish/finish'), {
          app,
          client,
          model,
          panel,
          trans
        })
      );
    }
  };
  add(CommandIDs.finish, {
    label: trans.__('Finish'),
    caption: trans.__(
      'Take the outputs of the best run into the notebook (or a copy), record where they come from, and save it'
    ),
    icon: checkIcon,
    isEnabled: model => isIdle(model) && model.canFinish,
    execute: model => finishing(model, (lazy, all) => lazy.finish(all))
  });
  add(CommandIDs.undoFinish, {
    label: trans.__('Undo Finish'),
    caption: trans.__(
      'Restore the outputs and metadata from before the notebook was finished'
    ),
    icon: undoIcon,
    isEnabled: model => isIdle(model) && model.beforeFinish !== null,
    execute: model => finishing(model, (lazy, all) => lazy.undoFinish(all))
  });
  add(CommandIDs.runHere, {
    label: trans.__('Check in JupyterLab’s Kernel'),
    caption: trans.__(
      'Run a copy of the cells in a new kernel of JupyterLab; the notebook stays as it is'
    ),
    icon: runIcon,
    isEnabled: isIdle,
    execute: model =>
      finishing(model, async (_, all) =>
        (await import('./finish/check')).checkHere(all)
      )
  });
  add(CommandIDs.downloadReport, {
    label: trans.__('Download the Report'),
    caption: trans.__('Download a report on this notebook'),
    icon: downloadIcon,
    properties: {
      format: {
        type: 'string',
        description: trans.__('Of the file'),
        oneOf: [
          { const: 'html', title: trans.__('A page to read and share') },
          { const: 'markdown', title: trans.__('Markdown, to read') },
          { const: 'json', title: trans.__('JSON, for programs') }
        ]
      }
    },
    isEnabled: hasRun,
    execute: async (model, { format }) => {
      if (model.session) {
        const kind =
          format === 'json' || format === 'markdown' ? format : 'html';
        await downloadReport(client, model, model.session.id, kind);
      }
    }
  });
  added.add(
    app.commands.addCommand(CommandIDs.openSettings, {
      label: commandLabel(trans.__('Settings'), trans),
      caption: trans.__('Open the settings of MLE Modernizer'),
      icon: settingsIcon,
      describedBy: { args: { type: 'object', properties: {} } },
      isVisible: () => app.commands.hasCommand('settingeditor:open'),
      execute: () =>
        app.commands.execute('settingeditor:open', { query: 'MLE Modernizer' })
    })
  );
  added.add(addSentCommands(options));
  return added;
}

const PATH = (trans: TranslationBundle) => ({
  path: {
    type: 'string',
    description: trans.__('Path of the notebook; by default the active one')
  }
});

const ITERATION = (trans: TranslationBundle) => ({
  iteration: {
    type: 'integer',
    minimum: 0,
    description: trans.__('Number of the run; 0 is the notebook at the start')
  }
});

/** Open the notebook that an argument names, and wait for its modernization. */
async function open(
  { app, modernizer }: ICommandOptions,
  { path }: ReadonlyPartialJSONObject
): Promise<Modernization | null> {
  if (typeof path !== 'string') {
    return null;
  }
  await app.commands.execute('docmanager:open', { path, factory: 'Notebook' });
  return (
    modernizer.find(path) ??
    new Promise(resolve => {
      const take = (_: unknown, model: Modernization) => {
        if (model.document.path === path) {
          modernizer.added.disconnect(take);
          resolve(model);
        }
      };
      modernizer.added.connect(take);
    })
  );
}

/**
 * Return the iteration that the arguments name, otherwise the best, otherwise
 * the latest.
 */
function iterationOf(
  model: Modernization,
  args: ReadonlyPartialJSONObject
): number {
  if (typeof args.iteration === 'number') {
    return args.iteration;
  }
  const { session } = model;
  return session?.best ?? session?.iterations.length ?? 0;
}

async function restore(
  model: Modernization,
  args: ReadonlyPartialJSONObject,
  trans: TranslationBundle
): Promise<void> {
  const number = iterationOf(model, args);
  const count = await model.restore(number);
  if (model.problem) {
    return;
  }
  if (count === 0) {
    Notification.info(trans.__('The notebook already has these sources.'), {
      autoClose: 4000
    });
    return;
  }
  Notification.success(
    trans._n(
      '%1 cell restored. Undo in the notebook’s command mode (Z) takes it back.',
      '%1 cells restored. Undo in the notebook’s command mode (Z) takes them back.',
      count
    ),
    { autoClose: 6000 }
  );
}

async function saveCopy(
  options: ICommandOptions,
  model: Modernization,
  args: ReadonlyPartialJSONObject
): Promise<void> {
  const { app, modernizer } = options;
  const panel = modernizer.panelOf(model);
  if (!panel) {
    return;
  }
  try {
    const sources = await model.sources.ofIteration(iterationOf(model, args));
    const content = withSources(
      panel.context.model.toJSON() as nbformat.INotebookContent,
      sources,
      model.places.match(sources)
    );
    const { contents } = app.serviceManager;
    const path = await freePath(contents, panel.context.path);
    await contents.save(path, { type: 'notebook', format: 'json', content });
    await app.commands.execute('docmanager:open', { path });
  } catch (error) {
    model.report(error);
  }
}

async function downloadReport(
  client: ModernizerClient,
  model: Modernization,
  sessionId: string,
  format: ReportFormat
): Promise<void> {
  try {
    const blob = await client.report(sessionId, format);
    const name = (model.document.path.split('/').pop() ?? 'notebook').replace(
      /\.ipynb$/,
      ''
    );
    download(
      blob,
      `${name}-modernization.${format === 'markdown' ? 'md' : format}`
    );
  } catch (error) {
    model.report(error);
  }
}

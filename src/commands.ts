import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import type * as nbformat from '@jupyterlab/nbformat';
import type { TranslationBundle } from '@jupyterlab/translation';
import {
  checkIcon,
  closeIcon,
  copyIcon,
  downloadIcon,
  runIcon,
  settingsIcon,
  stopIcon,
  undoIcon
} from '@jupyterlab/ui-components';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { DisposableSet, type IDisposable } from '@lumino/disposable';

import type { ModernizerClient, ReportFormat } from './api/client';
import { CommandIDs } from './commandIds';
import { addSentCommands } from './exchange/commands';
import { modernizeIcon } from './ui/icons';
import { currentIteration } from './session/reading';
import type { Modernization } from './review/modernization';
import { freePath, withSources } from './session/document/copy';
import type { IModernizer } from './tokens';

/**
 * What the commands work on.
 */
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

const NO_ARGUMENTS = {
  type: 'object',
  properties: {},
  additionalProperties: false
} as const;

/**
 * Registers every command; all of them work on the active notebook.
 */
export function addCommands(options: ICommandOptions): IDisposable {
  const { app, client, modernizer, trans } = options;
  const { commands } = app;
  const added = new DisposableSet();
  const current = (): Modernization | null => modernizer.current;
  const isRest = (): boolean => {
    const model = current();
    return model !== null && !model.isWorking && !model.isBusy;
  };
  const hasReview = (): boolean =>
    isRest() && (current()?.review.undecided.length ?? 0) > 0;
  const hasRun = (): boolean => {
    const session = current()?.session;
    return !!session && session.iterations.length > 0;
  };

  const run = async (): Promise<void> => {
    const hasPanel = commands.hasCommand(CommandIDs.openPanel);
    if (hasPanel && modernizer.preferences.openPanel) {
      await commands.execute(CommandIDs.openPanel);
    }
    await current()?.actions.run();
  };

  added.add(
    commands.addCommand(CommandIDs.modernize, {
      label: trans.__('Modernize'),
      caption: trans.__(
        'Run this notebook in a sandbox, see what broke, and get fixes to review'
      ),
      icon: modernizeIcon,
      describedBy: { args: NO_ARGUMENTS },
      isVisible: () => current()?.isPython ?? true,
      isEnabled: () => isRest() && current()?.isPython === true,
      execute: run
    })
  );
  added.add(
    commands.addCommand(CommandIDs.runAgain, {
      label: trans.__('Modernize: Run Again'),
      caption: trans.__('Run the notebook as it is now in a sandbox'),
      icon: runIcon,
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: () => isRest() && hasRun(),
      execute: run
    })
  );
  added.add(
    commands.addCommand(CommandIDs.cancel, {
      label: trans.__('Modernize: Cancel'),
      caption: trans.__('Stop the work; the notebook stays as it is'),
      icon: stopIcon,
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: () => current()?.isWorking ?? false,
      execute: () => current()?.actions.cancel()
    })
  );
  added.add(
    commands.addCommand(CommandIDs.proposeFix, {
      label: trans.__('Modernize: Propose a Fix'),
      caption: trans.__('Ask for a fix of the latest run'),
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: () => {
        const session = current()?.session;
        return isRest() && !!session && !!currentIteration(session)?.diagnosis;
      },
      execute: () => current()?.actions.proposeFix()
    })
  );
  added.add(
    commands.addCommand(CommandIDs.acceptEdit, {
      label: trans.__('Modernize: Accept Change'),
      caption: trans.__('Put the current change into the notebook'),
      icon: checkIcon,
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: hasReview,
      execute: () => current()?.review.decideCurrent('accepted')
    })
  );
  added.add(
    commands.addCommand(CommandIDs.rejectEdit, {
      label: trans.__('Modernize: Reject Change'),
      caption: trans.__('Leave the cell of the current change as it is'),
      icon: closeIcon,
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: hasReview,
      execute: () => current()?.review.decideCurrent('rejected')
    })
  );
  added.add(
    commands.addCommand(CommandIDs.undoEdit, {
      label: trans.__('Modernize: Undo Decision'),
      caption: trans.__(
        'Take the decision on the current change back, also in the notebook'
      ),
      icon: undoIcon,
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: () => isRest() && current()?.review.current?.canUndo === true,
      execute: () => current()?.review.decideCurrent('pending')
    })
  );
  added.add(
    commands.addCommand(CommandIDs.acceptAll, {
      label: trans.__('Modernize: Accept All Changes'),
      caption: trans.__('Accept every change that waits, as one step to undo'),
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: hasReview,
      execute: () => current()?.review.acceptAll()
    })
  );
  added.add(
    commands.addCommand(CommandIDs.rejectAll, {
      label: trans.__('Modernize: Reject All Changes'),
      caption: trans.__('Leave the notebook as it is'),
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: hasReview,
      execute: () => current()?.review.rejectAll()
    })
  );
  added.add(
    commands.addCommand(CommandIDs.nextEdit, {
      label: trans.__('Modernize: Next Change'),
      caption: trans.__('Go to the next change of the proposal'),
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: () => (current()?.review.edits.length ?? 0) > 0,
      execute: () => current()?.review.step(1)
    })
  );
  added.add(
    commands.addCommand(CommandIDs.previousEdit, {
      label: trans.__('Modernize: Previous Change'),
      caption: trans.__('Go to the change before'),
      describedBy: { args: NO_ARGUMENTS },
      isEnabled: () => (current()?.review.edits.length ?? 0) > 0,
      execute: () => current()?.review.step(-1)
    })
  );
  added.add(
    commands.addCommand(CommandIDs.restoreIteration, {
      label: trans.__('Modernize: Restore an Iteration'),
      caption: trans.__(
        'Bring the sources of an iteration (the best one, if none is named) back into the notebook'
      ),
      icon: undoIcon,
      describedBy: { args: iterationArguments(trans) },
      isEnabled: () => isRest() && hasRun(),
      execute: args => restore(current(), args, trans)
    })
  );
  added.add(
    commands.addCommand(CommandIDs.saveCopy, {
      label: trans.__('Modernize: Save an Iteration as a Copy'),
      caption: trans.__(
        'Save the sources of an iteration (the best one, if none is named) as a new notebook'
      ),
      icon: copyIcon,
      describedBy: { args: iterationArguments(trans) },
      isEnabled: hasRun,
      execute: args => saveCopy(options, args)
    })
  );
  added.add(
    commands.addCommand(CommandIDs.downloadReport, {
      label: trans.__('Modernize: Download the Report'),
      caption: trans.__('Download what happened to this notebook'),
      icon: downloadIcon,
      describedBy: {
        args: {
          type: 'object',
          properties: {
            format: {
              type: 'string',
              description: trans.__('Of the file'),
              oneOf: [
                { const: 'markdown', title: trans.__('Markdown, to read') },
                { const: 'json', title: trans.__('JSON, for programs') }
              ]
            }
          }
        }
      },
      isEnabled: hasRun,
      execute: async args => {
        const model = current();
        if (model?.session) {
          const format = args.format === 'json' ? 'json' : 'markdown';
          await download(client, model, model.session.id, format);
        }
      }
    })
  );
  added.add(
    commands.addCommand(CommandIDs.openSettings, {
      label: trans.__('Modernize: Settings'),
      caption: trans.__('Open the settings of MLE Modernizer'),
      icon: settingsIcon,
      describedBy: { args: NO_ARGUMENTS },
      isVisible: () => commands.hasCommand('settingeditor:open'),
      execute: () =>
        commands.execute('settingeditor:open', { query: 'MLE Modernizer' })
    })
  );
  added.add(addSentCommands(options));
  return added;
}

function iterationArguments(trans: TranslationBundle) {
  return {
    type: 'object',
    properties: {
      iteration: {
        type: 'integer',
        minimum: 0,
        description: trans.__(
          'Number of the iteration; 0 is the notebook at the start'
        )
      }
    }
  } as const;
}

/**
 * The iteration the arguments name, otherwise the best, otherwise the latest.
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
  model: Modernization | null,
  args: ReadonlyPartialJSONObject,
  trans: TranslationBundle
): Promise<void> {
  if (!model) {
    return;
  }
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
  args: ReadonlyPartialJSONObject
): Promise<void> {
  const { app, modernizer } = options;
  const model = modernizer.current;
  const panel = model && modernizer.panelOf(model);
  if (!model || !panel) {
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

async function download(
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
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${name}-modernization.${format === 'json' ? 'json' : 'md'}`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    model.report(error);
  }
}

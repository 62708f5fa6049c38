import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { TranslationBundle } from '@jupyterlab/translation';
import { DisposableSet, type IDisposable } from '@lumino/disposable';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

import type { ModernizerClient } from '../api/client';
import type { AskFix } from '../api/types';
import { CommandIDs, commandLabel } from '../commandIds';
import { toNotebook } from '../session/document/document';
import { currentIteration } from '../session/reading';
import type { Modernization } from '../review/modernization';
import type { IModernizer } from '../tokens';

/** Options of these commands. */
export interface IExchangeOptions {
  /** The application. */
  app: JupyterFrontEnd;
  /** The modernizations of the open notebooks. */
  modernizer: IModernizer;
  /** The server part's routes. */
  client: ModernizerClient;
  /** For labels and captions. */
  trans: TranslationBundle;
}

/** Register the commands that show requests to models and their responses. */
export function addSentCommands(options: IExchangeOptions): IDisposable {
  const { app, client, modernizer, trans } = options;
  const { commands } = app;
  const added = new DisposableSet();
  const find = ({ path }: ReadonlyPartialJSONObject): Modernization | null =>
    typeof path === 'string' ? modernizer.find(path) : modernizer.current;
  added.add(
    commands.addCommand(CommandIDs.showPrompt, {
      label: commandLabel(trans.__('Show What Is Sent'), trans),
      caption: trans.__(
        'Show what a model would be sent for a fix of the latest run; nothing is sent'
      ),
      describedBy: {
        args: {
          type: 'object',
          properties: {
            path: { type: 'string', description: trans.__('Of the notebook') },
            fix_type: {
              type: 'string',
              enum: [
                'error-repair',
                'submission',
                'score-calibration',
                'runtime-reduction'
              ],
              description: trans.__('By default the diagnosed one')
            },
            scope: {
              type: 'string',
              enum: ['file', 'cell'],
              description: trans.__('By default that of the settings')
            }
          }
        }
      },
      isEnabled: args => {
        const session = find(args)?.session;
        return !!session && !!currentIteration(session)?.diagnosis;
      },
      execute: async args => {
        const model = find(args);
        const session = model?.session;
        if (model && session) {
          const { showPrompt } = await import('./sentDialogs');
          const ask = {
            ...asked(args),
            notebook: model.places.named(toNotebook(model.document))
          };
          await showPrompt(() => client.prompt(session.id, ask), trans);
        }
      }
    })
  );
  added.add(
    commands.addCommand(CommandIDs.showExchange, {
      label: commandLabel(trans.__('Show What Was Sent and Answered'), trans),
      caption: trans.__('Show each model call as it was sent'),
      describedBy: {
        args: {
          type: 'object',
          properties: {
            path: { type: 'string', description: trans.__('Of the notebook') },
            proposal: {
              type: 'string',
              description: trans.__(
                'Id of the proposal; by default all calls of the session'
              )
            }
          }
        }
      },
      isEnabled: args => {
        const usage = find(args)?.session?.usage;
        return usage !== undefined && usage.calls + usage.failed > 0;
      },
      execute: async args => {
        const session = find(args)?.session;
        if (session) {
          const { showExchanges } = await import('./sentDialogs');
          const { proposal } = args;
          const ids = async (): Promise<string[]> =>
            typeof proposal === 'string'
              ? [proposal]
              : (await client.exchanges(session.id)).exchanges.map(
                  ({ id }) => id
                );
          await showExchanges(
            async () =>
              Promise.all(
                (await ids()).map(id => client.exchange(session.id, id))
              ),
            trans
          );
        }
      }
    })
  );
  return added;
}

/**
 * Return the fix that the arguments request; the server chooses the options
 * that they omit.
 */
function asked(
  args: ReadonlyPartialJSONObject
): Pick<AskFix, 'fix_type' | 'scope'> {
  const { fix_type, scope } = args;
  return {
    fix_type:
      fix_type === 'error-repair' ||
      fix_type === 'submission' ||
      fix_type === 'score-calibration' ||
      fix_type === 'runtime-reduction'
        ? fix_type
        : null,
    scope: scope === 'file' || scope === 'cell' ? scope : null
  };
}

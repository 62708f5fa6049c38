import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Dialog, Notification, showDialog } from '@jupyterlab/apputils';
import type * as nbformat from '@jupyterlab/nbformat';
import type { ICodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';

import { ApiError, type ModernizerClient } from '../api/client';
import type { FinishedRun } from '../api/types';
import type { Modernization } from '../review/modernization';
import { freePath } from '../session/document/copy';
import {
  finishedNotebook,
  type INotebookState,
  type KernelSpec,
  notebookState,
  putState,
  toReplaced,
  withState
} from '../review/finishing';

/** Parts of the application that finishing a notebook needs. */
export interface IFinishOptions {
  /** The application. */
  app: JupyterFrontEnd;
  /** The server part's routes. */
  client: ModernizerClient;
  /** The notebook. */
  panel: NotebookPanel;
  /** Its modernization. */
  model: Modernization;
  /** For the sentences. */
  trans: TranslationBundle;
}

/**
 * Put the best run's outputs into the notebook or into a copy, after a
 * question, and save it.
 */
export async function finish(options: IFinishOptions): Promise<void> {
  const { client, model, panel, trans } = options;
  const { session } = model;
  if (!session) {
    return;
  }
  const run = await client.finish(session.id);
  const where = await ask(run, trans);
  if (where === null) {
    return;
  }
  const ran = await model.sources.get(run.notebook_hash);
  const places = model.places.match(ran);
  const { shared } = model.document;
  const state = finishedNotebook(shared, run, places, kernelOf(panel));
  if (where === 'copy') {
    await saveCopy(options, state);
    return;
  }
  const before = notebookState(shared);
  const isKept = await keep(client, run, before);
  model.beforeFinish = before;
  put(panel, model, state);
  await panel.context.save();
  const said = [
    trans.__('Finished: the notebook has the outputs of run %1.', run.run),
    isKept
      ? ''
      : trans.__(
          'The previous state is too large to store: it can be restored until this page is closed or reloaded.'
        )
  ];
  Notification.success(said.filter(text => text).join(' '), {
    autoClose: 8000,
    actions: [
      {
        label: trans.__('Undo'),
        callback: () => void undoFinish(options)
      }
    ]
  });
}

/**
 * Store on the server the state that finishing replaces; return false if it is
 * too large.
 */
async function keep(
  client: ModernizerClient,
  { provenance }: FinishedRun,
  before: INotebookState
): Promise<boolean> {
  try {
    const replaced = toReplaced(before, provenance.finished_at);
    await client.keepReplaced(provenance.session, replaced);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 413) {
      return false;
    }
    throw error;
  }
}

/**
 * Restore the outputs and metadata from before the notebook was finished, and
 * save it.
 */
export async function undoFinish(
  options: Pick<IFinishOptions, 'model' | 'panel'>
): Promise<void> {
  const { model, panel } = options;
  const before = model.beforeFinish;
  if (before) {
    model.beforeFinish = null;
    put(panel, model, before);
    await panel.context.save();
  }
}

async function ask(
  run: FinishedRun,
  trans: TranslationBundle
): Promise<'copy' | 'here' | null> {
  const said = [
    trans.__(
      'The outputs and execution counts of run %1 go into the notebook, its kernel and library metadata are brought up to date, and a record of where the outputs come from is kept. Then it is saved.',
      run.run
    ),
    run.cut
      ? trans.__('The outputs were too large to store, so the cells have none.')
      : '',
    trans.__('“Undo Finish” restores the present state.')
  ];
  const { button } = await showDialog({
    title: trans.__('Finish this notebook?'),
    body: said.filter(text => text).join(' '),
    buttons: [
      Dialog.cancelButton(),
      Dialog.createButton({
        label: trans.__('Finish a copy'),
        caption: trans.__('Save as a new notebook; this one is unchanged'),
        actions: ['copy'],
        accept: false
      }),
      Dialog.okButton({ label: trans.__('Finish this notebook') })
    ]
  });
  if (button.actions.includes('copy')) {
    return 'copy';
  }
  return button.accept ? 'here' : null;
}

async function saveCopy(
  { app, panel }: IFinishOptions,
  state: INotebookState
): Promise<void> {
  const { contents } = app.serviceManager;
  const now = panel.context.model.toJSON() as nbformat.INotebookContent;
  const path = await freePath(contents, panel.context.path);
  const content = withState(now, state);
  await contents.save(path, { type: 'notebook', format: 'json', content });
  await app.commands.execute('docmanager:open', { path, factory: 'Notebook' });
}

/**
 * Put a state into the open notebook; outputs of the sandbox are not trusted,
 * and the cells do not count as changed since they ran.
 */
function put(
  panel: NotebookPanel,
  model: Modernization,
  state: INotebookState
): void {
  const states = new Set(state.cells.map(cell => cell?.id));
  for (const cell of panel.context.model.cells) {
    if (cell.type === 'code') {
      if (states.has(cell.id)) {
        (cell as ICodeCellModel).clearExecution();
      }
      cell.trusted = false;
      cell.sharedModel.setMetadata('trusted', false);
    }
  }
  putState(model.document.shared, state);
}

/** Return the kernel that runs the notebook here; null if it has none. */
function kernelOf(panel: NotebookPanel): KernelSpec | null {
  const { session, specsManager } = panel.context.sessionContext;
  const found = specsManager.specs?.kernelspecs[session?.kernel?.name ?? ''];
  return found
    ? {
        name: found.name,
        display_name: found.display_name,
        language: found.language
      }
    : null;
}

import { InputDialog, showErrorMessage } from '@jupyterlab/apputils';
import { PathExt } from '@jupyterlab/coreutils';
import type * as nbformat from '@jupyterlab/nbformat';
import type { Contents } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { ModernizerClient } from './api/client';
import type { Notebook } from './api/types';

/** Options of a first notebook. */
export interface IDraftOptions {
  /** The server part's routes. */
  client: Pick<ModernizerClient, 'info' | 'draft'>;
  /** Storage of the notebook. */
  contents: Pick<Contents.IManager, 'get' | 'save'>;
  /** The folder of the new notebook. */
  folder: string;
  /** The task; null to ask for it. */
  competition: string | null;
  /** For the sentences. */
  trans: TranslationBundle;
}

/**
 * Create a first notebook for a competition that the user chooses.
 *
 * @returns Its path; null if none was created, and the user knows why.
 */
export async function newFromTask(
  options: IDraftOptions
): Promise<string | null> {
  const { client, contents, folder, trans } = options;
  try {
    const competition = options.competition ?? (await chosen(client, trans));
    if (competition === null) {
      return null;
    }
    const draft = await client.draft({ competition });
    const path = await freeName(contents, folder, competition);
    await contents.save(path, {
      type: 'notebook',
      format: 'json',
      content: contentOf(draft.notebook)
    });
    return path;
  } catch (error) {
    await showErrorMessage(
      trans.__('No notebook was made'),
      error instanceof Error ? error.message : String(error)
    );
    return null;
  }
}

/**
 * Return the competition that the user chooses; null if there is none or the
 * user cancels.
 */
async function chosen(
  client: Pick<ModernizerClient, 'info'>,
  trans: TranslationBundle
): Promise<string | null> {
  const { competitions } = await client.info();
  if (competitions.length === 0) {
    await showErrorMessage(
      trans.__('There is no task yet'),
      trans.__(
        'A notebook is drafted for a competition. To make a competition, open any notebook and choose “Make one from labelled data” in the panel.'
      )
    );
    return null;
  }
  const ids = competitions.map(one => one.id);
  const { value } = await InputDialog.getItem({
    title: trans.__('New notebook from a task'),
    label: trans.__('Task'),
    items: ids,
    okLabel: trans.__('Make')
  });
  return value;
}

async function freeName(
  contents: Pick<Contents.IManager, 'get'>,
  folder: string,
  competition: string
): Promise<string> {
  const { content } = await contents.get(folder);
  const taken = new Set((content as Contents.IModel[]).map(item => item.name));
  for (let number = 1; ; number++) {
    const name = `${competition}${number === 1 ? '' : `-${number}`}.ipynb`;
    if (!taken.has(name)) {
      return PathExt.join(folder, name);
    }
  }
}

function contentOf(notebook: Notebook): nbformat.INotebookContent {
  return {
    cells: notebook.cells.map(cell => ({
      id: cell.id,
      cell_type: cell.type,
      metadata: {},
      source: cell.source,
      ...(cell.type === 'code' ? { execution_count: null, outputs: [] } : {})
    })),
    metadata: {
      kernelspec: {
        display_name: 'Python 3',
        language: 'python',
        name: 'python3'
      }
    },
    nbformat: 4,
    nbformat_minor: 5
  };
}

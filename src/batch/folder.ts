import { YNotebook } from '@jupyter/ydoc';
import type { INotebookContent } from '@jupyterlab/nbformat';
import type { Contents } from '@jupyterlab/services';

import type { ModernizerClient } from '../api/client';
import type { SessionSettings } from '../api/types';
import { toNotebook } from '../session/document/document';
import { tracesOf } from '../session/document/traces';

/** The routes that start the modernization of a notebook. */
export type IStartClient = Pick<ModernizerClient, 'create' | 'info' | 'run'>;

/** Return the paths of the notebooks directly in a folder. */
export async function notebooksOf(
  contents: Pick<Contents.IManager, 'get'>,
  folder: string
): Promise<string[]> {
  const { content } = await contents.get(folder);
  return (content as Contents.IModel[])
    .filter(item => item.type === 'notebook')
    .map(item => item.path);
}

/**
 * Return the settings of notebooks that are modernized together: rules fix a
 * scratch copy, and no model is asked. Null if no sandbox isolates here: then
 * each notebook needs the user's consent.
 */
export async function settingsForAll(
  client: Pick<IStartClient, 'info'>
): Promise<SessionSettings | null> {
  const { default_sandbox: name, defaults, sandboxes } = await client.info();
  return sandboxes.find(item => item.name === name)?.isolated
    ? { ...defaults, mode: 'auto', fixers: ['rules'] }
    : null;
}

/** Create a notebook's session, and start its modernization. */
export async function modernizeFile(
  client: Pick<IStartClient, 'create' | 'run'>,
  contents: Pick<Contents.IManager, 'get'>,
  path: string,
  settings: SessionSettings
): Promise<void> {
  const { content } = await contents.get(path);
  const data = content as INotebookContent;
  const shared = YNotebook.create({ data });
  const { kernelspec, language_info } = shared.metadata;
  const language = kernelspec?.language ?? language_info?.name ?? 'python';
  const notebook = toNotebook({ language: String(language), shared });
  const session = await client.create({
    path,
    notebook,
    settings,
    traces: tracesOf(shared)
  });
  await client.run(session.id, notebook, false);
  shared.dispose();
}

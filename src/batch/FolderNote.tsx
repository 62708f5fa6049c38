import type { Contents } from '@jupyterlab/services';
import * as React from 'react';

import { Button } from '../ui/Button';
import { useTrans } from '../ui/context';
import { modernizeIcon } from '../ui/icons';
import {
  type IStartClient,
  modernizeFile,
  notebooksOf,
  settingsForAll
} from './folder';

/** Properties of the note on a folder that is no batch. */
export interface IFolderNoteProps {
  /** The folder, as the file browser names it. */
  path: string;
  /** Its files. */
  contents: Pick<Contents.IManager, 'get'>;
  /** The routes. */
  client: IStartClient;
  /** Opens a file. */
  open: (path: string) => Promise<void>;
}

/**
 * The notebooks of an ordinary folder, and the button that modernizes them all.
 */
export function FolderNote(props: IFolderNoteProps): JSX.Element {
  const trans = useTrans();
  const { client, contents, open, path } = props;
  const [names, setNames] = React.useState<string[] | null>(null);
  const [states, setStates] = React.useState<Record<string, string>>({});
  const [isBusy, setIsBusy] = React.useState(false);
  const [problem, setProblem] = React.useState('');
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      setProblem(textOf(error));
    }
  };
  React.useEffect(() => {
    void attempt(async () => setNames(await notebooksOf(contents, path)));
  }, [contents, path]);
  const modernizeAll = async () => {
    const settings = await settingsForAll(client);
    if (!settings) {
      setProblem(
        trans.__(
          'No sandbox isolates notebooks on this server, so each needs your consent: open them one by one.'
        )
      );
      return;
    }
    for (const name of names ?? []) {
      const state = await modernizeFile(client, contents, name, settings).then(
        () => trans.__('started'),
        textOf
      );
      setStates(before => ({ ...before, [name]: state }));
    }
  };
  const count = names?.length ?? 0;
  return (
    <div className="jp-mle-Batch">
      <p role="status">
        {names === null
          ? trans.__('Reading…')
          : count === 0
            ? trans.__(
                'This folder is no batch, and has no notebooks. Choose a folder with notebooks.'
              )
            : trans._n('%1 notebook here.', '%1 notebooks here.', count)}
      </p>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      {count > 0 && (
        <Button
          look="primary"
          icon={modernizeIcon}
          label={trans._n('Modernize it', 'Modernize all', count)}
          caption={trans.__(
            'Run each in a sandbox, one after the other, and fix copies by rules; you review the changes of each'
          )}
          isEnabled={!isBusy && Object.keys(states).length === 0}
          onClick={() => {
            setIsBusy(true);
            void attempt(modernizeAll).then(() => setIsBusy(false));
          }}
        />
      )}
      <ul className="jp-mle-Remarks">
        {names?.map(name => (
          <li key={name}>
            <Button
              look="link"
              label={name.split('/').pop() ?? name}
              caption={trans.__('Open this notebook and its review')}
              onClick={() => void open(name)}
            />{' '}
            {states[name]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

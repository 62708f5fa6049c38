import { downloadIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import type { Message, Session } from '../../api/types';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';

/** Megabytes that the server fetches of one address at most. */
const LARGEST = 200;

/**
 * The network files that the latest run requested: fetched once, by the server,
 * with the user's consent. Nothing is fetched automatically.
 */
export function WantedResources({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  const wanted = session?.wanted_resources ?? [];
  if (!session || (wanted.length === 0 && !needsNetwork(session))) {
    return null;
  }
  const fetch = () => {
    if (isIdle) {
      const resources = new Set([...model.draft.resources, ...wanted]);
      model.edit({ resources: [...resources] });
      void model.actions.run();
    }
  };
  return (
    <div
      className="jp-mle-Note jp-mod-fair jp-mle-Packages"
      role="group"
      aria-label={trans.__('Files of the network')}
    >
      <p>
        <strong>
          {wanted.length > 0
            ? trans._n(
                'The notebook needs a file from the network.',
                'The notebook needs %1 files from the network.',
                wanted.length
              )
            : trans.__('The notebook wants the network.')}
        </strong>{' '}
        {wanted.length > 0
          ? trans._n(
              'A run has no network. The server can fetch it once (at most %2 MB), keep it, and show it to the runs read-only; your folder stays as it is.',
              'A run has no network. The server can fetch them once (at most %2 MB each), keep them, and show them to the runs read-only; your folder stays as it is.',
              wanted.length,
              LARGEST
            )
          : trans.__('A run has none, unless you allow it.')}
      </p>
      <ul
        className="jp-mle-Remarks"
        aria-label={trans.__('Files that can be fetched')}
        hidden={wanted.length === 0}
      >
        {wanted.map(address => (
          <li key={address}>
            <code>{address}</code>
          </li>
        ))}
      </ul>
      {wanted.length > 0 && (
        <Button
          look="accept"
          icon={downloadIcon}
          label={trans._n('Fetch once', 'Fetch all %1 once', wanted.length)}
          caption={trans._n(
            'Fetch the file, and run again with it',
            'Fetch the files, and run again with them',
            wanted.length
          )}
          isEnabled={isIdle}
          onClick={fetch}
        />
      )}
      {!model.draft.network && (
        <Button
          look="quiet"
          label={trans.__('Run with the network…')}
          caption={trans.__(
            'Allow the runs to reach public web servers; you are asked first'
          )}
          isEnabled={isIdle}
          onClick={() => void model.actions.runWithNetwork()}
        />
      )}
    </div>
  );
}

/**
 * Return whether the first obstacle of the latest run is the missing network.
 */
function needsNetwork(session: Session): boolean {
  const isSaid = (messages: readonly Message[]): boolean =>
    messages.some(
      ({ code, parameters }) =>
        code === 'needs.network' ||
        Object.values(parameters).some(
          inner => Array.isArray(inner) && isSaid(inner)
        )
    );
  return isSaid(session.message);
}

import * as React from 'react';

import { CommandIDs } from '../../commandIds';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { missingFile } from '../../session/reading';
import { Button } from '../../ui/Button';
import { PanelContext, useSignal, useTrans } from '../../ui/context';
import { LostFiles } from './LostFiles';

/** Why a file that the notebook reads is missing, and how to get it. */
export function DataNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const session = useSession(model);
  const isIdle = useIdle(model);
  useSignal(model.formChanged);
  const path = session && missingFile(session);
  if (!session || path === null) {
    return null;
  }
  const { competition } = session.settings;
  const known = model.info.competitions.find(({ id }) => id === competition);
  const chosen = model.draft.competition;
  return (
    <div
      className="jp-mle-Note jp-mod-bad jp-mle-Data"
      role="group"
      aria-label={trans.__('Missing data')}
    >
      <p>
        <strong>{trans.__('The data is missing.')}</strong>{' '}
        {known
          ? trans.__(
              'The notebook reads “%1”, which is not in the data of %2. Put the file into its folder below %3, or correct the path.',
              path,
              known.name,
              model.info.data_root
            )
          : competition
            ? trans.__(
                'The notebook reads “%1” of the competition “%2”, which the server does not have. Put its folder below %3.',
                path,
                competition,
                model.info.data_root
              )
            : trans.__(
                'The notebook reads “%1”, which is not in its folder. Put the file there, choose the competition whose data it is, or correct the path.',
                path
              )}
      </p>
      <LostFiles model={model} files={session.lost_files} />
      <div className="jp-mle-Actions">
        {chosen !== null && chosen !== competition && (
          <Button
            label={trans.__('Run with this competition')}
            isEnabled={isIdle}
            onClick={() => void model.actions.run()}
          />
        )}
        <Button
          label={trans.__('Look for data again')}
          caption={trans.__('After you put files below the data directory')}
          isEnabled={isIdle}
          onClick={() => void model.requests.attempt(() => model.renewInfo())}
        />
        <Button
          look="quiet"
          label={trans.__('Where data goes')}
          caption={trans.__('Open the guide to competitions and their data')}
          onClick={() => execute(CommandIDs.openGuide)}
        />
      </div>
    </div>
  );
}

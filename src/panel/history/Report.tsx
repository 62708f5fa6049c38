import { downloadIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { CommandIDs } from '../../commandIds';
import { Button } from '../../ui/Button';
import { PanelContext, useTrans } from '../../ui/context';
import { Section } from '../../ui/Section';
import { type IModelProps, useSession } from '../../review/useModel';

/**
 * The report, for people and for programs.
 */
export function Report({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const session = useSession(model);
  if (!session || session.iterations.length === 0) {
    return null;
  }
  return (
    <Section title={trans.__('Report')}>
      <div className="jp-mle-Actions">
        <Button
          icon={downloadIcon}
          label={trans.__('Markdown')}
          caption={trans.__('Download what happened, to read')}
          onClick={() =>
            execute(CommandIDs.downloadReport, { format: 'markdown' })
          }
        />
        <Button
          icon={downloadIcon}
          label={trans.__('JSON')}
          caption={trans.__('Download what happened, for programs')}
          onClick={() => execute(CommandIDs.downloadReport, { format: 'json' })}
        />
      </div>
    </Section>
  );
}

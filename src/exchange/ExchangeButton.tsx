import * as React from 'react';

import { CommandIDs } from '../commandIds';
import { Button } from '../ui/Button';
import { PanelContext, useTrans } from '../ui/context';

/**
 * Button that opens the requests to models and their responses: for a proposal,
 * or for the whole session.
 */
export function ExchangeButton(props: { proposal?: string }): JSX.Element {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const { proposal } = props;
  return (
    <Button
      look="link"
      label={
        proposal
          ? trans.__('What was sent and answered')
          : trans.__('All that was sent and answered')
      }
      caption={
        proposal
          ? trans.__('Show each model call that led to this proposal')
          : trans.__('Show each model call, including those without a proposal')
      }
      onClick={() =>
        execute(CommandIDs.showExchange, proposal ? { proposal } : {})
      }
    />
  );
}

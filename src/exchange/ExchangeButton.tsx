import * as React from 'react';

import { CommandIDs } from '../commandIds';
import { Button } from '../ui/Button';
import { PanelContext, useTrans } from '../ui/context';

/**
 * Opens what was sent to a model and what it answered: for a proposal, or for all of the session.
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

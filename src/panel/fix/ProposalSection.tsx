import { launchIcon, runIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { CommandIDs } from '../../commandIds';
import { EditList } from '../../review/EditList';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { PanelContext, useSignal, useTrans } from '../../ui/context';
import { ProposalSummary } from '../../review/ProposalSummary';
import { ExchangeButton } from '../../exchange/ExchangeButton';
import { Section } from '../../ui/Section';
import { type IModelProps, useIdle } from '../../review/useModel';

/** The proposal under review: its plan, notes for the reviewer, its edits. */
export function ProposalSection({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  useSignal(model.review.changed);
  const isIdle = useIdle(model);
  const shown = model.review.shown;
  if (!shown) {
    return null;
  }
  const { review } = shown;
  return (
    <Section
      isFixed
      title={review.final ? trans.__('All changes') : trans.__('Proposed fix')}
      badge={
        <Chip tone={model.review.open === 0 ? 'good' : 'busy'}>
          {model.review.countText(trans)}
        </Chip>
      }
    >
      <ProposalSummary model={model} proposal={review.proposal} />
      <EditList model={model} />
      <details className="jp-mle-More">
        <summary>{trans.__('More')}</summary>
        <div className="jp-mle-Actions">
          <Button
            look="quiet"
            icon={launchIcon}
            label={trans.__('Open wide view')}
            caption={trans.__('Show the changes in a tab beside the notebook')}
            onClick={() => execute(CommandIDs.openReview)}
          />
          {model.review.undecided.length > 0 && (
            <Button
              look="quiet"
              icon={runIcon}
              label={trans.__('Run without these changes')}
              caption={trans.__(
                'Run the notebook as it is now; unreviewed changes are not rejected'
              )}
              isEnabled={isIdle}
              onClick={() => void model.actions.run()}
            />
          )}
          {!review.final && review.proposal.fixer === 'llm' && (
            <ExchangeButton proposal={review.proposal.id} />
          )}
        </div>
      </details>
    </Section>
  );
}

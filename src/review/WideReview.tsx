import * as React from 'react';

import { Chip } from '../ui/Chip';
import { useSignal, useTrans } from '../ui/context';
import { ProposalSummary } from './ProposalSummary';
import type { Modernization } from './modernization';
import type { IModernizer } from '../tokens';
import { Comparison } from './Comparison';

/**
 * The review for wide code: the same edits as in the panel, in a tab next to
 * the notebook.
 */
export function WideReview(props: { modernizer: IModernizer }): JSX.Element {
  const trans = useTrans();
  useSignal(props.modernizer.changed);
  const { current } = props.modernizer;
  if (!current) {
    return (
      <div className="jp-mle-Empty">
        <h2>{trans.__('Nothing to review')}</h2>
        <p>{trans.__('Open the notebook whose changes you want to see.')}</p>
      </div>
    );
  }
  return <WideProposal model={current} />;
}

function WideProposal({ model }: { model: Modernization }): JSX.Element {
  const trans = useTrans();
  useSignal(model.review.changed);
  const { session } = model;
  const { shown } = model.review;
  if (!session) {
    return (
      <div className="jp-mle-Empty">
        <h2>{trans.__('Nothing to review')}</h2>
        <p>
          {trans.__('There is no proposal for %1 yet.', model.document.path)}
        </p>
      </div>
    );
  }
  return (
    <div className="jp-mle-WideReview-page">
      <div className="jp-mle-Header">
        <h2 className="jp-mle-Header-title">{model.document.path}</h2>
        {shown && (
          <Chip tone={model.review.open === 0 ? 'good' : 'busy'}>
            {model.review.countText(trans)}
          </Chip>
        )}
      </div>
      <Comparison key={session.id} model={model} />
      {shown && (
        <ProposalSummary model={model} proposal={shown.review.proposal} />
      )}
    </div>
  );
}

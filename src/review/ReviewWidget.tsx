import { ReactWidget } from '@jupyterlab/apputils';
import * as React from 'react';

import { modernizeIcon } from '../ui/icons';
import { Chip } from '../ui/Chip';
import {
  type IPanelContext,
  PanelContext,
  useSignal,
  useTrans
} from '../ui/context';
import { ProposalSummary } from './ProposalSummary';
import type { Modernization } from './modernization';
import type { IModernizer } from '../tokens';
import { Comparison } from './Comparison';

/**
 * The review for wide code: the same edits as in the panel, in a tab next to
 * the notebook.
 */
export class ReviewWidget extends ReactWidget {
  constructor(
    private readonly _modernizer: IModernizer,
    private readonly _context: IPanelContext
  ) {
    super();
    const { trans } = this._context;
    this.id = 'mle-modernizer-review';
    this.addClass('jp-mle-WideReview');
    this.addClass('jp-mle-mod-keys');
    this.title.icon = modernizeIcon;
    this.title.label = trans.__('Review of changes');
    this.title.closable = true;
  }

  protected override render(): JSX.Element {
    return (
      <PanelContext.Provider value={this._context}>
        <WideReview modernizer={this._modernizer} />
      </PanelContext.Provider>
    );
  }
}

function WideReview(props: { modernizer: IModernizer }): JSX.Element {
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

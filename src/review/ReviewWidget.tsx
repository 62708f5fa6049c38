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
import { reviewCount } from '../session/reading';
import type { Modernization } from './modernization';
import type { IModernizer } from '../tokens';
import { EditList } from './EditList';

/**
 * The review for wide code: the same edits as in the panel, in a tab beside the notebook.
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
  const shown = model.review.shown;
  if (!shown) {
    return (
      <div className="jp-mle-Empty">
        <h2>{trans.__('Nothing to review')}</h2>
        <p>
          {trans.__('There is no proposal for %1 yet.', model.document.path)}
        </p>
      </div>
    );
  }
  const { done, total } = reviewCount(shown.review);
  return (
    <div className="jp-mle-WideReview-page">
      <header className="jp-mle-Header">
        <h2 className="jp-mle-Header-title">{model.document.path}</h2>
        <Chip tone={done === total ? 'good' : 'busy'}>
          {trans.__('%1 of %2 reviewed', done, total)}
        </Chip>
      </header>
      <ProposalSummary model={model} proposal={shown.review.proposal} />
      <EditList model={model} />
    </div>
  );
}

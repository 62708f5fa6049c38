import { ReactWidget } from '@jupyterlab/apputils';
import {
  caretDownIcon,
  caretUpIcon,
  checkIcon,
  closeIcon,
  runIcon,
  undoIcon
} from '@jupyterlab/ui-components';
import * as React from 'react';

import { Button } from '../../ui/Button';
import {
  type IPanelContext,
  PanelContext,
  useSignal,
  useTrans,
  useValue
} from '../../ui/context';
import { statusLabel } from '../../words/labels';
import type { Modernization } from '../modernization';
import { useIdle, useSession } from '../useModel';
import { pressKey } from './CellReview';

/**
 * The bar above the notebook's lower edge that walks through the edits of a proposal.
 */
export class ReviewBar extends ReactWidget {
  constructor(
    private readonly _model: Modernization,
    private readonly _context: IPanelContext
  ) {
    super();
    this.addClass('jp-mle-ReviewBar');
    this.addClass('jp-mle-InCell');
    this.node.dataset.lmSuppressShortcuts = 'true';
    this.node.addEventListener('keydown', event => {
      const { current } = this._model.review;
      if (current && pressKey(this._model, current.edit.id, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  protected override render(): JSX.Element {
    return (
      <PanelContext.Provider value={this._context}>
        <Bar model={this._model} />
      </PanelContext.Provider>
    );
  }
}

function Bar({ model }: { model: Modernization }): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  useSignal(review.changed);
  const { current, edits, isEnabled, undecided } = review;
  const at = edits.findIndex(view => view.edit.id === current?.edit.id);
  const place =
    at < 0
      ? trans._n('%1 change', '%1 changes', edits.length)
      : trans.__('%1 of %2', at + 1, edits.length);
  const held = undecided.filter(view => view.consent === 'missing').length;
  return (
    <div
      className="jp-mle-ReviewBar-line"
      role="toolbar"
      aria-label={trans.__('Review of the proposed changes')}
    >
      <span className="jp-mle-ReviewBar-place" role="status">
        {place}
        {current && (
          <span className="jp-mle-Hint jp-mle-ReviewBar-state">
            {' '}
            {statusLabel(current.status, current.isPartial, trans)}
          </span>
        )}
      </span>
      <Button
        look="quiet"
        isCompact
        icon={caretUpIcon}
        label={trans.__('Previous change (K)')}
        onClick={() => review.step(-1)}
      />
      <Button
        look="quiet"
        isCompact
        icon={caretDownIcon}
        label={trans.__('Next change (J)')}
        onClick={() => review.step(1)}
      />
      {undecided.length > 0 ? (
        <>
          <Button
            look="accept"
            icon={checkIcon}
            label={trans.__('Accept all')}
            caption={trans.__(
              'Accept all pending changes, as one undo step (Shift A)'
            )}
            isEnabled={isEnabled && held < undecided.length}
            onClick={() => void review.acceptAll()}
          />
          <Button
            look="reject"
            icon={closeIcon}
            label={trans.__('Reject all')}
            caption={trans.__('Leave the notebook as it is (Shift R)')}
            isEnabled={isEnabled}
            onClick={() => void review.rejectAll()}
          />
        </>
      ) : (
        <>
          <span className="jp-mle-Hint">{trans.__('All reviewed')}</span>
          <RunButton model={model} />
        </>
      )}
      {current?.canUndo && (
        <Button
          icon={undoIcon}
          label={trans.__('Undo')}
          caption={trans.__('Undo the decision, also in the notebook (U)')}
          isEnabled={isEnabled}
          onClick={() => void review.undo(current.edit.id)}
        />
      )}
    </div>
  );
}

/** The next step after changes were accepted: a run that tests them. */
function RunButton({ model }: { model: Modernization }): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  const goesOnFrom = useValue(model.documentChanged, () => model.goesOnFrom);
  const isValid = useValue(
    model.formChanged,
    () => model.checkedDraft.settings !== null
  );
  const { edits } = model.review;
  const isDue = edits.some(view => view.status === 'accepted');
  if (!isDue || !session || session.verdict !== null || model.isWorking) {
    return null;
  }
  return (
    <Button
      look="primary"
      icon={runIcon}
      label={
        goesOnFrom !== null
          ? trans.__('Continue from cell %1', goesOnFrom)
          : session.iterations.length === 0
            ? trans.__('Modernize')
            : trans.__('Run again')
      }
      caption={trans.__('Run the notebook as it is now in a sandbox')}
      isEnabled={isIdle && isValid}
      onClick={() => void model.actions.run()}
    />
  );
}

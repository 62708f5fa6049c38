import { checkIcon, closeIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { Button } from '../ui/Button';
import { useSignal, useTrans } from '../ui/context';
import type { IModelProps } from './useModel';
import { EditCard, isInView } from './EditCard';

/**
 * The edits of the proposal under review, and what concerns all of them.
 *
 * After a decision the focus goes on to the next edit that waits; after the last one to the list
 * itself, where the way on is said.
 */
export function EditList({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  useSignal(review.changed);
  useSignal(model.busyChanged);
  const ref = React.useRef<HTMLDivElement>(null);
  React.useEffect(() => {
    const focusList = (
      _: unknown,
      { editId, focus }: { editId: string | null; focus: boolean }
    ) => {
      if (focus && editId === null && isInView(ref.current)) {
        ref.current?.focus();
      }
    };
    review.selected.connect(focusList);
    return () => {
      review.selected.disconnect(focusList);
    };
  }, [review]);
  const { current, edits, isEnabled, undecided } = review;
  const bold = undecided.filter(view => view.consent === 'missing').length;
  return (
    <div
      className="jp-mle-Review"
      role="group"
      aria-label={trans.__('Changes to review')}
      tabIndex={-1}
      ref={ref}
    >
      {undecided.length > 0 && (
        <div className="jp-mle-Actions">
          <Button
            look="accept"
            icon={checkIcon}
            label={trans.__('Accept all')}
            caption={trans.__(
              'Accept every change that waits, as one step to undo (Shift A)'
            )}
            isEnabled={isEnabled && bold < undecided.length}
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
        </div>
      )}
      {bold > 0 && (
        <p className="jp-mle-Note jp-mod-fair">
          {trans._n(
            '%1 change of the experiment is not taken by "Accept all": say yes to it below, by itself.',
            '%1 changes of the experiment are not taken by "Accept all": say yes to each below, by itself.',
            bold
          )}
        </p>
      )}
      <ol className="jp-mle-Edits">
        {edits.map(view => (
          <li key={view.edit.id}>
            <EditCard
              model={model}
              view={view}
              isCurrent={view.edit.id === current?.edit.id}
            />
          </li>
        ))}
      </ol>
      {undecided.length === 0 && edits.length > 0 && (
        <p className="jp-mle-Hint" role="status">
          {edits.some(view => view.status === 'accepted')
            ? trans.__(
                'Everything is reviewed. Undo in a cell takes a single change back, undo of the notebook (Z) what was accepted together. Run again to see what the fix did.'
              )
            : trans.__(
                'Everything is reviewed; the notebook is as it was. Propose another fix, or run again.'
              )}
        </p>
      )}
      {undecided.length > 0 && (
        <p className="jp-mle-Keys">
          {trans.__(
            'Keys: J next, K previous, A accept, R reject, Shift with A or R for all.'
          )}
        </p>
      )}
    </div>
  );
}

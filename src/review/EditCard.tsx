import { checkIcon, closeIcon, refreshIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import type { CellEdit } from '../api/types';
import { Button } from '../ui/Button';
import { Chip } from '../ui/Chip';
import { useTrans } from '../ui/context';
import { Link } from '../ui/Link';
import type { IModelProps } from './useModel';
import {
  editTitle,
  meaningLabel,
  statusLabel,
  statusTone
} from '../words/labels';
import { ConfirmExperiment } from './ConfirmExperiment';
import { DiffView } from './DiffView';
import { countLines } from './hunks';
import type { IEditView } from './change';

/**
 * What the card of an edit is made from.
 */
export interface IEditCardProps extends IModelProps {
  /** The edit and what became of it. */
  view: IEditView;
  /** Whether the person is at this one. */
  isCurrent: boolean;
}

/**
 * One edit: what it does and why, as a diff, and the decision on it.
 */
export function EditCard(props: IEditCardProps): JSX.Element {
  const trans = useTrans();
  const { isCurrent, model, view } = props;
  const { edit, isOpen, place, staged, status } = view;
  const { review } = model;
  const id = React.useId();
  const ref = React.useRef<HTMLElement>(null);
  React.useEffect(() => {
    const follow = (
      _: unknown,
      { editId, focus }: { editId: string | null; focus: boolean }
    ) => {
      const list = ref.current?.closest<HTMLElement>('.jp-mle-Review') ?? null;
      if (focus && editId === edit.id && isInView(list)) {
        const section = list?.closest('details');
        if (section) {
          section.open = true;
        }
        ref.current?.focus({ preventScroll: true });
        ref.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
      }
    };
    review.selected.connect(follow);
    return () => {
      review.selected.disconnect(follow);
    };
  }, [review, edit.id]);
  const anchor = edit.kind === 'insert' ? edit.after : edit.cell_id;
  const ordinal = anchor === null ? null : model.places.ordinal(anchor);
  const title = editTitle(edit, ordinal, trans);
  const lines = React.useMemo(
    () => countLines(edit.base_source, edit.new_source),
    [edit.base_source, edit.new_source]
  );
  const isDecided = !isOpen;
  const hasHunks =
    isOpen && (view.open > 1 || staged.accepted + staged.rejected > 0);
  const revealed = place ?? (anchor && model.places.find(anchor));
  return (
    <article
      ref={ref}
      className={`jp-mle-Edit jp-mod-${status}${isCurrent ? ' jp-mod-current' : ''}`}
      aria-labelledby={id}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={-1}
      onFocus={() => {
        if (!isCurrent) {
          review.select(edit.id);
        }
      }}
    >
      <header className="jp-mle-Edit-header">
        <button
          type="button"
          id={id}
          className="jp-mle-CellLink"
          title={trans.__('Show this cell in the notebook')}
          disabled={!revealed}
          onClick={() => {
            if (revealed) {
              void model.document.reveal(revealed);
            }
          }}
        >
          {title}
        </button>
        <span className="jp-mle-Edit-lines">
          <span className="jp-mle-Edit-added">
            <span aria-hidden="true">+{lines.added}</span>
            <span className="jp-mle-Unseen">
              {trans._n('%1 line added', '%1 lines added', lines.added)}
            </span>
          </span>
          <span className="jp-mle-Edit-removed">
            <span aria-hidden="true">−{lines.removed}</span>
            <span className="jp-mle-Unseen">
              {trans._n('%1 line removed', '%1 lines removed', lines.removed)}
            </span>
          </span>
        </span>
        <Chip tone={statusTone(status)}>
          {statusLabel(status, view.isPartial, trans)}
        </Chip>
      </header>
      {(edit.reason || edit.meaning !== 'other') && (
        <p className="jp-mle-Edit-reason">
          {edit.meaning !== 'other' && (
            <span
              className={`jp-mle-Meaning${edit.meaning === 'experiment' ? ' jp-mod-bold' : ''}`}
            >
              {meaningLabel(edit.meaning, trans)}
            </span>
          )}
          {edit.reason} <EditLinks edit={edit} />
        </p>
      )}
      <details
        className="jp-mle-Edit-diff"
        open={!isDecided}
        key={isDecided ? 'decided' : 'open'}
      >
        <summary>
          {isDecided ? trans.__('Show the change') : trans.__('Change')}
        </summary>
        <DiffView
          label={title}
          original={isDecided ? edit.base_source : staged.original}
          proposed={isDecided ? edit.new_source : staged.proposed}
          mimeType={
            edit.cell_type === 'code'
              ? model.document.mimeType
              : 'text/x-ipythongfm'
          }
          kind={edit.kind}
          isInteractive={
            hasHunks &&
            status === 'pending' &&
            view.consent !== 'missing' &&
            review.isEnabled
          }
          onHunk={(index, isAccepted) =>
            void (isAccepted
              ? review.acceptHunk(edit.id, index)
              : review.rejectHunk(edit.id, index))
          }
        />
      </details>
      <ConfirmExperiment model={model} view={view} />
      <EditActions {...props} title={title} />
    </article>
  );
}

/** The pages that document what an edit answers: one a change, or the one its fixer named. */
function EditLinks({ edit }: { edit: CellEdit }): JSX.Element {
  const trans = useTrans();
  if (edit.changes.length === 0) {
    return <Link address={edit.link}>{trans.__('Read more')}</Link>;
  }
  return (
    <>
      {edit.changes.map((change, index) => (
        <React.Fragment key={index}>
          <Link address={change.link}>{change.name}</Link>{' '}
        </React.Fragment>
      ))}
    </>
  );
}

function EditActions(
  props: IEditCardProps & { title: string }
): JSX.Element | null {
  const trans = useTrans();
  const { model, title, view } = props;
  const { review } = model;
  const { edit, isOpen, staged, status } = view;
  if (status === 'undone') {
    return (
      <div className="jp-mle-Actions">
        <Button
          label={trans.__('Apply again')}
          caption={trans.__('Put the accepted change back into the notebook')}
          onClick={() => review.applyAgain(edit.id)}
        />
      </div>
    );
  }
  if (status === 'stale') {
    return (
      <>
        <p className="jp-mle-Note jp-mod-fair">
          {view.place === null
            ? trans.__('The cell is not in the notebook any more.')
            : trans.__('The cell is no longer what this was proposed for.')}
        </p>
        <div className="jp-mle-Actions">
          <Button
            icon={refreshIcon}
            label={trans.__('Propose again')}
            caption={trans.__('Ask for a fix of the notebook as it is now')}
            isEnabled={!model.isWorking && !model.isBusy}
            onClick={() => void model.actions.proposeAgain()}
          />
          {isOpen && (
            <Button
              look="reject"
              icon={closeIcon}
              label={trans.__('Reject')}
              isEnabled={review.isEnabled}
              onClick={() => void review.reject(edit.id)}
            />
          )}
        </div>
      </>
    );
  }
  if (!isOpen) {
    return null;
  }
  const decided = staged.accepted + staged.rejected;
  return (
    <div className="jp-mle-Actions" role="group" aria-label={title}>
      <Button
        look="accept"
        icon={checkIcon}
        label={decided > 0 ? trans.__('Accept the rest') : trans.__('Accept')}
        caption={
          view.consent === 'missing'
            ? trans.__('Say yes to the change of the experiment first')
            : trans.__('Put this change into the notebook (A)')
        }
        isEnabled={review.isEnabled && view.consent !== 'missing'}
        onClick={() => void review.accept(edit.id)}
      />
      <Button
        look="reject"
        icon={closeIcon}
        label={trans.__('Reject')}
        caption={trans.__('Leave this cell as it is (R)')}
        isEnabled={review.isEnabled}
        onClick={() => void review.reject(edit.id)}
      />
      {decided > 0 && (
        <span className="jp-mle-Hint">
          {trans.__('%1 taken, %2 left out', staged.accepted, staged.rejected)}
        </span>
      )}
    </div>
  );
}

/**
 * Whether the person is at work in the part of the page that holds the list: only then the focus
 * may move there, and not to the same edit in another part.
 */
export function isInView(list: HTMLElement | null): boolean {
  const part = list?.closest('.jp-mle-Panel, .jp-mle-WideReview');
  const active = document.activeElement;
  return (
    !!part &&
    part.getClientRects().length > 0 &&
    (active === null || active === document.body || part.contains(active))
  );
}

import { Dialog, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import {
  checkIcon,
  closeIcon,
  refreshIcon,
  undoIcon
} from '@jupyterlab/ui-components';
import * as React from 'react';

import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { Link } from '../../ui/Link';
import { Prose } from '../../ui/Prose';
import { statusLabel, statusTone } from '../../words/labels';
import type { Modernization } from '../modernization';
import type { IEditView } from '../change';
import { ConfirmExperiment } from '../ConfirmExperiment';
import type { Wish } from '../model';
import { labelOf } from '../../words/message';

/** Properties of the bar of an edit. */
export interface ICellBarProps {
  /** The notebook's modernization. */
  model: Modernization;
  /** The edit. */
  view: IEditView;
  /** Its title. */
  title: string;
  /** Whether the reasons are displayed, behind *Why?*, or elsewhere. */
  reasons: 'shown' | 'folded' | 'none';
  /** Whether it has the buttons of the decision; omitted if it has. */
  hasButtons?: boolean;
}

/** The decision on a whole edit: at its cell, in the panel and in the tab. */
export function CellBar(props: ICellBarProps): JSX.Element {
  const trans = useTrans();
  const { hasButtons = true, model, title, view } = props;
  const { edit, hunks, status } = view;
  const [isWhole, setWhole] = React.useState(false);
  const hasReasons = edit.reason !== '' && props.reasons !== 'none';
  const hasShort = edit.parts.some(({ short }) => short !== '');
  const isShown = props.reasons === 'shown';
  const isBold = edit.meaning === 'experiment';
  return (
    <div
      className={`jp-mle-CellBar jp-mod-${status}`}
      role="group"
      aria-label={title}
    >
      <div className="jp-mle-CellBar-line">
        <span className="jp-mle-CellBar-title">{title}</span>
        <Chip tone={statusTone(status)}>
          {statusLabel(status, view, trans)}
        </Chip>
        {edit.meaning !== 'other' && (
          <span className={`jp-mle-Meaning${isBold ? ' jp-mod-bold' : ''}`}>
            {labelOf('meaning', edit.meaning, trans)}
          </span>
        )}
        {edit.unseen && (
          <span
            className="jp-mle-Hint"
            title={trans.__('No run has shown its effect yet.')}
          >
            {trans.__('Not run yet')}
          </span>
        )}
        {hunks.length > 1 && view.open > 0 && (
          <span className="jp-mle-Hint">
            {trans.__('%1 of %2 places wait', view.open, hunks.length)}
          </span>
        )}
      </div>
      {hasButtons && <GroupNote model={model} view={view} />}
      <ConfirmExperiment model={model} view={view} />
      {status === 'stale' && (
        <p className="jp-mle-Note jp-mod-fair">
          {view.place === null
            ? trans.__('The cell is no longer in the notebook.')
            : trans.__('The cell has changed since this was proposed.')}
        </p>
      )}
      {view.isElsewhere && <ElsewhereNote />}
      <div className="jp-mle-CellBar-line">
        {hasButtons && <CellButtons model={model} view={view} />}
        {hasReasons && (hasShort || !isShown) && (
          <Button
            look="link"
            label={trans.__('Why?')}
            isExpanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          />
        )}
      </div>
      {hasReasons && (isShown || isWhole) && (
        <Reasons view={view} isShort={!isWhole} />
      )}
    </div>
  );
}

/**
 * Why an edit is proposed, each reason with its page.
 *
 * @param props.isShort - Whether reasons have their short forms.
 */
function Reasons(props: { view: IEditView; isShort: boolean }): JSX.Element {
  const trans = useTrans();
  const { edit } = props.view;
  const reasons =
    edit.parts.length > 0
      ? edit.parts
      : [{ reason: edit.reason, short: '', link: edit.link }];
  return (
    <div className="jp-mle-Edit-reason">
      {reasons.map(({ link, reason, short }, index) => (
        <p key={index}>
          <Prose text={(props.isShort && short) || reason} />{' '}
          <Link address={link}>{trans.__('Read more')}</Link>
        </p>
      ))}
    </div>
  );
}

function CellButtons(props: {
  model: Modernization;
  view: IEditView;
}): JSX.Element {
  const trans = useTrans();
  const { model, view } = props;
  const { review } = model;
  const { edit, status } = view;
  const isEnabled = review.isEnabled;
  const together = review.groupOf(edit.id).length;
  const isWaiting = status === 'pending' || status === 'present';
  const isHeld = view.consent === 'missing';
  return (
    <>
      {(isWaiting || status === 'undone' || status === 'rejected') && (
        <Button
          look={isWaiting ? 'accept' : 'plain'}
          icon={checkIcon}
          label={acceptLabel(view, together, trans)}
          caption={
            isHeld
              ? trans.__('Confirm the change to the experiment first')
              : trans.__('Put this change into the notebook (A)')
          }
          isEnabled={isEnabled && !isHeld && (isWaiting || view.canUndo)}
          onClick={() => void review.accept(edit.id)}
        />
      )}
      {(isWaiting || (status === 'stale' && view.isOpen)) && (
        <Button
          look="reject"
          icon={closeIcon}
          label={
            together > 1
              ? trans.__('Reject in %1 cells', together)
              : view.hunks.length > 1
                ? trans.__('Reject cell')
                : trans.__('Reject')
          }
          caption={trans.__('Leave this cell as it is (R)')}
          isEnabled={isEnabled}
          onClick={() => void review.reject(edit.id)}
        />
      )}
      {view.canUndo && (
        <Button
          icon={undoIcon}
          label={trans.__('Undo')}
          caption={trans.__('Undo the decision, also in the notebook (U)')}
          isEnabled={isEnabled}
          onClick={() => void review.undo(edit.id)}
        />
      )}
      {status === 'stale' && (
        <Button
          icon={refreshIcon}
          label={trans.__('Propose again')}
          caption={trans.__('Ask for a fix of the notebook as it is now')}
          isEnabled={!model.isWorking && !model.isBusy}
          onClick={() => void model.actions.proposeAgain()}
        />
      )}
    </>
  );
}

function acceptLabel(
  { hunks, status }: IEditView,
  together: number,
  trans: ReturnType<typeof useTrans>
): string {
  if (status === 'undone') {
    return trans.__('Apply again');
  }
  if (status === 'rejected') {
    return trans.__('Accept after all');
  }
  if (together > 1) {
    return trans.__('Accept in %1 cells', together);
  }
  return hunks.length > 1 ? trans.__('Accept cell') : trans.__('Accept');
}

/** What to do about a change that another tab accepted. */
function ElsewhereNote(): JSX.Element {
  const trans = useTrans();
  return <p className="jp-mle-Hint">{elsewhereText(trans)}</p>;
}

/** Return the advice on a change that another tab accepted. */
export function elsewhereText(trans: TranslationBundle): string {
  return trans.__(
    'Accepted in another tab or before a reload. Reload the notebook to see it, or apply it here.'
  );
}

/** Return the names of the other cells that an edit needs; empty if none. */
export function namesOfOthers(
  { places, review }: Modernization,
  { edit }: IEditView,
  trans: TranslationBundle
): string {
  return review
    .groupOf(edit.id)
    .filter(item => item.edit.id !== edit.id)
    .map(item => places.name(item.edit.cell_id))
    .map(ordinal =>
      ordinal === null ? trans.__('a new cell') : trans.__('cell %1', ordinal)
    )
    .join(', ');
}

/** Decide on an edit without those it needs, after a warning. */
export async function decideAlone(
  model: Modernization,
  view: IEditView,
  wish: Wish,
  trans: TranslationBundle
): Promise<void> {
  const { button } = await showDialog({
    title: trans.__('Only this cell?'),
    body: trans.__(
      'This change and the one in %1 depend on each other. One without the other is incorrect and may give wrong results without an error.',
      namesOfOthers(model, view, trans)
    ),
    buttons: [
      Dialog.cancelButton(),
      Dialog.warnButton({ label: trans.__('Only this cell') })
    ],
    defaultButton: 0
  });
  if (button.accept) {
    const { review } = model;
    await (wish === 'accepted'
      ? review.accept(view.edit.id, true)
      : review.undo(view.edit.id, true));
  }
}

/** The other cells that an edit needs, and a button to decide on it alone. */
function GroupNote(props: {
  model: Modernization;
  view: IEditView;
}): JSX.Element | null {
  const trans = useTrans();
  const { model, view } = props;
  const names = namesOfOthers(model, view, trans);
  if (names === '') {
    return null;
  }
  return (
    <p className="jp-mle-CellBar-group">
      {trans.__('Goes together with %1.', names)}{' '}
      {view.status === 'pending' && (
        <Button
          look="link"
          label={trans.__('Only this cell…')}
          isEnabled={model.review.isEnabled && view.consent !== 'missing'}
          onClick={() => void decideAlone(model, view, 'accepted', trans)}
        />
      )}
      {view.status === 'accepted' && view.canUndo && (
        <Button
          look="link"
          label={trans.__('Undo only this cell…')}
          isEnabled={model.review.isEnabled}
          onClick={() => void decideAlone(model, view, 'pending', trans)}
        />
      )}
    </p>
  );
}

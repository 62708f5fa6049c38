import { ReactWidget } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import {
  caretDownIcon,
  caretUpIcon,
  runIcon,
  undoIcon
} from '@jupyterlab/ui-components';
import { Widget } from '@lumino/widgets';
import * as React from 'react';
import { flushSync } from 'react-dom';

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
import type { IStop } from '../model';
import { AllButtons } from '../AllButtons';

/**
 * The bar above the notebook's lower edge that walks through the hunks of a
 * proposal. The keys of the review work in it.
 */
export class ReviewBar extends ReactWidget {
  constructor(
    private readonly _model: Modernization,
    private readonly _context: IPanelContext
  ) {
    super();
    this.addClass('jp-mle-ReviewBar');
    this.addClass('jp-mle-InCell');
    this.addClass('jp-mle-mod-keys');
  }

  /**
   * Move the focus to the bar. A button to walk retains it: it may be pressed
   * again.
   */
  takeFocus(): void {
    const { activeElement } = document;
    const isWalking =
      this.node.contains(activeElement) &&
      activeElement?.matches('.jp-mod-compact');
    if (!isWalking) {
      if (!this._line.current) {
        flushSync(() => this.onUpdateRequest(Widget.Msg.UpdateRequest));
      }
      this._line.current?.focus({ preventScroll: true });
    }
  }

  protected override render(): JSX.Element {
    return (
      <PanelContext.Provider value={this._context}>
        <Bar model={this._model} line={this._line} />
      </PanelContext.Provider>
    );
  }

  private readonly _line = React.createRef<HTMLDivElement>();
}

/** Properties of the contents of the bar. */
interface IBarProps {
  /** The notebook's modernization. */
  model: Modernization;
  /** The element that takes the focus. */
  line: React.RefObject<HTMLDivElement>;
}

function Bar({ line, model }: IBarProps): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  useSignal(review.changed);
  const { position, sending, stops, undecided } = review;
  const at = stops.findIndex(
    stop => stop.view === position?.view && stop.hunk === position.hunk
  );
  const isOver = undecided.length === 0;
  return (
    <div
      ref={line}
      className="jp-mle-ReviewBar-line"
      role="toolbar"
      aria-label={trans.__('Review of the proposed changes')}
      aria-busy={sending > 0}
      tabIndex={-1}
    >
      <span className="jp-mle-ReviewBar-place" role="status">
        {trans.__('%1 of %2', at + 1, stops.length)}
        <span className="jp-mle-Hint jp-mle-ReviewBar-state">
          {sending > 1
            ? trans.__('Recording %1 changes…', sending)
            : position && stopLabel(position, trans)}
        </span>
      </span>
      {stops.length > 1 && (
        <Button
          look="quiet"
          isCompact
          icon={caretUpIcon}
          label={trans.__('Previous change (K)')}
          onClick={() => review.step(-1)}
        />
      )}
      <Button
        look="quiet"
        isCompact
        icon={caretDownIcon}
        label={
          stops.length > 1
            ? trans.__('Next change (J)')
            : trans.__('Show the change (J)')
        }
        onClick={() => review.step(1)}
      />
      {(review.hasSeveral || review.canUndo) && (
        <span className="jp-mle-ReviewBar-undo">
          <Button
            icon={undoIcon}
            label={trans.__('Undo')}
            caption={trans.__('Take the last decision back (U)')}
            isEnabled={review.canUndo}
            onClick={() => void review.undoLast()}
          />
        </span>
      )}
      {!isOver && review.hasSeveral && <AllButtons model={model} />}
      {isOver && sending === 0 && (
        <>
          <span className="jp-mle-Hint">{trans.__('All reviewed')}</span>
          <RunButton model={model} />
        </>
      )}
    </div>
  );
}

/** Return the state of a place in words. */
function stopLabel(
  { hunk, isWhole, view }: IStop,
  trans: TranslationBundle
): string {
  const state = view.hunks[hunk]?.state;
  return !isWhole && (state === 'pending' || state === 'rejected')
    ? statusLabel(state, view, trans)
    : statusLabel(view.status, view, trans);
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
          ? trans.__(
              'Continue from cell %1',
              model.places.nameAt(goesOnFrom) ?? goesOnFrom
            )
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

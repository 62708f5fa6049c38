import { checkIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { Button } from '../ui/Button';
import { Prose } from '../ui/Prose';
import { PanelContext, useSignal, useTrans } from '../ui/context';
import type { IModelProps } from './useModel';
import {
  editShortTitle,
  editTitle,
  statusLabel,
  statusTone
} from '../words/labels';
import type { ReviewModel } from './model';
import type { Modernization } from './modernization';
import type { IEditView } from './change';
import { CellBar } from './cells/CellBar';
import { DiffView } from './DiffView';
import { countLines } from './hunks';
import type { IRuleView } from './rules';
import { labelOf } from '../words/message';
import { AllButtons } from './AllButtons';

/**
 * The edits of the proposal under review: notes on all of them, one line for
 * each, and the decision on the current one.
 */
export function EditList({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  useSignal(review.changed);
  const { showsInCells } = React.useContext(PanelContext);
  const isInCells = showsInCells?.() ?? false;
  const { edits, undecided } = review;
  const held = undecided.filter(view => view.consent === 'missing').length;
  const ref = React.useRef<HTMLDivElement>(null);
  React.useEffect(() => {
    // A button is removed after its decision: the focus stays with the list.
    const keepFocus = (_: unknown, { focus }: ReviewModel.ISelection) => {
      const { activeElement } = document;
      if (focus === 'keep' && ref.current?.contains(activeElement)) {
        ref.current
          .querySelector<HTMLElement>('[role="listbox"]')
          ?.focus({ preventScroll: true });
      }
    };
    review.selected.connect(keepFocus);
    return () => {
      review.selected.disconnect(keepFocus);
    };
  }, [review]);
  return (
    <div
      ref={ref}
      className="jp-mle-Review"
      role="group"
      aria-label={trans.__('Changes to review')}
    >
      {!isInCells && review.hasSeveral && undecided.length > 0 && (
        <div className="jp-mle-Actions">
          <AllButtons model={model} />
        </div>
      )}
      {held > 0 && (
        <p className="jp-mle-Note jp-mod-fair">
          {trans._n(
            '%1 change to the experiment is not included in "Accept all": confirm it individually.',
            '%1 changes to the experiment are not included in "Accept all": confirm each individually.',
            held
          )}
        </p>
      )}
      <Rules model={model} />
      <Overview model={model} />
      <Current model={model} />
      {undecided.length === 0 && edits.length > 0 && (
        <p className="jp-mle-Hint" role="status">
          {edits.some(view => view.status === 'accepted')
            ? trans.__(
                'Everything is reviewed; every decision can be undone until the next run. Run the notebook to see what the fix did.'
              )
            : trans.__(
                'Everything is reviewed; the notebook is unchanged. Propose another fix, or run it.'
              )}
        </p>
      )}
      <p className="jp-mle-Keys">
        {trans.__(
          'Keys: J next, K previous, A accept, R reject, U undo, Shift with A or R for all.'
        )}
      </p>
    </div>
  );
}

/**
 * The changes of rules with several places: all places of a rule are decided at
 * once.
 */
function Rules({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { rules } = model.review;
  const many = rules.filter(rule => rule.places.length > 1);
  // Of a single rule all places are all changes.
  if (many.length === 0 || rules.length === 1) {
    return null;
  }
  return (
    <ul className="jp-mle-Rules" aria-label={trans.__('By rule')}>
      {many.map(rule => (
        <Rule key={rule.rule} model={model} rule={rule} />
      ))}
    </ul>
  );
}

function Rule(props: { model: Modernization; rule: IRuleView }): JSX.Element {
  const trans = useTrans();
  const { model, rule } = props;
  const { review } = model;
  return (
    <li className="jp-mle-Rule">
      <span className="jp-mle-Rule-what" title={rule.what}>
        {trans._n('%1 place', '%1 places', rule.places.length)}
        {': '}
        <Prose text={rule.what} />
      </span>
      {rule.open > 0 ? (
        <Button
          look="accept"
          icon={checkIcon}
          label={trans.__('Accept %1', rule.open)}
          caption={rule.what}
          isEnabled={review.isEnabled}
          onClick={() => void review.decideRule(rule.rule, 'accepted')}
        />
      ) : (
        <span className="jp-mle-Hint">
          {trans.__('%1 accepted', rule.accepted)}
        </span>
      )}
    </li>
  );
}

const ROW = 28; // pixels
const MOST_ROWS = 10;
const SPARE_ROWS = 4;

/** One line an edit; only those in view are drawn. */
function Overview({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  const { current, edits } = review;
  const ref = React.useRef<HTMLDivElement>(null);
  const [top, setTop] = React.useState(0);
  const id = React.useId();
  const at = edits.findIndex(view => view.edit.id === current?.edit.id);
  React.useEffect(() => {
    const list = ref.current;
    if (!list || at < 0) {
      return;
    }
    if (at * ROW < list.scrollTop) {
      list.scrollTop = at * ROW;
    } else if ((at + 1) * ROW > list.scrollTop + MOST_ROWS * ROW) {
      list.scrollTop = (at + 1 - MOST_ROWS) * ROW;
    }
  }, [at]);
  const from = Math.max(Math.floor(top / ROW) - SPARE_ROWS, 0);
  const to = Math.min(from + MOST_ROWS + 2 * SPARE_ROWS, edits.length);
  const go = (index: number) => {
    const view = edits[Math.max(0, Math.min(index, edits.length - 1))];
    review.select(view.edit.id);
    reveal(model, view);
  };
  return (
    <div
      ref={ref}
      className="jp-mle-Overview"
      role="listbox"
      aria-label={trans.__('Changes')}
      aria-activedescendant={at >= from && at < to ? `${id}-${at}` : undefined}
      tabIndex={0}
      style={{ maxHeight: MOST_ROWS * ROW }}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
      onKeyDown={event => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) {
          event.preventDefault();
          go(at + step);
        } else if (event.key === 'Enter') {
          go(at);
        }
      }}
    >
      <div style={{ height: from * ROW }} role="presentation" />
      {edits.slice(from, to).map((view, offset) => (
        <Row
          key={view.edit.id}
          id={`${id}-${from + offset}`}
          model={model}
          view={view}
          isCurrent={from + offset === at}
          index={from + offset}
          total={edits.length}
          onClick={() => go(from + offset)}
        />
      ))}
      <div style={{ height: (edits.length - to) * ROW }} role="presentation" />
    </div>
  );
}

function Row(props: {
  id: string;
  model: Modernization;
  view: IEditView;
  isCurrent: boolean;
  index: number;
  total: number;
  onClick: () => void;
}): JSX.Element {
  const trans = useTrans();
  const { isCurrent, model, view } = props;
  const { edit, hunks, status } = view;
  const [first] = hunks;
  const lines = React.useMemo(
    () => countLines(edit.base_source, edit.new_source),
    [edit]
  );
  const line = (
    first?.old.find(isText) ??
    first?.fresh.find(isText) ??
    ''
  ).trim();
  return (
    <div
      id={props.id}
      className={`jp-mle-Row jp-mod-${status}${isCurrent ? ' jp-mod-current' : ''}`}
      role="option"
      aria-selected={isCurrent}
      aria-posinset={props.index + 1}
      aria-setsize={props.total}
      style={{ height: ROW }}
      onClick={props.onClick}
    >
      <span className={`jp-mle-Row-state jp-mod-${statusTone(status)}`}>
        <span aria-hidden="true">{SIGNS[status]}</span>
        <span className="jp-mle-Unseen">
          {statusLabel(status, view, trans)}
        </span>
      </span>
      <span className="jp-mle-Row-cell">
        <span className="jp-mle-Unseen">{rowTitle(model, view, trans)}</span>
        <span aria-hidden="true">
          {editShortTitle(edit, cellName(model, view), trans)}
        </span>
      </span>
      {edit.meaning === 'experiment' && (
        <span className="jp-mle-Row-bold">
          <span aria-hidden="true">⚠</span>
          <span className="jp-mle-Unseen">
            {labelOf('meaning', edit.meaning, trans)}
          </span>
        </span>
      )}
      <code className="jp-mle-Row-code">{line}</code>
      <span className="jp-mle-Edit-lines" aria-hidden="true">
        <span className="jp-mle-Edit-added">+{lines.added}</span>
        <span className="jp-mle-Edit-removed">−{lines.removed}</span>
      </span>
    </div>
  );
}

const SIGNS: Record<IEditView['status'], string> = {
  pending: '●',
  present: '●',
  accepted: '✓',
  rejected: '✕',
  stale: '!',
  failed: '!',
  undone: '↶'
};

function isText(line: string): boolean {
  return line.trim() !== '';
}

function rowTitle(
  model: Modernization,
  view: IEditView,
  trans: ReturnType<typeof useTrans>
): string {
  return editTitle(view.edit, cellName(model, view), trans);
}

/** Return the number of an edit's code cell, from 1. */
function cellName(model: Modernization, { edit }: IEditView): string | null {
  const cell = edit.kind === 'insert' ? edit.after : edit.cell_id;
  return cell === null ? null : model.places.name(cell);
}

function reveal(model: Modernization, { edit, place }: IEditView): void {
  const anchor = edit.kind === 'insert' ? edit.after : null;
  const at = place ?? (anchor === null ? null : model.places.find(anchor));
  if (at !== null) {
    void model.document.reveal(at);
  }
}

/**
 * The edit that is looked at: why, and the decision; nothing if the notebook
 * displays it.
 */
function Current({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { showsInCells } = React.useContext(PanelContext);
  const { current } = model.review;
  const [isOpen, setOpen] = React.useState<boolean | null>(null);
  if (!current) {
    return null;
  }
  const { edit } = current;
  const isInCells = showsInCells?.() ?? false;
  if (isInCells && (current.place !== null || edit.kind === 'insert')) {
    return null;
  }
  const isDiffShown = isOpen ?? true;
  return (
    <article
      className={`jp-mle-Edit jp-mod-${current.status}`}
      aria-label={rowTitle(model, current, trans)}
    >
      <details className="jp-mle-Edit-diff" open={isDiffShown}>
        <summary
          onClick={event => {
            event.preventDefault();
            setOpen(!isDiffShown);
          }}
        >
          {trans.__('The change')}
        </summary>
        {isDiffShown && (
          <DiffView
            label={rowTitle(model, current, trans)}
            original={edit.base_source}
            proposed={edit.new_source}
            mimeType={
              edit.cell_type === 'code'
                ? model.document.mimeType
                : 'text/x-ipythongfm'
            }
            kind={edit.kind}
          />
        )}
      </details>
      <CellBar
        key={edit.id}
        model={model}
        view={current}
        title={rowTitle(model, current, trans)}
        reasons="shown"
      />
    </article>
  );
}

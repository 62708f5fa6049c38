import * as React from 'react';

import type { Cell } from '../api/types';
import { toNotebook } from '../session/document/document';
import { useSignal, useTrans } from '../ui/context';
import { editTitle } from '../words/labels';
import type { IEditView } from './change';
import { CellBar } from './cells/CellBar';
import { type IPair, isAlike, pairCells, proposedCells } from './compare';
import type { ReviewModel } from './model';
import type { Modernization } from './modernization';
import { SideBySide } from './SideBySide';
import { type IModelProps, useOriginal } from './useModel';
import { AllButtons } from './AllButtons';

/** Versions to compare. */
type Version = 'original' | 'now' | 'proposed';

const VERSIONS: readonly Version[] = ['original', 'now', 'proposed'];

/**
 * Two of a notebook's versions (at the session's start, now, proposed) side by
 * side, cell by cell, with the decision on every edit.
 */
export function Comparison({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  useSignal(review.changed);
  const [left, setLeft] = React.useState<Version>(() =>
    review.undecided.length > 0 ? 'now' : 'original'
  );
  const [right, setRight] = React.useState<Version>(() =>
    review.undecided.length > 0 ? 'proposed' : 'now'
  );
  const original = useOriginal(model);
  const ref = React.useRef<HTMLDivElement>(null);
  React.useEffect(() => {
    const follow = (_: unknown, { editId, focus }: ReviewModel.ISelection) => {
      const page = ref.current;
      if (focus === 'none' || !page?.contains(document.activeElement)) {
        return;
      }
      const row = [...page.querySelectorAll<HTMLElement>('article')].find(
        node => node.dataset.mleEdit === editId
      );
      (row ?? page).focus({ preventScroll: true });
      row?.scrollIntoView({ block: 'nearest' });
    };
    review.selected.connect(follow);
    return () => {
      review.selected.disconnect(follow);
    };
  }, [review]);
  const { current, edits, isEnabled, undecided } = review;
  const cells = (version: Version): readonly Cell[] => {
    const now = () => model.places.named(toNotebook(model.document)).cells;
    switch (version) {
      case 'original':
        return original?.cells ?? now();
      case 'now':
        return now();
      case 'proposed':
        return proposedCells(now(), edits);
    }
  };
  const pairs = pairCells(cells(left), cells(right));
  const byCell = new Map(edits.map(view => [view.edit.cell_id, view]));
  const rows = pairs.filter(pair => !isAlike(pair) || byCell.has(pair.id));
  const decided = edits.filter(
    view => !pairs.some(pair => pair.id === view.edit.cell_id)
  );
  return (
    <div
      ref={ref}
      className="jp-mle-Review"
      role="group"
      aria-label={trans.__('Changes to review')}
      tabIndex={-1}
    >
      <div className="jp-mle-Actions">
        <Choice label={trans.__('Left')} value={left} onChange={setLeft} />
        <Choice label={trans.__('Right')} value={right} onChange={setRight} />
        {review.hasSeveral && undecided.length > 0 && (
          <AllButtons model={model} />
        )}
      </div>
      {rows.map(pair => (
        <Row
          key={pair.id}
          model={model}
          pair={pair}
          view={byCell.get(pair.id) ?? null}
          isCurrent={current?.edit.cell_id === pair.id}
          isEnabled={isEnabled}
        />
      ))}
      {decided.map(view => (
        <Row
          key={view.edit.id}
          model={model}
          pair={{ id: view.edit.cell_id, left: null, right: null }}
          view={view}
          isCurrent={current?.edit.id === view.edit.id}
          isEnabled={isEnabled}
        />
      ))}
      <p className="jp-mle-Hint" role="status">
        {trans._n(
          '%1 cell is the same in both.',
          '%1 cells are the same in both.',
          pairs.filter(isAlike).length
        )}
      </p>
    </div>
  );
}

function Choice(props: {
  label: string;
  value: Version;
  onChange: (value: Version) => void;
}): JSX.Element {
  const trans = useTrans();
  const names: Record<Version, string> = {
    original: trans.__('Original'),
    now: trans.__('Now'),
    proposed: trans.__('Proposed')
  };
  return (
    <label className="jp-mle-Choice">
      {props.label}{' '}
      <select
        value={props.value}
        onChange={event => {
          const chosen = VERSIONS.find(item => item === event.target.value);
          if (chosen) {
            props.onChange(chosen);
          }
        }}
      >
        {VERSIONS.map(version => (
          <option key={version} value={version}>
            {names[version]}
          </option>
        ))}
      </select>
    </label>
  );
}

const Row = React.memo(
  function Row(props: {
    model: Modernization;
    pair: IPair;
    view: IEditView | null;
    isCurrent: boolean;
    isEnabled: boolean;
  }): JSX.Element {
    const trans = useTrans();
    const { isCurrent, model, pair, view } = props;
    const title = rowTitle(model, pair.id, view, trans);
    const type = (pair.right ?? pair.left)?.type ?? 'code';
    // Cells that are equal in both versions have no text.
    const isText = !isAlike(pair) && (pair.left ?? pair.right) !== null;
    return (
      <article
        className={`jp-mle-Edit${isCurrent ? ' jp-mod-current' : ''}`}
        aria-label={title}
        aria-current={isCurrent ? 'true' : undefined}
        data-mle-edit={view?.edit.id}
        tabIndex={-1}
        onFocus={() => {
          if (view && model.review.current?.edit.id !== view.edit.id) {
            model.review.select(view.edit.id);
          }
        }}
      >
        {view ? (
          <CellBar model={model} view={view} title={title} reasons="folded" />
        ) : (
          <span className="jp-mle-CellBar-title">{title}</span>
        )}
        {isText && (
          <SideBySide
            label={title}
            left={pair.left?.source ?? ''}
            right={pair.right?.source ?? ''}
            mimeType={
              type === 'code' ? model.document.mimeType : 'text/x-ipythongfm'
            }
          />
        )}
      </article>
    );
  },
  (before, after) =>
    before.model === after.model &&
    before.isCurrent === after.isCurrent &&
    before.isEnabled === after.isEnabled &&
    before.view === after.view &&
    before.pair.left?.source === after.pair.left?.source &&
    before.pair.right?.source === after.pair.right?.source
);

function rowTitle(
  model: Modernization,
  cellId: string,
  view: IEditView | null,
  trans: ReturnType<typeof useTrans>
): string {
  if (view) {
    const cell = view.edit.kind === 'insert' ? view.edit.after : cellId;
    const ordinal = cell === null ? null : model.places.name(cell);
    return editTitle(view.edit, ordinal, trans);
  }
  const ordinal = model.places.name(cellId);
  return ordinal === null ? trans.__('Cell') : trans.__('Cell %1', ordinal);
}

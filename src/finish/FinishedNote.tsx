import { undoIcon } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Provenance } from '../api/types';
import { CommandIDs } from '../commandIds';
import type { Modernization } from '../review/modernization';
import { isAlike, pairCells } from '../review/compare';
import { type IModelProps, useOriginal } from '../review/useModel';
import { toNotebook } from '../session/document/document';
import { Button } from '../ui/Button';
import { PanelContext, useTrans, useValue } from '../ui/context';
import { formatScore } from '../words/numbers';
import type { IFinished } from '../session/document/provenance';

/** Return the finish record of a notebook, null if it is not finished. */
export function useFinished(model: Modernization): IFinished | null {
  const said = useValue(model.documentChanged, () =>
    JSON.stringify(model.finished)
  );
  return React.useMemo(() => JSON.parse(said) as IFinished | null, [said]);
}

/**
 * Note on a finished notebook: the source of its outputs, and whether it was
 * changed since.
 */
export function FinishedNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const finished = useFinished(model);
  const canUndo = useValue(
    model.documentChanged,
    () => model.beforeFinish !== null
  );
  const changed = useChangedCells(model);
  if (!finished || model.isWorking) {
    return null;
  }
  const { isChanged, provenance } = finished;
  return (
    <div className="jp-mle-Finished">
      <p>{finishedText(provenance, changed, trans)}</p>
      {isChanged ? (
        <p className="jp-mle-Hint">
          {trans.__(
            'Its code has changed since, so the outputs may be out of date.'
          )}
        </p>
      ) : (
        <div className="jp-mle-Actions">
          {model.session && (
            <Button
              label={trans.__('Compare with the original')}
              onClick={() => execute(CommandIDs.openReview)}
            />
          )}
          {canUndo && (
            <Button
              look="quiet"
              icon={undoIcon}
              label={trans.__('Undo Finish')}
              caption={trans.__('Restore the previous outputs and metadata')}
              onClick={() => execute(CommandIDs.undoFinish)}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Return the number of cells that differ from the original; null if unknown. */
function useChangedCells(model: Modernization): number | null {
  const original = useOriginal(model);
  return useValue(model.documentChanged, () => {
    if (!original || model.finished?.provenance.session !== model.session?.id) {
      return null;
    }
    const now = model.places.named(toNotebook(model.document));
    return pairCells(original.cells, now.cells).filter(pair => !isAlike(pair))
      .length;
  });
}

function finishedText(
  said: Partial<Provenance>,
  changed: number | null,
  trans: TranslationBundle
): string {
  const time = Date.parse(said.finished_at ?? '');
  const date = Number.isNaN(time) ? null : new Date(time);
  const cells =
    changed === null
      ? ''
      : trans._n('%1 cell changed', '%1 cells changed', changed);
  const isToday = date?.toDateString() === new Date().toDateString();
  const facts = [
    ...(isToday
      ? [
          trans.__('Saved.'),
          cells
            ? trans.__('%1, outputs of today’s run.', cells)
            : trans.__('It has the outputs of today’s run.')
        ]
      : [
          date
            ? trans.__(
                'This notebook was modernized on %1.',
                date.toLocaleDateString(undefined, { dateStyle: 'medium' })
              )
            : trans.__('This notebook was modernized.'),
          cells && `${cells}.`
        ]),
    said.python ? trans.__('It ran with Python %1.', said.python) : '',
    typeof said.score === 'number'
      ? typeof said.target_score === 'number'
        ? trans.__(
            'It scored %1; the target is %2.',
            formatScore(said.score),
            formatScore(said.target_score)
          )
        : trans.__('It scored %1.', formatScore(said.score))
      : ''
  ];
  return facts.filter(text => text).join(' ');
}

import { undoIcon } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Provenance } from '../api/types';
import { CommandIDs } from '../commandIds';
import type { Modernization } from '../review/modernization';
import type { IModelProps } from '../review/useModel';
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
  if (!finished || model.isWorking) {
    return null;
  }
  const { isChanged, provenance } = finished;
  return (
    <div className="jp-mle-Finished">
      <p>{modernizedText(provenance, trans)}</p>
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
              look="link"
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

function modernizedText(
  said: Partial<Provenance>,
  trans: TranslationBundle
): string {
  const time = Date.parse(said.finished_at ?? '');
  const date = Number.isNaN(time)
    ? ''
    : new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });
  const facts = [
    date
      ? trans.__('This notebook was modernized on %1.', date)
      : trans.__('This notebook was modernized.'),
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

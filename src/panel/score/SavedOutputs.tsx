import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type {
  CellAgreement,
  OutputDifference,
  OutputMatch,
  PrintedScore
} from '../../api/types';
import { CellLink } from '../../review/CellLink';
import { type IModelProps, useSession } from '../../review/useModel';
import { currentIteration, isGraded } from '../../session/reading';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useSignal, useTrans } from '../../ui/context';
import { Section } from '../../ui/Section';
import { labelOf, messagesText, messageText } from '../../words/message';
import { formatScore } from '../../words/numbers';

const MOST_CELLS = 10;
const MOST_SCORES = 2;
/** Codes of the messages that compare a run with the saved outputs. */
const OUTPUTS_COMPARED = ['summary.saved-outputs', 'summary.all-saved-outputs'];
const ALIKE: readonly OutputMatch[] = ['same', 'not-compared'];

/**
 * Agreement of the latest run with the outputs saved in the notebook's file.
 */
export function SavedOutputs({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const latest = session && currentIteration(session);
  const agreement = latest && isGraded(latest) ? latest.agreement : null;
  if (!session || !agreement || agreement.compared === 0) {
    return null;
  }
  const { agreeing, close, compared } = agreement;
  const others = agreement.cells.filter(cell => !ALIKE.includes(cell.match));
  const differing = others.filter(({ match }) => match !== 'close');
  const [first, ...rest] = [
    ...differing,
    ...others.filter(({ match }) => match === 'close')
  ];
  // If nothing graded the run, this is its outcome, and its message has it.
  const isTold = session.message.some(({ code }) =>
    OUTPUTS_COMPARED.includes(code)
  );
  if (isTold && !first) {
    return null;
  }
  return (
    <Section title={trans.__('Saved outputs')}>
      {!isTold && (
        <p>
          <Chip tone={differing.length > 0 ? 'fair' : 'good'}>
            {trans.__('%1 of %2 outputs', agreeing, compared)}
          </Chip>{' '}
          {trans.__('that can be compared match.')}
          {close > 0 &&
            ` ${messageText(
              { code: 'summary.close-outputs', parameters: { count: close } },
              trans
            )}`}
        </p>
      )}
      {first && <Difference model={model} cell={first} />}
      {rest.length > 0 && (
        <details>
          <summary>
            {trans._n('%1 more cell', '%1 more cells', rest.length)}
          </summary>
          {rest.slice(0, MOST_CELLS).map(cell => (
            <Difference key={cell.cell_id} model={model} cell={cell} />
          ))}
        </details>
      )}
    </Section>
  );
}

function Difference(props: IModelProps & { cell: CellAgreement }): JSX.Element {
  const trans = useTrans();
  const { cell, model } = props;
  const { difference } = cell;
  const isShown = difference !== null && cell.match !== 'failed';
  const place = difference ? placeLabel(difference, trans) : '';
  return (
    <div className="jp-mle-SavedOutputs-cell">
      <CellLink model={model} cellId={cell.cell_id} />{' '}
      {labelOf('output-match', cell.match, trans)}
      {isShown && (
        <dl className="jp-mle-SavedOutputs-values">
          <dt>{place ? trans.__('Saved (%1)', place) : trans.__('Saved')}</dt>
          <dd>
            <code>{difference.saved || trans.__('nothing')}</code>
          </dd>
          <dt>{trans.__('Now')}</dt>
          <dd>
            <code>{difference.fresh || trans.__('nothing')}</code>
          </dd>
        </dl>
      )}
      {cell.remark.length > 0 && (
        <p>
          {messagesText(
            cell.remark,
            trans,
            model.places.namesIn(model.session)
          )}
        </p>
      )}
    </div>
  );
}

/** Return the place of the first difference in an output; empty if unknown. */
function placeLabel(
  difference: OutputDifference,
  trans: TranslationBundle
): string {
  const { column, kind, line } = difference;
  switch (kind) {
    case 'table-value':
      return column
        ? trans.__('row %1 shown, column %2', line, column)
        : trans.__('row %1 shown', line);
    case 'table-columns':
      return trans.__('name of a column');
    case 'table-shape':
      return trans.__('size');
    case 'number':
    case 'text':
    case 'length':
    case 'error':
      return line === null ? '' : trans.__('line %1', line);
  }
}

/**
 * The scores that the saved outputs show, while the target is empty: one click takes one.
 */
export function PrintedScores({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  useSignal(model.formChanged);
  const scores = session?.printed_scores.slice(0, MOST_SCORES) ?? [];
  if (scores.length === 0 || model.draft.target_score !== null) {
    return null;
  }
  const take = (score: PrintedScore) =>
    model.edit({
      target_score: score.value,
      target_kind: 'printed',
      score_reading: {
        cell_id: score.cell_id,
        pattern: score.pattern,
        which: 'last'
      }
    });
  return (
    <ul
      className="jp-mle-Suggestions"
      aria-label={trans.__('Scores its saved outputs show')}
    >
      {scores.map(score => (
        <li key={`${score.cell_id}/${score.pattern}`}>
          <span>
            <CellLink model={model} cellId={score.cell_id} />{' '}
            {trans.__('printed “%1” %2.', score.name, formatScore(score.value))}
          </span>{' '}
          <Button
            label={trans.__('Use %1', formatScore(score.value))}
            caption={trans.__(
              'Take %1 as the target score',
              formatScore(score.value)
            )}
            onClick={() => take(score)}
          />
        </li>
      ))}
    </ul>
  );
}

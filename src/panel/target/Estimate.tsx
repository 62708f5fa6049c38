import * as React from 'react';

import type { Estimate, Range } from '../../api/types';
import { toNotebook } from '../../session/document/document';
import { formatCost, formatTokens } from '../../words/numbers';
import { PanelContext, useTrans } from '../../ui/context';
import type { IModelProps } from '../../review/useModel';
import { useAnswer, useSettled } from '../../ui/useAnswer';
import { datedText } from '../../words/usage';

const PAUSE = 800; // milliseconds without an edit before the next request to the server

/**
 * Estimated cost of an auto run, next to the choice of that mode; empty if it
 * would use no model.
 */
export function EstimateNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { client } = React.useContext(PanelContext);
  const edits = useSettled(model.document.changed, PAUSE);
  const { settings } = model.checkedDraft;
  const isDue =
    client !== undefined &&
    settings?.mode === 'auto' &&
    model.info.llm.configured &&
    settings.fixers.includes('llm');
  const question = isDue
    ? JSON.stringify([
        edits,
        settings.competition,
        settings.max_fixes,
        settings.fixers
      ])
    : null;
  const { isPending, problem, value } = useAnswer<Estimate | null>(
    question,
    async () =>
      client && settings
        ? client.estimate({ notebook: toNotebook(model.document), settings })
        : null
  );
  if (question === null) {
    return null;
  }
  return (
    <div
      className="jp-mle-Estimate"
      role="group"
      aria-label={trans.__('Estimated cost')}
      aria-busy={isPending}
    >
      {value && <EstimateText estimate={value} />}
      {!value && isPending && (
        <p className="jp-mle-Hint">{trans.__('Estimating the cost…')}</p>
      )}
      {problem && (
        <p className="jp-mle-Hint">
          {trans.__('The cost cannot be estimated: %1', problem)}
        </p>
      )}
    </div>
  );
}

/** An estimate as a line, with its basis. */
export function EstimateText(props: { estimate: Estimate }): JSX.Element {
  const trans = useTrans();
  const { estimate } = props;
  const { cost_usd, fixes, input_tokens, output_tokens, price } = estimate;
  if (fixes.high === 0) {
    return (
      <p className="jp-mle-Hint">
        {trans.__('No fixes are allowed: the model is not asked.')}
      </p>
    );
  }
  const money =
    cost_usd && price
      ? trans.__(
          '%1, likely %2 (%3)',
          span(cost_usd, formatCost),
          formatCost(cost_usd.likely),
          datedText(price, trans)
        )
      : trans.__('the price of %1 is not known', estimate.model);
  return (
    <>
      <p>
        {trans.__('Estimate:')} <strong>{money}</strong>
      </p>
      <p className="jp-mle-Hint">
        {trans.__(
          '%1 tokens in, %2 out; %3 fixes by %4.',
          span(input_tokens, count),
          span(output_tokens, count),
          span(fixes, count),
          estimate.model
        )}{' '}
        {estimate.rests_on} {trans.__('Fixes by rules cost nothing.')}
      </p>
    </>
  );
}

function span(range: Range, format: (value: number) => string): string {
  const low = format(range.low);
  const high = format(range.high);
  return low === high ? low : `${low} – ${high}`;
}

function count(value: number): string {
  return formatTokens(
    value < 10 ? Number(value.toFixed(1)) : Math.round(value)
  );
}

import type { TranslationBundle } from '@jupyterlab/translation';

import type { Price, Usage } from '../api/types';
import { formatCost, formatPercent, formatTokens } from './numbers';

/** Return the number of calls, with those that failed. */
export function callsText(usage: Usage, trans: TranslationBundle): string {
  const asked = usage.calls + usage.failed;
  return usage.failed > 0
    ? trans._n(
        'asked %1 time, %2 failed',
        'asked %1 times, %2 failed',
        asked,
        usage.failed
      )
    : trans._n('%1 call', '%1 calls', asked);
}

/** Return the tokens in and out, as text. */
export function tokensText(usage: Usage, trans: TranslationBundle): string {
  const input = formatTokens(usage.input_tokens);
  const output = formatTokens(usage.output_tokens);
  const tokens = usage.estimated
    ? trans.__('about %1 tokens in, %2 out', input, output)
    : trans.__('%1 tokens in, %2 out', input, output);
  return usage.reasoning_tokens > 0
    ? trans.__(
        '%1 (%2 of them reasoning)',
        tokens,
        formatTokens(usage.reasoning_tokens)
      )
    : tokens;
}

/** Return the cost, with the parts that are not included. */
export function costText(usage: Usage, trans: TranslationBundle): string {
  if (usage.cost_usd === null) {
    return trans.__('price not known');
  }
  const cost = formatCost(usage.cost_usd);
  return usage.unpriced_calls > 0
    ? trans._n(
        '%2 and %1 call without a known price',
        '%2 and %1 calls without a known price',
        usage.unpriced_calls,
        cost
      )
    : cost;
}

/** Return the age of the prices. */
export function datedText(
  price: Pick<Price, 'as_of'>,
  trans: TranslationBundle
): string {
  return price.as_of === null
    ? trans.__('at your own price')
    : trans.__('prices of %1', price.as_of);
}

/**
 * Return the share of the input from the provider's cache; empty if none was.
 */
export function cachedText(usage: Usage, trans: TranslationBundle): string {
  const share = usage.cached_input_tokens / Math.max(usage.input_tokens, 1);
  return share > 0
    ? trans.__('%1 of the input cached', formatPercent(share))
    : '';
}

/** Return the age of the prices behind a cost; empty if unknown. */
export function pricesText(usage: Usage, trans: TranslationBundle): string {
  return usage.cost_usd === null
    ? ''
    : datedText({ as_of: usage.prices_as_of }, trans);
}

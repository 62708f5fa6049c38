import * as React from 'react';

import type { Usage } from '../api/types';
import { formatCost, formatTokens } from '../session/numbers';
import { useTrans } from './context';

/**
 * Tokens and cost of a fix, in words; nothing where no model was asked.
 */
export function UsageText({ usage }: { usage: Usage }): JSX.Element | null {
  const trans = useTrans();
  if (usage.calls === 0) {
    return null;
  }
  const input = formatTokens(usage.input_tokens);
  const output = formatTokens(usage.output_tokens);
  const tokens = usage.estimated
    ? trans.__('about %1 tokens in, %2 out', input, output)
    : trans.__('%1 tokens in, %2 out', input, output);
  const cached =
    usage.cached_input_tokens > 0
      ? trans.__('%1 from the cache', formatTokens(usage.cached_input_tokens))
      : '';
  const cost =
    usage.cost_usd === null
      ? trans.__('price not known')
      : formatCost(usage.cost_usd);
  return (
    <span className="jp-mle-Usage" title={cached || undefined}>
      {[tokens, cost].join(' · ')}
    </span>
  );
}

import * as React from 'react';

import type { Usage } from '../api/types';
import { cachedText, costText, pricesText, tokensText } from '../words/usage';
import { useTrans } from './context';

/** Tokens and cost of a fix, in words; empty if no model was used. */
export function UsageText({ usage }: { usage: Usage }): JSX.Element | null {
  const trans = useTrans();
  if (usage.calls === 0) {
    return null;
  }
  const details = [cachedText(usage, trans), pricesText(usage, trans)];
  return (
    <span
      className="jp-mle-Usage"
      title={details.filter(text => text).join(' · ') || undefined}
    >
      {[tokensText(usage, trans), costText(usage, trans)].join(' · ')}
    </span>
  );
}

import * as React from 'react';

import type { Tone } from '../words/labels';

/**
 * What a chip is made from.
 */
export interface IChipProps {
  /** Colour and sign. */
  tone: Tone;
  /** The text. */
  children: React.ReactNode;
}

const SIGNS: Record<Tone, string> = {
  good: '✓',
  fair: '!',
  bad: '✕',
  busy: '●',
  plain: '○'
};

/**
 * A short state: sign, word and colour say the same.
 */
export function Chip(props: IChipProps): JSX.Element {
  return (
    <span className={`jp-mle-Chip jp-mod-${props.tone}`}>
      <span className="jp-mle-Chip-sign" aria-hidden="true">
        {SIGNS[props.tone]}
      </span>
      {props.children}
    </span>
  );
}

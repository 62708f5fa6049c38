import * as React from 'react';

import type { Tone } from '../words/labels';

/** Properties of a chip. */
export interface IChipProps {
  /** Colour and sign. */
  tone: Tone;
  /** Tooltip; none if undefined. */
  title?: string;
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

/** A short state: sign, word and colour have the same meaning. */
export function Chip(props: IChipProps): JSX.Element {
  return (
    <span className={`jp-mle-Chip jp-mod-${props.tone}`} title={props.title}>
      <span className="jp-mle-Chip-sign" aria-hidden="true">
        {SIGNS[props.tone]}
      </span>
      {props.children}
    </span>
  );
}

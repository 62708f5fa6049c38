import * as React from 'react';

/**
 * What a section is made from.
 */
export interface ISectionProps {
  /** Heading. */
  title: string;
  /** Beside the heading: a count or a chip. */
  badge?: React.ReactNode;
  /** Folded at first. */
  isFolded?: boolean;
  /** What it shows. */
  children: React.ReactNode;
}

/**
 * A part of the panel that can be folded away.
 */
export function Section(props: ISectionProps): JSX.Element {
  const id = React.useId();
  return (
    <section className="jp-mle-Section" aria-labelledby={id}>
      <details open={!props.isFolded}>
        <summary className="jp-mle-Section-header">
          <h3 id={id} className="jp-mle-Section-title">
            {props.title}
          </h3>
          {props.badge}
        </summary>
        <div className="jp-mle-Section-body">{props.children}</div>
      </details>
    </section>
  );
}

import * as React from 'react';

/** Headings inside of a section are a level deeper. */
const Level = React.createContext<3 | 4>(3);

/** Properties of a section. */
export interface ISectionProps {
  /** Heading. */
  title: string;
  /** Next to the heading: a count or a chip. */
  badge?: React.ReactNode;
  /** Folded at first. */
  isFolded?: boolean;
  /** Whether it cannot be folded, as the current task. */
  isFixed?: boolean;
  /** Its contents. */
  children: React.ReactNode;
}

/**
 * A part of the panel that can be folded away.
 */
export function Section(props: ISectionProps): JSX.Element {
  const id = React.useId();
  const level = React.useContext(Level);
  const Heading = level === 3 ? 'h3' : 'h4';
  const header = (
    <>
      <Heading id={id} className="jp-mle-Section-title">
        {props.title}
      </Heading>
      {props.badge}
    </>
  );
  const body = (
    <div className="jp-mle-Section-body">
      <Level.Provider value={4}>{props.children}</Level.Provider>
    </div>
  );
  return (
    <section
      className={`jp-mle-Section jp-mod-level${level}`}
      aria-labelledby={id}
    >
      {props.isFixed ? (
        <>
          <div className="jp-mle-Section-header jp-mod-fixed">{header}</div>
          {body}
        </>
      ) : (
        <details open={!props.isFolded}>
          <summary className="jp-mle-Section-header">{header}</summary>
          {body}
        </details>
      )}
    </section>
  );
}

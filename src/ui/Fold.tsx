import * as React from 'react';

/** Properties of a fold. */
export interface IFoldProps {
  /** Its visible line. */
  summary: React.ReactNode;
  /** Class in addition to that of every fold. */
  className?: string;
  /** Whether it is initially open. */
  isOpen?: boolean;
  /** Its contents. */
  children: React.ReactNode;
}

/**
 * Folded content, rendered when it is first opened: sixty unread tracebacks
 * cost nothing.
 */
export function Fold(props: IFoldProps): JSX.Element {
  const { children, className, isOpen = false, summary } = props;
  const [wasOpen, setWasOpen] = React.useState(isOpen);
  return (
    <details
      className={`jp-mle-More${className ? ` ${className}` : ''}`}
      open={isOpen}
      onToggle={event => {
        if (event.currentTarget.open) {
          setWasOpen(true);
        }
      }}
    >
      <summary>{summary}</summary>
      {(wasOpen || isOpen) && children}
    </details>
  );
}

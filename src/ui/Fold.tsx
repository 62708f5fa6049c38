import * as React from 'react';

/**
 * What a fold is made from.
 */
export interface IFoldProps {
  /** What stands there while it is folded. */
  summary: React.ReactNode;
  /** Class beside that of every fold. */
  className?: string;
  /** Whether it is open at first. */
  isOpen?: boolean;
  /** What it shows. */
  children: React.ReactNode;
}

/**
 * Something that is folded away, and drawn when it is opened for the first time: sixty tracebacks
 * nobody has asked for cost nothing.
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

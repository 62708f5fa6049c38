import * as React from 'react';

/**
 * A sentence with names of code between backticks, as in Markdown; other
 * Markdown is not parsed.
 */
export function Prose({ text }: { text: string }): JSX.Element {
  // Every second part was between backticks.
  const parts = text.split(/`([^`\n]+)`/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? <code key={index}>{part}</code> : part
      )}
    </>
  );
}

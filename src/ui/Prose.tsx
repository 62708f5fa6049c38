import * as React from 'react';

/**
 * A sentence in which names of code stand between backticks, as in Markdown; nothing else of it
 * is read.
 */
export function Prose({ text }: { text: string }): JSX.Element {
  // What was between backticks comes at every second place.
  const parts = text.split(/`([^`\n]+)`/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? <code key={index}>{part}</code> : part
      )}
    </>
  );
}

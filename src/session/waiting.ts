import type { Notebook, Session } from '../api/types';

/**
 * The number of the code cell a run would go on from; null where it would begin with the first.
 *
 * @param session - Of the notebook.
 * @param now - The notebook as it is in the document.
 * @param ran - What the waiting run ran, null while it is not known: the server has the last word.
 */
export function goesOnFrom(
  session: Session | null,
  now: Notebook,
  ran: Notebook | null
): number | null {
  const { waiting = null } = session ?? {};
  if (!waiting) {
    return null;
  }
  const cells = codeOf(now);
  if (cells.length < waiting.ordinal) {
    return null;
  }
  const before = ran ? codeOf(ran).slice(0, waiting.ordinal - 1) : [];
  return before.every((source, index) => source === cells[index])
    ? waiting.ordinal
    : null;
}

function codeOf(notebook: Notebook): string[] {
  return notebook.cells
    .filter(cell => cell.type === 'code')
    .map(cell => cell.source);
}

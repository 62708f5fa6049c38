import Anser from 'anser';

import type { CellError } from '../../api/types';

/**
 * A place in the notebook that a traceback leads through.
 */
export interface IFrame {
  /** The cell, as the server names it. */
  cellId: string;
  /** The line in it, from 1. */
  line: number;
}

const FRAME = /^(?:Cell In\s*\[(\d+)\]|Input In \[(\d+)\]), line (\d+)/;

/**
 * Return the notebook's own lines in a traceback, outermost first, each once.
 *
 * @param error - Its traceback's text comes from the notebook.
 * @param ran - Ids of the cells in the order they ran: the kernel counts from
 *   1.
 */
export function framesOf(error: CellError, ran: readonly string[]): IFrame[] {
  const frames: IFrame[] = [];
  const add = (cellId: string | undefined, line: number) => {
    const isKnown = frames.some(
      frame => frame.cellId === cellId && frame.line === line
    );
    if (cellId !== undefined && !isKnown) {
      frames.push({ cellId, line });
    }
  };
  for (const text of error.traceback.join('\n').split('\n')) {
    const match = FRAME.exec(Anser.ansiToText(text).trim());
    if (match) {
      add(ran[Number(match[1] ?? match[2]) - 1], Number(match[3]));
    }
  }
  if (error.line !== null) {
    add(error.cell_id, error.line);
  }
  return frames;
}

import type { ISharedCodeCell, ISharedNotebook } from '@jupyter/ydoc';
import type * as nbformat from '@jupyterlab/nbformat';

import type { CellError, Traces } from '../../api/types';

const MOST_OUTPUT = 20_000;
const LONGEST_OUTPUT = 2_000; // versions and warnings are at an output's beginning
const MOST_DATES = 50;
const DATE = /(?<!\d)20[12]\d-[01]\d-[0-3]\d(?=T)/g;
// eslint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;

/**
 * Return the traces of a document's age besides its sources: metadata, and the
 * beginning of its outputs.
 */
export function tracesOf(shared: ISharedNotebook): Traces {
  const { metadata } = shared;
  const described = [
    metadata,
    ...shared.cells.map(cell => cell.getMetadata())
  ].map(item => JSON.stringify(item));
  const dates = new Set(described.join('\n').match(DATE));
  return {
    python: String(metadata.language_info?.version ?? '').slice(0, 100),
    kernel: String(metadata.kernelspec?.name ?? '').slice(0, 200),
    dates: [...dates].sort().slice(-MOST_DATES),
    outputs: outputText(shared).slice(0, MOST_OUTPUT)
  };
}

/**
 * Return whether the output saved with a cell is this very error: it failed
 * then, too.
 *
 * @param cellId - The cell's id in the document.
 */
export function failedThen(
  shared: ISharedNotebook,
  cellId: string,
  error: Pick<CellError, 'ename' | 'evalue'>
): boolean {
  const cell = shared.cells.find(item => item.getId() === cellId);
  return (
    cell?.cell_type === 'code' &&
    (cell as ISharedCodeCell)
      .getOutputs()
      .some(
        output =>
          output.output_type === 'error' &&
          output.ename === error.ename &&
          output.evalue === error.evalue
      )
  );
}

function outputText(shared: ISharedNotebook): string {
  const found: string[] = [];
  let length = 0;
  for (const cell of shared.cells) {
    if (cell.cell_type !== 'code' || length >= MOST_OUTPUT) {
      continue;
    }
    for (const output of (cell as ISharedCodeCell).getOutputs()) {
      const text = textOf(output).slice(0, LONGEST_OUTPUT);
      if (text) {
        found.push(text.replace(COLOURS, ''));
        length += text.length;
      }
    }
  }
  return found.join('\n');
}

function textOf(output: nbformat.IOutput): string {
  const data = output.data as nbformat.IMimeBundle | undefined;
  const text = output.text ?? data?.['text/plain'];
  if (Array.isArray(text)) {
    return text.filter(line => typeof line === 'string').join('');
  }
  return typeof text === 'string' ? text : '';
}

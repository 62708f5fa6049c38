import { CodeCell, CodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';

import { RunningCell } from '../../review/RunningCell';
import { open, SOURCES } from '../fakeServer';
import { makeProgress, makeSession } from '../values';

/** A code cell as far as its prompt is concerned. */
function promptOf(id: string, count: number | null) {
  const cell = Object.create(CodeCell.prototype) as CodeCell;
  const prompts: string[] = [];
  Object.defineProperties(cell, {
    model: { value: { id, executionCount: count } as CodeCellModel },
    isDisposed: { value: false },
    setPrompt: { value: (prompt: string) => prompts.push(prompt) }
  });
  return { cell, prompts };
}

describe('the prompt of the cell that runs in the sandbox', () => {
  it('is an asterisk until the next one runs, then as before', async () => {
    const running = (cell_id: string | null) =>
      makeSession({ phase: 'running', progress: makeProgress({ cell_id }) });
    const { model, server } = await open(running('c0'), SOURCES);
    const cells = [promptOf('c0', 73), promptOf('c1', null)];
    const panel = {
      isDisposed: false,
      content: { widgets: cells.map(({ cell }) => cell) }
    } as unknown as NotebookPanel;
    const shown = new RunningCell(panel, model);
    expect(cells[0].prompts).toEqual(['*']);
    server.next({ progress: makeProgress({ cell_id: 'c1' }) });
    model.take(server.session);
    expect(cells[0].prompts).toEqual(['*', '73']);
    expect(cells[1].prompts).toEqual(['*']);
    shown.dispose();
    expect(cells[1].prompts).toEqual(['*', '']);
  });
});

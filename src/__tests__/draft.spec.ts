import type { Contents } from '@jupyterlab/services';

import { newFromTask } from '../draft';
import { trans } from './values';

const notebook = {
  language: 'python',
  cells: [
    { id: 'a', type: 'markdown' as const, source: '# Wine', tags: [] },
    { id: 'b', type: 'code' as const, source: 'x = 1', tags: [] }
  ]
};

async function made(taken: string[], folder: string) {
  const saved: [string, unknown][] = [];
  const path = await newFromTask({
    client: {
      info: () => Promise.reject(new Error('the task is named')),
      draft: ({ competition }) =>
        Promise.resolve({ title: competition, notebook })
    },
    contents: {
      get: asked =>
        Promise.resolve({
          path: asked,
          content: taken.map(name => ({ name }))
        } as unknown as Contents.IModel),
      save: (where, { content } = {}) => {
        saved.push([where, content]);
        return Promise.resolve({} as Contents.IModel);
      }
    },
    folder,
    competition: 'wine',
    trans
  });
  return { path, saved };
}

describe('a notebook from a task', () => {
  it('is saved in the folder under a name that nothing has', async () => {
    const { path, saved } = await made(['wine.ipynb'], 'work');
    expect(path).toBe('work/wine-2.ipynb');
    expect(saved).toHaveLength(1);
    expect(saved[0]).toMatchObject([
      'work/wine-2.ipynb',
      {
        nbformat: 4,
        cells: [
          { id: 'a', cell_type: 'markdown', source: '# Wine' },
          { id: 'b', cell_type: 'code', source: 'x = 1', outputs: [] }
        ]
      }
    ]);
  });
});

import type { JupyterFrontEnd } from '@jupyterlab/application';
import { nullTranslator } from '@jupyterlab/translation';
import * as React from 'react';

import { tabOpener } from '../../ui/tabs';

describe('tabOpener', () => {
  it('adds one tab for a path, however often it is asked meanwhile', async () => {
    const shell = { add: jest.fn(), activateById: jest.fn() };
    const app = { commands: {}, shell } as unknown as JupyterFrontEnd;
    const make = jest.fn(async () => ({ page: <hr /> }));
    const open = tabOpener(app, null, {
      namespace: 'kind',
      command: 'open',
      context: { trans: nullTranslator.load('') },
      make
    });
    await Promise.all([open('a.ipynb'), open('a.ipynb'), open('b.ipynb')]);
    expect(shell.add).toHaveBeenCalledTimes(2);
    expect(shell.activateById).toHaveBeenCalledTimes(3);
    await open('a.ipynb');
    expect(make).toHaveBeenCalledTimes(2);
  });
});

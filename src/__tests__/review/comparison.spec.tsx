import { render, screen } from '@testing-library/react';
import * as React from 'react';

import { Comparison } from '../../review/Comparison';
import { PanelContext } from '../../ui/context';
import { open, reviewing, SOURCES } from '../fakeServer';
import { makeEdit, makeReview, trans } from '../values';

describe('the wide view', () => {
  it.each([
    ['', 1],
    ['together', 0]
  ])(
    'decides on all at once if there are several: %s',
    async (group, count) => {
      const edits = ['0', '1'].map((number, index) =>
        makeEdit({
          id: `e${number}`,
          cell_id: `c${number}`,
          base_source: SOURCES[index],
          new_source: 'pass',
          group
        })
      );
      const { model } = await open(reviewing(makeReview(edits)));
      render(
        <PanelContext.Provider
          value={{ trans, languages: null, execute: jest.fn() }}
        >
          <Comparison model={model} />
        </PanelContext.Provider>
      );
      expect(
        screen.queryAllByRole('button', { name: 'Accept all' })
      ).toHaveLength(count);
    }
  );
});

import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import * as React from 'react';

import type { SessionList } from '../../../api/types';
import { Sessions } from '../../../panel/history/Sessions';
import { Modernization } from '../../../review/modernization';
import { PanelContext } from '../../../ui/context';
import {
  FakeDocument,
  info,
  makeClient,
  makeHints,
  makeNotebook,
  makeQuestions,
  makeSession,
  makeSummary,
  trans
} from '../../values';

const summaries = ['a', 'b', 'c'].map(id => makeSummary(makeSession({ id })));

describe('Sessions', () => {
  it('lists the newest, and older ones when it is asked to', async () => {
    const { client, requests } = makeClient(({ route }) => {
      if (!route.startsWith('sessions?')) {
        return { body: makeSession({ id: 'a' }) };
      }
      const body: SessionList = route.includes('before=7')
        ? { sessions: summaries.slice(2), total: 3, older: null }
        : { sessions: summaries.slice(0, 2), total: 3, older: 7 };
      return { body };
    });
    const model = new Modernization({
      client,
      document: new FakeDocument(makeNotebook(['1'])),
      hints: makeHints().hints,
      info,
      preferences: {},
      questions: makeQuestions(),
      trans
    });
    await model.load();
    render(
      <PanelContext.Provider
        value={{ trans, languages: null, execute: jest.fn() }}
      >
        <Sessions model={model} />
      </PanelContext.Provider>
    );
    expect(await screen.findByText('3 sessions')).toBeTruthy();
    const lines = () => screen.getAllByRole('group', { name: /Session of/ });
    expect(lines()).toHaveLength(2);

    fireEvent.click(screen.getByText('Show older'));
    await waitFor(() => expect(lines()).toHaveLength(3));
    expect(screen.queryByText('Show older')).toBeNull();
    model.dispose();
    expect(
      requests.filter(({ route }) => route.includes('before=')).length
    ).toBe(1);
  });
});

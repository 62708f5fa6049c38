import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import { WantedResources } from '../../panel/fix/WantedResources';
import type { Session } from '../../api/types';
import { Modernization } from '../../review/modernization';
import {
  FakeDocument,
  info,
  type IRequest,
  makeClient,
  makeHints,
  makeIteration,
  makeNotebook,
  makeQuestions,
  makeSession,
  makeSessionList,
  settle,
  trans
} from '../values';

const ADDRESS = 'https://example.org/<b>train</b>.csv';

async function show(
  wanted: string[],
  agrees = true,
  message: Session['message'] = []
): Promise<{ requests: IRequest[]; model: Modernization }> {
  const session = makeSession({
    phase: 'finished',
    best: 1,
    iterations: [makeIteration({})],
    wanted_resources: wanted,
    message
  });
  const { client, requests } = makeClient(({ method, route }) => {
    if (method === 'GET' && route.startsWith('sessions?')) {
      return { body: makeSessionList(session) };
    }
    return method === 'GET'
      ? { body: session }
      : { status: 202, body: { ...session, seq: 2, phase: 'preparing' } };
  });
  const model = new Modernization({
    document: new FakeDocument(makeNotebook(['1'])),
    client,
    hints: makeHints().hints,
    info,
    trans,
    preferences: {},
    questions: makeQuestions({
      runWithNetwork: () => Promise.resolve(agrees)
    })
  });
  await model.load();
  await settle();
  render(<WantedResources model={model} />);
  return { requests, model };
}

describe('the network', () => {
  it('is allowed by a click, and asked for once', async () => {
    const { model, requests } = await show([ADDRESS]);
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', { name: 'Run with the network…' })
      );
      await settle();
    });
    const sent = requests.filter(({ method }) => method !== 'GET');
    expect(JSON.stringify(sent)).toContain('"network":true');
    expect(model.draft.network).toBe(true);
  });

  it('stays closed where the person says no', async () => {
    const { model, requests } = await show([ADDRESS], false);
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', { name: 'Run with the network…' })
      );
      await settle();
    });
    expect(requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(model.draft.network).toBe(false);
  });

  it('is offered where no file of it can be named', async () => {
    await show([], true, [
      {
        code: 'stops.in',
        parameters: {
          cell: 1,
          why: [{ code: 'needs.network', parameters: { error: 'URLError' } }]
        }
      }
    ]);
    expect(screen.getByText('The notebook wants the network.')).toBeTruthy();
  });
});

describe('files of the network', () => {
  it('are not spoken of where none is wanted', async () => {
    await show([]);
    expect(screen.queryByRole('group')).toBeNull();
  });

  it('are fetched only when the person says so, by their whole address', async () => {
    const { requests } = await show([ADDRESS]);
    expect(screen.getByText(ADDRESS)).toBeTruthy();
    expect(requests.every(({ method }) => method === 'GET')).toBe(true);
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Fetch once' }));
      await settle();
    });
    const sent = requests.filter(({ method }) => method !== 'GET');
    expect(JSON.stringify(sent)).toContain(
      JSON.stringify({ resources: [ADDRESS] }).slice(1, -1)
    );
  });

  it('are fetched together where there are several', async () => {
    const other = 'https://example.org/test.csv';
    const { model } = await show([ADDRESS, other]);
    expect(screen.getByText(/fetch them once/)).toBeVisible();
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Fetch all 2 once' }));
      await settle();
    });
    expect(model.draft.resources).toEqual([ADDRESS, other]);
  });
});

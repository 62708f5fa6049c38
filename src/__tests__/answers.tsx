import { act, render, type RenderResult } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import * as React from 'react';

import type { Usage } from '../api/types';
import { PanelContext } from '../ui/context';
import {
  type IAnswer,
  type IRequest,
  makeClient,
  noUsage,
  settle,
  trans
} from './values';

/** Usage of some fixes. */
export const usage: Usage = {
  ...noUsage,
  calls: 4,
  input_tokens: 20000,
  cached_input_tokens: 15000,
  output_tokens: 2000,
  reasoning_tokens: 1200,
  cost_usd: 0.0394,
  prices_as_of: '2025-12-11'
};

/** Render a part of the panel separately, with a function as its server. */
export function show(
  part: JSX.Element,
  answer: (request: IRequest) => IAnswer
): RenderResult & {
  execute: jest.Mock;
  requests: IRequest[];
  user: UserEvent;
} {
  const { client, requests } = makeClient(answer);
  const execute = jest.fn();
  const shown = render(
    <PanelContext.Provider value={{ trans, languages: null, execute, client }}>
      {part}
    </PanelContext.Provider>
  );
  return { ...shown, execute, requests, user: userEvent.setup() };
}

/** Let the pauses before requests pass, and the responses arrive. */
export async function answered(): Promise<void> {
  await act(async () => {
    await new Promise(resolve => setTimeout(resolve, 10));
    await settle();
  });
}

import { act, fireEvent, render, screen, within } from '@testing-library/react';
import * as React from 'react';

import type {
  ServerInfo,
  Session,
  SessionWriting,
  WritingEstimate
} from '../../../api/types';
import { WritingSection } from '../../../panel/paper/WritingSection';
import { Modernization } from '../../../review/modernization';
import { Questions } from '../../../questions';
import { readPreferences } from '../../../session/form/preferences';
import {
  FakeDocument,
  info,
  type IRequest,
  makeClient,
  makeHints,
  makeNotebook,
  makeQuestions,
  makeSession,
  makeSessionList,
  settle,
  trans
} from '../../values';

const estimate: WritingEstimate = {
  model: 'a-model',
  questions: { low: 2, likely: 6, high: 24 },
  runs: { low: 4, likely: 8, high: 26 },
  input_tokens: { low: 9000, likely: 27000, high: 108000 },
  output_tokens: { low: 1000, likely: 5000, high: 30000 },
  cost_usd: { low: 0.01, likely: 0.04, high: 0.2 }
};

const writing: SessionWriting = {
  experiment_hash: 'a',
  base_hash: 'b',
  notebook_hash: 'c',
  stages: [
    {
      stage: 'data',
      ending: 'done',
      rounds: 1,
      edits: [],
      problem: '',
      seconds: 2
    },
    {
      stage: 'method',
      ending: 'rounds',
      rounds: 20,
      edits: [],
      problem: '<b>ValueError</b>',
      seconds: 9
    }
  ],
  usage: makeSession().usage,
  seconds: 11,
  ran: false
};

const reproduction = { mle_modernizer: { reproduction: { version: 1 } } };

async function show(options: {
  metadata?: object;
  found?: SessionWriting | null;
  configured?: boolean;
  agree?: boolean;
}): Promise<{
  requests: IRequest[];
  asked: WritingEstimate[];
  model: Modernization;
}> {
  const { agree = true, configured = true, found = null } = options;
  const session: Session = makeSession({ phase: 'ready', writing: found });
  const { client, requests } = makeClient(({ method, route }) => {
    if (method === 'GET' && route.startsWith('sessions?')) {
      return { body: makeSessionList(session) };
    }
    if (method === 'GET' && route.endsWith('/writing')) {
      return { body: estimate };
    }
    return method === 'POST'
      ? { status: 202, body: { ...session, seq: 2, phase: 'preparing' } }
      : { body: session };
  });
  const shared = makeNotebook(['1']);
  for (const [key, value] of Object.entries(options.metadata ?? reproduction)) {
    shared.setMetadata(key, value);
  }
  const asked: WritingEstimate[] = [];
  const server: ServerInfo = { ...info, llm: { ...info.llm, configured } };
  const model = new Modernization({
    document: new FakeDocument(shared),
    client,
    hints: makeHints().hints,
    info: server,
    trans,
    preferences: {},
    questions: makeQuestions({
      writePaper: value => {
        asked.push(value);
        return Promise.resolve(agree);
      }
    })
  });
  await model.load();
  await settle();
  render(<WritingSection model={model} />);
  return { requests, asked, model };
}

const click = async (name: string) => {
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name }));
    await settle();
  });
};

const written = (requests: readonly IRequest[]) =>
  requests.filter(
    ({ method, route }) => method === 'POST' && route.endsWith('/writing')
  );

describe('a paper’s notebook written by a model', () => {
  it('asks with what it will cost, then has it written', async () => {
    const { asked, requests } = await show({});
    await click('Have it written');
    expect(asked).toEqual([estimate]);
    expect(written(requests)).toMatchObject([
      { body: { rounds: 20, notebook: { cells: [{ source: '1' }] } } }
    ]);
  });

  it('sends nothing where the person does not agree', async () => {
    const { asked, requests } = await show({ agree: false });
    await click('Have it written');
    expect(asked).toHaveLength(1);
    expect(written(requests)).toEqual([]);
  });

  it('shows how far it came, as text, and goes on', async () => {
    await show({ found: writing });
    const stages = within(
      screen.getByRole('list', { name: 'Stages of writing' })
    ).getAllByRole('listitem');
    expect(stages.map(item => item.textContent)).toEqual([
      expect.stringMatching(/Data.*done.*1 question$/),
      expect.stringMatching(/Method.*rounds used up.*<b>ValueError<\/b>$/)
    ]);
    expect(screen.getByRole('button', { name: 'Go on writing' })).toBeTruthy();
  });

  it('says why no model can be asked', async () => {
    await show({ configured: false });
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('Set a key on the server.')).toBeTruthy();
  });

  it('is not there for other notebooks', async () => {
    for (const metadata of [{}, { mle_modernizer: { reproduction: 'x' } }]) {
      const { unmount } = render(<></>);
      await show({ metadata });
      expect(screen.queryByText('Reproduce the paper')).toBeNull();
      unmount();
    }
  });
});

describe('the question before it', () => {
  it('names questions, runs, tokens and money', async () => {
    const questions = new Questions({
      preferences: () => readPreferences(null),
      remember: () => Promise.resolve(),
      trans
    });
    let answer: Promise<boolean> = Promise.resolve(true);
    await act(async () => {
      answer = questions.writePaper(estimate);
      await settle();
    });
    const text = document.querySelector('.jp-Dialog')?.textContent ?? '';
    expect(text).toContain('Have a-model write this notebook?');
    expect(text).toContain('asked 2–24 times and the notebook run 4–26 times');
    expect(text).toContain('9k–108k tokens in');
    expect(text).toContain('$0.010–$0.20, likely $0.040');
    fireEvent.click(screen.getByText('Cancel'));
    expect(await answer).toBe(false);
  });
});

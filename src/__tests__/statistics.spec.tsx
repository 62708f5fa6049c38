import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as React from 'react';

import type {
  Estimate,
  FixRow,
  Session,
  SessionStatistics as Answer,
  Statistics,
  Usage
} from '../api/types';
import { CommandIDs } from '../commandIds';
import { PanelContext } from '../panel/context';
import { EstimateText } from '../panel/Estimate';
import { SessionStatistics } from '../panel/SessionStatistics';
import { FixChart } from '../panel/StatisticsChart';
import { StatisticsPage } from '../panel/StatisticsPage';
import { TargetForm } from '../panel/TargetForm';
import { RunningTotal, UsageText } from '../panel/UsageText';
import { SessionModel } from '../session/model';
import {
  FakeDocument,
  type IAnswer,
  info,
  type IRequest,
  makeClient,
  makeHints,
  makeNotebook,
  makeSession,
  noUsage,
  settings,
  settle,
  trans
} from './values';

const usage: Usage = {
  ...noUsage,
  calls: 4,
  input_tokens: 20000,
  cached_input_tokens: 15000,
  output_tokens: 2000,
  reasoning_tokens: 1200,
  cost_usd: 0.0394,
  prices_as_of: '2025-12-11'
};

const row: FixRow = {
  name: 'error-repair',
  proposed: 5,
  applied: 4,
  led_to: { 'error-non-reproducible': 1, 'error-free-reproducible': 3 },
  reproducible: 3,
  asked: 4,
  usage,
  similarity: null
};

const statistics: Statistics = {
  sessions: 3,
  runs: 8,
  outcomes: [
    {
      first: 'error-non-reproducible',
      best: 'error-free-reproducible',
      sessions: 3
    }
  ],
  fixes_made: [{ fixes: 2, sessions: 3, reproducible: 3 }],
  mean_fixes: 2,
  mean_fixes_reproducible: 2,
  by_type: [row],
  by_scope: [{ ...row, name: 'file' }],
  by_fixer: [{ ...row, name: 'llm' }],
  transitions: [],
  errors: [
    {
      name: '<img src=x onerror=alert(1)>',
      sessions: 2,
      by_fixes: [9, 4, 3, 2, 1, 1, 1, 1, 1, 1],
      took: [0, 1, 1],
      left: 0
    }
  ],
  seconds: null,
  similarity_to_original: [],
  similarity_to_previous: null,
  usage
};

const estimate: Estimate = {
  model: 'gpt-5.2',
  prompt_tokens: 5000,
  fixes: { low: 1, likely: 5.7, high: 16 },
  input_tokens: { low: 5000, likely: 28500, high: 80000 },
  cached_input_tokens: { low: 0, likely: 9000, high: 0 },
  output_tokens: { low: 2877, likely: 18246, high: 59296 },
  cost_usd: { low: 0.049, likely: 0.291, high: 0.97 },
  price: {
    input: 1.75,
    cached_input: 0.175,
    output: 14,
    as_of: '2025-12-11',
    source: 'https://openai.com/api/pricing'
  },
  basis: 'published',
  sessions: 0,
  rests_on: 'It rests on the paper’s figures.'
};

function show(
  part: JSX.Element,
  answer: (request: IRequest) => IAnswer = () => ({ body: statistics })
) {
  const { client, requests } = makeClient(answer);
  const execute = jest.fn();
  const shown = render(
    <PanelContext.Provider value={{ trans, languages: null, execute, client }}>
      {part}
    </PanelContext.Provider>
  );
  return { ...shown, execute, requests, user: userEvent.setup() };
}

function makeModel(
  change: Partial<typeof settings>,
  configured = true,
  session: Session | null = null
) {
  const document = new FakeDocument(makeNotebook(['x = 1']));
  const model = new SessionModel({
    client: makeClient(() => ({ body: { sessions: [] } })).client,
    document,
    hints: makeHints().hints,
    info: {
      ...info,
      llm: {
        configured,
        model: configured ? 'gpt-5.2' : '',
        price: null,
        reason: ''
      },
      defaults: { ...settings, ...change }
    },
    preferences: {},
    confirmUnisolated: () => Promise.resolve(true),
    trans
  });
  model.take(session);
  return { document, model };
}

/** Lets the pauses before questions pass, and their answers come. */
async function answered() {
  await act(async () => {
    await new Promise(resolve => setTimeout(resolve, 10));
    await settle();
  });
}

describe('the cost of a fix', () => {
  it('names tokens, reasoning and money, and how old the prices are', () => {
    show(<UsageText usage={usage} />);
    const text = screen.getByText(/20k tokens in, 2k out/);
    expect(text).toHaveTextContent('(1.2k of them reasoning) · $0.039');
    expect(text).toHaveAttribute(
      'title',
      '75 % of the input from the cache · prices of 2025-12-11'
    );
  });

  it('says what is not in it, and shows nothing where no model was asked', () => {
    const { container, rerender } = show(
      <UsageText usage={{ ...usage, unpriced_calls: 2 }} />
    );
    expect(container).toHaveTextContent(
      '$0.039 and 2 calls without a known price'
    );
    rerender(<UsageText usage={{ ...usage, cost_usd: null }} />);
    expect(container).toHaveTextContent('price not known');
    rerender(<UsageText usage={noUsage} />);
    expect(container).toBeEmptyDOMElement();
  });

  it('is a running total of the session', () => {
    const { model } = makeModel({}, true, makeSession({ usage }));
    show(<RunningTotal model={model} />);
    const total = screen.getByRole('group', { name: 'Cost of this session' });
    expect(total).toHaveTextContent('$0.039');
    expect(total).toHaveTextContent('4 calls');
    expect(total).toHaveTextContent('75 % of the input from the cache');
    expect(total).toHaveTextContent('prices of 2025-12-11');
  });
});

describe('the estimate', () => {
  it('is a range with what it rests on and the date of the prices', () => {
    const { container } = show(<EstimateText estimate={estimate} />);
    expect(container).toHaveTextContent(
      'Estimate: $0.049 – $0.97, likely $0.29 (prices of 2025-12-11)'
    );
    expect(container).toHaveTextContent(
      '5k – 80k tokens in, 2.9k – 59.3k out; 1 – 16 fixes by gpt-5.2.'
    );
    expect(container).toHaveTextContent('It rests on the paper’s figures.');
  });

  it('never guesses a price, and needs no model for no fixes', () => {
    const { container, rerender } = show(
      <EstimateText estimate={{ ...estimate, cost_usd: null, price: null }} />
    );
    expect(container).toHaveTextContent('the price of gpt-5.2 is not known');
    const none = { low: 0, likely: 0, high: 0 };
    rerender(<EstimateText estimate={{ ...estimate, fixes: none }} />);
    expect(container).toHaveTextContent('the model is not asked');
  });

  it('stands beside the mode once it is auto, and is asked again for another limit', async () => {
    const { model } = makeModel({ mode: 'auto' });
    const { requests } = show(<TargetForm model={model} />, () => ({
      body: estimate
    }));
    await answered();
    const note = screen.getByRole('group', { name: 'Estimated cost' });
    expect(note).toHaveTextContent('likely $0.29');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      route: 'estimate',
      body: { settings: { max_fixes: 16, mode: 'auto' } }
    });
  });

  it('says why there is none', async () => {
    const { model } = makeModel({ mode: 'auto' });
    show(<TargetForm model={model} />, () => ({
      status: 409,
      body: { code: 'conflict', message: 'No model.', cell_id: null }
    }));
    await answered();
    expect(
      screen.getByText('The cost cannot be estimated: No model.')
    ).toBeVisible();
  });

  it.each([
    ['in step mode', { mode: 'step' as const }, true],
    [
      'with rules alone',
      { mode: 'auto' as const, fixers: ['rules' as const] },
      true
    ],
    ['without a model', { mode: 'auto' as const }, false]
  ])('is not asked for %s', async (_, change, configured) => {
    const { model } = makeModel(change, configured);
    const { requests } = show(<TargetForm model={model} />);
    await answered();
    expect(requests).toEqual([]);
    expect(screen.queryByRole('group', { name: 'Estimated cost' })).toBeNull();
  });
});

describe('the statistics of a session', () => {
  const answer: Answer = {
    facts: {
      session: '0'.repeat(32),
      path: 'a.ipynb',
      created_at: '2026-01-01T00:00:00Z',
      seq: 1,
      phase: 'finished',
      verdict: 'reproduced',
      mode: 'auto',
      runs: [],
      fixes: [],
      spent: [],
      first: 'error-non-reproducible',
      best: 'error-free-reproducible',
      similarity: 0.93,
      fixes_made: 2,
      usage
    },
    statistics
  };

  it('are read when they are unfolded, not before', async () => {
    const session = makeSession();
    const { container, execute, requests } = show(
      <SessionStatistics session={session} />,
      () => ({ body: answer })
    );
    await answered();
    expect(requests).toEqual([]);
    const details = container.querySelector('details');
    details!.open = true;
    fireEvent(details!, new Event('toggle'));
    await answered();
    expect(requests.map(request => request.route)).toEqual([
      `sessions/${session.id}/statistics`
    ]);
    expect(container).toHaveTextContent('93 % the same as the original');
    const table = screen.getByRole('table', {
      name: 'Fixes by type, and what they led to'
    });
    const cells = within(table).getAllByRole('cell');
    expect(cells.map(cell => cell.textContent)).toEqual([
      '5',
      '4',
      '1',
      '3',
      '3 (75 %)'
    ]);
    fireEvent.click(screen.getByText('All sessions'));
    expect(execute).toHaveBeenCalledWith(CommandIDs.openStatistics);
  });
});

describe('the statistics of all sessions', () => {
  it('are tables with captions, and texts of notebooks stay texts', async () => {
    const { container } = show(<StatisticsPage />);
    await answered();
    const names = screen
      .getAllByRole('table')
      .map(table => table.querySelector('caption')?.textContent);
    expect(names).toEqual([
      'Fixes by type, and what they led to',
      'Fixes by fixer',
      'Fixes by scope',
      'Cost by fix type',
      'Notebooks, from the first run to the best',
      'Root errors by number of fixes'
    ]);
    expect(container.querySelector('img')).toBeNull();
    const errors = screen.getByRole('row', { name: /onerror/ });
    expect(
      within(errors)
        .getAllByRole('cell')
        .map(cell => cell.textContent)
    ).toEqual(['9', '4', '3', '2', '1', '1', '1', '3', '1.5', '·']);
    const cost = screen.getByRole('table', { name: 'Cost by fix type' });
    expect(cost).toHaveTextContent('1.3k');
    expect(cost).toHaveTextContent('$0.010');
  });

  it('are filtered by path once the typing rests', async () => {
    const { requests, user } = show(<StatisticsPage />);
    await answered();
    await user.type(
      screen.getByLabelText('Notebooks whose path begins with'),
      'old/'
    );
    await act(() => new Promise(resolve => setTimeout(resolve, 500)));
    await answered();
    expect(requests.map(request => request.route)).toEqual([
      'statistics',
      'statistics?path=old%2F'
    ]);
    await user.click(screen.getByRole('button', { name: 'Count again' }));
    await act(() => new Promise(resolve => setTimeout(resolve, 500)));
    expect(requests).toHaveLength(3);
  });

  it('can be copied', async () => {
    const { user } = show(<StatisticsPage />);
    await answered();
    await user.click(screen.getByRole('button', { name: 'Copy as JSON' }));
    const text = await navigator.clipboard.readText();
    expect(JSON.parse(text)).toEqual(statistics);
    expect(screen.getByText('Copied.')).toBeVisible();
  });

  it('say when there are none, and why they cannot be had', async () => {
    const { unmount } = show(<StatisticsPage />, () => ({
      body: { ...statistics, sessions: 0 }
    }));
    await answered();
    expect(screen.getByText(/There are no sessions yet/)).toBeVisible();
    unmount();
    show(<StatisticsPage />, () => ({
      status: 500,
      body: { code: 'modernizer_error', message: 'The file is broken.' }
    }));
    await answered();
    expect(screen.getByRole('alert')).toHaveTextContent('The file is broken.');
  });

  it('are drawn as bars whose parts say what they are', () => {
    const { container } = show(<FixChart rows={[row]} />);
    expect(
      screen.getByRole('img', {
        name: 'What fixes of each type led to, in shares'
      })
    ).toBeInTheDocument();
    const titles = [...container.querySelectorAll('title')];
    expect(titles.map(title => title.textContent)).toEqual([
      'Errors, not reproducible: 1 of 4 (25 %)',
      'Error-free, reproducible: 3 of 4 (75 %)'
    ]);
    const widths = [...container.querySelectorAll('g g rect')].map(rect =>
      Number(rect.getAttribute('width'))
    );
    expect((widths[1] + 1) / (widths[0] + 1)).toBeCloseTo(3);
  });
});

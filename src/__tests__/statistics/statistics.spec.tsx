import { act, fireEvent, screen, within } from '@testing-library/react';
import * as React from 'react';

import type {
  FixRow,
  SessionStatistics as Answer,
  Statistics
} from '../../api/types';
import { CommandIDs } from '../../commandIds';
import { SessionStatistics } from '../../statistics/SessionStatistics';
import { FixChart } from '../../statistics/StatisticsChart';
import { StatisticsPage } from '../../statistics/StatisticsPage';
import { answered, show, usage } from '../answers';
import { makeSession, noUsage } from '../values';

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

const counted = () => ({ body: statistics });

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
    const { container } = show(<StatisticsPage />, counted);
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
    const { requests, user } = show(<StatisticsPage />, counted);
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

  it('count failed calls of a model as asked', async () => {
    const failed = { ...noUsage, failed: 2 };
    show(<StatisticsPage />, () => ({
      body: { ...statistics, usage: failed }
    }));
    await answered();
    expect(screen.getByText('asked 2 times, 2 failed')).toBeVisible();
    expect(screen.queryByText('never asked')).toBeNull();
  });

  it('can be copied', async () => {
    const { user } = show(<StatisticsPage />, counted);
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
    const { container } = show(<FixChart rows={[row]} />, counted);
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

import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import type { LearnedRules as Found, Proposal } from '../../api/types';
import { LearnedRules } from '../../panel/fix/LearnedRules';
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
  makeReview,
  makeSession,
  makeSessionList,
  settle,
  trans
} from '../values';

const rule = {
  id: 'learned-toolbox-load-0123abcd',
  library: 'toolbox',
  old: "toolbox.load('<b>a</b>')",
  new: "toolbox.read('<b>a</b>')",
  places: 2,
  tried: 'toolbox 0.9 (2018-03)',
  content: '# Learned\nlibrary: toolbox\n'
};

async function shown(
  found: Found,
  fixer: Proposal['fixer'] = 'llm'
): Promise<{ model: Modernization; requests: IRequest[] }> {
  const review = makeReview([], {}, { fixer });
  const session = makeSession({
    iterations: [makeIteration({ reviews: [review] })]
  });
  const { client, requests } = makeClient(({ method, route }) => {
    if (route.endsWith('/rules')) {
      const kept = method === 'POST' ? [rule.id] : found.kept;
      return { body: { ...found, kept } };
    }
    return {
      body: route.startsWith('sessions?') ? makeSessionList(session) : session
    };
  });
  const model = new Modernization({
    document: new FakeDocument(makeNotebook(['1', '2'])),
    client,
    hints: makeHints().hints,
    info,
    trans,
    preferences: {},
    questions: makeQuestions()
  });
  await model.load();
  render(<LearnedRules model={model} />);
  return { model, requests };
}

async function click(name: string): Promise<void> {
  await act(async () => {
    fireEvent.click(screen.getByText(name));
    await settle();
  });
}

describe('rules that fixes by a model teach', () => {
  it('are looked for on request, shown as text, and kept', async () => {
    const { requests } = await shown({ rules: [rule], kept: [], folder: true });
    expect(requests.every(({ route }) => !route.endsWith('/rules'))).toBe(true);
    await click('Look for rules');
    expect(screen.getByText(rule.old)).toBeTruthy();
    expect(screen.getByText(rule.new)).toBeTruthy();
    expect(screen.getByText(/library: toolbox/)).toBeTruthy();
    await click('Keep');
    expect(requests.slice(-1)[0]).toMatchObject({
      method: 'POST',
      route: `sessions/${'0'.repeat(32)}/rules`,
      body: { id: rule.id }
    });
    expect(screen.getByText('In use')).toBeTruthy();
    expect(screen.queryByText('Keep')).toBeNull();
  });

  it('can only be downloaded where the server has no folder for them', async () => {
    await shown({ rules: [rule], kept: [], folder: false });
    await click('Look for rules');
    expect(screen.queryByText('Keep')).toBeNull();
    expect(screen.getByText('Download')).toBeTruthy();
  });

  it('are none where the fixes were of this notebook only', async () => {
    await shown({ rules: [], kept: [], folder: true });
    await click('Look for rules');
    expect(screen.getByText(/None of them is a change to a call/)).toBeTruthy();
  });

  it('are no matter of a session that asked no model', async () => {
    await shown({ rules: [rule], kept: [], folder: true }, 'rules');
    expect(screen.queryByText('Look for rules')).toBeNull();
  });
});

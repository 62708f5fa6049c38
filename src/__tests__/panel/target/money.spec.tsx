import { screen } from '@testing-library/react';
import * as React from 'react';

import type { Estimate, Session } from '../../../api/types';
import { EstimateText } from '../../../panel/target/Estimate';
import { SettingsForm } from '../../../panel/target/TargetForm';
import { RunningTotal } from '../../../panel/StatusLine';
import { UsageText } from '../../../ui/UsageText';
import { Modernization } from '../../../review/modernization';
import { answered, show, usage } from '../../answers';
import {
  FakeDocument,
  info,
  makeClient,
  makeHints,
  makeNotebook,
  makeSession,
  noUsage,
  settings,
  makeQuestions,
  trans
} from '../../values';

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

function makeModel(
  change: Partial<typeof settings>,
  configured = true,
  session: Session | null = null
) {
  const document = new FakeDocument(makeNotebook(['x = 1']));
  const model = new Modernization({
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
    questions: makeQuestions(),
    trans
  });
  model.take(session);
  return { document, model };
}

const nothing = () => ({ body: null });

describe('the cost of a fix', () => {
  it('names tokens, reasoning and money, and how old the prices are', () => {
    show(<UsageText usage={usage} />, nothing);
    const text = screen.getByText(/20k tokens in, 2k out/);
    expect(text).toHaveTextContent('(1.2k of them reasoning) · $0.039');
    expect(text).toHaveAttribute(
      'title',
      '75 % of the input cached · prices of 2025-12-11'
    );
  });

  it('says what is not in it, and shows nothing where no model was asked', () => {
    const { container, rerender } = show(
      <UsageText usage={{ ...usage, unpriced_calls: 2 }} />,
      nothing
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
    show(<RunningTotal model={model} />, nothing);
    const total = screen.getByRole('group', { name: 'Cost of this session' });
    expect(total).toHaveTextContent('$0.039');
    expect(total).toHaveTextContent('4 calls');
    expect(total).toHaveTextContent('75 % of the input cached');
    expect(total).toHaveTextContent('prices of 2025-12-11');
  });
});

describe('the estimate', () => {
  it('is a range with what it rests on and the date of the prices', () => {
    const { container } = show(<EstimateText estimate={estimate} />, nothing);
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
      <EstimateText estimate={{ ...estimate, cost_usd: null, price: null }} />,
      nothing
    );
    expect(container).toHaveTextContent('the price of gpt-5.2 is not known');
    const none = { low: 0, likely: 0, high: 0 };
    rerender(<EstimateText estimate={{ ...estimate, fixes: none }} />);
    expect(container).toHaveTextContent('the model is not asked');
  });

  it('stands beside the mode once it is auto, and is asked again for another limit', async () => {
    const { model } = makeModel({ mode: 'auto' });
    const { requests } = show(<SettingsForm hasTarget model={model} />, () => ({
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
    show(<SettingsForm hasTarget model={model} />, () => ({
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
    const { requests } = show(
      <SettingsForm hasTarget model={model} />,
      nothing
    );
    await answered();
    expect(requests).toEqual([]);
    expect(screen.queryByRole('group', { name: 'Estimated cost' })).toBeNull();
  });
});

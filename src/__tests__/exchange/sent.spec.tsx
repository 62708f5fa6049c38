import { Clipboard } from '@jupyterlab/apputils';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { CommandRegistry } from '@lumino/commands';
import * as React from 'react';

import type { Exchange, ModelCall, PromptPreview } from '../../api/types';
import { CommandIDs } from '../../commandIds';
import { PanelContext } from '../../ui/context';
import { ExchangeButton } from '../../exchange/ExchangeButton';
import { FixBar } from '../../panel/fix/FixBar';
import { ExchangeText, Loaded, PromptText } from '../../exchange/SentText';
import { addSentCommands } from '../../exchange/commands';
import { Modernization } from '../../review/modernization';
import {
  FakeDocument,
  info,
  makeClient,
  makeDiagnosis,
  makeHints,
  makeIteration,
  makeNotebook,
  makeSession,
  noUsage,
  settle,
  makeQuestions,
  trans,
  makeSessionList
} from '../values';

const preview: PromptPreview = {
  configured: true,
  host: 'models.example',
  model: 'big-model',
  fix_type: 'error-repair',
  scope: 'file',
  messages: [
    { role: 'system', text: 'You repair notebooks.' },
    { role: 'user', text: '<img src=x onerror=alert(1)>' }
  ],
  characters: 1234,
  tokens: 309,
  masked: 1,
  left_out: ['2 cells are shown in part: c1, c2.']
};

const call: ModelCall = {
  started_at: '2026-01-02T03:04:05Z',
  seconds: 3.25,
  host: 'models.example',
  model: 'big-model',
  api: 'chat',
  messages: preview.messages,
  reply: '=== PLAN ===',
  ending: 'answered',
  remark: '',
  usage: { ...noUsage, calls: 1, input_tokens: 300, output_tokens: 4 }
};

describe('what is sent', () => {
  it('is shown as text, with its length and what is masked and left out', () => {
    const { container } = render(<PromptText preview={preview} />);
    expect(container).toHaveTextContent('To big-model at models.example.');
    expect(container).toHaveTextContent('Nothing has been sent.');
    expect(container).toHaveTextContent('1,234 characters, about 309 tokens');
    expect(container).toHaveTextContent('1 secret is masked');
    expect(container).toHaveTextContent('2 cells are shown in part: c1, c2.');
    expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
    const rules = screen.getByText('You repair notebooks.');
    expect(rules).not.toBeVisible();
    fireEvent.click(screen.getByText(/^system/));
    expect(rules).toBeVisible();
    expect(container.querySelector('img')).toBeNull();
  });

  it('can be looked at where no model is configured', () => {
    const { container } = render(
      <PromptText
        preview={{
          ...preview,
          configured: false,
          model: '',
          masked: 0,
          left_out: []
        }}
      />
    );
    expect(container).toHaveTextContent('no model is configured');
    expect(container).toHaveTextContent('No secrets were found.');
    expect(container).toHaveTextContent('Nothing is left out.');
  });

  it('can be copied', () => {
    const copy = jest
      .spyOn(Clipboard, 'copyToSystem')
      .mockImplementation(() => undefined);
    render(<PromptText preview={preview} />);
    fireEvent.click(screen.getByRole('button', { name: 'Copy all' }));
    expect(copy).toHaveBeenCalledWith(
      '[system]\nYou repair notebooks.\n\n[user]\n<img src=x onerror=alert(1)>'
    );
    expect(screen.getByRole('button', { name: 'Copied' })).toBeVisible();
    copy.mockRestore();
  });

  it('says when it cannot be read', async () => {
    render(
      <Loaded
        load={() => Promise.reject(new Error('The notebook has not run.'))}
      >
        {() => <hr />}
      </Loaded>
    );
    expect(screen.getByRole('status')).toHaveTextContent('Reading…');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The notebook has not run.'
    );
  });
});

describe('what was sent and answered', () => {
  const again: ModelCall = {
    ...call,
    messages: [...call.messages, { role: 'user', text: 'Reply again.' }],
    reply: '',
    ending: 'failed',
    remark: 'The line was lost.'
  };
  const exchange: Exchange = { id: 'p1', calls: [call, again] };

  it('is shown call by call; what was sent before is folded', () => {
    render(<ExchangeText exchanges={[exchange]} />);
    const [first, second] = screen
      .getAllByRole('heading')
      .map(heading => heading.closest('section') as HTMLElement);
    expect(first).toHaveTextContent('Call 1: answered');
    expect(first).toHaveTextContent('3.3 s');
    expect(within(first).getByText('=== PLAN ===')).toBeVisible();
    const sent = '<img src=x onerror=alert(1)>';
    expect(within(first).getByText(sent)).toBeVisible();
    expect(second).toHaveTextContent('Call 2: failed');
    expect(second).toHaveTextContent('The line was lost.');
    expect(within(second).getByText('Reply again.')).toBeVisible();
    expect(within(second).getByText(sent)).not.toBeVisible();
    expect(within(second).queryByText(/Answered/)).toBeNull();
  });

  it('says that no model was asked', () => {
    const { container } = render(<ExchangeText exchanges={[]} />);
    expect(container).toHaveTextContent('No model was asked.');
  });
});

describe('the ways to it', () => {
  const execute = jest.fn();

  async function loaded() {
    const session = makeSession({
      usage: { ...noUsage, calls: 1 },
      iterations: [
        makeIteration({
          diagnosis: makeDiagnosis({ fix_type: 'error-repair' })
        })
      ]
    });
    const made = makeClient(({ method, route }) => {
      if (route.startsWith('sessions?') && method === 'GET') {
        return { body: makeSessionList(session) };
      }
      if (route.endsWith('/prompt')) {
        return { body: preview };
      }
      if (route.endsWith('/exchanges')) {
        return { body: { exchanges: [{ id: 'a' }, { id: 'b' }] } };
      }
      if (route.endsWith('/exchange')) {
        return { body: { id: 'a', calls: [call] } };
      }
      return { body: session };
    });
    const model = new Modernization({
      client: made.client,
      document: new FakeDocument(makeNotebook(['import pandas as pd'])),
      hints: makeHints().hints,
      info,
      preferences: {},
      questions: makeQuestions(),
      trans
    });
    await model.load();
    return { model, ...made };
  }

  it('lead from the fix bar, with the fix that is chosen there', async () => {
    const { model } = await loaded();
    render(
      <PanelContext.Provider value={{ trans, languages: null, execute }}>
        <FixBar model={model} />
        <ExchangeButton proposal="p1" />
        <ExchangeButton />
      </PanelContext.Provider>
    );
    fireEvent.change(screen.getByLabelText('Fix type'), {
      target: { value: 'score-calibration' }
    });
    fireEvent.click(screen.getByRole('button', { name: 'What is sent' }));
    expect(execute).toHaveBeenLastCalledWith(CommandIDs.showPrompt, {
      fix_type: 'score-calibration',
      scope: 'file'
    });
    fireEvent.click(
      screen.getByRole('button', { name: 'What was sent and answered' })
    );
    expect(execute).toHaveBeenLastCalledWith(CommandIDs.showExchange, {
      proposal: 'p1'
    });
    fireEvent.click(
      screen.getByRole('button', { name: 'All that was sent and answered' })
    );
    expect(execute).toHaveBeenLastCalledWith(CommandIDs.showExchange, {});
  });

  it('lead by the commands to dialogs', async () => {
    const { client, model, requests } = await loaded();
    const commands = new CommandRegistry();
    addSentCommands({
      app: { commands },
      client,
      modernizer: { current: model },
      trans
    } as unknown as Parameters<typeof addSentCommands>[0]);
    const close = async (title: string) => {
      await settle();
      const dialog = screen.getByRole('dialog', { hidden: true });
      expect(dialog).toHaveTextContent(title);
      expect(dialog).toHaveTextContent('You repair notebooks.');
      fireEvent.click(within(dialog).getByText('Close'));
    };
    let shown = commands.execute(CommandIDs.showPrompt, { scope: 'cell' });
    await close('What is sent');
    await shown;
    expect(requests[requests.length - 1].body).toMatchObject({
      fix_type: null,
      scope: 'cell',
      notebook: { cells: [{ source: 'import pandas as pd' }] }
    });
    shown = commands.execute(CommandIDs.showExchange, {});
    await close('2 model calls.');
    await shown;
    shown = commands.execute(CommandIDs.showExchange, { proposal: 'b' });
    await close('1 model call.');
    await shown;
  });
});

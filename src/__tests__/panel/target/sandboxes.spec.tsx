import { fireEvent, render, screen, within } from '@testing-library/react';
import * as React from 'react';

import type { Execution, SandboxInfo, Session } from '../../../api/types';
import { PanelContext } from '../../../ui/context';
import { HotLines } from '../../../panel/errors/HotLines';
import { RunDetails } from '../../../panel/history/RunDetails';
import { StatusLine } from '../../../panel/StatusLine';
import { SettingsForm } from '../../../panel/target/TargetForm';
import { Modernization } from '../../../review/modernization';
import {
  FakeDocument,
  info,
  makeClient,
  makeHints,
  makeIteration,
  makeNotebook,
  makeProgress,
  makeSession,
  makeQuestions,
  trans,
  said,
  makeSessionList
} from '../../values';

const bubblewrap: SandboxInfo = {
  name: 'bubblewrap',
  isolated: true,
  available: true,
  reason: []
};

async function makeModel(
  docker: SandboxInfo,
  session: Session | null = null
): Promise<Modernization> {
  const { client } = makeClient(({ route }) =>
    route.startsWith('sessions?')
      ? { body: makeSessionList(session) }
      : route.startsWith('detect')
        ? { body: { competition: null, reason: [], targets: [] } }
        : { body: session ?? makeSession() }
  );
  const model = new Modernization({
    client,
    document: new FakeDocument(makeNotebook(['1'])),
    hints: makeHints().hints,
    info: { ...info, sandboxes: [bubblewrap, docker] },
    preferences: {},
    questions: makeQuestions(),
    trans
  });
  await model.load();
  return model;
}

function show(part: JSX.Element): void {
  render(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: jest.fn() }}
    >
      {part}
    </PanelContext.Provider>
  );
}

describe('the choice of sandbox', () => {
  it('shows one that cannot be used, and why', async () => {
    const model = await makeModel({
      name: 'docker',
      isolated: true,
      available: false,
      reason: said('no Docker engine answers')
    });
    show(<SettingsForm hasTarget model={model} />);
    fireEvent.click(screen.getByText('More settings'));
    expect(
      screen.getByRole('option', { name: 'docker (cannot be used here)' })
    ).toBeDisabled();
    expect(
      screen.getByText('docker cannot be used: no Docker engine answers.')
    ).toBeVisible();
  });

  it('says what choosing one will bring along', async () => {
    const model = await makeModel({
      name: 'docker',
      isolated: true,
      available: true,
      reason: said('its image must be fetched')
    });
    model.edit({ sandbox: 'docker' });
    show(<SettingsForm hasTarget model={model} />);
    fireEvent.click(screen.getByText('More settings'));
    expect(screen.getByRole('option', { name: 'docker' })).toBeEnabled();
    expect(
      screen.getByText('docker: its image must be fetched.')
    ).toBeVisible();
  });
});

const there: SandboxInfo = {
  name: 'docker',
  isolated: true,
  available: true,
  reason: []
};

describe('a run in a container', () => {
  it.each([
    'Waiting for a free container (2 ahead)',
    'Pulling the image python: 3 of 9 layers, 120 MB of 2.1 GB'
  ])('shows what it waits for: %s', async message => {
    const session = makeSession({
      phase: 'preparing',
      progress: makeProgress({ message: said(message) })
    });
    const model = await makeModel(there, session);
    show(<StatusLine model={model} />);
    expect(screen.getByRole('status')).toHaveTextContent(message);
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  });

  it('shows how it ended and what it did not get', async () => {
    const execution: Execution = {
      status: 'error',
      ending: 'out-of-memory',
      sandbox: 'docker',
      image: 'python:3.11 (sha256:0123456789ab)',
      seconds: 4,
      time_limit: 600,
      environment: { python: '3.11.2', packages: {} },
      cells: [],
      errors: [],
      carried: 0,
      pip_installs: [],
      csv_files: [],
      message: said('The notebook used up its memory of 2 GB and was killed.'),
      remarks: [...said('The machine has 2 processors.')],
      files_beside: [],
      network: null,
      profile: {
        seconds: 40,
        gpu: 'unused',
        processors: 2,
        lines: [
          {
            cell_id: 'c1',
            index: 1,
            line: 2,
            source: 'for row in df.iterrows():',
            seconds: 30,
            share: 0.75,
            call: 'pandas.core.frame.DataFrame.iterrows'
          }
        ]
      }
    };
    const session = makeSession({ iterations: [makeIteration({ execution })] });
    const model = await makeModel(there, session);
    show(<RunDetails model={model} />);
    expect(
      screen.getByText(
        'The notebook used up its memory of 2 GB and was killed.'
      )
    ).toBeInTheDocument();
    expect(
      screen.getByText('python:3.11 (sha256:0123456789ab)')
    ).toBeInTheDocument();
    expect(
      screen.getByText('The machine has 2 processors.')
    ).toBeInTheDocument();
    show(<HotLines model={model} />);
    const hottest = within(screen.getByRole('region', { name: 'Slow cells' }));
    expect(hottest.getByText('for row in df.iterrows():')).toBeInTheDocument();
    expect(hottest.getByText(/75 %, 30 s/)).toBeInTheDocument();
    expect(
      hottest.getByText('There is a GPU, and the run did not use it.')
    ).toBeInTheDocument();
  });
});

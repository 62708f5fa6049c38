import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import { FixCell } from '../../../review/cells/FixCell';
import { open, SOURCES } from '../../fakeServer';
import {
  makeDiagnosis,
  makeFinding,
  makeIteration,
  makeProgress,
  makeSession,
  settle,
  wireNotebook
} from '../../values';

const broken = makeSession({
  phase: 'finished',
  iterations: [
    makeIteration({ diagnosis: makeDiagnosis({ findings: [makeFinding()] }) })
  ]
});

describe('the request for a fix at a cell', () => {
  it('shows the work, the refusal and the way to try again there', async () => {
    const { model, requests, server } = await open(broken);
    server.notebooks.set('a'.repeat(64), wireNotebook(SOURCES));
    const press = () =>
      act(async () => {
        fireEvent.click(screen.getByRole('button'));
        await settle();
      });
    render(<FixCell model={model} />);
    expect(screen.getByRole('button')).toHaveTextContent('Fix this cell');
    await press();
    expect(screen.getByRole('status')).toHaveTextContent('Asking for a fix…');
    expect(screen.getByRole('button')).toBeDisabled();
    const progress = makeProgress({
      message: [{ code: 'text', parameters: { text: 'Asking again in 7 s' } }]
    });
    server.next({ phase: 'fixing', progress });
    act(() => model.take(server.session));
    expect(screen.getByRole('status')).toHaveTextContent('Asking again in 7 s');
    server.next({
      phase: 'failed',
      message: [
        { code: 'summary.cancelled', parameters: { cell: [] } },
        { code: 'text', parameters: { text: 'It did not answer.' } }
      ]
    });
    act(() => model.take(server.session));
    expect(screen.getByRole('status').textContent).toBe('It did not answer.');
    expect(screen.getByRole('button')).toHaveTextContent('Try again');
    await press();
    expect(
      requests.filter(({ route }) => route.endsWith('/fixes'))
    ).toHaveLength(2);
  });
});

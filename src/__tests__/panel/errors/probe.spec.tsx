import { act, fireEvent, render, screen, within } from '@testing-library/react';
import * as React from 'react';

import type { Probe } from '../../../api/types';
import { ProbeSection } from '../../../panel/errors/ProbeSection';
import { Modernization } from '../../../review/modernization';
import {
  FakeDocument,
  info,
  makeClient,
  makeHints,
  makeNotebook,
  makeSession,
  settle,
  makeQuestions,
  trans,
  said
} from '../../values';

const probe: Probe = {
  then: { python: '3.7.9', packages: { pandas: '0.24.2' } },
  now: { python: '3.11.2', packages: { pandas: '3.0.0' } },
  rows: 200,
  notes: [...said('Compared on the first 200 rows of every CSV.')],
  items: [
    {
      cell_id: 'c1',
      rule: 'pandas-chained-setitem',
      library: 'pandas',
      since: '3.0',
      what: 'Chained assignment changes a copy.',
      link: 'https://pandas.pydata.org/',
      verdict: 'explains',
      why: '',
      contrasts: [
        { name: 'mean', then: '1.5', now: '2.0', fixed: '1.5', explained: true }
      ],
      unlisted: 2,
      compared: 9,
      incomparable: 0
    }
  ]
};

function makeModel(oldPythons: string[]) {
  const { client, requests } = makeClient(request =>
    request.route.endsWith('/info')
      ? { body: info }
      : { body: makeSession({ probe }) }
  );
  const model = new Modernization({
    client,
    document: new FakeDocument(makeNotebook(['import pandas as pd'])),
    hints: makeHints().hints,
    info: { ...info, old_pythons: oldPythons },
    preferences: {},
    questions: makeQuestions(),
    trans
  });
  return { model, requests };
}

describe('the comparison with old libraries', () => {
  it('is not offered where the server knows none', () => {
    const { model } = makeModel([]);
    const { container } = render(<ProbeSection model={model} />);
    expect(container).toBeEmptyDOMElement();
  });

  it('asks for the libraries chosen and shows the values side by side', async () => {
    const { model, requests } = makeModel(['2018', '2020']);
    const view = render(<ProbeSection model={model} />);
    fireEvent.change(screen.getByLabelText('Old libraries'), {
      target: { value: '2020' }
    });
    fireEvent.click(screen.getByRole('button', { name: 'Compare with 2020' }));
    await act(settle);
    const asked = requests.find(request => request.route.endsWith('/probe'));
    expect(asked?.body).toMatchObject({ old_python: '2020', rule: null });
    view.rerender(<ProbeSection model={model} />);
    const item = within(
      screen.getByRole('region', { name: 'Chained assignment changes a copy.' })
    );
    expect(item.getByText('explains a difference')).toBeVisible();
    const row = within(item.getByRole('row', { name: /mean/ }));
    expect(row.getAllByRole('cell').map(cell => cell.textContent)).toEqual([
      '1.5',
      '2.0',
      '1.5'
    ]);
    expect(
      item.getByText(/9 values were compared. 2 more differ./)
    ).toBeVisible();
  });
});

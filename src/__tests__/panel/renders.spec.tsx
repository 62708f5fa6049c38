import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as React from 'react';

import { SettingsForm } from '../../panel/target/TargetForm';
import { Panel } from '../../panel/Panel';
import { PanelContext } from '../../ui/context';
import { next, open, reviewing } from '../fakeServer';
import { FakeModernizer, makeGrade, trans } from '../values';

/** Render counts by component. */
const drawn: Record<string, number> = {};

jest.mock('../../ui/Section', () => {
  const actual =
    jest.requireActual<typeof import('../../ui/Section')>('../../ui/Section');
  return {
    ...actual,
    Section: (props: React.ComponentProps<typeof actual.Section>) => {
      drawn[props.title] = (drawn[props.title] ?? 0) + 1;
      return <actual.Section {...props} />;
    }
  };
});

jest.mock('../../panel/target/TargetForm', () => {
  const actual = jest.requireActual<{ SettingsForm: typeof SettingsForm }>(
    '../../panel/target/TargetForm'
  );
  return {
    ...actual,
    SettingsForm: (props: React.ComponentProps<typeof SettingsForm>) => (
      <React.Profiler
        id="form"
        onRender={() => {
          drawn.form = (drawn.form ?? 0) + 1;
        }}
      >
        <actual.SettingsForm {...props} />
      </React.Profiler>
    )
  };
});

async function openPanel() {
  const session = reviewing();
  const [run] = session.iterations;
  if (run.kind === 'rehearsal') {
    throw new Error('a run on all data is needed');
  }
  run.grade = makeGrade();
  const { document, model } = await open(session);
  const modernizer = new FakeModernizer();
  modernizer.current = model;
  render(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: jest.fn() }}
    >
      <Panel modernizer={modernizer} />
    </PanelContext.Provider>
  );
  Object.keys(drawn).forEach(name => delete drawn[name]);
  return { document, model };
}

describe('typing in a field of the form', () => {
  it('draws the form and no other section', async () => {
    await openPanel();
    const field = screen.getByLabelText('Target score');
    await userEvent.setup().type(field, '123');
    expect(field).toHaveValue('0.8123');
    expect(drawn).toEqual({ form: expect.any(Number) });
    expect(drawn.form).toBeGreaterThanOrEqual(3);
  });
});

describe('a change of the notebook', () => {
  it('draws neither the form nor the history', async () => {
    const { document, model } = await openPanel();
    const changed = next(model.documentChanged);
    document.shared.cells[0].setSource('other()');
    document.changed.emit();
    await changed;
    expect(drawn.form).toBeUndefined();
    expect(drawn.History).toBeUndefined();
  });
});

import { fireEvent, screen } from '@testing-library/react';
import * as React from 'react';

import { settingInputs } from '../../../api/types';
import { SettingsForm } from '../../../panel/target/TargetForm';
import { show } from '../../answers';
import { open } from '../../fakeServer';
import { trans } from '../../values';

describe('the inputs of settings', () => {
  it('are all in the form, with label and help', async () => {
    const { model } = await open(null);
    show(<SettingsForm hasTarget model={model} />, () => ({ body: null }));
    fireEvent.click(screen.getByText('More settings'));
    for (const { help, helps, label } of settingInputs(trans)) {
      const field = screen.getByLabelText(label);
      const texts = [help, ...helps.map(([, text]) => text)];
      const description = field.getAttribute('aria-describedby') ?? '';
      expect(texts).toContain(
        document.getElementById(description)?.textContent
      );
    }
  });

  it('are edited as numbers, texts, choices and check boxes', async () => {
    const { model } = await open(null);
    show(<SettingsForm hasTarget model={model} />, () => ({ body: null }));
    fireEvent.click(screen.getByText('More settings'));
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    type('Cost at most', '0,5');
    type('Work at most', '90');
    type('Written in', ' 2018');
    type('Fixes tried at the same time', '2');
    type('Network', 'true');
    type('Files beside the notebook', 'folder');
    fireEvent.click(
      screen.getByLabelText('Change the experiment without asking')
    );
    expect(model.checkedDraft.settings).toMatchObject({
      max_usd: 0.5,
      max_seconds: 5400,
      era: '2018',
      alternatives: 2,
      network: true,
      files_beside: 'folder',
      allow_experiment_changes: true
    });
    expect(screen.getByLabelText('Cost at most')).toHaveValue('0,5');
  });

  it('keep a wrong text and say what to type', async () => {
    const { model } = await open(null);
    show(<SettingsForm hasTarget model={model} />, () => ({ body: null }));
    fireEvent.click(screen.getByText('More settings'));
    const field = screen.getByLabelText('Fixes at most');
    fireEvent.change(field, { target: { value: '1.' } });
    expect(field).toBeValid();
    fireEvent.change(field, { target: { value: '1.5' } });
    expect(field).toHaveValue('1.5');
    expect(field).toHaveAccessibleDescription(
      'Type a whole number from 0 to 1000.'
    );
    expect(model.checkedDraft.settings).toBeNull();
    fireEvent.change(field, { target: { value: '' } });
    expect(field).toBeInvalid();
  });
});

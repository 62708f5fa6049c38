import * as React from 'react';

import { type ISettingInput, settingInputs } from '../../api/types';
import type { IModelProps } from '../../review/useModel';
import {
  type SettingTexts,
  textOf,
  valueOf
} from '../../session/form/settings';
import { useSignal, useTrans } from '../../ui/context';
import { CheckBox, Choice, TextInput } from '../../ui/fields';

/**
 * The inputs of all settings of a place, as the server declares them; two
 * numbers in a row.
 */
export function SettingFields(
  props: IModelProps & { place: string; placeholders?: SettingTexts }
): JSX.Element {
  const { model, place, placeholders = {} } = props;
  const trans = useTrans();
  useSignal(model.formChanged);
  const rows: ISettingInput[][] = [];
  for (const input of settingInputs(trans)) {
    if (input.place === place) {
      const row = rows[rows.length - 1] ?? [];
      if (row.length === 1 && isTypedNumber(row[0]) && isTypedNumber(input)) {
        row.push(input);
      } else {
        rows.push([input]);
      }
    }
  }
  return (
    <>
      {rows.map(row => (
        <div key={row[0].name} className="jp-mle-Form-row">
          {row.map(input => (
            <Field
              key={input.name}
              input={input}
              model={model}
              placeholder={placeholders[input.name]}
            />
          ))}
        </div>
      ))}
    </>
  );
}

function isTypedNumber({ labels, type }: ISettingInput): boolean {
  return (type === 'number' || type === 'integer') && labels.length === 0;
}

function Field(
  props: IModelProps & { input: ISettingInput; placeholder?: string }
): JSX.Element {
  const { input, model, placeholder = props.input.empty } = props;
  const { helps, label, labels, name, type, unit } = input;
  const value = model.draft[name];
  const [, help] = helps.find(([one]) => one === String(value)) ?? [];
  const common = { label, help: help ?? input.help };
  const onChange = (text: string) =>
    model.edit({ [name]: valueOf(text, input) }, { [name]: text });
  if (labels.length > 0) {
    return (
      <Choice
        {...common}
        value={String(value)}
        options={labels}
        onChange={onChange}
      />
    );
  }
  if (type === 'boolean') {
    return (
      <CheckBox
        {...common}
        isChecked={value === true}
        onChange={isChecked => onChange(String(isChecked))}
      />
    );
  }
  return (
    <TextInput
      {...common}
      inputMode={type === 'string' ? 'text' : 'decimal'}
      placeholder={placeholder}
      unit={unit}
      value={model.typed[name] ?? textOf(value, input)}
      error={model.checkedDraft.errors[name]}
      onChange={onChange}
    />
  );
}

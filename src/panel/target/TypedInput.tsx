import * as React from 'react';

import type { SessionModel } from '../../session/model';
import type { TypedField } from '../../session/form/settings';
import { useSignal } from '../../ui/context';
import { TextInput } from '../../ui/fields';

/**
 * What a typed field is made from.
 */
export interface ITypedInputProps {
  /** The notebook's modernization. */
  model: SessionModel;
  /** Which one. */
  name: TypedField;
  /** Its label. */
  label: string;
  /** What it is for, in a sentence. */
  help?: string;
  /** Shown while it is empty. */
  placeholder?: string;
  /** Shown behind it. */
  unit?: string;
}

/**
 * A typed field with its error.
 */
export function TypedInput(props: ITypedInputProps): JSX.Element {
  const { model, name, ...shown } = props;
  useSignal(model.formChanged);
  const isText = name === 'era' || name === 'scorePattern';
  return (
    <TextInput
      {...shown}
      inputMode={isText ? 'text' : 'decimal'}
      value={model.draft[name]}
      error={model.checkedDraft.errors[name]}
      onChange={value => model.edit({ [name]: value })}
    />
  );
}

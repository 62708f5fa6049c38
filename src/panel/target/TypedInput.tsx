import * as React from 'react';

import type { SessionModel } from '../../session/model';
import type { TypedField } from '../../session/form/settings';
import { useSignal } from '../../ui/context';
import { TextInput } from '../../ui/fields';

/** Properties of a typed field. */
export interface ITypedInputProps {
  /** The notebook's modernization. */
  model: SessionModel;
  /** The field. */
  name: TypedField;
  /** Its label. */
  label: string;
  /** Its purpose, in a sentence. */
  help?: string;
  /** Placeholder. */
  placeholder?: string;
  /** Text behind the field. */
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

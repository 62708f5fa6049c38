import * as React from 'react';

/** Properties of a line of text. */
export interface ITextInputProps {
  /** Its label. */
  label: string;
  /** Its purpose, in a sentence. */
  help?: string;
  /** The current text. */
  value: string;
  /** The problem with it. */
  error?: string;
  /** Keyboard of a touch screen. */
  inputMode?: 'text' | 'decimal';
  /** Placeholder. */
  placeholder?: string;
  /** Text behind the field. */
  unit?: string;
  /** Called with the new text. */
  onChange: (value: string) => void;
  /** Called on Enter, if the form does not handle it. */
  onEnter?: () => void;
}

/**
 * A labelled line of text with its error.
 */
export function TextInput(props: ITextInputProps): JSX.Element {
  const { error, help, onEnter } = props;
  const id = React.useId();
  return (
    <div className="jp-mle-Form-field">
      <label htmlFor={id}>{props.label}</label>
      <div className="jp-mle-Form-input">
        <input
          id={id}
          type="text"
          inputMode={props.inputMode}
          autoComplete="off"
          spellCheck={false}
          placeholder={props.placeholder}
          value={props.value}
          aria-invalid={error !== undefined}
          aria-describedby={
            error ? `${id}-error` : help ? `${id}-help` : undefined
          }
          onChange={event => props.onChange(event.target.value)}
          onKeyDown={event => {
            if (onEnter && event.key === 'Enter') {
              event.preventDefault();
              onEnter();
            }
          }}
        />
        {props.unit && (
          <span className="jp-mle-Form-unit" aria-hidden="true">
            {props.unit}
          </span>
        )}
      </div>
      <Help id={id} text={help} />
      {error && (
        <p id={`${id}-error`} className="jp-mle-FieldError" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Properties of a check box. */
export interface ICheckBoxProps {
  /** Its label. */
  label: string;
  /** Its purpose, in a sentence. */
  help?: string;
  /** Whether it is ticked. */
  isChecked: boolean;
  /** Called with the new state. */
  onChange: (isChecked: boolean) => void;
}

/**
 * A labelled check box.
 */
export function CheckBox(props: ICheckBoxProps): JSX.Element {
  const id = React.useId();
  return (
    <div className="jp-mle-Form-field">
      <label className="jp-mle-Check">
        <input
          type="checkbox"
          checked={props.isChecked}
          aria-describedby={props.help ? `${id}-help` : undefined}
          onChange={event => props.onChange(event.target.checked)}
        />
        {props.label}
      </label>
      <Help id={id} text={props.help} />
    </div>
  );
}

/** Properties of a choice. */
export interface IChoiceProps {
  /** Its label. */
  label: string;
  /** Its purpose, or the meaning of the chosen value, in a sentence. */
  help?: string;
  /** The chosen value. */
  value: string;
  /** Values and their labels; a third entry disables one. */
  options: readonly (readonly [string, string, boolean?])[];
  /** Called with the new choice. */
  onChange: (value: string) => void;
}

/**
 * A labelled drop-down.
 */
export function Choice(props: IChoiceProps): JSX.Element {
  const id = React.useId();
  return (
    <div className="jp-mle-Form-field">
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        className="jp-mle-Select"
        value={props.value}
        aria-describedby={props.help ? `${id}-help` : undefined}
        onChange={event => props.onChange(event.target.value)}
      >
        {props.options.map(([value, label, isDisabled]) => (
          <option key={value} value={value} disabled={isDisabled}>
            {label}
          </option>
        ))}
      </select>
      <Help id={id} text={props.help} />
    </div>
  );
}

function Help(props: { id: string; text?: string }): JSX.Element | null {
  return props.text ? (
    <p id={`${props.id}-help`} className="jp-mle-Hint">
      {props.text}
    </p>
  ) : null;
}

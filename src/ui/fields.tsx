import * as React from 'react';

/**
 * What a line of text is made from.
 */
export interface ITextInputProps {
  /** Its label. */
  label: string;
  /** What it is for, in a sentence. */
  help?: string;
  /** What is typed. */
  value: string;
  /** What is wrong with it. */
  error?: string;
  /** Which keys a touch screen shows. */
  inputMode?: 'text' | 'decimal';
  /** Shown while it is empty. */
  placeholder?: string;
  /** Shown behind it. */
  unit?: string;
  /** What happens when something is typed. */
  onChange: (value: string) => void;
  /** What Enter does, where it is not the form's business. */
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

/**
 * What a check box is made from.
 */
export interface ICheckBoxProps {
  /** Its label. */
  label: string;
  /** What it is for, in a sentence. */
  help?: string;
  /** Whether it is ticked. */
  isChecked: boolean;
  /** What happens when it is ticked or not. */
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

/**
 * What a choice is made from.
 */
export interface IChoiceProps {
  /** Its label. */
  label: string;
  /** What it is for, or what the choice means, in a sentence. */
  help?: string;
  /** What is chosen. */
  value: string;
  /** Values and what they are called; a third entry disables one. */
  options: readonly (readonly [string, string, boolean?])[];
  /** What happens with another choice. */
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

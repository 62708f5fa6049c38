import type { TranslationBundle } from '@jupyterlab/translation';

import {
  type ISettingInput,
  type RehearsalSettings,
  SAMPLE_ROWS,
  type SessionSettings,
  settingInputs
} from '../../api/types';

/** A rehearsal on a sample of the default size. */
export const SAMPLE: RehearsalSettings = {
  rows: SAMPLE_ROWS.default,
  time_limit: null
};

/** Texts by setting: as typed, of errors, or of empty fields. */
export type SettingTexts = Partial<Record<keyof SessionSettings, string>>;

/**
 * A checked form: settings, or a sentence for each field that is wrong.
 */
export interface ICheckedDraft {
  /** The settings, null if a field is wrong. */
  settings: SessionSettings | null;
  /** Problems by setting. */
  errors: SettingTexts;
}

/** Check settings; a typed number that cannot be read is NaN. */
export function checkDraft(
  draft: SessionSettings,
  trans: TranslationBundle
): ICheckedDraft {
  const { rehearsal, score_reading: reading } = draft;
  const errors: SettingTexts = {};
  for (const input of settingInputs(trans)) {
    const value = draft[input.name];
    if (typeof value === 'number' && !isWithin(value, input)) {
      errors[input.name] = boundsText(input, trans);
    }
    if (typeof value === 'string' && input.pattern?.test(value) === false) {
      errors[input.name] = trans.__('This cannot be read. %1', input.help);
    }
  }
  const { rows } = rehearsal ?? SAMPLE;
  const { from, to } = SAMPLE_ROWS;
  if (!(Number.isInteger(rows) && rows >= from && rows <= to)) {
    errors.rehearsal = trans.__(
      'The rows of a sample must be a whole number from %1 to %2.',
      from,
      to
    );
  }
  if (reading && reading.pattern.split('{}').length !== 2) {
    errors.score_reading = trans.__(
      'The pattern needs {} once, where the number stands, for example "Validation AUC: {}".'
    );
  }
  return {
    // The panel shows the time limit and offers a longer one by its button.
    settings:
      Object.keys(errors).length > 0
        ? null
        : { ...draft, extend_time_limit: false },
    errors
  };
}

/** Return whether a number is a value of a setting. */
export function isWithin(value: number, input: ISettingInput): boolean {
  const { above = -Infinity, from = -Infinity, to = Infinity, type } = input;
  return (
    Number.isFinite(value) &&
    (type !== 'integer' || Number.isInteger(value)) &&
    value > above &&
    value >= from &&
    value <= to
  );
}

/** Return the values of a number, in a sentence. */
function boundsText(input: ISettingInput, trans: TranslationBundle): string {
  const { above, from, isOptional, to } = input;
  const kind =
    input.type === 'integer'
      ? trans.__('a whole number')
      : trans.__('a number');
  const low = textOf(above ?? from ?? null, input);
  const high = textOf(to ?? null, input);
  let text = trans.__('Type %1, for example 0.8123.', kind);
  if (above !== undefined) {
    text = high
      ? trans.__('Type %1 above %2 and at most %3.', kind, low, high)
      : trans.__('Type %1 above %2.', kind, low);
  } else if (from !== undefined) {
    text = high
      ? trans.__('Type %1 from %2 to %3.', kind, low, high)
      : trans.__('Type %1 of at least %2.', kind, low);
  }
  return isOptional ? `${text} ${trans.__('Or leave it empty.')}` : text;
}

/** Return a setting as the text of its field; empty for null. */
export function textOf(value: unknown, input: ISettingInput): string {
  return typeof value === 'number'
    ? String(tidy(value / input.size))
    : String(value ?? '');
}

/** Return the setting that a field's text means; NaN if it is no number. */
export function valueOf(
  text: string,
  input: ISettingInput
): string | number | boolean | null {
  const plain = text.trim();
  if (input.type === 'boolean') {
    return plain === 'true';
  }
  if (!plain && input.isOptional) {
    return null;
  }
  return input.type === 'string' ? plain : tidy(readNumber(plain) * input.size);
}

/** Parse a typed number; a decimal comma is allowed, anything else is NaN. */
export function readNumber(text: string): number {
  const plain = text.trim().replace(/^([+-]?\d*),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) {
    return NaN;
  }
  const value = Number(plain);
  return Number.isFinite(value) ? value : NaN;
}

/** Remove the noise of binary fractions: 0.07 * 100 is 7. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** Return whether two settings differ. */
export function differ(
  one: SessionSettings,
  other: SessionSettings | undefined
): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

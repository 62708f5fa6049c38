import type { Message } from '../api/types';
import { formatDuration } from './numbers';

/**
 * Form of a number, if not five significant digits; of words, a `clause` is
 * part of a sentence, without a full stop; a `duration` is one of seconds.
 */
export type Form =
  | 'thousands'
  | 'precise'
  | 'short'
  | 'rough'
  | 'percent'
  | 'duration'
  | 'clause';

/**
 * Returns the name of a code cell, by its number, from 1, or by its id; null if
 * unknown.
 */
export type CellNames = (cell: number | string) => string | null;

/** Names of the parameters that are cells: numbers or ids. */
const CELLS = /^(cells?|needs)$/;
/** Separators of cells in a parameter, as in `3, 5–7`. */
const SEPARATORS = /(, |–)/;

/** Parameters of a message, as text. */
export class Parameters {
  /**
   * @param values - By name, as the server sent them.
   * @param render - Puts messages that are a part of the sentence into words.
   * @param cells - Names of the cells.
   */
  constructor(
    values: Message['parameters'],
    render: (messages: Message[]) => string,
    cells?: CellNames
  ) {
    this._values = values;
    this._render = render;
    // "Cell 7 of 23" counts cells; it names none.
    this._cells = 'of' in values ? undefined : cells;
  }

  /** Return the number that decides between singular and plural. */
  count(): number {
    const value = this._values.count;
    return typeof value === 'number' ? value : Number.NaN;
  }

  /** Return a parameter as text. */
  text(name: string, form?: Form): string {
    const value = this._values[name];
    if (value === undefined) {
      return '?';
    }
    const isCell = CELLS.test(name);
    if (typeof value === 'number') {
      return isCell ? this._cell(value) : numberText(value, form);
    }
    if (isCell && typeof value === 'string') {
      return value
        .split(SEPARATORS)
        .map(part => this._cell(part))
        .join('');
    }
    const words = typeof value === 'string' ? value : this._render(value);
    return form === 'clause' ? words.replace(/\.+$/, '') : words;
  }

  private _cell(cell: number | string): string {
    const name =
      this._cells?.(cell) ?? this._cells?.(Number(cell) || 0) ?? null;
    return name === null ? String(cell) : `\`${name.replace(/`/g, "'")}\``;
  }

  private readonly _cells: CellNames | undefined;
  private readonly _values: Message['parameters'];
  private readonly _render: (messages: Message[]) => string;
}

function numberText(value: number, form?: Form): string {
  switch (form) {
    case 'thousands':
      return value.toLocaleString('en-US');
    case 'rough':
      return value.toFixed(0);
    case 'percent':
      return `${(100 * value).toFixed(0)}%`;
    case 'duration':
      return formatDuration(value);
    case 'precise':
      return rounded(value, 6);
    case 'short':
      return rounded(value, 2);
    case 'clause':
    case undefined:
      return rounded(value, 5);
  }
}

function rounded(value: number, digits: number): string {
  return String(
    Number.isInteger(value) ? value : Number(value.toPrecision(digits))
  );
}

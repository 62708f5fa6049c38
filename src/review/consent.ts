import type { CellEdit, SessionSettings } from '../api/types';

/**
 * Whether an edit may only be accepted by itself, with a person's explicit yes: it changes data,
 * features, model, parameters, seed or split.
 */
export function needsYes(
  edit: CellEdit,
  settings: SessionSettings | undefined
): boolean {
  return (
    edit.meaning === 'experiment' && settings?.allow_experiment_changes !== true
  );
}

/**
 * The edits a person said yes to, by proposal and edit.
 */
export class Consent {
  /** Whether there is a yes. */
  has(key: string): boolean {
    return this._given.has(key);
  }

  /** Gives the yes or takes it back. */
  set(key: string, isGiven: boolean): void {
    if (isGiven) {
      this._given.add(key);
    } else {
      this._given.delete(key);
    }
  }

  private readonly _given = new Set<string>();
}

import type { CellEdit, SessionSettings } from '../api/types';

/**
 * Return whether an edit may only be accepted separately, with the user's
 * explicit consent: it changes data, features, model, parameters, seed or
 * split.
 */
export function needsYes(
  edit: CellEdit,
  settings: SessionSettings | undefined
): boolean {
  return (
    edit.meaning === 'experiment' && settings?.allow_experiment_changes !== true
  );
}

/** The user's consent to edits, by proposal and edit. */
export class Consent {
  /** Return whether the user has consented. */
  has(key: string): boolean {
    return this._given.has(key);
  }

  /** Record or withdraw consent. */
  set(key: string, isGiven: boolean): void {
    if (isGiven) {
      this._given.add(key);
    } else {
      this._given.delete(key);
    }
  }

  private readonly _given = new Set<string>();
}

import type { IStateDB } from '@jupyterlab/statedb';

import type { Modernization } from './review/modernization';
import type { IModernizer } from './tokens';

const KEY = 'mle-modernizer:notebooks-seen';
const MOST = 500;

/**
 * Opens the panel automatically for a notebook with predicted failures when it
 * is first opened; never twice for the same one.
 */
export class Greeter {
  /**
   * @param _modernizer - The open notebooks, and the user's preference.
   * @param _state - Stores which notebooks were greeted; without it (null) the
   *   panel never opens.
   * @param _open - Opens the panel.
   */
  constructor(
    private readonly _modernizer: Pick<IModernizer, 'current' | 'preferences'>,
    private readonly _state: Pick<IStateDB, 'fetch' | 'save'> | null,
    private readonly _open: () => void
  ) {}

  /** Open the panel once failures of a notebook are predicted. */
  watch(model: Modernization): void {
    const greet = () => {
      const { found } = model.preflight;
      const isOld = found !== null && found.stops > 0;
      if (isOld && model === this._modernizer.current && !model.finished) {
        model.preflight.changed.disconnect(greet);
        void this._greet(model.document.path);
      }
    };
    model.preflight.changed.connect(greet);
  }

  private async _greet(path: string): Promise<void> {
    if (!this._state || !this._modernizer.preferences.openForOldNotebooks) {
      return;
    }
    const known = await this._state.fetch(KEY);
    const seen = Array.isArray(known) ? known.map(String) : [];
    if (!seen.includes(path)) {
      await this._state.save(KEY, [...seen, path].slice(-MOST));
      this._open();
    }
  }
}

import type { TranslationBundle } from '@jupyterlab/translation';

import { ApiError } from '../api/client';

/**
 * Something that went wrong, for the person to read.
 */
export interface IProblem {
  /** Stable name. */
  code: string;
  /** A sentence with the next step. */
  message: string;
  /** The cell concerned. */
  cellId: string | null;
}

/**
 * The person's requests: which are under way, and what went wrong with the last one.
 */
export class Requests {
  /**
   * @param _trans - For the sentences.
   * @param _onChange - Called when any of it changed.
   */
  constructor(
    private readonly _trans: TranslationBundle,
    private readonly _onChange: () => void
  ) {}

  /** Whether one is under way. */
  get isBusy(): boolean {
    return this._underWay > 0;
  }

  /** What went wrong last. */
  get problem(): IProblem | null {
    return this._problem;
  }

  /** Carries one out; what goes wrong is kept as the problem. */
  async attempt(work: () => Promise<void>): Promise<void> {
    this._underWay += 1;
    this.dismiss();
    try {
      await work();
    } catch (error) {
      this.report(error);
    } finally {
      this._underWay -= 1;
      this._onChange();
    }
  }

  /** Shows a failure. */
  report(error: unknown): void {
    if (error instanceof ApiError) {
      const { code, message, cellId } = error;
      this._problem = { code, message, cellId };
    } else {
      this._problem = {
        code: 'unexpected',
        message: this._trans.__('Something went wrong: %1', String(error)),
        cellId: null
      };
    }
    this._onChange();
  }

  /** Takes the shown failure away. */
  dismiss(): void {
    this._problem = null;
    this._onChange();
  }

  private _underWay = 0;
  private _problem: IProblem | null = null;
}

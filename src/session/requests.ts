import { ApiError } from '../api/client';

/** A problem, as a text for the user. */
export interface IProblem {
  /** Stable name. */
  code: string;
  /** The server's sentence with the next step; of an unexpected failure its bare text. */
  message: string;
  /** The cell concerned. */
  cellId: string | null;
}

/** Listeners to requests. */
export interface IRequestsOptions {
  /** Called when a request begins or ends. */
  onBusy: () => void;
  /** Called when the problem changes. */
  onProblem: () => void;
}

/** The user's requests: those under way, and the last problem. */
export class Requests {
  constructor(private readonly _options: IRequestsOptions) {}

  /** Whether a request is under way. */
  get isBusy(): boolean {
    return this._underWay > 0;
  }

  /** The last problem. */
  get problem(): IProblem | null {
    return this._problem;
  }

  /** Execute a request; store a failure as the problem. */
  async attempt(work: () => Promise<void>): Promise<void> {
    this._underWay += 1;
    this._options.onBusy();
    this.dismiss();
    try {
      await work();
    } catch (error) {
      this.report(error);
    } finally {
      this._underWay -= 1;
      this._options.onBusy();
    }
  }

  /** Display a failure. */
  report(error: unknown): void {
    if (error instanceof ApiError) {
      const { code, message, cellId } = error;
      this._problem = { code, message, cellId };
    } else {
      this._problem = {
        code: 'unexpected',
        message: String(error),
        cellId: null
      };
    }
    this._options.onProblem();
  }

  /** Dismiss the visible problem. */
  dismiss(): void {
    if (this._problem) {
      this._problem = null;
      this._options.onProblem();
    }
  }

  private _underWay = 0;
  private _problem: IProblem | null = null;
}

import { Debouncer } from '@lumino/polling';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import { ApiError, type ModernizerClient } from '../api/client';
import type { Foreseen, Preflight } from '../api/types';
import { toNotebook } from './document/document';
import type { SessionActions } from './actions';
import type { SessionModel } from './model';
import { countUndecided } from './reading';
import { tracesOf } from './document/traces';

const PAUSE = 800; // milliseconds without an edit before the next request to the server
const AGAIN = 4000; // milliseconds until the server is asked for a forecast that is not complete

/**
 * Failures predicted before the first run of a notebook. Updated if the
 * notebook, the sandbox or the era changes, until there is a run.
 */
export class PreflightModel implements IDisposable {
  constructor(options: PreflightModel.IOptions) {
    this._model = options.model;
    this._actions = options.actions;
    this._client = options.client;
    this._later = new Debouncer(() => this.look(), options.pause ?? PAUSE);
    this._more = new Debouncer(() => this.look(), options.again ?? AGAIN);
    this._model.sessionChanged.connect(this._onChange, this);
    this._model.formChanged.connect(this._onChange, this);
    this._model.document.changed.connect(this._onChange, this);
  }

  /** Emitted when it was looked ahead. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Predicted failures; null if unknown, or if the notebook has run. */
  get found(): Preflight | null {
    return this._isDue ? this._found : null;
  }

  /** Whether the first forecast is still awaited. */
  get isAwaited(): boolean {
    return this._isDue && this._found === null && this._problem === null;
  }

  /** Why it could not be looked ahead, in a sentence. */
  get problem(): string | null {
    return this._isDue ? this._problem : null;
  }

  /** Whether a fix is known for any of it. */
  get hasFixes(): boolean {
    const { found } = this;
    return (
      found !== null &&
      (found.items.some(item => item.proposed) ||
        found.files.some(file => file.taken !== null))
    );
  }

  /** Number of cells, changes and files that the outlook counts; at least 1. */
  get affected(): number {
    const counts = this.found?.outlook.map(({ parameters }) =>
      Number(parameters.count ?? 0)
    );
    return Math.max(1, counts?.reduce((sum, count) => sum + count, 0) ?? 0);
  }

  /** Whether a fix can be proposed now. */
  get canPropose(): boolean {
    const { isBusy, isWorking, session } = this._model;
    return (
      !isBusy &&
      !isWorking &&
      (!session || countUndecided(session) === 0) &&
      this._model.checkedDraft.settings !== null &&
      this.hasFixes
    );
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Propose all known fixes as one patch for review. */
  async propose(): Promise<void> {
    if (this.canPropose) {
      await this._actions.proposeFix({
        fix_type: 'before-run',
        scope: 'file',
        fixers: ['rules']
      });
    }
  }

  /** Predict failures now, unless nothing changed since the last time. */
  async look(): Promise<void> {
    if (this._isDisposed || !this._isDue) {
      return;
    }
    const { document } = this._model;
    const { settings } = this._model.checkedDraft;
    if (!settings) {
      return; // the form displays its own errors
    }
    const ask = {
      notebook: toNotebook(document),
      path: document.path,
      settings
    };
    const question = JSON.stringify(ask);
    if (question === this._question) {
      return;
    }
    this._question = question;
    try {
      const traces = tracesOf(document.shared);
      const found = await this._client.preflight({ ...ask, traces });
      if (this._question === question) {
        this._found = found;
        this._problem = null;
        if (found.pending) {
          this._question = null;
          void this._more.invoke();
        }
      }
    } catch (error) {
      if (this._question === question) {
        this._found = null;
        this._problem =
          error instanceof ApiError ? error.message : String(error);
        // The next change of anything asks again.
        this._question = null;
      }
    }
    if (!this._isDisposed) {
      this._changed.emit();
    }
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._later.dispose();
    this._more.dispose();
    Signal.clearData(this);
  }

  private get _isDue(): boolean {
    const { isLoaded, isPython, session } = this._model;
    return isLoaded && isPython && (session?.iterations.length ?? 0) === 0;
  }

  private _onChange(): void {
    if (!this._isDisposed && this._isDue) {
      void this._later.invoke();
    }
  }

  private readonly _model: SessionModel;
  private readonly _actions: SessionActions;
  private readonly _client: PreflightModel.IClient;
  private readonly _later: Debouncer;
  private readonly _more: Debouncer;
  private readonly _changed = new Signal<this, void>(this);
  private _found: Preflight | null = null;
  private _problem: string | null = null;
  private _question: string | null = null;
  private _isDisposed = false;
}

/**
 * Names around {@link PreflightModel}.
 */
export namespace PreflightModel {
  /** The client's methods for the preflight. */
  export type IClient = Pick<ModernizerClient, 'preflight'>;

  /** Options of the preflight. */
  export interface IOptions {
    /** The notebook's modernization. */
    model: SessionModel;
    /** Requests a fix of predicted failures. */
    actions: SessionActions;
    /** Looks ahead. */
    client: IClient;
    /** Milliseconds without an edit before it is looked again. */
    pause?: number;
    /** Milliseconds before a forecast that is not complete is asked for again. */
    again?: number;
  }
}

/** Group predicted failures by cell, in the order of the notebook. */
export function byCell(
  items: readonly Foreseen[]
): { cellId: string; items: Foreseen[] }[] {
  const groups = new Map<string, Foreseen[]>();
  for (const item of items) {
    groups.set(item.cell_id, [...(groups.get(item.cell_id) ?? []), item]);
  }
  return [...groups].map(([cellId, group]) => ({ cellId, items: group }));
}

import type { Event } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

/**
 * The schema of the server's hints on Jupyter's event bus.
 */
export const HINT_SCHEMA = 'urn:mle-modernizer:session:v1';

/** A change of a session; the hint does not contain the change. */
export interface IHint {
  /** Id of the session. */
  sessionId: string;
  /** Number of the last event of its log. */
  seq: number;
}

/**
 * The hints of all sessions, out of everything that travels on the event bus.
 */
export class SessionHints implements IDisposable {
  constructor(private readonly _events: Event.IManager) {
    this._events.stream.connect(this._onEvent, this);
  }

  /** Emitted for every hint. */
  get hinted(): ISignal<this, IHint> {
    return this._hinted;
  }

  /** Whether it has stopped listening. */
  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Stop listening. */
  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private _onEvent(_: unknown, event: Event.Emission): void {
    if (event.schema_id !== HINT_SCHEMA) {
      return;
    }
    const { session_id: sessionId, seq } = event;
    if (typeof sessionId === 'string' && typeof seq === 'number') {
      this._hinted.emit({ sessionId, seq });
    }
  }

  private _hinted = new Signal<this, IHint>(this);
  private _isDisposed = false;
}

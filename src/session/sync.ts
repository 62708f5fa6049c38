import type { IDisposable } from '@lumino/disposable';
import { Poll } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';

import type { ModernizerClient } from '../api/client';
import type { IHint, SessionHints } from '../api/hints';
import type { Session } from '../api/types';
import { isWorking } from './reading';

const POLL_INTERVAL = 3000;

/** Pause between two reads that hints ask for: a fast run sends many. */
const HINT_PAUSE = 150;

/**
 * Keeps a session in sync with the server's.
 *
 * A hint reports that something changed; the change is read from the server.
 * Hints can get lost (a broken connection, a hidden tab), so while work is
 * under way the session is also polled.
 */
export class SessionSync implements IDisposable {
  constructor(options: SessionSync.IOptions) {
    this._client = options.client;
    this._hints = options.hints;
    this._hints.hinted.connect(this._onHint, this);
    this._poll = new Poll({
      auto: false,
      factory: () => this.refresh(),
      frequency: {
        interval: options.interval ?? POLL_INTERVAL,
        backoff: true,
        max: 30000
      },
      name: 'mle-modernizer:session',
      standby: () =>
        this._session && isWorking(this._session.phase) ? 'when-hidden' : true
    });
  }

  /** The session, or null. */
  get session(): Session | null {
    return this._session;
  }

  /** Emitted with every newer state of the session. */
  get updated(): ISignal<this, Session | null> {
    return this._updated;
  }

  /** Emitted when the session could not be read, and with null when it can be again. */
  get failed(): ISignal<this, unknown> {
    return this._failed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /**
   * Update the session with a response of the server; an older state of the
   * same session is dropped.
   */
  take(session: Session | null): void {
    if (this._isDisposed) {
      return;
    }
    const known = this._session;
    if (session && known?.id === session.id && session.seq < known.seq) {
      return;
    }
    this._session = session;
    if (session && isWorking(session.phase)) {
      void this._poll.start();
    }
    this._updated.emit(session);
  }

  /**
   * Read the session again. Calls while a read is under way cause one more
   * read.
   */
  async refresh(): Promise<void> {
    if (this._reading) {
      this._again = true;
      return this._reading;
    }
    this._again = false;
    this._reading = this._readAll();
    try {
      await this._reading;
    } finally {
      this._reading = null;
    }
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._poll.dispose();
    Signal.clearData(this);
  }

  private _onHint(_: SessionHints, hint: IHint): void {
    const session = this._session;
    if (session && hint.sessionId === session.id && hint.seq > session.seq) {
      this.refresh().catch(() => {
        // Reported by the `failed` signal; the poll tries again.
      });
    }
  }

  private async _readAll(): Promise<void> {
    await this._read();
    while (this._again && !this._isDisposed) {
      await new Promise(resolve => window.setTimeout(resolve, HINT_PAUSE));
      this._again = false;
      await this._read();
    }
  }

  private async _read(): Promise<void> {
    const session = this._session;
    if (!session) {
      return;
    }
    try {
      const newer = await this._client.session(session.id, session);
      if (this._broken) {
        this._broken = false;
        this._failed.emit(null);
      }
      if (newer && this._session?.id === newer.id) {
        this.take(newer);
      }
    } catch (error) {
      this._broken = true;
      if (!this._isDisposed) {
        this._failed.emit(error);
      }
      throw error;
    }
  }

  private readonly _client: SessionSync.IClient;
  private readonly _hints: SessionHints;
  private readonly _poll: Poll;
  private readonly _updated = new Signal<this, Session | null>(this);
  private readonly _failed = new Signal<this, unknown>(this);
  private _session: Session | null = null;
  private _reading: Promise<void> | null = null;
  private _again = false;
  private _broken = false;
  private _isDisposed = false;
}

/**
 * Names around {@link SessionSync}.
 */
export namespace SessionSync {
  /** The client's methods for the sync. */
  export type IClient = Pick<ModernizerClient, 'session'>;

  /** Options of the sync. */
  export interface IOptions {
    /** Reads sessions. */
    client: IClient;
    /** Reports changes of sessions. */
    hints: SessionHints;
    /** Milliseconds between two reads while work is under way. */
    interval?: number;
  }
}

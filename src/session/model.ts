import type { IDisposable } from '@lumino/disposable';
import { Throttler } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';

import { ApiError, type ModernizerClient } from '../api/client';
import type {
  DetectAnswer,
  EnvironmentReport,
  ServerInfo,
  Session,
  SessionList,
  SessionSettings
} from '../api/types';
import { finishedState, type IFinished } from './document/provenance';
import { CellPlaces } from './document/places';
import { type INotebookDocument, toNotebook } from './document/document';
import { SettingsForm } from './form/form';
import type { ISessionOptions } from './options';
import { differ, type ICheckedDraft, type SettingTexts } from './form/settings';
import {
  countUndecided,
  finishableRun,
  goesOnFrom,
  isWorking
} from './reading';
import { type IProblem, Requests } from './requests';
import { SessionSources } from './document/sources';
import { SessionSync } from './sync';
import { tracesOf } from './document/traces';

const EDIT_PAUSE = 150; // milliseconds between two looks at a document that is being edited

/**
 * The session of one open notebook: the server's state, the form, the places of
 * its cells, and problems. Each fact has a signal of its own. Independent of
 * the display.
 */
export class SessionModel implements IDisposable {
  constructor(options: ISessionOptions) {
    this.document = options.document;
    this._client = options.client;
    this._form = new SettingsForm(options, () => this._emit(this._formChanged));
    this.requests = new Requests({
      onBusy: () => this._emit(this._busyChanged),
      onProblem: () => this._emit(this._problemChanged)
    });
    this.sources = new SessionSources(options.client, options.trans);
    this._sync = new SessionSync(options);
    this._sync.updated.connect(this._onSession, this);
    this._sync.failed.connect(this._onUnread, this);
    this._edited = new Throttler(() => this._onEdited(), EDIT_PAUSE);
    this.places = new CellPlaces(this.document, hash => this.sources.get(hash));
    this.places.changed.connect(this._onPlaces, this);
    this.document.changed.connect(this._onDocument, this);
    this.document.languageChanged.connect(this._onLanguage, this);
  }

  /** The notebook that is open. */
  readonly document: INotebookDocument;

  /** Map of the server's cells to the document's. */
  readonly places: CellPlaces;

  /** The notebooks of its session. */
  readonly sources: SessionSources;

  /** The user's requests to the server. */
  readonly requests: Requests;

  /**
   * Emitted when the server's session changes, or was read for the first time.
   */
  get sessionChanged(): ISignal<this, void> {
    return this._sessionChanged;
  }

  /** Emitted when the list of the notebook's sessions changes. */
  get sessionsChanged(): ISignal<this, void> {
    return this._sessionsChanged;
  }

  /**
   * Emitted after a change of the form, its presets or the server's
   * capabilities.
   */
  get formChanged(): ISignal<this, void> {
    return this._formChanged;
  }

  /** Emitted when a request of the user began or ended. */
  get busyChanged(): ISignal<this, void> {
    return this._busyChanged;
  }

  /** Emitted when something went wrong, and when that is over. */
  get problemChanged(): ISignal<this, void> {
    return this._problemChanged;
  }

  /**
   * Emitted, at most every 150 ms, when texts, cells or their places change.
   */
  get documentChanged(): ISignal<this, void> {
    return this._documentChanged;
  }

  /** Emitted when work has ended, with the session. */
  get rested(): ISignal<this, Session> {
    return this._rested;
  }

  /** Capabilities of the server. */
  get info(): ServerInfo {
    return this._form.info;
  }

  /** Emitted when the server can do something else than before. */
  get renewed(): ISignal<this, ServerInfo> {
    return this._renewed;
  }

  /** The session, null before the first run. */
  get session(): Session | null {
    return this._sync.session;
  }

  /** Whether the server's session of this notebook has been looked up. */
  get isLoaded(): boolean {
    return this._isLoaded;
  }

  /** Whether the server is at work. */
  get isWorking(): boolean {
    return this.session !== null && isWorking(this.session.phase);
  }

  /** Whether a request of the user is under way. */
  get isBusy(): boolean {
    return this.requests.isBusy;
  }

  /** Whether this is a notebook the product can modernize. */
  get isPython(): boolean {
    return /^(i?python)\d*$/.test(this.document.language);
  }

  /** The form's settings; a typed number that cannot be read is NaN. */
  get draft(): SessionSettings {
    return this._form.draft;
  }

  /** The form's texts as typed. */
  get typed(): SettingTexts {
    return this._form.typed;
  }

  /** The form, checked. */
  get checkedDraft(): ICheckedDraft {
    return this._form.checked;
  }

  /** Competition and scores that the server found in the notebook. */
  get detected(): DetectAnswer | null {
    return this._form.detected;
  }

  /** The last problem. */
  get problem(): IProblem | null {
    return this.requests.problem;
  }

  /**
   * The code cell, from 1, at which a run would resume; null if it begins with
   * the first.
   */
  get goesOnFrom(): number | null {
    const hash = this.session?.waiting?.notebook_hash;
    return hash
      ? goesOnFrom(
          this.session,
          toNotebook(this.document),
          this.sources.peek(hash)
        )
      : null;
  }

  /** The finish record of the notebook; null if it was not finished. */
  get finished(): IFinished | null {
    const { shared } = this.document;
    return finishedState(shared.metadata, toNotebook(this.document));
  }

  /**
   * Whether it can be finished: it equals the best run's notebook, and that run
   * is fine.
   */
  get canFinish(): boolean {
    const best = this.session && finishableRun(this.session);
    const ran = best && this.sources.peek(best.notebook_hash);
    if (!ran) {
      return false;
    }
    const now = this.places.named(toNotebook(this.document));
    return JSON.stringify(now.cells) === JSON.stringify(ran.cells);
  }

  /** Return the number of changes that wait for the user's decision. */
  openChanges(): Promise<number> {
    return Promise.resolve(this.session ? countUndecided(this.session) : 0);
  }

  /** Return the server's time in milliseconds. */
  serverNow(): number {
    return this._client.serverNow();
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Look up the notebook's latest session and its competition. */
  async load(): Promise<void> {
    if (!this.isPython || this._isLoading) {
      return;
    }
    this._isLoading = true;
    await this.requests.attempt(async () => {
      await this._readSessions();
      const { sessions } = this._sessions;
      if (sessions.length > 0) {
        this.take(await this._client.session(sessions[0].id));
      }
    });
    this._isLoaded = true;
    this._emit(this._sessionChanged);
    if (!this.session) {
      await this.detect();
    }
  }

  /** The notebook's sessions as last read from the server, newest first. */
  get sessions(): SessionList {
    return this._sessions;
  }

  /** Read the notebook's sessions from the server. */
  async listSessions(): Promise<void> {
    try {
      await this._readSessions();
    } catch (error) {
      this.report(error);
    }
  }

  /** Read sessions of the notebook that are older than those listed. */
  async listOlderSessions(): Promise<void> {
    const { older, sessions } = this._sessions;
    if (older === null) {
      return;
    }
    await this.requests.attempt(async () => {
      const next = await this._client.sessions(this.document.path, older);
      this._sessions = { ...next, sessions: [...sessions, ...next.sessions] };
      this._emit(this._sessionsChanged);
    });
  }

  /** Switch to another session of the notebook; later actions apply to it. */
  async openSession(id: string): Promise<void> {
    if (!this.isWorking && id !== this.session?.id) {
      await this.requests.attempt(async () => {
        const session = await this._client.session(id);
        this._sync.take(null);
        this.take(session);
      });
    }
  }

  /**
   * Delete a session of the notebook, with all its runs; the notebook is
   * unchanged.
   */
  async deleteSession(id: string): Promise<void> {
    await this.requests.attempt(async () => {
      await this._client.forget(id);
      if (id === this.session?.id) {
        this._sync.take(null);
      }
      await this._readSessions();
    });
    this._emit(this._sessionChanged);
  }

  /** Detect the competition and the scores that the notebook mentions. */
  async detect(): Promise<void> {
    await this.requests.attempt(() => this._form.detect(this.session));
  }

  /**
   * Return the environments on the server's machine that the notebook can run
   * with.
   */
  async environments(): Promise<EnvironmentReport | null> {
    let found: EnvironmentReport | null = null;
    await this.requests.attempt(async () => {
      found = await this._client.environments({
        notebook: toNotebook(this.document),
        path: this.document.path,
        traces: tracesOf(this.document.shared)
      });
    });
    return found;
  }

  /** Read the server's capabilities again, after a competition was created. */
  async renewInfo(): Promise<void> {
    this._form.info = await this._client.info();
    this._renewed.emit(this.info);
  }

  /** Update the server's capabilities from another notebook's model. */
  takeInfo(info: ServerInfo): void {
    this._form.info = info;
  }

  /**
   * Change the form.
   *
   * @param typed - The texts of settings that were typed.
   */
  edit(change: Partial<SessionSettings>, typed?: SettingTexts): void {
    this._form.edit(change, typed);
  }

  /** Leave the session; the next run creates a new one. */
  startOver(): void {
    if (this.isWorking) {
      return;
    }
    this._sync.take(null);
    this.dismissProblem();
    void this.detect();
  }

  /** Update the session with a response of the server. */
  take(session: Session | null): void {
    this._sync.take(session);
  }

  /** Read the session again. */
  async refresh(): Promise<void> {
    await this.requests.attempt(() => this._sync.refresh());
  }

  /** Display a failure. */
  report(error: unknown): void {
    this.requests.report(error);
  }

  /** Dismiss the visible problem. */
  dismissProblem(): void {
    this.requests.dismiss();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._edited.dispose();
    this._sync.dispose();
    this.places.dispose();
    Signal.clearData(this);
  }

  private _onSession(_: SessionSync, session: Session | null): void {
    const before = this._last;
    this._last = session;
    const isNew = session && session.id !== before?.id;
    if (session && (isNew || differ(session.settings, before?.settings))) {
      this._form.follow(session.settings);
    }
    this.sources.follow(session);
    this.places.follow(session);
    this._fetchRan(session);
    this._emit(this._sessionChanged);
    if (
      session &&
      before?.id === session.id &&
      isWorking(before.phase) &&
      !isWorking(session.phase)
    ) {
      this._rested.emit(session);
    }
  }

  private async _readSessions(): Promise<void> {
    this._sessions = await this._client.sessions(this.document.path);
    this._emit(this._sessionsChanged);
  }

  /**
   * Fetch the notebook of the waiting run, or of the best one, to compare the
   * document with it.
   */
  private _fetchRan(session: Session | null): void {
    const best = session && finishableRun(session);
    const hash = session?.waiting?.notebook_hash ?? best?.notebook_hash;
    if (hash && !this.sources.peek(hash)) {
      void this.sources.get(hash).then(
        () => this._emit(this._documentChanged),
        (error: unknown) => this.report(error)
      );
    }
  }

  private _onUnread(_: SessionSync, error: unknown): void {
    if (error === null) {
      this.dismissProblem();
      return;
    }
    if (error instanceof ApiError && error.code === 'not_found') {
      // Deleted on the server: the next run creates a new session.
      this._sync.take(null);
    }
    this.report(error);
  }

  private _onDocument(): void {
    void this._edited.invoke();
  }

  private _onEdited(): void {
    if (!this._isDisposed) {
      this.places.follow(this.session);
      this._emit(this._documentChanged);
    }
  }

  /** Emit `documentChanged` after new facts about the document. */
  protected documentWasRead(): void {
    this._emit(this._documentChanged);
  }

  private _onPlaces(): void {
    this._emit(this._documentChanged);
  }

  /**
   * Load a notebook whose language has become Python, after a kernel was chosen
   * or changed.
   */
  private _onLanguage(): void {
    this._emit(this._sessionChanged);
    void this.load();
  }

  private _emit(signal: Signal<this, void>): void {
    if (!this._isDisposed) {
      signal.emit();
    }
  }

  /** The server part's routes. */
  protected readonly _client: ModernizerClient;
  private readonly _form: SettingsForm;
  private readonly _sync: SessionSync;
  private readonly _edited: Throttler;
  private readonly _sessionChanged = new Signal<this, void>(this);
  private readonly _sessionsChanged = new Signal<this, void>(this);
  private readonly _formChanged = new Signal<this, void>(this);
  private readonly _busyChanged = new Signal<this, void>(this);
  private readonly _problemChanged = new Signal<this, void>(this);
  private readonly _documentChanged = new Signal<this, void>(this);
  private readonly _renewed = new Signal<this, ServerInfo>(this);
  private readonly _rested = new Signal<this, Session>(this);
  private _last: Session | null = null;
  private _sessions: SessionList = { sessions: [], total: 0, older: null };
  private _isLoading = false;
  private _isLoaded = false;
  private _isDisposed = false;
}

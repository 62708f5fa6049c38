import type { IDisposable } from '@lumino/disposable';
import { Throttler } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';

import { ApiError, type ModernizerClient } from '../api/client';
import type {
  DetectAnswer,
  EnvironmentReport,
  ServerInfo,
  Session,
  SessionList
} from '../api/types';
import { finishedState, type IFinished } from './document/provenance';
import { CellPlaces } from './document/places';
import { type INotebookDocument, toNotebook } from './document/document';
import { SettingsForm } from './form/form';
import type { ISessionOptions } from './options';
import { differ, type ICheckedDraft, type IDraft } from './form/settings';
import { finishableRun, goesOnFrom, isWorking } from './reading';
import { type IProblem, Requests } from './requests';
import { SessionSources } from './document/sources';
import { SessionSync } from './sync';
import { tracesOf } from './document/traces';

const EDIT_PAUSE = 150; // milliseconds between two looks at a document that is being edited

/**
 * The session of one open notebook: what the server knows of it, what the form says, where its
 * cells are, and what went wrong. Each fact has a signal of its own. Knows nothing of how it is
 * shown.
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

  /** Where the cells the server speaks of are in the document. */
  readonly places: CellPlaces;

  /** The notebooks its session speaks of. */
  readonly sources: SessionSources;

  /** The person's requests to the server. */
  readonly requests: Requests;

  /** Emitted when the server's session is another one, or was read for the first time. */
  get sessionChanged(): ISignal<this, void> {
    return this._sessionChanged;
  }

  /** The list of the notebook's sessions is another one. */
  get sessionsChanged(): ISignal<this, void> {
    return this._sessionsChanged;
  }

  /** Emitted when the form, its presets or what the server can do changed. */
  get formChanged(): ISignal<this, void> {
    return this._formChanged;
  }

  /** Emitted when a request of the person began or ended. */
  get busyChanged(): ISignal<this, void> {
    return this._busyChanged;
  }

  /** Emitted when something went wrong, and when that is over. */
  get problemChanged(): ISignal<this, void> {
    return this._problemChanged;
  }

  /** Emitted, at most every 150 ms, when texts, cells or their places are other ones. */
  get documentChanged(): ISignal<this, void> {
    return this._documentChanged;
  }

  /** Emitted when work has come to its end, with the session. */
  get rested(): ISignal<this, Session> {
    return this._rested;
  }

  /** What the server can do. */
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

  /** Whether the server has been asked for a session of this notebook. */
  get isLoaded(): boolean {
    return this._isLoaded;
  }

  /** Whether the server is at work. */
  get isWorking(): boolean {
    return this.session !== null && isWorking(this.session.phase);
  }

  /** Whether a request of the person is under way. */
  get isBusy(): boolean {
    return this.requests.isBusy;
  }

  /** Whether this is a notebook the product can modernize. */
  get isPython(): boolean {
    return /^(i?python)\d*$/.test(this.document.language);
  }

  /** The form. */
  get draft(): IDraft {
    return this._form.draft;
  }

  /** The form, checked. */
  get checkedDraft(): ICheckedDraft {
    return this._form.checked;
  }

  /** Which competition and which scores the server found in the notebook. */
  get detected(): DetectAnswer | null {
    return this._form.detected;
  }

  /** What went wrong last. */
  get problem(): IProblem | null {
    return this.requests.problem;
  }

  /** The code cell, from 1, a run would go on from; null where it begins with the first. */
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

  /** What the notebook says of how it was finished; null where it was not. */
  get finished(): IFinished | null {
    const { shared } = this.document;
    return finishedState(shared.metadata, toNotebook(this.document));
  }

  /** Whether it can be finished: it is what the best run ran, and that run is fine. */
  get canFinish(): boolean {
    const best = this.session && finishableRun(this.session);
    const ran = best && this.sources.peek(best.notebook_hash);
    if (!ran) {
      return false;
    }
    const now = this.places.named(toNotebook(this.document));
    return JSON.stringify(now.cells) === JSON.stringify(ran.cells);
  }

  /** The server's time in milliseconds. */
  serverNow(): number {
    return this._client.serverNow();
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Looks for the notebook's latest session and its competition. */
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

  /** The notebook's sessions when the server was last asked for them, newest first. */
  get sessions(): SessionList {
    return this._sessions;
  }

  /** Asks the server for the notebook's sessions. */
  async listSessions(): Promise<void> {
    try {
      await this._readSessions();
    } catch (error) {
      this.report(error);
    }
  }

  /** Asks the server for sessions of the notebook that are older than those listed. */
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

  /** Shows another session of the notebook; what is done next is done in it. */
  async openSession(id: string): Promise<void> {
    if (!this.isWorking && id !== this.session?.id) {
      await this.requests.attempt(async () => {
        const session = await this._client.session(id);
        this._sync.take(null);
        this.take(session);
      });
    }
  }

  /** Forgets a session of the notebook, with all its runs; the notebook stays as it is. */
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

  /** Asks the server which competition and which scores the notebook speaks of. */
  async detect(): Promise<void> {
    await this.requests.attempt(() => this._form.detect(this.session));
  }

  /** Which environments of the server's machine the notebook can run with. */
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

  /** Asks the server again what it can do, after a competition was made. */
  async renewInfo(): Promise<void> {
    this._form.info = await this._client.info();
    this._renewed.emit(this.info);
  }

  /** Takes what the server can do from another notebook's model that has asked. */
  takeInfo(info: ServerInfo): void {
    this._form.info = info;
  }

  /** Changes the form. */
  edit(change: Partial<IDraft>): void {
    this._form.edit(change);
  }

  /** Leaves the session behind; the next run makes a new one. */
  startOver(): void {
    if (this.isWorking) {
      return;
    }
    this._sync.take(null);
    this.dismissProblem();
    void this.detect();
  }

  /** Takes a session the server answered with. */
  take(session: Session | null): void {
    this._sync.take(session);
  }

  /** Reads the session again. */
  async refresh(): Promise<void> {
    await this.requests.attempt(() => this._sync.refresh());
  }

  /** Shows a failure. */
  report(error: unknown): void {
    this.requests.report(error);
  }

  /** Takes the shown failure away. */
  dismissProblem(): void {
    this.requests.dismiss();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this.document.changed.disconnect(this._onDocument, this);
    this.document.languageChanged.disconnect(this._onLanguage, this);
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

  /** Fetches what the waiting run, or the best one, ran, to compare the document with it. */
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
      // Forgotten by the server: the next run makes a new session.
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

  /** Says that something is known of the document that was not before. */
  protected documentWasRead(): void {
    this._emit(this._documentChanged);
  }

  private _onPlaces(): void {
    this._emit(this._documentChanged);
  }

  /** A kernel was chosen, or another one: a notebook that is Python's by now is looked at. */
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

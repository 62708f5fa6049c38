import type { IDisposable } from '@lumino/disposable';
import { Throttler } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';

import { ApiError, type ModernizerClient } from '../api/client';
import type { DetectAnswer, ServerInfo, Session } from '../api/types';
import { SessionActions } from './actions';
import { ReviewModel } from '../review/model';
import { CellPlaces } from './document/places';
import { type INotebookDocument, toNotebook } from './document/document';
import { SettingsForm } from './form/form';
import { isWorking } from './reading';
import type { ISessionOptions } from './options';
import { PreflightModel } from './preflight';
import { NewCompetitionModel } from './form/newCompetition';
import { differ } from './prepare';
import type { ICheckedDraft, IDraft } from './form/settings';
import { type IProblem, Requests } from './requests';
import { SessionSources } from './document/sources';
import { SessionSync } from './sync';
import { goesOnFrom } from './waiting';

const EDIT_PAUSE = 150; // milliseconds between two looks at a document that is being edited

/**
 * The modernization of one open notebook: what the server knows of it, what the form says, and
 * what went wrong. Knows nothing of how it is shown.
 */
export class SessionModel implements IDisposable {
  constructor(options: ISessionOptions) {
    this.document = options.document;
    this._client = options.client;
    this._form = new SettingsForm(options, () => this._emit());
    this._requests = new Requests(options.trans, () => this._emit());
    this.sources = new SessionSources(options.client, options.trans);
    this._sync = new SessionSync(options);
    this._sync.updated.connect(this._onSession, this);
    this._sync.failed.connect(this._onUnread, this);
    this._edited = new Throttler(() => this._onEdited(), EDIT_PAUSE);
    this.actions = new SessionActions(
      this,
      options.client,
      this._requests,
      options.confirmUnisolated
    );
    this.places = new CellPlaces(this.document, hash => this.sources.get(hash));
    this.places.changed.connect(this._emit, this);
    const parts = { model: this, client: options.client };
    this.review = new ReviewModel(parts);
    this.preflight = new PreflightModel(parts);
    this.newCompetition = new NewCompetitionModel(parts);
    this.document.changed.connect(this._onDocument, this);
  }

  /** The notebook that is open. */
  readonly document: INotebookDocument;

  /** Where the cells the server speaks of are in the document. */
  readonly places: CellPlaces;

  /** The notebooks its session speaks of. */
  readonly sources: SessionSources;

  /** The proposal under review. */
  readonly review: ReviewModel;

  /** What will break before the first run. */
  readonly preflight: PreflightModel;

  /** A competition that is made of labelled data. */
  readonly newCompetition: NewCompetitionModel;

  /** What can be done with it. */
  readonly actions: SessionActions;

  /** Emitted when any of it changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
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
    return this._requests.isBusy;
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
    return this._requests.problem;
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

  /** The server's time in milliseconds. */
  serverNow(): number {
    return this._client.serverNow();
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Looks for the notebook's latest session and its competition. */
  async load(): Promise<void> {
    if (!this.isPython) {
      this._isLoaded = true;
      this._changed.emit();
      return;
    }
    await this._requests.attempt(async () => {
      const { sessions } = await this._client.sessions(this.document.path);
      if (sessions.length > 0) {
        this.take(await this._client.session(sessions[0].id));
      }
    });
    this._isLoaded = true;
    this._changed.emit();
    if (!this.session) {
      await this.detect();
    }
  }

  /** Asks the server which competition and which scores the notebook speaks of. */
  async detect(): Promise<void> {
    await this._requests.attempt(() => this._form.detect(this.session));
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
    await this._requests.attempt(() => this._sync.refresh());
  }

  /** Shows a failure. */
  report(error: unknown): void {
    this._requests.report(error);
  }

  /** Takes the shown failure away. */
  dismissProblem(): void {
    this._requests.dismiss();
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this.document.changed.disconnect(this._onDocument, this);
    this._edited.dispose();
    this._sync.dispose();
    this.review.dispose();
    this.preflight.dispose();
    this.newCompetition.dispose();
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
    this._fetchWaiting(session);
    this._changed.emit();
    if (
      session &&
      before?.id === session.id &&
      isWorking(before.phase) &&
      !isWorking(session.phase)
    ) {
      this._rested.emit(session);
    }
  }

  /** Fetches what the waiting run ran, to compare the document with it. */
  private _fetchWaiting(session: Session | null): void {
    const hash = session?.waiting?.notebook_hash;
    if (hash && !this.sources.peek(hash)) {
      void this.sources.get(hash).then(
        () => this._emit(),
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

  private _emit(): void {
    if (!this._isDisposed) {
      this._changed.emit();
    }
  }

  private _onDocument(): void {
    if (this.session) {
      void this._edited.invoke();
    }
  }

  private _onEdited(): void {
    if (!this._isDisposed) {
      this.places.follow(this.session);
      this._emit();
    }
  }

  private readonly _client: ModernizerClient;
  private readonly _form: SettingsForm;
  private readonly _sync: SessionSync;
  private readonly _edited: Throttler;
  private readonly _requests: Requests;
  private readonly _changed = new Signal<this, void>(this);
  private readonly _renewed = new Signal<this, ServerInfo>(this);
  private readonly _rested = new Signal<this, Session>(this);
  private _last: Session | null = null;
  private _isLoaded = false;
  private _isDisposed = false;
}

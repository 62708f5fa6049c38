import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import { Throttler } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';

import { ApiError, type ModernizerClient } from '../api/client';
import type { SessionHints } from '../api/hints';
import type {
  AskFix,
  DetectAnswer,
  Notebook,
  ServerInfo,
  Session,
  SessionSettings
} from '../api/types';
import { applyAll } from '../review/apply';
import { ReviewModel } from '../review/model';
import { planRestore } from '../review/restore';
import { CellPlaces } from './places';
import type { INotebookDocument } from './document';
import { toNotebook } from './document';
import { prepareSession, sameSettings, unisolated } from './prepare';
import { type IProblem, toProblem } from './problem';
import { currentIteration, isWorking } from './reading';
import { recordedSettings } from './recorded';
import {
  checkDraft,
  type ICheckedDraft,
  type IDraft,
  toDraft
} from './settings';
import { SessionSources } from './sources';
import { SessionSync } from './sync';

/** Milliseconds between two looks at a document that is being edited. */
const EDIT_PAUSE = 150;

/**
 * The modernization of one open notebook: what the server knows of it, what the form says, and
 * what went wrong. Knows nothing of how it is shown.
 */
export class SessionModel implements IDisposable {
  constructor(options: SessionModel.IOptions) {
    this.document = options.document;
    this._client = options.client;
    this._info = options.info;
    this._trans = options.trans;
    this._draft = toDraft({
      ...options.info.defaults,
      ...options.preferences,
      ...recordedSettings(
        this.document.shared.metadata,
        options.info.competitions.map(competition => competition.id)
      )
    });
    this._sync = new SessionSync(options);
    this._sync.updated.connect(this._onSession, this);
    this._sync.failed.connect(this._onUnread, this);
    this._edited = new Throttler(() => this._onEdited(), EDIT_PAUSE);
    this._confirmUnisolated = options.confirmUnisolated;
    this.sources = new SessionSources(
      options.client,
      () => this.session,
      options.trans
    );
    this.places = new CellPlaces(this.document, hash =>
      this.sources.load(hash)
    );
    this.places.changed.connect(() => this._changed.emit(), this);
    this.review = new ReviewModel({ model: this, client: options.client });
    this.document.changed.connect(this._onDocument, this);
  }

  /** The notebook that is open. */
  readonly document: INotebookDocument;

  /** The notebooks the session has run. */
  readonly sources: SessionSources;

  /** Where the cells the server speaks of are in the document. */
  readonly places: CellPlaces;

  /** The proposal under review. */
  readonly review: ReviewModel;

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
    return this._info;
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
    return this._requests > 0;
  }

  /** Whether this is a notebook the product can modernize. */
  get isPython(): boolean {
    return /^(i?python)\d*$/.test(this.document.language);
  }

  /** The form. */
  get draft(): IDraft {
    return this._draft;
  }

  /** The form, checked. */
  get checkedDraft(): ICheckedDraft {
    return checkDraft(this._draft, this._trans);
  }

  /** What the server found in the notebook's paths. */
  get detected(): DetectAnswer | null {
    return this._detected;
  }

  /** What went wrong last. */
  get problem(): IProblem | null {
    return this._problem;
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
    await this._attempt(async () => {
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

  /** Asks the server which competition the notebook's paths speak of. */
  async detect(): Promise<void> {
    await this._attempt(async () => {
      this._detected = await this._client.detect(toNotebook(this.document));
      if (this._detected.competition && this._draft.competition === null) {
        this.edit({ competition: this._detected.competition });
      }
    });
  }

  /** Changes the form. */
  edit(change: Partial<IDraft>): void {
    this._draft = { ...this._draft, ...change };
    this._changed.emit();
  }

  /** Runs the notebook as it is in the document; makes the session first where there is none. */
  async run(): Promise<void> {
    const { settings } = this.checkedDraft;
    if (!settings || this.isWorking || this.isBusy || !this.isPython) {
      return;
    }
    await this._attempt(async () => {
      const bare = unisolated(settings, this._info);
      if (bare && !(await this._confirmUnisolated(bare.name))) {
        return;
      }
      const notebook = toNotebook(this.document);
      const session = await this._prepared(settings, notebook);
      this.take(await this._client.run(session.id, notebook));
    });
  }

  /** Stops the work. */
  async cancel(): Promise<void> {
    const { session } = this;
    if (session && this.isWorking) {
      await this._attempt(async () =>
        this.take(await this._client.cancel(session.id))
      );
    }
  }

  /** Asks for another proposal, with what the person chose. */
  async proposeFix(ask: Omit<AskFix, 'notebook'> = {}): Promise<void> {
    const { session } = this;
    const iteration = session && currentIteration(session);
    const { settings } = this.checkedDraft;
    if (!session || !iteration || !settings || this.isWorking || this.isBusy) {
      return;
    }
    await this._attempt(async () => {
      const ran = await this.sources.load(iteration.notebook_hash);
      const now = this.places.named(toNotebook(this.document));
      const changed = JSON.stringify(now.cells) !== JSON.stringify(ran.cells);
      await this._prepared(settings, now);
      const notebook = changed ? now : null;
      this.take(await this._client.askFix(session.id, { ...ask, notebook }));
    });
  }

  /** Asks for the shown proposal again, for the document as it is now. */
  async proposeAgain(): Promise<void> {
    const proposal = this.review.shown?.review.proposal;
    if (proposal) {
      const { fix_type, fixer, scope } = proposal;
      await this.proposeFix({ fix_type, scope, fixers: [fixer] });
    }
  }

  /**
   * Brings the sources of an iteration back into the document, as one step to undo.
   *
   * @param number - Of the iteration; 0 is the notebook the session began with.
   * @returns How many cells changed.
   */
  async restore(number: number): Promise<number> {
    let count = 0;
    await this._attempt(async () => {
      const earlier = await this.sources.of(number);
      const live = this.places.live();
      const changes = planRestore(live, earlier, this.places.match(earlier));
      count = applyAll(this.document.shared, changes).filter(
        result => result === 'applied'
      ).length;
    });
    return count;
  }

  /** Leaves the session behind; the next run makes a new one. */
  startOver(): void {
    if (this.isWorking) {
      return;
    }
    this._sync.take(null);
    this._problem = null;
    this._changed.emit();
    void this.detect();
  }

  /** Takes a session the server answered with. */
  take(session: Session | null): void {
    this._sync.take(session);
  }

  /** Reads the session again. */
  async refresh(): Promise<void> {
    await this._attempt(() => this._sync.refresh());
  }

  /** Shows a failure. */
  report(error: unknown): void {
    this._problem = toProblem(error, this._trans);
    this._changed.emit();
  }

  /** Takes the shown failure away. */
  dismissProblem(): void {
    this._problem = null;
    this._changed.emit();
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
    this.places.dispose();
    Signal.clearData(this);
  }

  /** The session with the form's settings. */
  private async _prepared(
    settings: SessionSettings,
    notebook: Notebook
  ): Promise<Session> {
    const { path } = this.document;
    const wish = { path, notebook, settings };
    const session = await prepareSession(this._client, this.session, wish);
    this.take(session);
    return session;
  }

  private async _attempt(work: () => Promise<void>): Promise<void> {
    this._requests += 1;
    this._problem = null;
    this._changed.emit();
    try {
      await work();
    } catch (error) {
      this.report(error);
    } finally {
      this._requests -= 1;
      if (!this._isDisposed) {
        this._changed.emit();
      }
    }
  }

  private _onSession(_: SessionSync, session: Session | null): void {
    const before = this._last;
    this._last = session;
    if (session && session.id !== before?.id) {
      this._draft = toDraft(session.settings);
    } else if (
      session &&
      before &&
      !sameSettings(session.settings, before.settings)
    ) {
      // Changed from a second tab, or as this form asked.
      this._draft = toDraft(session.settings);
    }
    this.places.follow(session);
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
    if (this.session) {
      void this._edited.invoke();
    }
  }

  private _onEdited(): void {
    if (!this._isDisposed) {
      this.places.follow(this.session);
      this._changed.emit();
    }
  }

  private readonly _client: ModernizerClient;
  private readonly _info: ServerInfo;
  private readonly _trans: TranslationBundle;
  private readonly _sync: SessionSync;
  private readonly _edited: Throttler;
  private readonly _confirmUnisolated: SessionModel.IOptions['confirmUnisolated'];
  private readonly _changed = new Signal<this, void>(this);
  private readonly _rested = new Signal<this, Session>(this);
  private _draft: IDraft;
  private _detected: DetectAnswer | null = null;
  private _problem: IProblem | null = null;
  private _last: Session | null = null;
  private _requests = 0;
  private _isLoaded = false;
  private _isDisposed = false;
}

/**
 * Names around {@link SessionModel}.
 */
export namespace SessionModel {
  /** What it is made from. */
  export interface IOptions {
    /** The notebook that is open. */
    document: INotebookDocument;
    /** The server part's routes. */
    client: ModernizerClient;
    /** What changed on the server. */
    hints: SessionHints;
    /** What the server can do. */
    info: ServerInfo;
    /** What the person set in JupyterLab; it goes before the server's defaults. */
    preferences: Partial<SessionSettings>;
    /** Asks the person once, before a notebook runs in a sandbox that is none. */
    confirmUnisolated: (sandbox: string) => Promise<boolean>;
    /** For the sentences. */
    trans: TranslationBundle;
  }
}

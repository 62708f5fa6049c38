import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
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
import { currentIteration, isWorking } from './reading';
import { recordedSettings } from './recorded';
import {
  checkDraft,
  type ICheckedDraft,
  type IDraft,
  toDraft
} from './settings';
import { SessionSync } from './sync';

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
    this._sync.failed.connect(this._onFailure, this);
    this.places = new CellPlaces(this.document, hash => this._notebook(hash));
    this.places.changed.connect(this._onPlaces, this);
    this.review = new ReviewModel({ model: this, client: options.client });
    this.document.changed.connect(this._onDocument, this);
  }

  /** The notebook that is open. */
  readonly document: INotebookDocument;

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
        this._take(await this._client.session(sessions[0].id));
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
      const notebook = toNotebook(this.document);
      const session = await this._prepared(settings, notebook);
      this._take(await this._client.run(session.id, notebook));
    });
  }

  /** Stops the work. */
  async cancel(): Promise<void> {
    const { session } = this;
    if (session && this.isWorking) {
      await this._attempt(async () =>
        this._take(await this._client.cancel(session.id))
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
      const ran = await this._notebook(iteration.notebook_hash);
      const now = this.places.named(toNotebook(this.document));
      const changed = JSON.stringify(now.cells) !== JSON.stringify(ran.cells);
      await this._prepared(settings, now);
      const notebook = changed ? now : null;
      this._take(await this._client.askFix(session.id, { ...ask, notebook }));
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
      const earlier = await this.sources(number);
      const live = this.places.live();
      const changes = planRestore(live, earlier, this.places.match(earlier));
      count = applyAll(this.document.shared, changes).filter(
        result => result === 'applied'
      ).length;
    });
    return count;
  }

  /**
   * The sources of an iteration.
   *
   * @param number - Of the iteration; 0 is the notebook the session began with.
   */
  async sources(number: number): Promise<Notebook> {
    const { session } = this;
    const hash =
      number === 0
        ? session?.notebook_hash
        : session?.iterations.find(item => item.number === number)
            ?.notebook_hash;
    if (!hash) {
      throw new ApiError(
        this._trans.__('There is no iteration %1.', number),
        'not_found',
        0
      );
    }
    return this._notebook(hash);
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
  take(session: Session): void {
    this._take(session);
  }

  /** Reads the session again. */
  async refresh(): Promise<void> {
    await this._attempt(() => this._sync.refresh());
  }

  /** Shows a failure. */
  report(error: unknown): void {
    this._onFailure(this._sync, error);
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
    const { session } = this;
    if (!session) {
      const { path } = this.document;
      const made = await this._client.create({ path, notebook, settings });
      this._take(made);
      return made;
    }
    if (JSON.stringify(session.settings) === JSON.stringify(settings)) {
      return session;
    }
    const changed = await this._client.changeSettings(session.id, settings);
    this._take(changed);
    return changed;
  }

  private async _notebook(hash: string): Promise<Notebook> {
    const known = this._notebooks.get(hash);
    if (known) {
      return known;
    }
    const { session } = this;
    if (!session) {
      throw new ApiError(
        this._trans.__('There is no session yet.'),
        'not_found',
        0
      );
    }
    const notebook = await this._client.notebook(session.id, hash);
    this._notebooks.set(hash, notebook);
    return notebook;
  }

  private async _attempt(work: () => Promise<void>): Promise<void> {
    this._requests += 1;
    this._problem = null;
    this._changed.emit();
    try {
      await work();
    } catch (error) {
      this._onFailure(this._sync, error);
    } finally {
      this._requests -= 1;
      if (!this._isDisposed) {
        this._changed.emit();
      }
    }
  }

  private _take(session: Session | null): void {
    this._sync.take(session);
  }

  private _onSession(_: SessionSync, session: Session | null): void {
    const before = this._last;
    this._last = session;
    if (session && session.id !== before?.id) {
      this._draft = toDraft(session.settings);
      this._notebooks.clear();
    } else if (session && before && differ(session.settings, before.settings)) {
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

  private _onFailure(_: SessionSync, error: unknown): void {
    if (error === null) {
      this._problem = null;
    } else if (error instanceof ApiError) {
      const { code, message, cellId } = error;
      this._problem = { code, message, cellId };
    } else {
      this._problem = {
        code: 'unexpected',
        message: this._trans.__('Something went wrong: %1', String(error)),
        cellId: null
      };
    }
    this._changed.emit();
  }

  private _onPlaces(): void {
    this._changed.emit();
  }

  private _onDocument(): void {
    if (this.session) {
      this.places.follow(this.session);
      this._changed.emit();
    }
  }

  private readonly _client: ModernizerClient;
  private readonly _info: ServerInfo;
  private readonly _trans: TranslationBundle;
  private readonly _sync: SessionSync;
  private readonly _notebooks = new Map<string, Notebook>();
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
    /** For the sentences. */
    trans: TranslationBundle;
  }
}

function differ(one: SessionSettings, other: SessionSettings): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

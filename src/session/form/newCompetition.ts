import { type ISignal, Signal } from '@lumino/signaling';
import type { IDisposable } from '@lumino/disposable';

import { ApiError, type ModernizerClient } from '../../api/client';
import type { CompetitionGuess, MakeCompetition } from '../../api/types';
import type { SessionModel } from '../model';

/**
 * The form of a new competition as typed.
 */
export interface INewCompetition extends Omit<
  MakeCompetition,
  'directory' | 'share' | 'seed' | 'split_column' | 'target_columns'
> {
  /** The columns to predict. */
  target_columns: string[];
  /** Share of the rows in the hold-out set, in percent, as typed. */
  share: string;
  /** Seed of the split, as typed. */
  seed: string;
  /** The group's or the time's column, empty if the split needs none. */
  splitColumn: string;
}

/**
 * A new competition, from a directory with labelled data to the choice in the
 * form.
 */
export class NewCompetitionModel implements IDisposable {
  constructor(options: NewCompetitionModel.IOptions) {
    this._model = options.model;
    this._client = options.client;
    const parts = this._model.document.path.split('/');
    this._directory = parts.slice(0, -1).join('/');
  }

  /** Emitted when any of it changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Directory of the labelled data, relative to the server's root. */
  get directory(): string {
    return this._directory;
  }

  set directory(directory: string) {
    this._directory = directory;
    // Ignore a pending answer about another directory.
    this._asked++;
    this._guess = null;
    this._draft = null;
    this._changed.emit();
  }

  /** The server's guess of the data; null before the first look. */
  get guess(): CompetitionGuess | null {
    return this._guess;
  }

  /** The draft of the competition; null before the first look. */
  get draft(): INewCompetition | null {
    return this._draft;
  }

  /** The last problem, in a sentence. */
  get problem(): string | null {
    return this._problem;
  }

  /** Name of the competition created last, null if none was. */
  get made(): string | null {
    return this._made;
  }

  /**
   * Whether the name is in use, so that the user must decide on the existing
   * competition.
   */
  get isTaken(): boolean {
    return this._isTaken;
  }

  /** Whether a request is under way. */
  get isBusy(): boolean {
    return this._pending > 0;
  }

  /** Whether all required fields are filled in. */
  get isComplete(): boolean {
    return this._wish() !== null;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /**
   * Change the form; look again after another file or target, because it may be
   * another task.
   */
  async edit(change: Partial<INewCompetition>): Promise<void> {
    if (!this._draft) {
      return;
    }
    this._draft = { ...this._draft, ...change };
    if (change.id !== undefined) {
      // The consent was for another folder.
      this._isTaken = false;
      this._draft.overwrite = false;
    }
    this._changed.emit();
    const { train, target_columns: targets } = change;
    if (train !== undefined) {
      await this.look({ train, target_columns: [] });
    } else if (targets !== undefined && targets.length > 0) {
      await this.look({ train: this._draft.train, target_columns: targets });
    }
  }

  /** Look at the directory and guess the form of its data. */
  async look(
    known: Pick<INewCompetition, 'target_columns'> & {
      train: string | null;
    } = {
      train: null,
      target_columns: []
    }
  ): Promise<void> {
    const question = ++this._asked;
    const isWanted = () => question === this._asked;
    await this._attempt(async () => {
      const guess = await this._client.lookAtData({
        directory: this._directory,
        id_column: null,
        ...known
      });
      if (!isWanted()) {
        return;
      }
      // Preserve text typed during the request.
      const before = this._draft;
      const isSameFile = before !== null && this._guess?.train === guess.train;
      const isFitting =
        before !== null && guess.metrics.includes(before.metric);
      const [metric] = guess.metrics;
      const { id, id_column, name, split, target_columns, train } = guess;
      this._guess = guess;
      this._draft = {
        train,
        id_column: isSameFile && known.train ? before.id_column : id_column,
        target_columns,
        metric: isFitting ? before.metric : metric,
        split: isFitting && isSameFile ? before.split : split,
        splitColumn: isSameFile ? before.splitColumn : '',
        share: before?.share ?? '20',
        seed: before?.seed ?? '0',
        name: before?.name ?? name,
        id: before?.id ?? id,
        overwrite: false
      };
    }, isWanted);
  }

  /** Create the competition, and choose it for the notebook. */
  async make(): Promise<void> {
    const wish = this._wish();
    if (!wish || this.isBusy) {
      return;
    }
    await this._attempt(async () => {
      const made = await this._client.makeCompetition(wish);
      await this._model.renewInfo();
      this._model.edit({ competition: made.id });
      this._made = made.name;
      this._guess = null;
      this._draft = null;
    });
  }

  dispose(): void {
    this._isDisposed = true;
    Signal.clearData(this);
  }

  /**
   * Return the form as the server's request; null if a field is missing or
   * wrong.
   */
  private _wish(): MakeCompetition | null {
    if (!this._draft || !this._guess?.metrics.length) {
      return null;
    }
    const { seed, share, splitColumn, target_columns, ...draft } = this._draft;
    const [first, ...others] = target_columns;
    const percent = Number(share.replace(',', '.'));
    const needsColumn = draft.split === 'group' || draft.split === 'time';
    const isFilled =
      first !== undefined &&
      draft.name.trim() !== '' &&
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(draft.id) &&
      percent > 0 &&
      percent < 100 &&
      /^\d{1,9}$/.test(seed) &&
      (!needsColumn || splitColumn !== '');
    return isFilled
      ? {
          ...draft,
          directory: this._directory,
          target_columns: [first, ...others],
          share: percent / 100,
          seed: Number(seed),
          split_column: needsColumn ? splitColumn : null
        }
      : null;
  }

  private async _attempt(
    work: () => Promise<void>,
    isWanted = () => true
  ): Promise<void> {
    this._pending++;
    this._problem = null;
    this._made = null;
    this._changed.emit();
    try {
      await work();
      if (isWanted()) {
        this._isTaken = false;
      }
    } catch (error) {
      if (isWanted()) {
        this._problem =
          error instanceof ApiError ? error.message : String(error);
        this._isTaken = error instanceof ApiError && error.code === 'conflict';
      }
    } finally {
      this._pending--;
      if (!this._isDisposed) {
        this._changed.emit();
      }
    }
  }

  private readonly _model: SessionModel;
  private readonly _client: NewCompetitionModel.IOptions['client'];
  private readonly _changed = new Signal<this, void>(this);
  private _directory: string;
  private _guess: CompetitionGuess | null = null;
  private _draft: INewCompetition | null = null;
  private _problem: string | null = null;
  private _made: string | null = null;
  private _isTaken = false;
  private _asked = 0;
  private _pending = 0;
  private _isDisposed = false;
}

/**
 * Names around {@link NewCompetitionModel}.
 */
export namespace NewCompetitionModel {
  /** Options of the form. */
  export interface IOptions {
    /** The model of the notebook. */
    model: SessionModel;
    /** The server part's routes. */
    client: Pick<ModernizerClient, 'lookAtData' | 'makeCompetition'>;
  }
}

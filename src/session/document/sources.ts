import type { TranslationBundle } from '@jupyterlab/translation';

import { ApiError, type ModernizerClient } from '../../api/client';
import type { Notebook, Session } from '../../api/types';

/** The notebooks of a session, each fetched once. */
export class SessionSources {
  constructor(
    private readonly _client: Pick<ModernizerClient, 'notebook'>,
    private readonly _trans: TranslationBundle
  ) {}

  /** Set the session that the notebooks belong to. */
  follow(session: Session | null): void {
    if (session?.id !== this._session?.id) {
      this._notebooks.clear();
    }
    this._session = session;
  }

  /**
   * Return the sources of an iteration.
   *
   * @param number - Of the iteration; 0 is the notebook at the session's start.
   */
  async ofIteration(number: number): Promise<Notebook> {
    const hash =
      number === 0
        ? this._session?.notebook_hash
        : this._session?.iterations.find(item => item.number === number)
            ?.notebook_hash;
    if (!hash) {
      throw this._missing(this._trans.__('There is no iteration %1.', number));
    }
    return this.get(hash);
  }

  /** Return the sources with that hash. */
  async get(hash: string): Promise<Notebook> {
    const known = this._notebooks.get(hash);
    if (known) {
      return known;
    }
    if (!this._session) {
      throw this._missing(this._trans.__('There is no session yet.'));
    }
    const notebook = await this._client.notebook(this._session.id, hash);
    this._notebooks.set(hash, notebook);
    return notebook;
  }

  /** Return the sources with that hash if already fetched, otherwise null. */
  peek(hash: string): Notebook | null {
    return this._notebooks.get(hash) ?? null;
  }

  private _missing(message: string): ApiError {
    return new ApiError(message, 'not_found', 0);
  }

  private readonly _notebooks = new Map<string, Notebook>();
  private _session: Session | null = null;
}

import type { TranslationBundle } from '@jupyterlab/translation';

import { ApiError, type ModernizerClient } from '../api/client';
import type { Notebook, Session } from '../api/types';

/**
 * The notebooks a session has run, each read from the server once.
 */
export class SessionSources {
  constructor(
    private readonly _client: Pick<ModernizerClient, 'notebook'>,
    private readonly _session: () => Session | null,
    private readonly _trans: TranslationBundle
  ) {}

  /**
   * The sources of an iteration.
   *
   * @param number - Of the iteration; 0 is the notebook the session began with.
   * @throws ApiError where the session has no such iteration.
   */
  of(number: number): Promise<Notebook> {
    const session = this._session();
    const hash =
      number === 0
        ? session?.notebook_hash
        : session?.iterations.find(item => item.number === number)
            ?.notebook_hash;
    return this.load(hash ?? '');
  }

  /** The notebook of a hash. */
  async load(hash: string): Promise<Notebook> {
    const known = this._known.get(hash);
    if (known) {
      return known;
    }
    const session = this._session();
    if (!session || !hash) {
      throw new ApiError(
        this._trans.__('The session has no such iteration.'),
        'not_found',
        0
      );
    }
    const notebook = await this._client.notebook(session.id, hash);
    this._known.set(hash, notebook);
    return notebook;
  }

  /** A hash is of the content: what was read stays true for any session. */
  private readonly _known = new Map<string, Notebook>();
}

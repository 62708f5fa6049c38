import type { TranslationBundle } from '@jupyterlab/translation';

import type { ModernizerClient } from '../api/client';
import type { SessionHints } from '../api/hints';
import type { ServerInfo, SessionSettings } from '../api/types';
import type { INotebookDocument } from './document/document';

/**
 * What the modernization of a notebook is made from.
 */
export interface ISessionOptions {
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

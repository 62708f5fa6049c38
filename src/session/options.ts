import type { TranslationBundle } from '@jupyterlab/translation';

import type { ModernizerClient } from '../api/client';
import type { SessionHints } from '../api/hints';
import type {
  LlmInfo,
  PromptPreview,
  ServerInfo,
  SessionSettings,
  WritingEstimate
} from '../api/types';
import type { INotebookDocument } from './document/document';

/**
 * What a person is asked before it is done.
 */
export interface IQuestions {
  /** Whether a notebook may run in a sandbox that is none. */
  runUnisolated: (sandbox: string) => Promise<boolean>;
  /** Whether the notebook may reach the network; asked once for each notebook that is open. */
  runWithNetwork: () => Promise<boolean>;
  /** Whether to run although changes wait for review; they are not rejected by that. */
  runWithout: (changes: number) => Promise<boolean>;
  /** Whether to run a notebook that was modernized already. */
  runFinished: () => Promise<boolean>;
  /** Whether to forget a session for good. */
  deleteSession: (name: string) => Promise<boolean>;
  /** Whether a model may write the notebook of a paper, for what that will probably cost. */
  writePaper: (estimate: WritingEstimate) => Promise<boolean>;
  /** Whether to leave the session behind. */
  startOver: () => Promise<boolean>;
  /**
   * Whether a model may be sent this notebook; asked once.
   *
   * @param preview - Reads what would be sent; null before the first run, when nobody knows yet.
   */
  sendToModel: (
    info: LlmInfo,
    preview: (() => Promise<PromptPreview>) | null
  ) => Promise<ModelAnswer>;
}

/**
 * What a person answers to that: send it, never mind the model, or do nothing.
 */
export type ModelAnswer = 'send' | 'rules-only' | 'cancel';

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
  /** Asks the person. */
  questions: IQuestions;
  /** For the sentences. */
  trans: TranslationBundle;
}

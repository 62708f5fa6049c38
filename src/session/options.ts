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

/** Questions to the user before an action. */
export interface IQuestions {
  /** Whether a notebook may run in a sandbox that does not isolate. */
  runUnisolated: (sandbox: string) => Promise<boolean>;
  /**
   * Whether the notebook may use the network; at most one question for each
   * open notebook.
   */
  runWithNetwork: () => Promise<boolean>;
  /**
   * Whether to run although changes wait for review; they are not rejected by
   * that.
   */
  runWithout: (changes: number) => Promise<boolean>;
  /** Whether to run a notebook that was already modernized. */
  runFinished: () => Promise<boolean>;
  /** Whether to delete a session permanently. */
  deleteSession: (name: string) => Promise<boolean>;
  /**
   * Whether a model may write the notebook of a paper, at the estimated cost.
   */
  writePaper: (estimate: WritingEstimate) => Promise<boolean>;
  /** Whether to leave the current session. */
  startOver: () => Promise<boolean>;
  /**
   * Whether this notebook may be sent to a model; at most one question.
   *
   * @param preview - Reads the text to send; null before the first run, when it
   *   is not known yet.
   */
  sendToModel: (
    info: LlmInfo,
    preview: (() => Promise<PromptPreview>) | null
  ) => Promise<ModelAnswer>;
}

/** The user's answer: send it, use only rules, or cancel. */
export type ModelAnswer = 'send' | 'rules-only' | 'cancel';

/** Options of the modernization of a notebook. */
export interface ISessionOptions {
  /** The notebook that is open. */
  document: INotebookDocument;
  /** The server part's routes. */
  client: ModernizerClient;
  /** Hints of changes on the server. */
  hints: SessionHints;
  /** Capabilities of the server. */
  info: ServerInfo;
  /** The user's settings in JupyterLab; they override the server's defaults. */
  preferences: Partial<SessionSettings>;
  /** Asks the user. */
  questions: IQuestions;
  /** For the sentences. */
  trans: TranslationBundle;
}

import type { NotebookPanel } from '@jupyterlab/notebook';
import { Token } from '@lumino/coreutils';
import type { ISignal } from '@lumino/signaling';

import type { ModernizerClient } from './api/client';
import type { ServerState } from './api/handshake';
import type { IPreferences } from './session/form/preferences';
import type { Modernization } from './review/modernization';

/**
 * All modernizations of the application: one for each notebook that is open.
 */
export interface IModernizer {
  /** State of the server part. */
  readonly server: ServerState;

  /**
   * The active notebook's modernization; null if no notebook is open or the
   * server part fails.
   */
  readonly current: Modernization | null;

  /** Whether any notebook is open. */
  readonly hasNotebook: boolean;

  /** The user's settings. */
  readonly preferences: IPreferences;

  /**
   * Emitted when the server's state, the settings or the current model change.
   */
  readonly changed: ISignal<IModernizer, void>;

  /** Emitted when a model was created for an opened notebook. */
  readonly added: ISignal<IModernizer, Modernization>;

  /**
   * Return the modernization of an open notebook by its path; null if it is not
   * open.
   */
  find(path: string): Modernization | null;

  /** Return the notebook of a model, null once it is closed. */
  panelOf(model: Modernization): NotebookPanel | null;

  /** Try to reach the server part again. */
  connect(): Promise<void>;
}

/**
 * The token of {@link IModernizer}.
 */
export const IModernizer = new Token<IModernizer>(
  'mle-modernizer:IModernizer',
  'The modernizations of the notebooks that are open.'
);

/**
 * The token of the server part's routes: one client for all plugins.
 */
export const IModernizerClient = new Token<ModernizerClient>(
  'mle-modernizer:IModernizerClient',
  'The routes of the server part of MLE Modernizer.'
);

import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import {
  nullTranslator,
  type TranslationBundle
} from '@jupyterlab/translation';
import type { ISignal } from '@lumino/signaling';
import * as React from 'react';

import type { ModernizerClient } from '../api/client';

/**
 * What components need of the application.
 */
export interface IPanelContext {
  /** For the sentences. */
  trans: TranslationBundle;
  /** Highlights code; null where the application has no registry. */
  languages: IEditorLanguageRegistry | null;
  /** Carries out one of the product's commands. */
  execute: (command: string, args?: Record<string, string | number>) => void;
  /** Whether a proposal is shown in the notebook's cells too. */
  showsInCells?: () => boolean;
  /** The server part's routes; left out where there is no server. */
  client?: Pick<
    ModernizerClient,
    'estimate' | 'statistics' | 'sessionStatistics'
  >;
}

/**
 * Gives every component of the panel what it needs of the application.
 */
export const PanelContext = React.createContext<IPanelContext>({
  trans: nullTranslator.load(''),
  languages: null,
  execute: () => undefined
});

/**
 * The translations.
 */
export function useTrans(): TranslationBundle {
  return React.useContext(PanelContext).trans;
}

/**
 * Draws the component again whenever the signal is emitted.
 */
export function useSignal<S, A>(signal: ISignal<S, A>): void {
  const [, draw] = React.useReducer((count: number) => count + 1, 0);
  // Before the browser paints: an effect comes later, and what is emitted until then is missed.
  React.useLayoutEffect(() => {
    signal.connect(draw);
    return () => {
      signal.disconnect(draw);
    };
  }, [signal]);
}

/**
 * A value that may be another one whenever the signal is emitted; draws the component again only
 * when it is.
 *
 * @param read - Reads it: text, number or flag, or an object that stays the same while it says the
 *   same.
 */
export function useValue<S, A, T>(signal: ISignal<S, A>, read: () => T): T {
  return React.useSyncExternalStore(
    React.useCallback(
      (draw: () => void) => {
        signal.connect(draw);
        return () => {
          signal.disconnect(draw);
        };
      },
      [signal]
    ),
    read
  );
}

/**
 * The time in milliseconds, new every second while it is asked for.
 */
export function useClock(now: () => number, isTicking: boolean): number {
  const [time, setTime] = React.useState(now);
  React.useEffect(() => {
    if (!isTicking) {
      return;
    }
    setTime(now());
    const timer = window.setInterval(() => setTime(now()), 1000);
    return () => window.clearInterval(timer);
  }, [isTicking]);
  return time;
}

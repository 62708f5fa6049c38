import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import {
  nullTranslator,
  type TranslationBundle
} from '@jupyterlab/translation';
import type { ISignal } from '@lumino/signaling';
import * as React from 'react';

import type { ModernizerClient } from '../api/client';

/** Services of the application for components. */
export interface IPanelContext {
  /** For the sentences. */
  trans: TranslationBundle;
  /** Highlights code; null if the application has no registry. */
  languages: IEditorLanguageRegistry | null;
  /** Carries out one of the product's commands. */
  execute: (command: string, args?: Record<string, string | number>) => void;
  /** Whether a proposal is displayed in the notebook's cells too. */
  showsInCells?: () => boolean;
  /** The server part's routes; omitted if there is no server. */
  client?: Pick<
    ModernizerClient,
    'estimate' | 'statistics' | 'sessionStatistics'
  >;
}

/** Provides every component of the panel with the application's services. */
export const PanelContext = React.createContext<IPanelContext>({
  trans: nullTranslator.load(''),
  languages: null,
  execute: () => undefined
});

/** Return the translations. */
export function useTrans(): TranslationBundle {
  return React.useContext(PanelContext).trans;
}

/** Render the component again whenever the signal is emitted. */
export function useSignal<S, A>(signal: ISignal<S, A>): void {
  const [, draw] = React.useReducer((count: number) => count + 1, 0);
  // Before the browser paints: an effect runs later, and misses signals emitted
  // until then.
  React.useLayoutEffect(() => {
    signal.connect(draw);
    return () => {
      signal.disconnect(draw);
    };
  }, [signal]);
}

/**
 * Return a value that may change when the signal is emitted; render the
 * component again only if it did.
 *
 * @param read - Reads it: text, number or flag, or an object that is the same
 *   while its contents are.
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

/** Return the time in milliseconds, updated every second while it ticks. */
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

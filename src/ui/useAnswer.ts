import type { ISignal } from '@lumino/signaling';
import * as React from 'react';

import { ApiError } from '../api/client';

/** State of a request to the server. */
export interface IAnswer<T> {
  /**
   * The response, or the previous one while a newer one is pending; null before
   * any.
   */
  value: T | null;
  /** The reason for a missing response, as a sentence. */
  problem: string | null;
  /** Whether a response is pending. */
  isPending: boolean;
}

const NOTHING = { value: null, problem: null, isPending: false } as const;

/**
 * Send a request to the server whenever the question changes.
 *
 * @param question - The question, as a text; null sends nothing.
 * @param ask - Sends it.
 * @param pause - Milliseconds without a change before the request.
 */
export function useAnswer<T>(
  question: string | null,
  ask: () => Promise<T>,
  pause = 0
): IAnswer<T> {
  const [answer, setAnswer] = React.useState<IAnswer<T>>(NOTHING);
  React.useEffect(() => {
    if (question === null) {
      setAnswer(NOTHING);
      return;
    }
    let isCurrent = true;
    const take = (next: Pick<IAnswer<T>, 'value' | 'problem'>) => {
      if (isCurrent) {
        setAnswer({ ...next, isPending: false });
      }
    };
    setAnswer(({ value }) => ({ value, problem: null, isPending: true }));
    const timer = window.setTimeout(() => {
      ask().then(
        value => take({ value, problem: null }),
        (error: unknown) => {
          const problem =
            error instanceof ApiError ? error.message : String(error);
          take({ value: null, problem });
        }
      );
    }, pause);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [question]);
  return answer;
}

/** Count the emissions of a signal that were followed by a pause. */
export function useSettled<S, A>(signal: ISignal<S, A>, pause: number): number {
  const [count, add] = React.useReducer((before: number) => before + 1, 0);
  React.useEffect(() => {
    let timer = 0;
    const wait = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(add, pause);
    };
    signal.connect(wait);
    return () => {
      window.clearTimeout(timer);
      signal.disconnect(wait);
    };
  }, [signal]);
  return count;
}

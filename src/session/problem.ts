import type { TranslationBundle } from '@jupyterlab/translation';

import { ApiError, FailureCode } from '../api/client';

/**
 * Something that went wrong, for the person to read.
 */
export interface IProblem {
  /** Stable name. */
  code: string;
  /** A sentence with the next step. */
  message: string;
  /** The cell concerned. */
  cellId: string | null;
}

/**
 * A failure as a person reads it.
 */
export function toProblem(error: unknown, trans: TranslationBundle): IProblem {
  if (error instanceof ApiError) {
    const { code, message, cellId } = error;
    return { code, message, cellId };
  }
  return {
    code: FailureCode.UNEXPECTED,
    message: trans.__('Something went wrong: %1', String(error)),
    cellId: null
  };
}

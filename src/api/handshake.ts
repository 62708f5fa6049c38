import type { TranslationBundle } from '@jupyterlab/translation';

import manifest from '../../package.json';
import { ApiError, FailureCode, type ModernizerClient } from './client';
import type { ServerInfo } from './types';

/** State of the server part. */
export type ServerState =
  | { kind: 'connecting' }
  | { kind: 'ready'; info: ServerInfo; warning: string | null }
  | { kind: 'failed'; code: string; message: string };

/**
 * Ask the server part for its name and version, and compare the version with
 * the front end's.
 */
export async function shakeHands(
  client: ModernizerClient,
  trans: TranslationBundle
): Promise<ServerState> {
  try {
    const info = await client.info();
    const same = release(info.version) === release(manifest.version);
    const warning = same
      ? null
      : trans.__(
          'The panel is version %1, the server part version %2. Reload the page; if this persists, install the same version of both and restart the server.',
          manifest.version,
          info.version
        );
    return { kind: 'ready', info, warning };
  } catch (error) {
    if (error instanceof ApiError) {
      return { kind: 'failed', code: error.code, message: error.message };
    }
    return {
      kind: 'failed',
      code: FailureCode.UNEXPECTED,
      message: trans.__(
        'The server part of MLE Modernizer could not be reached.'
      )
    };
  }
}

/**
 * Return the release numbers of a version: Python and npm write pre-releases
 * differently.
 */
function release(version: string): string {
  return /^\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}

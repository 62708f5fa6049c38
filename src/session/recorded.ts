import type { SessionSettings } from '../api/types';

/** Key of the notebook's metadata under which its author, or an earlier session, keeps them. */
const METADATA_KEY = 'mle_modernizer';

/**
 * What a notebook's own metadata say about its modernization; values of the wrong kind are left
 * out, because anybody may have written them.
 *
 * @param metadata - The notebook's metadata.
 * @param competitions - The slugs the server knows.
 */
export function recordedSettings(
  metadata: object,
  competitions: readonly string[]
): Partial<SessionSettings> {
  const own: unknown = Object.entries(metadata).find(
    ([key]) => key === METADATA_KEY
  )?.[1];
  if (typeof own !== 'object' || own === null) {
    return {};
  }
  const found = new Map<string, unknown>(Object.entries(own));
  const recorded: Partial<SessionSettings> = {};
  const competition = found.get('competition');
  if (typeof competition === 'string' && competitions.includes(competition)) {
    recorded.competition = competition;
  }
  const target = found.get('target_score');
  if (isNumber(target)) {
    recorded.target_score = target;
  }
  const limit = found.get('time_limit');
  if (isNumber(limit) && limit > 0) {
    recorded.time_limit = limit;
  }
  return recorded;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

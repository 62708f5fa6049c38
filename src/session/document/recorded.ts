import type { ISharedNotebook } from '@jupyter/ydoc';
import { JSONExt, type PartialJSONObject } from '@lumino/coreutils';

import type { SessionSettings } from '../../api/types';

/** Key of the notebook's metadata under which its author, or an earlier session, keeps them. */
const METADATA_KEY = 'mle_modernizer';

/**
 * Return the settings in a notebook's own metadata; values of the wrong type
 * are left out, since anybody may have written them.
 *
 * @param metadata - The notebook's metadata.
 * @param competitions - The slugs on the server.
 */
export function recordedSettings(
  metadata: object,
  competitions: readonly string[]
): Partial<SessionSettings> {
  const found = new Map(Object.entries(ownMetadata(metadata)));
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
  const kind = found.get('target_kind');
  if (kind === 'graded' || kind === 'printed' || kind === 'typed') {
    recorded.target_kind = kind;
  }
  const distance = found.get('distance');
  if (distance === 'target' || distance === 'floor') {
    recorded.distance = distance;
  }
  return recorded;
}

/**
 * Store the target that a user has confirmed by a run in the notebook's
 * metadata, in addition to its other entries; do nothing if there is no target
 * or it is already stored.
 */
export function recordTarget(
  notebook: ISharedNotebook,
  settings: SessionSettings
): void {
  const { competition, distance, target_kind, target_score } = settings;
  if (target_score === null) {
    return;
  }
  const recorded = notebook.getMetadata(METADATA_KEY) ?? null;
  const own: PartialJSONObject = JSONExt.isObject(recorded) ? recorded : {};
  const target = {
    ...(competition === null ? {} : { competition }),
    target_score,
    target_kind,
    distance
  };
  // Absent values mean the defaults: a notebook is not changed only to store
  // those.
  const before = new Map<string, unknown>(
    Object.entries({ target_kind: 'graded', distance: 'target', ...own })
  );
  if (
    Object.entries(target).some(([key, value]) => before.get(key) !== value)
  ) {
    notebook.setMetadata(METADATA_KEY, { ...own, ...target });
  }
}

/**
 * Return whether a notebook's metadata mark it as the reproduction of a paper's
 * experiment.
 *
 * @param metadata - The notebook's metadata; anybody may have written them.
 */
export function isReproduction(metadata: object): boolean {
  const kept = ownMetadata(metadata)['reproduction'];
  return typeof kept === 'object' && kept !== null;
}

function ownMetadata(metadata: object): Record<string, unknown> {
  const own: unknown = new Map<string, unknown>(Object.entries(metadata)).get(
    METADATA_KEY
  );
  return typeof own === 'object' && own !== null && !Array.isArray(own)
    ? Object.fromEntries(Object.entries(own))
    : {};
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

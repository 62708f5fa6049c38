import { JSONExt, type PartialJSONObject } from '@lumino/coreutils';

import type { Cell, Notebook, Provenance } from '../../api/types';

/** Key of the product's record in the notebook's metadata. */
const METADATA_KEY = 'mle_modernizer';

/** The finish record of a notebook. */
export interface IFinished {
  /**
   * Source of its outputs; values of the wrong type are left out, since anybody
   * may have written them.
   */
  provenance: Partial<Provenance>;
  /** Whether its sources have changed since. */
  isChanged: boolean;
}

/**
 * Return the finish record of a notebook's metadata; null if it was not
 * finished.
 *
 * @param metadata - The notebook's metadata.
 * @param notebook - The current notebook.
 */
export function finishedState(
  metadata: object,
  notebook: Notebook
): IFinished | null {
  const provenance = readProvenance(metadata);
  return (
    provenance && {
      provenance,
      isChanged: provenance.sources_crc32 !== sourcesCrc32(notebook.cells)
    }
  );
}

/**
 * Return a notebook's metadata under the product's key, with a record of the
 * source of its outputs.
 */
export function withProvenance(
  own: unknown,
  provenance: Provenance
): PartialJSONObject {
  const kept = isObject(own) ? own : {};
  return { ...kept, provenance: { ...provenance } };
}

/** Return the product's own part of a notebook's metadata. */
export function ownPart(metadata: object): unknown {
  return Object.entries(metadata).find(([key]) => key === METADATA_KEY)?.[1];
}

export { METADATA_KEY };

/**
 * Return the CRC-32 over types and texts of cells, as on the server: it detects
 * changes, but proves nothing.
 */
export function sourcesCrc32(cells: readonly Cell[]): string {
  const encoder = new TextEncoder();
  let rest = 0xffffffff;
  for (const { source, type } of cells) {
    for (const byte of encoder.encode(`${type}\0${source}\0`)) {
      rest ^= byte;
      for (let bit = 0; bit < 8; bit++) {
        rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
      }
    }
  }
  return ((rest ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}

const TEXTS = [
  'tool',
  'finished_at',
  'session',
  'outcome',
  'competition',
  'metric',
  'python',
  'sandbox',
  'sources_crc32'
] as const;
const NUMBERS = ['run', 'score', 'target_score', 'deviation'] as const;

function readProvenance(metadata: object): Partial<Provenance> | null {
  const own = ownPart(metadata);
  const said = isObject(own) ? own.provenance : null;
  if (!isObject(said) || typeof said.sources_crc32 !== 'string') {
    return null;
  }
  const found: Partial<Provenance> = {};
  for (const key of TEXTS) {
    const value = said[key];
    if (typeof value === 'string') {
      found[key] = value;
    }
  }
  for (const key of NUMBERS) {
    const value = said[key];
    if (typeof value === 'number' && Number.isFinite(value)) {
      found[key] = value;
    }
  }
  return found;
}

function isObject(value: unknown): value is PartialJSONObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    JSONExt.isObject(value as PartialJSONObject)
  );
}

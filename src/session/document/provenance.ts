import { JSONExt, type PartialJSONObject } from '@lumino/coreutils';

import type { Cell, Notebook, Provenance } from '../../api/types';

/** Key of the notebook's metadata under which the product keeps what it knows of it. */
const METADATA_KEY = 'mle_modernizer';

/**
 * What a finished notebook says of itself.
 */
export interface IFinished {
  /** Where its outputs come from; values of the wrong kind are left out, anybody may have written them. */
  provenance: Partial<Provenance>;
  /** Whether its sources are other ones since. */
  isChanged: boolean;
}

/**
 * What a notebook's metadata say of how it was finished; null where it was not.
 *
 * @param metadata - The notebook's metadata.
 * @param notebook - The notebook as it is now.
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
 * A notebook's metadata under the product's key with a record of where its outputs come from.
 */
export function withProvenance(
  own: unknown,
  provenance: Provenance
): PartialJSONObject {
  const kept = isObject(own) ? own : {};
  return { ...kept, provenance: { ...provenance } };
}

/** The product's own part of a notebook's metadata. */
export function ownPart(metadata: object): unknown {
  return Object.entries(metadata).find(([key]) => key === METADATA_KEY)?.[1];
}

export { METADATA_KEY };

/**
 * CRC-32 over types and texts of cells, as the server makes it: tells a change, proves nothing.
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

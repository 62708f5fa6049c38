import type { BatchOverview, BatchRow, State } from '../api/types';
import { STATES } from '../words/statistics';

/** Sort key of the table. */
export type SortKey = 'name' | 'first' | 'last' | 'fixes' | 'seconds' | 'cost';

/** Filter and order of a batch's notebooks. */
export interface IChosen {
  /** Part of the name; empty for all. */
  text: string;
  /** The arm; null for all. */
  arm: string | null;
  /** Outcome filter: a state, a pending review, or a refused notebook. */
  outcome: State | 'to-review' | 'refused' | null;
  /** The column. */
  by: SortKey;
  /** Whether the order is descending. */
  isDescending: boolean;
}

/**
 * Merge new results into those of a batch; drop those that the server deleted.
 */
export function merged(
  before: ReadonlyMap<string, BatchRow>,
  found: BatchOverview
): ReadonlyMap<string, BatchRow> {
  const rows = new Map(before);
  found.rows.forEach(row => rows.set(row.key, row));
  return rows;
}

/**
 * Return whether the server has dropped results that are still listed here:
 * read all of them again.
 */
export function isBehind(
  rows: ReadonlyMap<string, BatchRow>,
  found: BatchOverview
): boolean {
  return rows.size > found.done - found.unreadable;
}

/** Return the rows that match the filter, sorted. */
export function chosenRows(
  rows: Iterable<BatchRow>,
  chosen: IChosen
): BatchRow[] {
  const text = chosen.text.trim().toLowerCase();
  const found = [...rows].filter(
    row =>
      (!text || row.name.toLowerCase().includes(text)) &&
      (chosen.arm === null || row.arm === chosen.arm) &&
      hasOutcome(row, chosen.outcome)
  );
  const sign = chosen.isDescending ? -1 : 1;
  return found.sort(
    (one, other) => sign * compare(one, other, chosen.by) || byName(one, other)
  );
}

function hasOutcome(row: BatchRow, outcome: IChosen['outcome']): boolean {
  if (outcome === 'to-review') {
    return row.changed;
  }
  if (outcome === 'refused') {
    return row.status !== 'done';
  }
  return outcome === null || row.last === outcome;
}

function compare(one: BatchRow, other: BatchRow, by: SortKey): number {
  switch (by) {
    case 'name':
      return byName(one, other);
    case 'first':
    case 'last':
      return STATES.indexOf(one[by]) - STATES.indexOf(other[by]);
    case 'cost':
      return (one.cost ?? -1) - (other.cost ?? -1);
    case 'fixes':
    case 'seconds':
      return one[by] - other[by];
  }
}

function byName(one: BatchRow, other: BatchRow): number {
  return (
    one.name.localeCompare(other.name, undefined, { numeric: true }) ||
    one.arm.localeCompare(other.arm) ||
    one.repetition - other.repetition
  );
}

/** Count the rows of each state, in the order of the states. */
export function counted(rows: Iterable<BatchRow>): Map<State, number> {
  const counts = new Map<State, number>();
  for (const row of rows) {
    counts.set(row.last, (counts.get(row.last) ?? 0) + 1);
  }
  return new Map(
    STATES.filter(state => counts.has(state)).map(state => [
      state,
      counts.get(state) ?? 0
    ])
  );
}

import * as React from 'react';

import type { FixRow, Statistics } from '../api/types';
import { formatCost, formatPercent, formatTokens } from '../words/numbers';
import { useTrans } from '../ui/context';
import { ledTo, rowLabel, stateLabel, statesOf } from '../words/statistics';

const MOST_ERRORS = 20;
const MOST_FIXES = 8;

/** Properties of a table. */
interface ITableProps {
  /** Above it. */
  caption: string;
  /** Of the columns; the first is that of the rows' names. */
  heads: readonly string[];
  /** The first of each is its name. */
  rows: readonly (readonly string[])[];
}

/**
 * A table of numbers; wide ones scroll by themselves, with the keyboard too.
 */
function NumberTable(props: ITableProps): JSX.Element | null {
  const { caption, heads, rows } = props;
  if (rows.length === 0) {
    return null;
  }
  return (
    <div
      className="jp-mle-Table-frame"
      role="group"
      aria-label={caption}
      tabIndex={0}
    >
      <table className="jp-mle-Table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={index} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Fixes of each kind, and their outcomes. */
export function FixTable(props: {
  caption: string;
  rows: readonly FixRow[];
}): JSX.Element {
  const trans = useTrans();
  const { caption, rows } = props;
  const states = statesOf(rows);
  return (
    <NumberTable
      caption={caption}
      heads={[
        trans.__('Fix'),
        trans.__('Proposed'),
        trans.__('Applied'),
        ...states.map(state => stateLabel(state, trans)),
        trans.__('Made it reproducible')
      ]}
      rows={rows.map(row => [
        rowLabel(row.name, trans),
        String(row.proposed),
        String(row.applied),
        ...states.map(state => number(ledTo(row, state))),
        row.applied > 0
          ? `${row.reproducible} (${Math.round((100 * row.reproducible) / row.applied)} %)`
          : '–'
      ])}
    />
  );
}

/**
 * Tokens and cost of a fix by the model, by fix type.
 */
export function CostTable(props: { rows: readonly FixRow[] }): JSX.Element {
  const trans = useTrans();
  const rows = props.rows.filter(row => row.asked > 0);
  return (
    <NumberTable
      caption={trans.__('Cost by fix type')}
      heads={[
        trans.__('Fix'),
        trans.__('Asked'),
        trans.__('Fresh in / fix'),
        trans.__('Cached in / fix'),
        trans.__('Out / fix'),
        trans.__('Reasoning / fix'),
        trans.__('Cost / fix'),
        trans.__('Cost')
      ]}
      rows={rows.map(({ asked, name, usage }) => {
        const fresh = usage.input_tokens - usage.cached_input_tokens;
        const tokens = [
          fresh,
          usage.cached_input_tokens,
          usage.output_tokens,
          usage.reasoning_tokens
        ];
        const { cost_usd } = usage;
        return [
          rowLabel(name, trans),
          String(asked),
          ...tokens.map(count => formatTokens(Math.round(count / asked))),
          cost_usd === null ? '–' : formatCost(cost_usd / asked),
          cost_usd === null
            ? trans.__('not known')
            : formatCost(cost_usd) + (usage.unpriced_calls > 0 ? ' +' : '')
        ];
      })}
    />
  );
}

/**
 * Types of root errors, by the number of fixes made before.
 */
export function ErrorTable({ found }: { found: Statistics }): JSX.Element {
  const trans = useTrans();
  const rows = found.errors.slice(0, MOST_ERRORS);
  const longest = Math.max(0, ...rows.map(row => row.by_fixes.length));
  const shown = Math.min(longest, MOST_FIXES);
  const heads = Array.from({ length: shown }, (_, fixes) =>
    fixes === shown - 1 && longest > shown
      ? trans.__('After %1 or more', fixes)
      : trans.__('After %1', fixes)
  );
  return (
    <NumberTable
      caption={trans.__('Root errors by number of fixes')}
      heads={[
        trans.__('Error'),
        ...heads,
        trans.__('Fixes it took'),
        trans.__('Left at the end')
      ]}
      rows={rows.map(row => [
        row.name,
        ...heads.map((_, fixes) =>
          number(
            fixes === shown - 1
              ? sum(row.by_fixes.slice(fixes))
              : (row.by_fixes[fixes] ?? 0)
          )
        ),
        mean(row.took),
        number(row.left)
      ])}
    />
  );
}

/** Similarity of the notebooks to their originals. */
export function SimilarityTable({ found }: { found: Statistics }): JSX.Element {
  const trans = useTrans();
  const rows = found.similarity_to_original.filter(item => item.fixes > 0);
  const isOne = rows.every(item => item.similarity.count === 1);
  const heads = isOne
    ? [trans.__('Similarity')]
    : [trans.__('Notebooks'), trans.__('Median'), trans.__('Least')];
  return (
    <NumberTable
      caption={trans.__('Similarity of the code to the original')}
      heads={[trans.__('After'), ...heads]}
      rows={rows.map(({ fixes, similarity }) => {
        const median = formatPercent(similarity.median);
        return [
          trans._n('%1 fix', '%1 fixes', fixes),
          ...(isOne
            ? [median]
            : [
                String(similarity.count),
                median,
                formatPercent(similarity.least)
              ])
        ];
      })}
    />
  );
}

/**
 * Notebooks by how their first run came out and how their best one.
 */
export function OutcomeTable({ found }: { found: Statistics }): JSX.Element {
  const trans = useTrans();
  return (
    <NumberTable
      caption={trans.__('Notebooks, from the first run to the best')}
      heads={[
        trans.__('First run'),
        trans.__('Best run'),
        trans.__('Sessions')
      ]}
      rows={found.outcomes.map(item => [
        stateLabel(item.first, trans),
        stateLabel(item.best, trans),
        String(item.sessions)
      ])}
    />
  );
}

function number(value: number): string {
  return value === 0 ? '·' : String(value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Return the mean of numbers by their frequencies. */
function mean(frequencies: readonly number[]): string {
  const count = sum(frequencies);
  const total = sum(frequencies.map((times, value) => times * value));
  return count === 0 ? '–' : String(Number((total / count).toFixed(1)));
}

import * as React from 'react';

import type { Improvement, TriedVersion } from '../../api/types';
import { useTrans } from '../../ui/context';
import { formatScore } from '../../words/numbers';
import { labelOf } from '../../words/message';

/**
 * Worth of each part of the notebook: the loss of score without it, as bars.
 */
export function Parts({ found }: { found: Improvement }): JSX.Element {
  const trans = useTrans();
  const worth = (one: TriedVersion) => -(one.gain?.mean ?? 0);
  const known = found.ablations
    .filter(one => one.gain !== null && one.comparison !== 'failed')
    .sort((one, other) => worth(other) - worth(one));
  const largest = Math.max(...known.map(one => Math.abs(worth(one))), 0);
  const roles = new Map(found.blocks.map(one => [one.number, one.role]));
  return (
    <>
      <h4>{trans.__('What each part is worth')}</h4>
      <p className="jp-mle-Hint">
        {trans.__(
          'What the score loses without it, on average over the folds; less than 0 is better left out.'
        )}
      </p>
      <table className="jp-mle-Improve-parts">
        <tbody>
          {known.map(one => {
            const role = one.block === null ? null : roles.get(one.block);
            return (
              <tr key={one.notebook_hash}>
                <th scope="row">
                  {role
                    ? `${one.name} (${labelOf('block-role', role, trans)})`
                    : one.name}
                </th>
                <td>{formatScore(worth(one))}</td>
                <td>
                  <div
                    className={`jp-mle-Improve-bar${worth(one) < 0 ? ' jp-mod-bad' : ''}`}
                    style={{
                      width: `${largest ? (100 * Math.abs(worth(one))) / largest : 0}%`
                    }}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

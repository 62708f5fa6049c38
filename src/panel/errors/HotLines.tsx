import * as React from 'react';

import type { HotLine } from '../../api/types';
import { formatPercent, formatDuration } from '../../words/numbers';
import { currentIteration } from '../../session/reading';
import { useTrans } from '../../ui/context';
import { CellLink } from '../../review/CellLink';
import { Section } from '../../ui/Section';
import { type IModelProps, useSession } from '../../review/useModel';

const WORTH_A_LOOK = 10; // seconds of a run

/** The slowest lines of the latest run; unfolded if time is the problem. */
export function HotLines({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const iteration = session && currentIteration(session);
  const profile = iteration?.execution?.profile;
  if (
    !profile ||
    profile.seconds < WORTH_A_LOOK ||
    profile.lines.length === 0
  ) {
    return null;
  }
  const isTooSlow = iteration?.diagnosis?.fix_type === 'runtime-reduction';
  return (
    <Section title={trans.__('Slow cells')} isFolded={!isTooSlow}>
      <ol className="jp-mle-HotLines">
        {profile.lines.map(line => (
          <li key={`${line.cell_id}/${line.line}`}>
            <CellLink model={model} cellId={line.cell_id} />{' '}
            <Where line={line} />
            <span className="jp-mle-HotLines-time">
              <meter min={0} max={1} value={line.share}>
                {formatPercent(line.share)}
              </meter>{' '}
              {trans.__(
                '%1, %2',
                formatPercent(line.share),
                formatDuration(line.seconds)
              )}
              {line.call && (
                <>
                  {' '}
                  {trans.__('in')} <code>{line.call}</code>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      {profile.gpu === 'unused' && (
        <p className="jp-mle-Hint">
          {trans.__('There is a GPU, and the run did not use it.')}
        </p>
      )}
    </Section>
  );
}

function Where({ line }: { line: HotLine }): JSX.Element {
  const trans = useTrans();
  if (line.line === 0) {
    return <span>{trans.__('somewhere in it')}</span>;
  }
  return (
    <>
      {trans.__('line %1', line.line)} <code>{line.source}</code>
    </>
  );
}

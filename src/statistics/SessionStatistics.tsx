import * as React from 'react';

import type { Session, SessionStatistics as Answer } from '../api/types';
import { isWorking } from '../session/reading';
import { formatPercent } from '../words/numbers';
import { CommandIDs } from '../commandIds';
import { Button } from '../ui/Button';
import { PanelContext, useTrans } from '../ui/context';
import {
  CostTable,
  ErrorTable,
  FixTable,
  SimilarityTable
} from './StatisticsTables';
import { useAnswer } from '../ui/useAnswer';

/**
 * The statistics of a notebook's session, read once they are unfolded and again after each work.
 */
export function SessionStatistics(props: {
  session: Session;
}): JSX.Element | null {
  const trans = useTrans();
  const { client, execute } = React.useContext(PanelContext);
  const { session } = props;
  const [isOpen, setOpen] = React.useState(false);
  const known = React.useRef('');
  if (!isWorking(session.phase) || known.current === '') {
    known.current = `${session.id} ${session.seq}`;
  }
  const { problem, value } = useAnswer<Answer | null>(
    isOpen && client ? known.current : null,
    async () => (client ? client.sessionStatistics(session.id) : null)
  );
  if (!client) {
    return null;
  }
  return (
    <details
      className="jp-mle-More jp-mle-Statistics"
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>{trans.__('Statistics')}</summary>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      {isOpen && !value && !problem && (
        <p className="jp-mle-Hint" role="status">
          {trans.__('Counting…')}
        </p>
      )}
      {value && <SessionTables answer={value} />}
      <Button
        look="quiet"
        label={trans.__('All sessions')}
        caption={trans.__('Show the statistics of all sessions in a tab')}
        onClick={() => execute(CommandIDs.openStatistics)}
      />
    </details>
  );
}

function SessionTables({ answer }: { answer: Answer }): JSX.Element {
  const trans = useTrans();
  const { facts, statistics } = answer;
  return (
    <>
      {facts.similarity !== null && (
        <p className="jp-mle-Hint">
          {trans.__(
            'The best run’s code is %1 the same as the original.',
            formatPercent(facts.similarity)
          )}
        </p>
      )}
      {facts.fixes.length === 0 && (
        <p className="jp-mle-Hint">{trans.__('No fix was proposed yet.')}</p>
      )}
      <FixTable
        caption={trans.__('Fixes by type, and what they led to')}
        rows={statistics.by_type}
      />
      <ErrorTable found={statistics} />
      <SimilarityTable found={statistics} />
      <CostTable rows={statistics.by_type} />
    </>
  );
}

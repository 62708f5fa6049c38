import { closeIcon, undoIcon } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { SessionSummary } from '../../api/types';
import { CommandIDs } from '../../commandIds';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { PanelContext, useSignal, useTrans } from '../../ui/context';
import { standCaption, standLabel, standTone } from '../../words/labels';
import { formatScore } from '../../words/numbers';

/**
 * All sessions of the notebook: none is lost when a new one begins.
 */
export function Sessions({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  useSignal(model.sessionsChanged);
  const { older, sessions, total } = model.sessions;
  React.useEffect(() => {
    // A session that has begun or ended since is not in the list yet.
    if (!model.isWorking) {
      void model.listSessions();
    }
  }, [model, session?.id, model.isWorking]);
  if (sessions.length === 0) {
    return null;
  }
  return (
    <details className="jp-mle-More">
      <summary>{trans._n('%1 session', '%1 sessions', total)}</summary>
      <ul className="jp-mle-Sessions" aria-label={trans.__('Sessions')}>
        {sessions.map(item => (
          <li key={item.id}>
            <SessionEntry
              model={model}
              item={item}
              isShown={item.id === session?.id}
            />
          </li>
        ))}
      </ul>
      {older !== null && (
        <Button
          look="quiet"
          label={trans.__('Show older')}
          caption={trans.__('List sessions that are older than these')}
          onClick={() => void model.listOlderSessions()}
        />
      )}
    </details>
  );
}

/** Properties of an entry of the list of sessions. */
interface ISessionEntryProps extends IModelProps {
  /** The session. */
  item: SessionSummary;
  /** Whether it is the session in the panel. */
  isShown: boolean;
}

function SessionEntry(props: ISessionEntryProps): JSX.Element {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const { isShown, item, model } = props;
  const isIdle = useIdle(model);
  const date = dateText(item.created_at);
  // Only of one session at a time the runs are known.
  const open = async (command: string) => {
    await model.openSession(item.id);
    if (model.session?.id === item.id) {
      execute(command);
    }
  };
  return (
    <div
      className="jp-mle-History-entry"
      role="group"
      aria-label={trans.__('Session of %1', date)}
    >
      <div className="jp-mle-History-outcome">
        <span>{date}</span>
        <Chip tone={standTone(item)} title={standCaption(item, trans)}>
          {standLabel(item, trans)}
        </Chip>
        {isShown && (
          <span className="jp-mle-Best">{trans.__('shown here')}</span>
        )}
      </div>
      <p className="jp-mle-History-facts">{factsText(item, trans)}</p>
      <div className="jp-mle-Actions">
        {!isShown && (
          <Button
            look="quiet"
            label={trans.__('Open')}
            caption={trans.__('Show this session and continue in it')}
            isEnabled={isIdle}
            onClick={() => void model.openSession(item.id)}
          />
        )}
        <Button
          look="quiet"
          label={trans.__('Compare')}
          caption={trans.__(
            'Show its original notebook and the notebook as it is now side by side'
          )}
          isEnabled={isIdle}
          onClick={() => void open(CommandIDs.openReview)}
        />
        <Button
          look="quiet"
          icon={undoIcon}
          label={trans.__('Restore')}
          caption={trans.__(
            'Bring the sources of its best run back into the notebook; one undo takes it back'
          )}
          isEnabled={isIdle && item.runs > 0}
          onClick={() => void open(CommandIDs.restoreIteration)}
        />
        <Button
          look="quiet"
          icon={closeIcon}
          label={trans.__('Delete')}
          caption={trans.__(
            'Forget this session with all its runs; the notebook stays as it is'
          )}
          isEnabled={isIdle}
          onClick={() => void model.actions.deleteSession(item.id, date)}
        />
      </div>
    </div>
  );
}

function factsText(item: SessionSummary, trans: TranslationBundle): string {
  return [
    trans._n('%1 run', '%1 runs', item.runs),
    trans._n('%1 fix', '%1 fixes', item.fixes),
    item.score === null ? '' : trans.__('score %1', formatScore(item.score))
  ]
    .filter(text => text)
    .join(' · ');
}

function dateText(time: string): string {
  return new Date(time).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short'
  });
}

import { copyIcon, downloadIcon, refreshIcon } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Statistics, Usage } from '../api/types';
import { formatDuration } from '../words/numbers';
import { Button } from '../ui/Button';
import { PanelContext, useTrans } from '../ui/context';
import { download } from '../ui/download';
import { TextInput } from '../ui/fields';
import { FixChart } from './StatisticsChart';
import {
  CostTable,
  ErrorTable,
  FixTable,
  OutcomeTable,
  SimilarityTable
} from './StatisticsTables';
import { useAnswer } from '../ui/useAnswer';
import {
  cachedText,
  callsText,
  costText,
  pricesText,
  tokensText
} from '../words/usage';

const PAUSE = 400; // milliseconds without a key before the request to the server

/**
 * The statistics of all sessions of the server, or of those below a path.
 */
export function StatisticsPage(): JSX.Element {
  const trans = useTrans();
  const { client } = React.useContext(PanelContext);
  const [path, setPath] = React.useState('');
  const [turn, again] = React.useReducer((count: number) => count + 1, 0);
  const { isPending, problem, value } = useAnswer<Statistics | null>(
    client ? JSON.stringify([path, turn]) : null,
    async () => (client ? client.statistics(path) : null),
    path ? PAUSE : 0
  );
  return (
    <div className="jp-mle-StatisticsPage" aria-busy={isPending}>
      <div className="jp-mle-Header">
        <h2 className="jp-mle-Header-title">{trans.__('Statistics')}</h2>
        {value && <Export found={value} />}
        <Button
          look="quiet"
          isCompact
          icon={refreshIcon}
          label={trans.__('Count again')}
          onClick={again}
        />
      </div>
      <div className="jp-mle-Form" role="search">
        <TextInput
          label={trans.__('Notebooks whose path begins with')}
          value={path}
          placeholder={trans.__('all')}
          onChange={setPath}
        />
      </div>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      {!value && isPending && (
        <p className="jp-mle-Hint" role="status">
          {trans.__('Counting…')}
        </p>
      )}
      {value && <Found found={value} isFiltered={path !== ''} />}
    </div>
  );
}

function Found(props: { found: Statistics; isFiltered: boolean }): JSX.Element {
  const trans = useTrans();
  const { found, isFiltered } = props;
  if (found.sessions === 0) {
    return (
      <p role="status">
        {isFiltered
          ? trans.__('No session’s notebook has a path that begins like this.')
          : trans.__(
              'There are no sessions yet. Open an old notebook and press Modernize.'
            )}
      </p>
    );
  }
  return (
    <>
      <Summary found={found} />
      <FixChart rows={found.by_type} />
      <FixTable
        caption={trans.__('Fixes by type, and what they led to')}
        rows={found.by_type}
      />
      <FixTable caption={trans.__('Fixes by fixer')} rows={found.by_fixer} />
      <FixTable caption={trans.__('Fixes by scope')} rows={found.by_scope} />
      <CostTable rows={found.by_type} />
      <OutcomeTable found={found} />
      <ErrorTable found={found} />
      <SimilarityTable found={found} />
    </>
  );
}

/** Return the calls of a model, the tokens and the cost. */
function modelText(usage: Usage, trans: TranslationBundle): string {
  if (usage.calls + usage.failed === 0) {
    return trans.__('never asked');
  }
  const parts =
    usage.calls > 0
      ? [callsText, costText, tokensText, cachedText, pricesText]
      : [callsText];
  return parts
    .map(text => text(usage, trans))
    .filter(text => text)
    .join(' · ');
}

function Summary({ found }: { found: Statistics }): JSX.Element {
  const trans = useTrans();
  const reached = found.fixes_made.reduce(
    (count, item) => count + item.reproducible,
    0
  );
  const facts: (readonly [string, string])[] = [
    [trans.__('Sessions'), String(found.sessions)],
    [trans.__('Reproducible at their best'), String(reached)],
    [trans.__('Runs'), String(found.runs)],
    [trans.__('Fixes a session'), mean(found.mean_fixes)],
    [trans.__('… of reproducible ones'), mean(found.mean_fixes_reproducible)],
    [
      trans.__('Time of a run (median)'),
      found.seconds ? formatDuration(found.seconds.median) : '–'
    ],
    [trans.__('Model'), modelText(found.usage, trans)]
  ];
  return (
    <dl className="jp-mle-Facts">
      {facts.map(([name, text]) => (
        <React.Fragment key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </React.Fragment>
      ))}
    </dl>
  );
}

function Export({ found }: { found: Statistics }): JSX.Element {
  const trans = useTrans();
  const [said, say] = React.useState('');
  const text = JSON.stringify(found, null, 2);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(trans.__('Copied.'));
    } catch {
      say(trans.__('The browser does not allow copying; download it instead.'));
    }
  };
  return (
    <>
      <span className="jp-mle-Hint" role="status">
        {said}
      </span>
      <Button
        look="quiet"
        icon={copyIcon}
        label={trans.__('Copy as JSON')}
        onClick={() => void copy()}
      />
      <Button
        look="quiet"
        icon={downloadIcon}
        label={trans.__('Download JSON')}
        onClick={() => downloadText(text)}
      />
    </>
  );
}

function downloadText(text: string): void {
  download(
    new Blob([text], { type: 'application/json' }),
    'modernization-statistics.json'
  );
}

function mean(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

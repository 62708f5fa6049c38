import type { Contents } from '@jupyterlab/services';
import { refreshIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { ApiError, type ModernizerClient } from '../api/client';
import type { BatchOverview, BatchRow, State } from '../api/types';
import { CommandIDs } from '../commandIds';
import { Button } from '../ui/Button';
import { PanelContext, useTrans } from '../ui/context';
import { Choice, TextInput } from '../ui/fields';
import { stateLabel } from '../words/statistics';
import { BatchTable } from './BatchTable';
import { FolderNote } from './FolderNote';
import type { IStartClient } from './folder';
import { Flow } from './Flow';
import {
  chosenRows,
  counted,
  type IChosen,
  isBehind,
  merged,
  type SortKey
} from './rows';

const PAUSE = 5000; // milliseconds until the folder is looked at again
const FRESH = 60_000; // milliseconds for which a batch's status counts as current

/** Options of the page of a batch. */
export interface IBatchOptions {
  /** The folder, as the file browser names it. */
  path: string;
  /** The routes. */
  client: Pick<ModernizerClient, 'batch' | 'reviewBatchResult'> & IStartClient;
  /** The files of the server. */
  contents: Pick<Contents.IManager, 'get'>;
  /** Opens a file. */
  open: (path: string) => Promise<void>;
}

/**
 * A batch: its progress, its notebooks' outcomes, and a line for each notebook.
 */
export function BatchPage(props: IBatchOptions): JSX.Element {
  const trans = useTrans();
  const { client, path } = props;
  const { found, isNone, look, problem, rows } = useBatch(client, path);
  return (
    <div
      className="jp-mle-StatisticsPage"
      aria-busy={!found && !problem && !isNone}
    >
      <div className="jp-mle-Header">
        <h2 className="jp-mle-Header-title">
          {isNone ? trans.__('Folder %1', path) : trans.__('Batch %1', path)}
        </h2>
        {found?.report && (
          <Button
            look="quiet"
            label={trans.__('Open the report')}
            onClick={() => void props.open(found.report ?? '')}
          />
        )}
        <Button
          look="quiet"
          isCompact
          icon={refreshIcon}
          label={trans.__('Look again')}
          onClick={look}
        />
      </div>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      {isNone && <FolderNote {...props} />}
      {!found && !problem && !isNone && (
        <p className="jp-mle-Hint" role="status">
          {trans.__('Reading…')}
        </p>
      )}
      {found && <Found {...props} found={found} rows={rows} />}
    </div>
  );
}

function Found(
  props: IBatchOptions & {
    found: BatchOverview;
    rows: ReadonlyMap<string, BatchRow>;
  }
): JSX.Element {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const { found, rows } = props;
  const [trouble, setTrouble] = React.useState('');
  const [chosen, setChosen] = React.useState<IChosen>({
    text: '',
    arm: null,
    outcome: null,
    by: 'name',
    isDescending: false
  });
  const choose = (change: Partial<IChosen>) =>
    setChosen({ ...chosen, ...change });
  const sort = (by: SortKey) =>
    choose({ by, isDescending: chosen.by === by && !chosen.isDescending });
  const shown = React.useMemo(
    () => chosenRows(rows.values(), chosen),
    [rows, chosen]
  );
  const ofArm = React.useMemo(() => {
    const arm = chosen.arm ?? found.arms[found.arms.length - 1];
    return [...rows.values()].filter(row => row.arm === arm);
  }, [rows, chosen.arm, found.arms]);
  const counts = React.useMemo(() => counted(rows.values()), [rows]);
  const hasTargets = [...rows.values()].some(row => row.has_target);
  const openRow = async (row: BatchRow) => {
    setTrouble('');
    if (row.changed) {
      try {
        await props.client.reviewBatchResult({
          path: props.path,
          key: row.key
        });
      } catch (error) {
        setTrouble(error instanceof Error ? error.message : String(error));
        if (!(error instanceof ApiError) || error.status !== 409) {
          return;
        }
      }
    }
    await props.open(row.path ?? '');
    execute(CommandIDs.openPanel);
  };
  return (
    <div className="jp-mle-Batch">
      <Standing found={found} />
      {found.unreadable > 0 && (
        <p className="jp-mle-Note jp-mod-bad">
          {trans._n(
            '%1 result cannot be read.',
            '%1 results cannot be read.',
            found.unreadable,
            found.unreadable
          )}
        </p>
      )}
      <Flow rows={ofArm} />
      <div className="jp-mle-Form jp-mle-Batch-filters" role="search">
        <TextInput
          label={trans.__('Notebooks whose name has')}
          value={chosen.text}
          placeholder={trans.__('all')}
          onChange={text => choose({ text })}
        />
        <Choice
          label={trans.__('Outcome')}
          value={chosen.outcome ?? ''}
          options={[
            ['', trans.__('All')],
            ['to-review', trans.__('With changes to review')],
            ...[...counts].map(
              ([state, count]) =>
                [
                  state,
                  `${stateLabel(state, trans, hasTargets)} (${count})`
                ] as const
            ),
            ['refused', trans.__('Refused or set aside')]
          ]}
          onChange={value =>
            choose({ outcome: (value || null) as State | 'to-review' | null })
          }
        />
        {found.arms.length > 1 && (
          <Choice
            label={trans.__('Arm')}
            value={chosen.arm ?? ''}
            options={[
              ['', trans.__('All')],
              ...found.arms.map(arm => [arm, arm] as const)
            ]}
            onChange={value => choose({ arm: value || null })}
          />
        )}
      </div>
      {trouble && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {trouble}
        </p>
      )}
      {rows.size === 0 ? (
        <p role="status">{trans.__('No notebook is finished yet.')}</p>
      ) : (
        <BatchTable
          rows={shown}
          chosen={chosen}
          hasArms={found.arms.length > 1}
          onSort={sort}
          onOpen={row => void openRow(row)}
        />
      )}
    </div>
  );
}

/**
 * The batch's progress, its workers' current jobs, and the time of the report.
 */
function Standing({ found }: { found: BatchOverview }): JSX.Element | null {
  const trans = useTrans();
  const { standing } = found;
  if (!standing) {
    return null;
  }
  const at = new Date(standing.at);
  const isFresh = Date.now() - at.getTime() < FRESH;
  return (
    <div role="status">
      <p>
        {isFresh
          ? standing.line
          : trans.__('%1 (as of %2)', standing.line, at.toLocaleString())}
      </p>
      {isFresh && standing.running.length > 0 && (
        <ul className="jp-mle-Batch-running">
          {standing.running.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Poll a batch's folder while the page is visible. */
function useBatch(
  client: IBatchOptions['client'],
  path: string
): {
  found: BatchOverview | null;
  rows: ReadonlyMap<string, BatchRow>;
  /** Whether the folder is not a batch's. */
  isNone: boolean;
  problem: string;
  look: () => void;
} {
  const [turn, look] = React.useReducer((count: number) => count + 1, 0);
  const [found, setFound] = React.useState<BatchOverview | null>(null);
  const [isNone, setIsNone] = React.useState(false);
  const [problem, setProblem] = React.useState('');
  const rows = React.useRef<ReadonlyMap<string, BatchRow>>(new Map());
  const stamp = React.useRef(0);
  React.useEffect(() => {
    let isOver = false;
    let timer = 0;
    const ask = async () => {
      try {
        let answer = await client.batch(path, stamp.current);
        let next = merged(rows.current, answer);
        if (isBehind(next, answer)) {
          answer = await client.batch(path, 0);
          next = merged(new Map(), answer);
        }
        if (isOver) {
          return;
        }
        stamp.current = answer.stamp;
        rows.current = next;
        setFound(answer);
        setIsNone(false);
        setProblem('');
      } catch (error) {
        if (!isOver && error instanceof ApiError && error.status === 404) {
          setIsNone(true);
          return;
        }
        if (!isOver) {
          setProblem(error instanceof Error ? error.message : String(error));
        }
      }
      if (!isOver) {
        timer = window.setTimeout(() => void askWhenSeen(), PAUSE);
      }
    };
    const askWhenSeen = async () => {
      if (document.visibilityState === 'visible') {
        await ask();
      } else if (!isOver) {
        timer = window.setTimeout(() => void askWhenSeen(), PAUSE);
      }
    };
    void ask();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [client, path, turn]);
  return { found, isNone, rows: rows.current, problem, look };
}

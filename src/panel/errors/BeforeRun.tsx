import { downloadIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import type { Foreseen, Preflight } from '../../api/types';
import { byCell } from '../../session/preflight';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useSignal, useTrans } from '../../ui/context';
import { Fold } from '../../ui/Fold';
import { CellLink } from '../../review/CellLink';
import { Link } from '../../ui/Link';
import { LostFiles } from './LostFiles';
import { Section } from '../../ui/Section';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { impactTone } from '../../words/labels';
import { labelOf, messagesText } from '../../words/message';

/**
 * Failures predicted before the first run, cell by cell, with their reasons.
 */
export function BeforeRun({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { preflight } = model;
  useSession(model);
  useSignal(preflight.changed);
  const { found, problem } = preflight;
  if (problem !== null) {
    return (
      <p className="jp-mle-Hint" role="status">
        {trans.__(
          'What will break cannot be predicted before a run: %1',
          problem
        )}
      </p>
    );
  }
  if (
    !found ||
    found.items.length +
      found.notes.length +
      found.files.length +
      found.needs.network.length ===
      0
  ) {
    return null;
  }
  const certain = found.items.filter(item => item.certain);
  const possible = found.items.filter(item => !item.certain);
  const likely = possible.filter(item => item.likely);
  const seldom = possible.filter(item => !item.likely);
  return (
    <Section title={trans.__('Before the first run')} isFolded>
      <Groups
        model={model}
        items={certain}
        label={trans.__('What will break')}
      />
      {likely.length > 0 && (
        <>
          <p className="jp-mle-Hint">
            {trans._n(
              '%1 thing may break: it depends on the data or on when the notebook was written',
              '%1 things may break: it depends on the data or on when the notebook was written',
              likely.length
            )}
          </p>
          <Groups
            model={model}
            items={likely}
            label={trans.__('What may break')}
          />
        </>
      )}
      {seldom.length > 0 && (
        <Fold
          summary={trans._n(
            '%1 more that rarely breaks',
            '%1 more that rarely break',
            seldom.length
          )}
        >
          <Groups
            model={model}
            items={seldom}
            label={trans.__('What seldom breaks')}
          />
        </Fold>
      )}
      <LostFiles model={model} files={found.files} />
      <Downloads model={model} found={found} />
      <Notes model={model} found={found} />
      <Told model={model} found={found} />
    </Section>
  );
}

/** Properties of the list of predicted failures. */
interface IGroupsProps extends IModelProps {
  /** The predicted failures. */
  items: readonly Foreseen[];
  /** Label of the list. */
  label: string;
}

function Groups({ items, label, model }: IGroupsProps): JSX.Element | null {
  if (items.length === 0) {
    return null;
  }
  return (
    <ul className="jp-mle-Errors" aria-label={label}>
      {byCell(items).map(group => (
        <li key={group.cellId} className="jp-mle-Foreseen">
          <CellLink model={model} cellId={group.cellId} />
          <ul>
            {group.items.map(item => (
              <li key={item.rule || item.what}>
                <Item item={item} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Item({ item }: { item: Foreseen }): JSX.Element {
  const trans = useTrans();
  return (
    <>
      <Chip tone={impactTone(item.impact)}>
        {labelOf('impact', item.impact, trans)}
      </Chip>{' '}
      {item.what}{' '}
      <span className="jp-mle-Foreseen-now">{item.replacement}</span>{' '}
      {item.link !== '' && (
        <Link address={item.link}>{`${item.library} ${item.since}`}</Link>
      )}
      {!item.proposed && (
        <span className="jp-mle-Hint">
          {' '}
          {item.left.length > 0
            ? messagesText(item.left, trans)
            : item.fixable
              ? trans.__('Can be fixed once a run shows that it matters.')
              : trans.__('No automatic fix is known.')}
        </span>
      )}
    </>
  );
}

/**
 * Downloads of the notebook's libraries, and one button to fetch those with a
 * known address for the runs.
 */
function Downloads({
  found,
  model
}: IModelProps & { found: Preflight }): JSX.Element | null {
  const trans = useTrans();
  const isIdle = useIdle(model);
  const { network } = found.needs;
  const { resources } = model.draft;
  const files = new Set(network.flatMap(need => need.addresses));
  const left = [...files].filter(address => !resources.includes(address));
  if (network.length === 0) {
    return null;
  }
  return (
    <>
      <p className="jp-mle-Hint">
        {trans.__('It needs the network, which a run does not have:')}
      </p>
      <ul className="jp-mle-Remarks" aria-label={trans.__('Downloads')}>
        {network.map(need => (
          <li key={`${need.cell_id} ${need.what}`}>
            <CellLink model={model} cellId={need.cell_id} /> {need.what}
            {need.addresses.length === 0 && (
              <span className="jp-mle-Hint">
                {' '}
                {trans.__('Only a run with a network can get it.')}
              </span>
            )}
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <Button
          look="accept"
          icon={downloadIcon}
          label={trans._n(
            'Fetch the file for the runs',
            'Fetch all %1 files for the runs',
            left.length
          )}
          caption={trans.__(
            'The server fetches them once, before the next run, and keeps them'
          )}
          isEnabled={isIdle}
          onClick={() => model.edit({ resources: [...resources, ...left] })}
        />
      )}
    </>
  );
}

function Notes({
  found,
  model
}: IModelProps & { found: Preflight }): JSX.Element | null {
  const trans = useTrans();
  if (found.notes.length === 0) {
    return null;
  }
  return (
    <ul className="jp-mle-Remarks" aria-label={trans.__('Worth knowing')}>
      {found.notes.map((note, index) => (
        <li key={index}>
          {note.cell_id && <CellLink model={model} cellId={note.cell_id} />}{' '}
          {messagesText(note.text, trans)}
        </li>
      ))}
    </ul>
  );
}

function Told({
  found,
  model
}: IModelProps & { found: Preflight }): JSX.Element | null {
  const trans = useTrans();
  const { evidence } = found.era;
  if (evidence.length === 0) {
    return null;
  }
  return (
    <>
      <p className="jp-mle-Hint">{trans.__('Evidence for this date')}</p>
      <ul className="jp-mle-Remarks">
        {evidence.map((item, index) => (
          <li key={index}>
            {item.cell_id && <CellLink model={model} cellId={item.cell_id} />}{' '}
            {messagesText(item.text, trans)}
          </li>
        ))}
      </ul>
      <p className="jp-mle-Hint">
        {trans.__('If that is wrong, set its era under Settings.')}
      </p>
    </>
  );
}

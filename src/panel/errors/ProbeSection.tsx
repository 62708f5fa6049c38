import * as React from 'react';

import type { Contrast, Environment, Probe, Probed } from '../../api/types';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans, useValue } from '../../ui/context';
import { CellLink } from '../../review/CellLink';
import { Choice } from '../../ui/fields';
import { Link } from '../../ui/Link';
import { Section } from '../../ui/Section';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { messageText } from '../../words/message';

/**
 * Effects of silent changes, by experiment: the same cells with old libraries
 * and with today's.
 */
export function ProbeSection({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { old_pythons: names } = useValue(model.formChanged, () => model.info);
  const session = useSession(model);
  const isIdle = useIdle(model);
  const [chosen, choose] = React.useState(names[0] ?? '');
  const probe = session?.probe ?? null;
  if (names.length === 0 && !probe) {
    return null;
  }
  return (
    <Section
      title={trans.__('Compared with old libraries')}
      isFolded={probe === null}
      key={probe === null ? 'before' : 'after'}
    >
      {names.length > 0 && (
        <>
          <p className="jp-mle-Hint">
            {trans.__(
              'Runs the cells affected by silent changes in a sandbox on the first rows of the data: with the old libraries, with today’s, and with today’s and the fix.'
            )}
          </p>
          {names.length > 1 && (
            <Choice
              label={trans.__('Old libraries')}
              help={trans.__('An environment configured on the server.')}
              value={chosen}
              options={names.map(name => [name, name] as const)}
              onChange={choose}
            />
          )}
          <div className="jp-mle-Actions">
            <Button
              label={trans.__('Compare with %1', chosen)}
              isEnabled={isIdle}
              onClick={() => void model.actions.compare(chosen)}
            />
          </div>
        </>
      )}
      {probe && <Result model={model} probe={probe} />}
    </Section>
  );
}

function Result({ model, probe }: IModelProps & { probe: Probe }): JSX.Element {
  const trans = useTrans();
  return (
    <>
      {probe.items.length === 0 && (
        <p role="status">
          {trans.__('No silent change is known to concern this notebook.')}
        </p>
      )}
      {probe.items.map(item => (
        <section
          key={`${item.cell_id}/${item.rule}`}
          className="jp-mle-Probed"
          aria-label={item.what}
        >
          <p>
            <CellLink model={model} cellId={item.cell_id} />{' '}
            <VerdictChip item={item} /> {item.what}{' '}
            <Link address={item.link}>{`${item.library} ${item.since}`}</Link>
          </p>
          {item.why && <p className="jp-mle-Hint">{item.why}</p>}
          {item.contrasts.length > 0 && <Contrasts item={item} probe={probe} />}
          {item.compared > 0 && (
            <p className="jp-mle-Hint">
              {trans._n(
                '%1 value was compared.',
                '%1 values were compared.',
                item.compared
              )}{' '}
              {item.unlisted > 0 &&
                trans._n('%1 more differs.', '%1 more differ.', item.unlisted)}
            </p>
          )}
        </section>
      ))}
      {probe.notes.length > 0 && (
        <ul
          className="jp-mle-Remarks"
          aria-label={trans.__('Notes on the comparison')}
        >
          {probe.notes.map((note, index) => (
            <li key={index}>{messageText(note, trans)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function VerdictChip({ item }: { item: Probed }): JSX.Element {
  const trans = useTrans();
  switch (item.verdict) {
    case 'explains':
      return <Chip tone="fair">{trans.__('explains a difference')}</Chip>;
    case 'no-difference':
      return <Chip tone="good">{trans.__('makes no difference here')}</Chip>;
    case 'untold':
      return <Chip tone="plain">{trans.__('could not be determined')}</Chip>;
  }
}

function Contrasts({
  item,
  probe
}: {
  item: Probed;
  probe: Probe;
}): JSX.Element {
  const trans = useTrans();
  return (
    <table className="jp-mle-Contrasts">
      <thead>
        <tr>
          <th scope="col">{trans.__('Value')}</th>
          <th scope="col">{version(probe.then, item.library)}</th>
          <th scope="col">{version(probe.now, item.library)}</th>
          <th scope="col">{trans.__('with the fix')}</th>
        </tr>
      </thead>
      <tbody>
        {item.contrasts.map(contrast => (
          <Row key={contrast.name} contrast={contrast} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ contrast }: { contrast: Contrast }): JSX.Element {
  const { explained, fixed, name, now, then } = contrast;
  return (
    <tr className={explained ? 'jp-mod-explained' : undefined}>
      <th scope="row">{name}</th>
      {[then, now, fixed ?? '–'].map((value, index) => (
        <td key={index}>
          <code>{value}</code>
        </td>
      ))}
    </tr>
  );
}

function version(environment: Environment, library: string): string {
  const found = environment.packages[library];
  return found ? `${library} ${found}` : `Python ${environment.python}`;
}

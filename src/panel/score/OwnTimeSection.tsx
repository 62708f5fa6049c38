import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { CellContrast, ContrastKind } from '../../api/types';
import { CellLink } from '../../review/CellLink';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { Section } from '../../ui/Section';
import { ownTimeText } from '../../words/environments';

const MOST_CELLS = 10;

/**
 * Differences between today's outputs and those of the original library
 * versions: the first cell with both values; a button that compares if no
 * comparison exists.
 */
export function OwnTimeSection({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  if (!session || session.best === null) {
    return null;
  }
  const { contrast, own_time: ownTime } = session;
  const year = session.era?.last_year ?? null;
  const first = contrast?.first ?? null;
  const rest = (contrast?.cells ?? []).filter(
    cell => cell.cell_id !== first?.cell_id
  );
  return (
    <Section
      title={
        year === null
          ? trans.__('Compare with the original libraries')
          : trans.__('Compare with the libraries of %1', year)
      }
      isFolded={!contrast}
    >
      {contrast && ownTime && (
        <>
          <p>
            <Chip
              tone={contrast.agreeing === contrast.compared ? 'good' : 'fair'}
            >
              {trans.__('%1 of %2 cells', contrast.agreeing, contrast.compared)}
            </Chip>{' '}
            {trans.__('give the same today as in the libraries of their time.')}
          </p>
          <p className="jp-mle-Hint">{ownTimeText(ownTime, trans)}</p>
        </>
      )}
      {first && <Difference model={model} cell={first} />}
      {rest.length > 0 && (
        <details>
          <summary>
            {trans._n('%1 more cell', '%1 more cells', rest.length)}
          </summary>
          {rest.slice(0, MOST_CELLS).map(cell => (
            <Difference key={cell.cell_id} model={model} cell={cell} />
          ))}
        </details>
      )}
      {contrast !== null && contrast.unsteady > 0 && (
        <p className="jp-mle-Hint">
          {trans._n(
            '%1 value varies from run to run and was not compared.',
            '%1 values vary from run to run and were not compared.',
            contrast.unsteady
          )}
        </p>
      )}
      <Button
        look="link"
        label={trans.__('What differs today?')}
        caption={trans.__(
          'Run the notebook as it was with its original libraries, and the best one today, and compare them cell by cell'
        )}
        isEnabled={isIdle}
        onClick={() => void model.actions.compareToday()}
      />
    </Section>
  );
}

function Difference(props: IModelProps & { cell: CellContrast }): JSX.Element {
  const trans = useTrans();
  const { cell, model } = props;
  const { error, output, unlisted, values } = cell;
  return (
    <div className="jp-mle-SavedOutputs-cell">
      <CellLink model={model} cellId={cell.cell_id} />{' '}
      {kindLabel(cell.kind, trans)}
      {values.map(({ name, now, then }) => (
        <Values key={name} name={name} then={then} now={now} />
      ))}
      {unlisted > 0 && (
        <p>{trans._n('%1 more value', '%1 more values', unlisted)}</p>
      )}
      {output && (
        <Values
          name={trans.__('what it prints')}
          then={output.saved}
          now={output.fresh}
        />
      )}
      {error !== '' && <code>{error}</code>}
    </div>
  );
}

function Values(props: {
  name: string;
  then: string;
  now: string;
}): JSX.Element {
  const trans = useTrans();
  return (
    <dl className="jp-mle-SavedOutputs-values">
      <dt>{trans.__('What')}</dt>
      <dd>{props.name}</dd>
      <dt>{trans.__('Then')}</dt>
      <dd>
        <code>{props.then || trans.__('nothing')}</code>
      </dd>
      <dt>{trans.__('Now')}</dt>
      <dd>
        <code>{props.now || trans.__('nothing')}</code>
      </dd>
    </dl>
  );
}

function kindLabel(kind: ContrastKind, trans: TranslationBundle): string {
  switch (kind) {
    case 'fails':
      return trans.__('ran then, and fails today.');
    case 'values':
      return trans.__('gives something else today.');
    case 'printed':
      return trans.__('prints something else today.');
    case 'settings':
      return trans.__('has other settings today.');
  }
}

import * as React from 'react';

import type { Metric, SplitKind } from '../../api/types';
import type { INewCompetition } from '../../session/form/newCompetition';
import { Button } from '../../ui/Button';
import { useSignal, useTrans } from '../../ui/context';
import { CheckBox, Choice, TextInput } from '../../ui/fields';
import type { IModelProps } from '../../review/useModel';
import { metricLabel } from '../../words/labels';
import { labelOf } from '../../words/message';

const SPLITS: readonly SplitKind[] = ['random', 'stratified', 'group', 'time'];

/**
 * A new competition from labelled data: look at a directory, correct the
 * guesses, create it.
 */
export function NewCompetition({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { newCompetition: form } = model;
  useSignal(form.changed);
  return (
    <details className="jp-mle-More">
      <summary>{trans.__('Make one from labelled data')}</summary>
      <div className="jp-mle-Form-fields jp-mod-nested">
        <p className="jp-mle-Hint">
          {trans.__(
            'Some of the labelled rows are held out as the answers a submission is graded by. Your data stays as it is.'
          )}
        </p>
        <TextInput
          label={trans.__('Directory with the data')}
          placeholder={trans.__('the file browser’s root')}
          value={form.directory}
          onChange={directory => {
            form.directory = directory;
          }}
          onEnter={() => void form.look()}
        />
        {!form.guess && (
          <div className="jp-mle-Actions">
            <Button
              label={trans.__('Look at the data')}
              isEnabled={!form.isBusy}
              onClick={() => void form.look()}
            />
          </div>
        )}
        <Guesses model={model} />
        {form.problem !== null && (
          <p className="jp-mle-FieldError" role="alert">
            {form.problem}
          </p>
        )}
      </div>
    </details>
  );
}

function Guesses({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { newCompetition: form } = model;
  const { draft, guess } = form;
  if (!draft || !guess) {
    return null;
  }
  const edit = (change: Partial<INewCompetition>) => void form.edit(change);
  const columns = guess.columns.map(name => [name, name] as const);
  return (
    <>
      <Choice
        label={trans.__('Labelled data')}
        value={draft.train}
        options={guess.files.map(name => [name, name] as const)}
        onChange={train => edit({ train })}
      />
      <div className="jp-mle-Form-row">
        <Choice
          label={trans.__('Id column')}
          value={draft.id_column ?? ''}
          options={[['', trans.__('none: add one')], ...columns]}
          onChange={name => edit({ id_column: name || null })}
        />
        <Targets columns={guess.columns} draft={draft} onChange={edit} />
      </div>
      <p className="jp-mle-Hint" role="status">
        {form.isBusy
          ? trans.__('One moment…')
          : trans.__('This looks like %1.', guess.task)}
      </p>
      {guess.metrics.length > 0 ? (
        <Choice
          label={trans.__('Metric')}
          value={draft.metric}
          options={guess.metrics.map(
            metric => [metric, metricLabel(metric, trans)] as const
          )}
          onChange={metric => edit({ metric: metric as Metric })}
        />
      ) : (
        <p className="jp-mle-FieldError" role="alert">
          {trans.__(
            'No common metric fits these targets. Choose another target, or make the competition in a terminal: jupyter modernize competition init.'
          )}
        </p>
      )}
      <div className="jp-mle-Form-row">
        <Choice
          label={trans.__('Hold out')}
          value={draft.split}
          options={SPLITS.map(
            kind => [kind, labelOf('split', kind, trans)] as const
          )}
          onChange={split => edit({ split: split as SplitKind })}
        />
        {(draft.split === 'group' || draft.split === 'time') && (
          <Choice
            label={
              draft.split === 'group'
                ? trans.__('Group column')
                : trans.__('Time column')
            }
            value={draft.splitColumn}
            options={[['', trans.__('choose')], ...columns]}
            onChange={splitColumn => edit({ splitColumn })}
          />
        )}
        <TextInput
          label={trans.__('Share held out')}
          unit="%"
          value={draft.share}
          onChange={share => edit({ share })}
        />
        <TextInput
          label={trans.__('Seed')}
          value={draft.seed}
          onChange={seed => edit({ seed })}
        />
      </div>
      <div className="jp-mle-Form-row">
        <TextInput
          label={trans.__('Name')}
          value={draft.name}
          onChange={name => edit({ name })}
        />
        <TextInput
          label={trans.__('Folder')}
          value={draft.id}
          onChange={id => edit({ id })}
        />
      </div>
      <p className="jp-mle-Hint">
        {trans.__(
          'Written to %1. A notebook reads it from ../input/%2.',
          `${model.info.data_root}/${draft.id}`,
          draft.id
        )}
      </p>
      {form.isTaken && (
        <CheckBox
          label={trans.__('Overwrite what is there')}
          isChecked={draft.overwrite}
          onChange={overwrite => edit({ overwrite })}
        />
      )}
      {!form.isComplete && guess.metrics.length > 0 && (
        <p className="jp-mle-Hint">
          {trans.__(
            'Required: a target, a name, a folder name of letters, digits, dots and dashes, a share between 0 and 100 %, a whole seed, and the column to split by.'
          )}
        </p>
      )}
      <div className="jp-mle-Actions">
        <Button
          look="accept"
          label={trans.__('Make the competition')}
          isEnabled={form.isComplete && !form.isBusy}
          onClick={() => void form.make()}
        />
      </div>
    </>
  );
}

/** Properties of the choice of targets. */
interface ITargetsProps {
  /** All columns. */
  columns: readonly string[];
  /** The form. */
  draft: INewCompetition;
  /** Called with the new choice. */
  onChange: (change: Partial<INewCompetition>) => void;
}

/** The target column; several if the data's form requires it. */
function Targets({ columns, draft, onChange }: ITargetsProps): JSX.Element {
  const trans = useTrans();
  const several = draft.target_columns.join(', ');
  const isSeveral = draft.target_columns.length > 1;
  return (
    <Choice
      label={trans.__('Target column')}
      value={isSeveral ? '' : (draft.target_columns[0] ?? '')}
      options={[
        ...(isSeveral ? [['', several] as const] : []),
        ...columns.map(name => [name, name] as const)
      ]}
      onChange={name => {
        if (name) {
          onChange({ target_columns: [name] });
        }
      }}
    />
  );
}

import * as React from 'react';

import { useTrans } from '../../ui/context';
import { CheckBox, Choice } from '../../ui/fields';
import { TypedInput } from './TypedInput';
import type { IModelProps } from '../../review/useModel';

/** Limits of auto mode: cost, patience, actions without a question. */
export function BudgetFields({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { draft } = model;
  const none = trans.__('no limit');
  return (
    <>
      <div className="jp-mle-Form-row">
        <TypedInput
          model={model}
          name="maxTokens"
          label={trans.__('Tokens at most')}
          help={trans.__('Of the model, in a session.')}
          placeholder={none}
        />
        <TypedInput
          model={model}
          name="maxCost"
          label={trans.__('Cost at most')}
          help={trans.__('Of the model, in a session.')}
          placeholder={none}
          unit={trans.__('USD')}
        />
      </div>
      <div className="jp-mle-Form-row">
        <TypedInput
          model={model}
          name="maxMinutes"
          label={trans.__('Work at most')}
          help={trans.__('Runs and fixes together.')}
          placeholder={none}
          unit={trans.__('min')}
        />
        <TypedInput
          model={model}
          name="patience"
          label={trans.__('Fixes without progress')}
          help={trans.__('Auto mode stops after this many in a row.')}
        />
      </div>
      <Choice
        label={trans.__('Fixes tried at the same time')}
        help={trans.__(
          'Auto mode requests this many from the model and keeps the best.'
        )}
        value={draft.alternatives}
        options={[
          ['1', trans.__('1')],
          ['2', trans.__('2')],
          ['3', trans.__('3')],
          ['4', trans.__('4')]
        ]}
        onChange={alternatives => model.edit({ alternatives })}
      />
      <CheckBox
        label={trans.__('Change the experiment without asking')}
        help={trans.__('Its data, features, model, parameters, seed or split.')}
        isChecked={draft.allowsExperiment}
        onChange={allowsExperiment => model.edit({ allowsExperiment })}
      />
    </>
  );
}

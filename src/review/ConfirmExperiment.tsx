import * as React from 'react';

import { useTrans } from '../ui/context';
import { CheckBox } from '../ui/fields';
import type { IModelProps } from './useModel';
import type { IEditView } from './change';

/**
 * Explicit consent to an edit that changes the experiment; empty for other edits.
 */
export function ConfirmExperiment(
  props: IModelProps & { view: IEditView }
): JSX.Element | null {
  const trans = useTrans();
  const { model, view } = props;
  if (view.consent === 'not-needed' || view.status !== 'pending') {
    return null;
  }
  return (
    <div className="jp-mle-Confirm">
      <p>
        {trans.__(
          "This changes the experiment: data, features, model, parameters, seed or split. Its score may no longer be the old notebook's."
        )}
      </p>
      <CheckBox
        label={trans.__('Yes, I want this change to the experiment')}
        isChecked={view.consent === 'given'}
        onChange={isGiven => model.review.consent(view.edit.id, isGiven)}
      />
    </div>
  );
}

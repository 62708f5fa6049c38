import * as React from 'react';

import type { IDraft } from '../../session/form/settings';
import { useTrans } from '../../ui/context';
import { Choice } from '../../ui/fields';
import type { IModelProps } from '../StatusLine';

/**
 * Whether a run goes past a cell that fails, or stops there and waits for its fix.
 */
export function ScopeChoice({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  return (
    <Choice
      label={trans.__('When a cell fails')}
      value={model.draft.scope}
      options={[
        ['file', trans.__('Run on, then fix all cells at once')],
        ['cell', trans.__('Stop there, fix that cell, continue')]
      ]}
      onChange={scope => model.edit({ scope: scope as IDraft['scope'] })}
    />
  );
}

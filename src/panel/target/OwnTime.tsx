import * as React from 'react';

import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useSignal, useTrans } from '../../ui/context';
import { ownTimeText } from '../../words/environments';

/**
 * The target from the original library versions: the recorded versions, or a
 * button that finds the target if there is none.
 */
export function OwnTime({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  useSignal(model.formChanged);
  const found = session?.own_time ?? null;
  const isOpen = model.draft.target_score === null;
  if (!found && !isOpen) {
    return null;
  }
  return (
    <>
      {found && <p className="jp-mle-Hint">{ownTimeText(found, trans)}</p>}
      {isOpen && (
        <Button
          look="link"
          label={trans.__('Find the target')}
          caption={trans.__(
            'Run the notebook, unchanged, with its original libraries; packages are downloaded for it'
          )}
          isEnabled={isIdle}
          onClick={() => void model.actions.findTarget()}
        />
      )}
    </>
  );
}

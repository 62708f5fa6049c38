import { checkIcon, closeIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { Button } from '../ui/Button';
import { useTrans } from '../ui/context';
import type { IModelProps } from './useModel';

/** The decisions on all pending changes; those without consent stay pending. */
export function AllButtons({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { review } = model;
  const { isEnabled, undecided } = review;
  return (
    <>
      <Button
        look="accept"
        icon={checkIcon}
        label={trans.__('Accept all')}
        caption={trans.__(
          'Accept all pending changes, as one undo step (Shift A)'
        )}
        isEnabled={
          isEnabled && undecided.some(({ consent }) => consent !== 'missing')
        }
        onClick={() => void review.acceptAll()}
      />
      <Button
        look="reject"
        icon={closeIcon}
        label={trans.__('Reject all')}
        caption={trans.__('Leave the notebook as it is (Shift R)')}
        isEnabled={isEnabled}
        onClick={() => void review.rejectAll()}
      />
    </>
  );
}

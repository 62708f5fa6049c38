import * as React from 'react';

import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { download } from '../../ui/download';
import { Section } from '../../ui/Section';

/**
 * The alternative: the notebook stays unchanged, and a kernel with the original
 * library versions is added to Jupyter's menu.
 */
export function BackportSection({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  if (!session) {
    return null;
  }
  const { backport } = session;
  const save = async () => {
    const lock = await model.actions.backportLock();
    if (lock) {
      download(lock, 'pylock.toml');
    }
  };
  return (
    <Section
      title={trans.__('Keep the old libraries instead')}
      isFolded={!backport}
      key={backport ? 'open' : 'folded'}
    >
      {backport ? (
        <>
          <p>
            {trans.__(
              'The kernel “%1” is in the menu: choose it for this notebook, as it was, and it runs with its original libraries.',
              backport.title
            )}
          </p>
          <div className="jp-mle-Actions">
            <Button
              label={trans.__('Lock file')}
              caption={trans.__(
                'Download the versions of all packages (pylock.toml)'
              )}
              onClick={() => void save()}
            />
            <Button
              look="quiet"
              label={trans.__('Remove the kernel')}
              caption={trans.__('Take the kernel out of the menu')}
              isEnabled={isIdle}
              onClick={() => void model.actions.removeBackport()}
            />
          </div>
        </>
      ) : (
        <>
          <p className="jp-mle-Hint">
            {trans.__(
              'The notebook stays unchanged and runs with its original libraries, in a kernel in Jupyter’s menu. Like every kernel there, it has no sandbox.'
            )}
          </p>
          <Button
            look="link"
            label={trans.__('Make a kernel with its original libraries')}
            caption={trans.__(
              'Run the notebook as it was with its original libraries, and put their kernel into the menu; packages are downloaded for it'
            )}
            isEnabled={isIdle}
            onClick={() => void model.actions.backport()}
          />
        </>
      )}
    </Section>
  );
}

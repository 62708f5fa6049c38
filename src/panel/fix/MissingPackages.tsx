import { checkIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { Button } from '../../ui/Button';
import { useTrans } from '../../ui/context';
import { TextInput } from '../../ui/fields';
import { lackingPackages, withPackages } from '../nextStep';

/** A distribution's name, as the server takes it: no path, no address, no option. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/**
 * The packages that the latest run lacked: the code is unchanged. The user names
 * packages that are in no table, and accepts them like an edit; the recommended
 * next step adds those that are all known.
 */
export function MissingPackages({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  const [typed, setTyped] = React.useState<Record<string, string>>({});
  const lacking = session && lackingPackages(session);
  if (!session || !lacking) {
    return null;
  }
  const { known, unknown } = lacking;
  const named = unknown.map(module => (typed[module] ?? '').trim());
  const given = named.filter(name => name !== '');
  const isWrong = (name: string) => name !== '' && !NAME.test(name);
  const names = [...known, ...given];
  const added = new Set(session.settings.packages);
  const problem = session.environment?.problem
    ? session.environment.detail
    : '';
  const canAccept = isIdle && names.length > 0 && !given.some(isWrong);
  const accept = () => {
    if (canAccept) {
      model.edit(withPackages(model.draft, names));
      void model.actions.run();
    }
  };
  return (
    <div
      className="jp-mle-Note jp-mod-fair jp-mle-Packages"
      role="group"
      aria-label={trans.__('Missing packages')}
    >
      <p>
        <strong>
          {trans._n(
            'A package is missing.',
            '%1 packages are missing.',
            known.length + unknown.length
          )}
        </strong>{' '}
        {trans.__(
          'An environment with what it needs is made for this notebook; nothing is installed into yours, and the code does not change.'
        )}
      </p>
      {known.length > 0 && (
        <ul className="jp-mle-Remarks" aria-label={trans.__('Packages to add')}>
          {known.map(name => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      )}
      {unknown.map((module, index) => (
        <TextInput
          key={module}
          label={trans.__('Package of “%1”', module)}
          help={trans.__(
            'If %1 is your own code, put %1.py into the notebook’s folder. Otherwise enter its package’s name on the package index, and check it there: packages with similar names may be something else.',
            module
          )}
          value={typed[module] ?? ''}
          error={
            isWrong(named[index])
              ? trans.__(
                  'A name has letters, digits, “.”, “_” and “-”, for example stop-words.'
                )
              : undefined
          }
          onChange={name => setTyped({ ...typed, [module]: name })}
          onEnter={accept}
        />
      ))}
      {unknown.length > 0 && added.size > 0 && (
        <p className="jp-mle-Hint">
          {trans.__('Added before: %1.', [...added].join(', '))}
        </p>
      )}
      {problem && (
        <p className="jp-mle-Hint">
          {trans.__('It could not be made: %1', problem)}
        </p>
      )}
      {unknown.length > 0 && (
        <div className="jp-mle-Actions">
          <Button
            look="accept"
            icon={checkIcon}
            label={trans.__('Accept')}
            caption={trans.__('Make the environment, and run again in it')}
            isEnabled={canAccept}
            onClick={accept}
          />
        </div>
      )}
    </div>
  );
}

import * as React from 'react';

import type { EnvironmentReport } from '../../api/types';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { currentIteration } from '../../session/reading';
import { Button } from '../../ui/Button';
import { useSignal, useTrans } from '../../ui/context';
import { Choice } from '../../ui/fields';
import { environmentName, environmentText } from '../../words/environments';
import { labelOf } from '../../words/message';

/**
 * The notebook's Python and packages with the reason for the choice.
 */
export function EnvironmentField({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const session = useSession(model);
  const isIdle = useIdle(model);
  useSignal(model.formChanged);
  useSignal(model.preflight.changed);
  const [report, setReport] = React.useState<EnvironmentReport | null>(null);
  const { draft } = model;
  const isSettled = session !== null && session.iterations.length > 0;
  const choice = isSettled
    ? session.environment
    : (model.preflight.found?.choice ?? null);
  return (
    <>
      <Choice
        label={trans.__('Environment')}
        help={
          choice
            ? environmentText(choice, trans)
            : trans.__('The Python and packages the notebook runs with.')
        }
        value={draft.environment ?? ''}
        options={options(draft.environment, report, trans)}
        onChange={name => model.edit({ environment: name || null })}
      />
      {!report && (
        <Button
          look="link"
          label={trans.__('Look for other environments')}
          caption={trans.__(
            'List the kernels and environments of this machine'
          )}
          isEnabled={isIdle}
          onClick={() => void model.environments().then(setReport)}
        />
      )}
    </>
  );
}

/** The files that the latest run could read. */
export function VisibleFiles({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const files =
    (session && currentIteration(session)?.execution)?.files_beside ?? [];
  if (files.length === 0) {
    return null;
  }
  return (
    <details className="jp-mle-More">
      <summary>
        {trans._n(
          '%1 path was shown to the latest run',
          '%1 paths were shown to the latest run',
          files.length
        )}
      </summary>
      <ul className="jp-mle-Remarks">
        {files.map(file => (
          <li key={`${file.path}/${file.access}`}>
            {trans.__(
              '%1: %2',
              file.path,
              labelOf('file-access', file.access, trans)
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function options(
  chosen: string | null,
  report: EnvironmentReport | null,
  trans: ReturnType<typeof useTrans>
): [string, string][] {
  const known: [string, string][] = [
    ['', trans.__('Chosen for the notebook')],
    ['server', trans.__('Jupyter’s own Python')],
    ['own', trans.__('Made for it, packages of today')],
    ['own-time', trans.__('Made for it, original packages')]
  ];
  for (const environment of report?.found ?? []) {
    const isUsable = environment.trouble === null;
    if (isUsable && !known.some(([name]) => name === environment.name)) {
      known.push([environment.name, environmentName(environment, trans)]);
    }
  }
  if (chosen !== null && !known.some(([name]) => name === chosen)) {
    known.push([chosen, chosen]);
  }
  return known;
}

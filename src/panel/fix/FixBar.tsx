import * as React from 'react';

import type { FixType } from '../../api/types';
import { currentIteration } from '../../session/reading';
import {
  fixerChoice,
  type FixerChoice,
  FIXERS
} from '../../session/form/preferences';
import { CommandIDs } from '../../commandIds';
import { Button } from '../../ui/Button';
import { PanelContext, useTrans, useValue } from '../../ui/context';
import { Choice } from '../../ui/fields';
import { type IModelProps, useIdle, useSession } from '../../review/useModel';
import { labelOf } from '../../words/message';

const FIX_TYPES: readonly FixType[] = [
  'error-repair',
  'submission',
  'score-calibration',
  'runtime-reduction'
];

/**
 * Choice of the fix: preset by the diagnosis and the settings, changed by the
 * user.
 */
export function FixBar({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const info = useValue(model.formChanged, () => model.info);
  const session = useSession(model);
  const isIdle = useIdle(model);
  const iteration = session && currentIteration(session);
  const diagnosis = iteration?.diagnosis ?? null;
  const [fixType, setFixType] = React.useState<FixType | null>(null);
  const [fixers, setFixers] = React.useState<FixerChoice | null>(null);
  const state = `${session?.id ?? ''}/${iteration?.number ?? 0}`;
  React.useEffect(() => {
    // A new run has a diagnosis of its own.
    setFixType(null);
  }, [state]);
  if (!session || !diagnosis) {
    return null;
  }
  const { settings } = session;
  const hasModel = info.llm.configured;
  const preset = hasModel ? fixerChoice(settings.fixers) : 'rules';
  const chosenType = fixType ?? diagnosis.fix_type ?? 'score-calibration';
  const chosenFixers = fixers ?? preset;
  const fixerNames: Record<FixerChoice, string> = {
    rules: trans.__('Rules'),
    llm: modelName(info.llm.model) || trans.__('Model'),
    'rules-llm': trans.__('Rules, then model')
  };
  return (
    <div className="jp-mle-FixBar">
      <Button
        label={trans.__('Propose a fix')}
        caption={trans.__(
          'Ask for a fix of the latest run; nothing changes before you accept it'
        )}
        isEnabled={isIdle}
        onClick={() =>
          void model.actions.proposeFix({
            fix_type: chosenType,
            scope: settings.scope,
            fixers: FIXERS[chosenFixers]
          })
        }
      />
      <details className="jp-mle-More">
        <summary>
          {trans.__(
            '%1, %2',
            labelOf('fix-type', chosenType, trans),
            fixerNames[chosenFixers]
          )}
        </summary>
        <div className="jp-mle-Form-fields">
          <Choice
            label={trans.__('Fix type')}
            help={labelOf('fix-type-help', chosenType, trans)}
            value={chosenType}
            options={FIX_TYPES.map(
              type =>
                [
                  type,
                  type === diagnosis.fix_type
                    ? trans.__(
                        '%1 (diagnosed)',
                        labelOf('fix-type', type, trans)
                      )
                    : labelOf('fix-type', type, trans)
                ] as const
            )}
            onChange={value => setFixType(value as FixType)}
          />
          <Choice
            label={trans.__('Fixer')}
            help={
              hasModel
                ? trans.__(
                    'Rules fix documented library changes and cost nothing; a model is asked over the network.'
                  )
                : info.llm.reason
            }
            value={chosenFixers}
            options={[
              ['rules', fixerNames.rules],
              ['llm', fixerNames.llm, !hasModel],
              ['rules-llm', fixerNames['rules-llm'], !hasModel]
            ]}
            onChange={value => setFixers(value as FixerChoice)}
          />
          <Button
            look="link"
            label={trans.__('What is sent')}
            caption={trans.__(
              'Show what a model would be sent for this fix; nothing is sent'
            )}
            onClick={() =>
              execute(CommandIDs.showPrompt, {
                fix_type: chosenType,
                scope: settings.scope
              })
            }
          />
        </div>
      </details>
    </div>
  );
}

function modelName(model: string): string {
  return model.length > 28 ? `${model.slice(0, 27)}…` : model;
}

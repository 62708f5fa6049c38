import * as React from 'react';

import type { FixScope, FixType } from '../../api/types';
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
import { fixTypeLabel } from '../../words/labels';

const FIX_TYPES: readonly FixType[] = [
  'error-repair',
  'score-calibration',
  'runtime-reduction'
];

/**
 * Which fix to ask for: preset by the diagnosis and the settings, switched by hand.
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
  const [scope, setScope] = React.useState<FixScope | null>(null);
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
  const chosenScope = scope ?? settings.scope;
  const chosenFixers = fixers ?? preset;
  return (
    <div className="jp-mle-FixBar">
      <Choice
        label={trans.__('Fix type')}
        value={chosenType}
        options={FIX_TYPES.map(
          type =>
            [
              type,
              type === diagnosis.fix_type
                ? trans.__('%1 (diagnosed)', fixTypeLabel(type, trans))
                : fixTypeLabel(type, trans)
            ] as const
        )}
        onChange={value => setFixType(value as FixType)}
      />
      <div className="jp-mle-Form-row">
        <Choice
          label={trans.__('Scope')}
          value={chosenScope}
          options={[
            ['file', trans.__('All cells')],
            ['cell', trans.__('First failing cell')]
          ]}
          onChange={value => setScope(value as FixScope)}
        />
        <Choice
          label={trans.__('Fixer')}
          value={chosenFixers}
          options={[
            ['rules', trans.__('Rules')],
            ['llm', modelName(info.llm.model) || trans.__('Model'), !hasModel],
            ['rules-llm', trans.__('Rules, then model'), !hasModel]
          ]}
          onChange={value => setFixers(value as FixerChoice)}
        />
      </div>
      {!hasModel && <p className="jp-mle-Hint">{info.llm.reason}</p>}
      <Button
        look="link"
        label={trans.__('What is sent')}
        caption={trans.__(
          'Show what a model would get to read for this fix; nothing is sent'
        )}
        onClick={() =>
          execute(CommandIDs.showPrompt, {
            fix_type: chosenType,
            scope: chosenScope
          })
        }
      />
      <Button
        label={trans.__('Propose a fix')}
        caption={trans.__(
          'Ask for a fix of the latest run; nothing changes before you accept it'
        )}
        isEnabled={isIdle}
        onClick={() =>
          void model.actions.proposeFix({
            fix_type: chosenType,
            scope: chosenScope,
            fixers: FIXERS[chosenFixers]
          })
        }
      />
    </div>
  );
}

function modelName(model: string): string {
  return model.length > 28 ? `${model.slice(0, 27)}…` : model;
}

import * as React from 'react';

import { readNumber, SAMPLE } from '../../session/form/settings';
import { Chip } from '../../ui/Chip';
import { useSignal, useTrans } from '../../ui/context';
import { EstimateNote } from './Estimate';
import { CheckBox, Choice, TextInput } from '../../ui/fields';
import { EnvironmentField, VisibleFiles } from './EnvironmentField';
import { NewCompetition } from './NewCompetition';
import { ScoreSettings } from './ScoreSettings';
import { Section } from '../../ui/Section';
import { OwnTime } from './OwnTime';
import { SettingFields } from './SettingFields';
import { type IModelProps, useSession } from '../../review/useModel';
import { PrintedScores } from '../score/SavedOutputs';
import { TargetSuggestions } from './TargetSuggestions';
import { metricLabel, sandboxLabel } from '../../words/labels';
import { messagesText, messageText } from '../../words/message';

/**
 * The goal: competition and target score; folded if the notebook has none.
 */
export function Target({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  useSignal(model.formChanged);
  const { detected, draft } = model;
  const hasGoal =
    draft.competition !== null ||
    draft.target_score !== null ||
    Boolean(detected?.reason.length);
  // A field that the user clears must not fold.
  const [hadGoal, setHadGoal] = React.useState(hasGoal);
  if (hasGoal && !hadGoal) {
    setHadGoal(true);
  }
  return (
    <Section
      title={trans.__('Competition and target score')}
      badge={hadGoal ? null : <Chip tone="plain">{trans.__('none')}</Chip>}
      isFolded={!hadGoal}
    >
      <Form model={model}>
        <TargetFields model={model} />
      </Form>
    </Section>
  );
}

/** Form of the method, and of the target if it has no place elsewhere. */
export function SettingsForm(
  props: IModelProps & { hasTarget: boolean }
): JSX.Element {
  const { hasTarget, model } = props;
  return (
    <Form model={model}>
      {hasTarget && <TargetFields model={model} />}
      <SettingFields model={model} place="main" />
      <EstimateNote model={model} />
      <MoreFields model={model} />
    </Form>
  );
}

function Form(props: IModelProps & { children: React.ReactNode }): JSX.Element {
  const { children, model } = props;
  useSession(model);
  return (
    <form
      className="jp-mle-Form"
      onSubmit={event => {
        event.preventDefault();
        void model.actions.run();
      }}
    >
      <fieldset className="jp-mle-Form-fields" disabled={model.isWorking}>
        {children}
      </fieldset>
    </form>
  );
}

function TargetFields({ model }: IModelProps): JSX.Element {
  useSignal(model.formChanged);
  const { draft } = model;
  return (
    <>
      <CompetitionField model={model} />
      {!draft.competition && <NewCompetition model={model} />}
      <SettingFields model={model} place="target" />
      <TargetSuggestions model={model} />
      <PrintedScores model={model} />
      <OwnTime model={model} />
    </>
  );
}

/** Rarely changed settings. */
function MoreFields({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  useSignal(model.formChanged);
  useSignal(model.preflight.changed);
  const era = model.preflight.found?.era ?? model.session?.era;
  return (
    <details className="jp-mle-More">
      <summary>{trans.__('More settings')}</summary>
      <div className="jp-mle-Form-fields">
        <SandboxField model={model} />
        <SandboxNote model={model} />
        <UnavailableSandboxes model={model} />
        <EnvironmentField model={model} />
        <SettingFields
          model={model}
          place="running"
          placeholders={{
            era: messagesText(era?.summary ?? [], trans) || undefined
          }}
        />
        <VisibleFiles model={model} />
        <SettingFields model={model} place="fixing" />
        <RehearsalSettings model={model} />
        <SettingFields model={model} place="grading" />
        <ScoreSettings model={model} />
        <SettingFields model={model} place="limits" />
      </div>
    </details>
  );
}

function CompetitionField({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { detected, draft, info } = model;
  const chosen = info.competitions.find(item => item.id === draft.competition);
  const isUnknown = draft.competition !== null && !chosen;
  const speaksOfOne = Boolean(detected?.reason.length);
  return (
    <div className="jp-mle-Form-group">
      <Choice
        label={trans.__('Competition')}
        help={
          chosen
            ? undefined
            : trans.__(
                'The competition supplies the input files and the answers that the score is computed from.'
              )
        }
        value={draft.competition ?? ''}
        options={[
          ['', trans.__('None: only repair errors')],
          ...info.competitions.map(item => [item.id, item.name] as const),
          ...(isUnknown
            ? [[draft.competition ?? '', draft.competition ?? ''] as const]
            : [])
        ]}
        onChange={id => model.edit({ competition: id || null })}
      />
      {chosen && (
        <p className="jp-mle-Hint">
          {chosen.higher_is_better
            ? trans.__(
                '%1, higher is better ↑',
                metricLabel(chosen.metric, trans)
              )
            : trans.__(
                '%1, lower is better ↓',
                metricLabel(chosen.metric, trans)
              )}
        </p>
      )}
      {isUnknown && (
        <p className="jp-mle-FieldError" role="alert">
          {trans.__(
            'The server has no competition of this name. Put its folder below %1, or choose another.',
            info.data_root
          )}
        </p>
      )}
      {speaksOfOne && !draft.competition && info.competitions.length === 0 && (
        <p className="jp-mle-Hint">
          {messagesText(info.no_data, trans) ||
            trans.__('There are no competitions below %1.', info.data_root)}
        </p>
      )}
      {info.problems.length > 0 && (
        // A failure at the server's start may lose work: it is not folded.
        <details
          className="jp-mle-More"
          open={info.problems.some(({ code }) => code === 'server.problem')}
        >
          <summary>
            {trans._n(
              '%1 problem on the server',
              '%1 problems on the server',
              info.problems.length
            )}
          </summary>
          <ul className="jp-mle-Remarks">
            {info.problems.map((problem, index) => (
              <li key={index}>{messageText(problem, trans)}</li>
            ))}
          </ul>
        </details>
      )}
      {detected?.competition === draft.competition &&
        !model.session &&
        speaksOfOne &&
        info.no_data.length === 0 && (
          <p className="jp-mle-Hint">{messagesText(detected.reason, trans)}</p>
        )}
    </div>
  );
}

function SandboxField({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { default_sandbox: best, sandboxes } = model.info;
  return (
    <Choice
      label={trans.__('Sandbox')}
      help={trans.__('Where the notebook runs, separated from your files.')}
      value={model.draft.sandbox ?? ''}
      options={[
        [
          '',
          best
            ? trans.__('Best available (%1)', best)
            : trans.__('Best available')
        ],
        ...sandboxes.map(
          sandbox =>
            [
              sandbox.name,
              sandboxLabel(sandbox, trans),
              !sandbox.available
            ] as const
        )
      ]}
      onChange={name => model.edit({ sandbox: name || null })}
    />
  );
}

function SandboxNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { draft, info } = model;
  const name = draft.sandbox ?? info.default_sandbox;
  const sandbox = info.sandboxes.find(item => item.name === name);
  if (!sandbox) {
    return null;
  }
  if (sandbox.isolated) {
    return sandbox.reason.length > 0 ? (
      <p className="jp-mle-Hint">
        {trans.__('%1: %2.', sandbox.name, messagesText(sandbox.reason, trans))}
      </p>
    ) : null;
  }
  return (
    <p className="jp-mle-Note jp-mod-fair">
      {trans.__(
        'This sandbox is a plain process: the notebook can read your files and reach the network. Use it only for notebooks you trust.'
      )}
    </p>
  );
}

/** Why sandboxes are unavailable, and how to get them. */
function UnavailableSandboxes({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const missing = model.info.sandboxes.filter(sandbox => !sandbox.available);
  // The one that is chosen explains itself.
  const name = model.draft.sandbox ?? model.info.default_sandbox;
  const others = missing.filter(sandbox => sandbox.name !== name);
  if (others.length === 0) {
    return null;
  }
  return (
    <ul
      className="jp-mle-Remarks"
      aria-label={trans.__('Sandboxes that cannot be used here')}
    >
      {others.map(sandbox => (
        <li key={sandbox.name}>
          {trans.__(
            '%1 cannot be used: %2.',
            sandbox.name,
            messagesText(sandbox.reason, trans)
          )}
        </li>
      ))}
    </ul>
  );
}

/**
 * Choice of a rehearsal before the whole notebook runs.
 */
export function RehearsalSettings({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  useSignal(model.formChanged);
  const { rehearsal } = model.draft;
  return (
    <>
      <CheckBox
        label={trans.__(
          'Rehearse with a sample of the data and a short training first'
        )}
        help={trans.__(
          'Finds errors in seconds. A rehearsal only gives hints; a run on the full data decides.'
        )}
        isChecked={rehearsal !== null}
        onChange={rehearses =>
          model.edit({
            rehearsal: rehearses ? SAMPLE : null
          })
        }
      />
      {rehearsal && (
        <TextInput
          label={trans.__('Rows of a table in the sample')}
          help={trans.__('About this many rows of every table are kept.')}
          inputMode="decimal"
          value={model.typed.rehearsal ?? String(rehearsal.rows)}
          error={model.checkedDraft.errors.rehearsal}
          onChange={text =>
            model.edit(
              { rehearsal: { ...rehearsal, rows: readNumber(text) } },
              { rehearsal: text }
            )
          }
        />
      )}
    </>
  );
}

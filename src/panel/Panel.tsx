import { refreshIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

import type { Session } from '../api/types';
import { CommandIDs } from '../commandIds';
import { gradedRuns, missingFile, needsFix } from '../session/reading';
import type { Modernization } from '../review/modernization';
import { type IModelProps, useSession } from '../review/useModel';
import { problemText } from '../words/labels';
import type { IModernizer } from '../tokens';
import { BeforeRun } from './errors/BeforeRun';
import { Button } from '../ui/Button';
import { PanelContext, useSignal, useTrans, useValue } from '../ui/context';
import { DataNote } from './errors/DataNote';
import { Errors, LiveErrors } from './errors/Errors';
import { FixBar } from './fix/FixBar';
import { History } from './history/History';
import { ProbeSection } from './errors/ProbeSection';
import { ProposalSection } from './fix/ProposalSection';
import { RehearsalAdvice } from './errors/Rehearsal';
import { LearnedRules } from './fix/LearnedRules';
import { MissingPackages } from './fix/MissingPackages';
import { WantedResources } from './fix/WantedResources';
import { ImproveSection } from './improve/ImproveSection';
import { WritingSection } from './paper/WritingSection';
import { HotLines } from './errors/HotLines';
import { RunDetails } from './history/RunDetails';
import { BackportSection } from './score/BackportSection';
import { OwnTimeSection } from './score/OwnTimeSection';
import { SavedOutputs } from './score/SavedOutputs';
import { ScoreGauge } from './score/ScoreGauge';
import { Section } from '../ui/Section';
import { useFinished } from '../finish/FinishedNote';
import { isDeadEnd, isDone, stageOf } from './nextStep';
import { StatusLine } from './StatusLine';
import { SettingsForm, Target } from './target/TargetForm';
import { TypedScore } from './score/TypedScore';
import { VerificationSection } from './score/VerificationSection';

/** Properties of the panel. */
export interface IPanelProps {
  /** The modernizations of the open notebooks. */
  modernizer: IModernizer;
}

/**
 * The panel: the active notebook's modernization, or the reason if there is
 * none.
 */
export function Panel({ modernizer }: IPanelProps): JSX.Element {
  const trans = useTrans();
  useSignal(modernizer.changed);
  const { current, hasNotebook, server } = modernizer;
  if (server.kind === 'failed') {
    return (
      <Empty title={trans.__('MLE Modernizer is not ready')}>
        <p role="alert">{server.message}</p>
        <Button
          icon={refreshIcon}
          label={trans.__('Try again')}
          onClick={() => void modernizer.connect()}
        />
      </Empty>
    );
  }
  if (!hasNotebook) {
    return (
      <Empty title={trans.__('No notebook is open')}>
        <p>
          {trans.__(
            'Open an old notebook from the file browser. This panel then runs it in a sandbox, shows what broke and how far its score is off, and proposes fixes for your review.'
          )}
        </p>
      </Empty>
    );
  }
  if (server.kind === 'connecting' || !current) {
    return (
      <Empty title={trans.__('One moment')}>
        <p role="status">{trans.__('Connecting to the server…')}</p>
      </Empty>
    );
  }
  return (
    <>
      {server.warning && (
        <p className="jp-mle-Note jp-mod-fair" role="alert">
          {server.warning}
        </p>
      )}
      <NotebookPart key={current.document.path} model={current} />
    </>
  );
}

function NotebookPart({ model }: { model: Modernization }): JSX.Element {
  const trans = useTrans();
  useSession(model);
  const name = model.document.path.split('/').pop() ?? '';
  if (!model.isPython) {
    return (
      <Empty title={trans.__('Not a Python notebook')}>
        <p>
          {trans.__(
            '%1 is written in %2. Only Python notebooks can be modernized.',
            name,
            model.document.language
          )}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <div className="jp-mle-Header">
        <h2 className="jp-mle-Header-title" title={model.document.path}>
          {name}
        </h2>
      </div>
      <ProblemNote model={model} />
      {model.isLoaded ? (
        <Parts model={model} />
      ) : (
        <p className="jp-mle-Hint" role="status">
          {trans.__('Reading the notebook’s session…')}
        </p>
      )}
    </>
  );
}

function ProblemNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const problem = useValue(model.problemChanged, () => model.problem);
  return (
    problem && (
      <div className="jp-mle-Problem" role="alert">
        <p>{problemText(problem, trans)}</p>
        <Button
          look="quiet"
          label={trans.__('Dismiss')}
          onClick={() => model.dismissProblem()}
        />
      </div>
    )
  );
}

function Parts({ model }: IModelProps): JSX.Element {
  const trans = useTrans();
  const { execute } = React.useContext(PanelContext);
  const session = useSession(model);
  const stage = stageOf(session, model.isWorking);
  const hasRun = (session?.iterations.length ?? 0) > 0;
  const isFinished = useFinished(model)?.isChanged === false;
  const isMissing = session !== null && missingFile(session) !== null;
  const needsTarget =
    (stage === 'first' && !isFinished) || (stage === 'after' && isMissing);
  const needsOutcome = stage === 'after';
  const outcome = session && (
    <Outcome model={model} session={session} isNow={needsOutcome} />
  );
  return (
    <>
      <StatusLine model={model} />
      {stage === 'after' && <DataNote model={model} />}
      {stage === 'after' && <MissingPackages model={model} />}
      {stage === 'after' && <WantedResources model={model} />}
      {stage === 'first' && !isFinished && <BeforeRun model={model} />}
      {needsTarget && <Target model={model} />}
      {stage === 'working' && <LiveErrors model={model} />}
      <ProposalSection model={model} />
      <WritingSection model={model} />
      {needsOutcome && outcome}
      {hasRun ? (
        <Section title={trans.__('Run details')} isFolded>
          {!needsOutcome && outcome}
          <RehearsalAdvice model={model} />
          <VerificationSection model={model} />
          <HotLines model={model} />
          <OwnTimeSection model={model} />
          <ProbeSection model={model} />
          {stage === 'after' && <LearnedRules model={model} />}
          <RunDetails model={model} />
          {!session?.scored && <TypedScore model={model} />}
          {stage === 'after' && <BackportSection model={model} />}
        </Section>
      ) : (
        <ProbeSection model={model} />
      )}
      {stage === 'after' && <ImproveSection model={model} />}
      <Section title={trans.__('Settings')} isFolded>
        <SettingsForm model={model} hasTarget={!needsTarget} />
        <Button
          look="link"
          label={trans.__('Settings for all notebooks')}
          caption={trans.__('Open the settings of MLE Modernizer')}
          onClick={() => execute(CommandIDs.openSettings)}
        />
      </Section>
      <History model={model} />
    </>
  );
}

/** Score, errors and possible next steps of the latest run. */
function Outcome(
  props: IModelProps & { session: Session; isNow: boolean }
): JSX.Element {
  const trans = useTrans();
  const { isNow, model, session } = props;
  const hasGrade = gradedRuns(session).some(item => item.grade !== null);
  // The rules have answered: another fix type is seldom what helps.
  const isStuck = isDeadEnd(session) && !model.info.llm.configured;
  const canFix = !model.isWorking && !isDone(session) && needsFix(session);
  return (
    <>
      {hasGrade && session.scored && (
        <Section title={trans.__('Score')} isFixed={isNow}>
          <ScoreGauge session={session} />
          <TypedScore model={model} />
        </Section>
      )}
      <SavedOutputs model={model} />
      <Errors model={model} />
      {canFix && (
        <Section
          title={trans.__('Fix')}
          isFixed={isNow && !isStuck}
          isFolded={isStuck}
        >
          <FixBar model={model} />
        </Section>
      )}
    </>
  );
}

/** Properties of an empty state. */
interface IEmptyProps {
  /** Name of the missing thing. */
  title: string;
  /** Advice on how to get it. */
  children: React.ReactNode;
}

function Empty(props: IEmptyProps): JSX.Element {
  return (
    <div className="jp-mle-Empty">
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

import type { CellError, Session, SessionSettings } from '../api/types';
import {
  countUndecided,
  currentIteration,
  editState,
  isGood,
  shownReview
} from '../session/reading';

/**
 * State of a notebook, as the panel distinguishes them:
 *
 * - `first`: it has not run.
 * - `working`: the server is at work on it.
 * - `review`: changes wait for a decision.
 * - `run-due`: changes were accepted and have not run.
 * - `after`: it has run, and nothing is open.
 */
export type Stage = 'first' | 'working' | 'review' | 'run-due' | 'after';

/** A possible next step. */
export type Step =
  | 'cancel'
  | 'continue'
  | 'finish'
  | 'make-environment'
  | 'modernize'
  | 'propose-known'
  | 'prove'
  | 'review'
  | 'run'
  | 'run-fresh'
  | 'run-longer'
  | 'examine-longer'
  | 'run-here'
  | 'go-to-error'
  | 'connect-model'
  | 'prepare'
  | 'run-without';

/** The offered steps: at most one of them is emphasized. */
export interface INextSteps {
  /**
   * The recommended step; null if nothing is left to do, or the user can only
   * wait.
   */
  primary: Step | null;
  /** The others, quietly. */
  others: readonly Step[];
}

/** Return the state of a notebook. */
export function stageOf(session: Session | null, isWorking: boolean): Stage {
  if (isWorking) {
    return 'working';
  }
  if (session && countUndecided(session) > 0) {
    return 'review';
  }
  const latest = session && currentIteration(session);
  if (!latest) {
    return 'first';
  }
  return hasAccepted(session) && session.verdict === null ? 'run-due' : 'after';
}

/**
 * Return the offered steps.
 *
 * @param facts.goesOnFrom - The code cell at which a waiting run would resume,
 *   or null.
 * @param facts.canPropose - Whether fixes are known before a run.
 * @param facts.canFinish - Whether the notebook equals the best run's, and that
 *   run is fine.
 * @param facts.hasModel - Whether a language model is configured.
 * @param facts.isFinished - Whether it has that run's outputs, and was not
 *   changed since.
 */
export function nextSteps(facts: {
  stage: Stage;
  session: Session | null;
  goesOnFrom: number | null;
  canPropose: boolean;
  canFinish: boolean;
  hasModel: boolean;
  isFinished: boolean;
}): INextSteps {
  const { canFinish, canPropose, hasModel, session, stage } = facts;
  const { goesOnFrom, isFinished } = facts;
  const run: Step = goesOnFrom === null ? 'run' : 'continue';
  if (session && largeEnvironment(session) !== null && stage !== 'working') {
    return { primary: 'prepare', others: ['run-without'] };
  }
  switch (stage) {
    case 'working':
      return {
        primary: null,
        others:
          session && isPreparing(session)
            ? ['cancel', 'run-without']
            : ['cancel']
      };
    case 'review':
      return { primary: 'review', others: [] };
    case 'first':
      if (isFinished) {
        return { primary: null, others: ['run-here', 'run'] };
      }
      return canPropose && (session?.reviews.length ?? 0) === 0
        ? { primary: 'propose-known', others: ['modernize'] }
        : { primary: 'modernize', others: [] };
    case 'run-due':
    case 'after': {
      const others: Step[] = run === 'continue' ? ['run-fresh'] : [];
      if (session?.verdict === 'needs-time') {
        return { primary: 'run-longer', others: [run, ...others] };
      }
      if (session?.verdict === 'reached') {
        return { primary: 'prove', others: [run, ...others] };
      }
      if (session?.verdict === 'not-examined') {
        return { primary: 'examine-longer', others: [run, ...others] };
      }
      const lacking = session && lackingPackages(session);
      if (stage === 'after' && lacking) {
        // The card requests the packages that only the user can name.
        return lacking.unknown.length === 0
          ? { primary: 'make-environment', others: [run, ...others] }
          : { primary: null, others: [run, ...others] };
      }
      if (isFinished) {
        return { primary: null, others: ['run-here', 'run'] };
      }
      if (canFinish) {
        return { primary: 'finish', others: ['run'] };
      }
      if (session && stage === 'after' && isDeadEnd(session)) {
        const needsHand =
          session.verdict === 'cannot-run' || session.verdict === 'not-python';
        const way: Step[] = needsHand || hasModel ? [] : ['connect-model'];
        return { primary: 'go-to-error', others: [run, ...others, ...way] };
      }
      return (session?.verdict ?? null) === null
        ? { primary: run, others }
        : { primary: null, others: [run, ...others] };
    }
  }
}

/**
 * Packages that an environment made for the notebook would add to the one that lacked them.
 */
export interface ILacking {
  /** By the name they have on the package index. */
  known: readonly string[];
  /** Modules whose package only the user knows. */
  unknown: readonly string[];
}

/**
 * Return the packages that the latest run lacked and that can be installed;
 * null if none.
 */
export function lackingPackages(session: Session): ILacking | null {
  const { environment, missing_packages: missing } = session;
  if (missing.length === 0) {
    return null;
  }
  // Further imports of the notebook: the environment lacks them, too.
  const isMade = environment?.environment?.origin === 'made';
  const further = isMade ? null : environment;
  const known = missing.flatMap(item => item.package ?? []);
  const unknown = missing
    .filter(item => item.package === null)
    .map(item => item.module);
  return {
    known: unique([...known, ...(further?.missing ?? [])]),
    unknown: unique([...unknown, ...(further?.unknown ?? [])])
  };
}

/**
 * Return the form's settings that make these packages available in the next
 * run.
 */
export function withPackages(
  draft: Pick<SessionSettings, 'environment' | 'packages'>,
  packages: readonly string[]
): Pick<SessionSettings, 'environment' | 'packages'> {
  const { environment } = draft;
  // Nothing is installed into an environment of the user's.
  const keeps = environment === null || environment === 'own-time';
  return {
    environment: keeps ? environment : 'own',
    packages: unique([...draft.packages, ...packages])
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Time limits to go on with, in minutes; nine hours are Kaggle's. */
const LONGER = [10, 60, 9 * 60, 24 * 60];

/**
 * Return the time limit to try after one that was too short.
 *
 * @param seconds - The limit that was too short.
 * @returns Minutes.
 */
export function longerLimit(seconds: number): number {
  const double = seconds / 30;
  return LONGER.find(minutes => minutes >= double) ?? double;
}

/**
 * Return the processor time for the rules to try after one that was too short.
 *
 * @param seconds - The time that was too short.
 * @returns Seconds; the server takes an hour at most.
 */
export function longerExamination(seconds: number): number {
  return Math.min(4 * seconds, 3600);
}

/**
 * Return the megabytes of the environment that the work waits for the user's
 * consent to; null if it asks for none.
 */
export function largeEnvironment(session: Session): number | null {
  const ask = session.message.find(({ code }) => code === 'making.ask');
  return ask ? Number(ask.parameters.megabytes) : null;
}

/** Return whether an environment with missing packages is being prepared. */
function isPreparing(session: Session): boolean {
  return session.progress?.message[0]?.code === 'making.for';
}

/** Verdicts that end the work with a cell that fails. */
const DEAD_ENDS: readonly Session['verdict'][] = [
  'cannot-run',
  'not-python',
  'no-fix',
  'no-progress'
];

/** Return whether a cell fails and nobody knows a fix. */
export function isDeadEnd(session: Session): boolean {
  return DEAD_ENDS.includes(session.verdict) && firstError(session) !== null;
}

/** Return the whole notebook's first root error in the latest run, or null. */
export function firstError(session: Session): CellError | null {
  const findings = currentIteration(session)?.diagnosis?.findings ?? [];
  return findings.find(({ kind }) => kind === 'root')?.error ?? null;
}

/** Return whether the notebook has reached its goal. */
export function isDone(session: Session): boolean {
  return session.verdict !== null && isGood(session.verdict);
}

function hasAccepted(session: Session): boolean {
  const shown = shownReview(session);
  return (
    shown !== null &&
    shown.review.proposal.edits.some(
      edit => editState(shown.review, edit.id) === 'accepted'
    )
  );
}

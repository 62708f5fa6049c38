import type { Session } from '../api/types';
import {
  countUndecided,
  currentIteration,
  editState,
  isGood,
  shownReview
} from '../session/reading';

/**
 * Where a notebook stands, as far as it decides what the panel shows:
 *
 * - `first`: it has not run.
 * - `working`: the server is at work on it.
 * - `review`: changes wait for a decision.
 * - `run-due`: changes were accepted and have not run.
 * - `after`: it has run, and nothing is open.
 */
export type Stage = 'first' | 'working' | 'review' | 'run-due' | 'after';

/**
 * What can be done next.
 */
export type Step =
  | 'cancel'
  | 'continue'
  | 'finish'
  | 'make-environment'
  | 'modernize'
  | 'propose-known'
  | 'review'
  | 'run'
  | 'run-fresh'
  | 'run-longer'
  | 'run-here';

/**
 * The steps that are offered: at most one of them stands out.
 */
export interface INextSteps {
  /** The recommended one; null where nothing is left to do, or one can only wait. */
  primary: Step | null;
  /** The others, quietly. */
  others: readonly Step[];
}

/** Where a notebook stands. */
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
 * The steps that are offered.
 *
 * @param facts.goesOnFrom - The code cell a waiting run would go on from, or null.
 * @param facts.canPropose - Whether fixes are known before a run.
 * @param facts.canFinish - Whether the notebook is what the best run ran, and that run is fine.
 * @param facts.isFinished - Whether it has that run's outputs, and was not changed since.
 */
export function nextSteps(facts: {
  stage: Stage;
  session: Session | null;
  goesOnFrom: number | null;
  canPropose: boolean;
  canFinish: boolean;
  isFinished: boolean;
}): INextSteps {
  const { canFinish, canPropose, goesOnFrom, isFinished, session, stage } =
    facts;
  const run: Step = goesOnFrom === null ? 'run' : 'continue';
  switch (stage) {
    case 'working':
      return { primary: null, others: ['cancel'] };
    case 'review':
      return { primary: 'review', others: [] };
    case 'first':
      if (isFinished) {
        return { primary: 'run-here', others: ['run'] };
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
      if (stage === 'after' && session && lackingPackages(session) !== null) {
        return { primary: 'make-environment', others: [run, ...others] };
      }
      if (isFinished) {
        return { primary: 'run-here', others: ['run'] };
      }
      if (canFinish) {
        return { primary: 'finish', others: ['run'] };
      }
      return (session?.verdict ?? null) === null
        ? { primary: run, others }
        : { primary: null, others: [run, ...others] };
    }
  }
}

const NO_MODULE =
  /^(?:No module named '?(\w+)'?$|.*Missing optional dependency '([\w.-]+)')/;

/**
 * What an environment made for the notebook would add to the one that was asked for.
 *
 * @returns Distributions by name, empty where only a run told what is missing; null where the
 * latest run missed no package, or none that a table knows.
 */
export function lackingPackages(session: Session): readonly string[] | null {
  const choice = session.environment;
  if (choice?.reason !== 'asked' || choice.environment?.origin === 'made') {
    return null;
  }
  const findings = currentIteration(session)?.diagnosis?.findings ?? [];
  const isKnown = findings
    .filter(({ kind }) => kind === 'root')
    .map(({ error }) => NO_MODULE.exec(error.evalue))
    .some(found => found && !choice.unknown.includes(found[1] ?? found[2]));
  return isKnown ? choice.missing : null;
}

/** Time limits to go on with, in minutes; nine hours are Kaggle's. */
const LONGER = [10, 60, 9 * 60, 24 * 60];

/**
 * The time limit to try after one that was too short.
 *
 * @param seconds - The limit that was too short.
 * @returns Minutes.
 */
export function longerLimit(seconds: number): number {
  const double = seconds / 30;
  return LONGER.find(minutes => minutes >= double) ?? double;
}

/** Whether the notebook is where it was to be brought. */
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

import type {
  CleanRun,
  EditState,
  Finding,
  Grade,
  Iteration,
  Notebook,
  Phase,
  ResumedRun,
  Review,
  Session,
  Verdict
} from '../api/types';

const WORKING: ReadonlySet<Phase> = new Set<Phase>([
  'preparing',
  'running',
  'grading',
  'fixing'
]);

/** Return whether the server is at work in this phase. */
export function isWorking(phase: Phase): boolean {
  return WORKING.has(phase);
}

/** Return the latest iteration, or null. */
export function currentIteration(session: Session): Iteration | null {
  return session.iterations[session.iterations.length - 1] ?? null;
}

/**
 * A run on all data, which has a score or should have one.
 */
export type GradedRun = CleanRun | ResumedRun;

/** Return whether a run is on all data. */
export function isGraded(item: Iteration): item is GradedRun {
  return item.kind !== 'rehearsal';
}

/** Return the session's runs on all data, in their order. */
export function gradedRuns(session: Session): GradedRun[] {
  return session.iterations.filter(isGraded);
}

/** Return the best run; null if there is none. */
export function bestRun(session: Session): GradedRun | null {
  const item = session.iterations[(session.best ?? 0) - 1];
  return item && isGraded(item) ? item : null;
}

/**
 * Return the grade of the latest iteration; null if it is a rehearsal or has
 * not been graded.
 */
export function currentGrade(session: Session): Grade | null {
  const item = currentIteration(session);
  return item && isGraded(item) ? item.grade : null;
}

/**
 * Return the run whose outputs can finish the notebook: it reached its target,
 * or there is no target and it ran without an error; null if there is none.
 */
export function finishableRun(session: Session): CleanRun | null {
  const { best, iterations, settings, verdict } = session;
  const run = best === null ? null : (iterations[best - 1] ?? null);
  if (run?.kind !== 'clean' || !run.diagnosis) {
    return null;
  }
  const isReached = verdict !== null && isGood(verdict);
  const isFine =
    settings.target_score === null &&
    run.diagnosis.execution_status === 'error-free';
  return isReached || isFine ? run : null;
}

/**
 * Return whether the latest run needs a fix: a cell that failed, a score that
 * is off, outputs that differ from the saved ones.
 */
export function needsFix(session: Session): boolean {
  const item = currentIteration(session);
  if (!item?.diagnosis) {
    return false;
  }
  const { diagnosis } = item;
  const agreement = isGraded(item) ? item.agreement : null;
  const differs = agreement
    ? agreement.agreeing + agreement.close < agreement.compared
    : false;
  const fails = diagnosis.findings.some(({ kind }) => kind === 'root');
  return diagnosis.fix_type !== null || fails || differs;
}

/** Return whether a verdict means that nothing is left to do. */
export function isGood(verdict: Verdict): boolean {
  return (
    verdict === 'reproduced' ||
    verdict === 'above-target' ||
    verdict === 'within-noise'
  );
}

/** Return the state of one of a review's edits on the server. */
export function editState(review: Review, editId: string): EditState {
  return review.decisions[editId]?.state ?? 'pending';
}

/**
 * Status of an edit for the user: the server's state, refined by the
 * document's.
 *
 * - `stale`: waits for a decision, but no longer fits the cell.
 * - `undone`: accepted, and then reverted in the document.
 * - `present`: waits for a decision, but the document has it already.
 */
export type EditStatus = EditState | 'undone' | 'present';

/** Return whether an edit of the review still waits for a decision. */
export function isOpen(review: Review): boolean {
  return (
    !review.adopted &&
    review.proposal.edits.some(edit => editState(review, edit.id) === 'pending')
  );
}

/**
 * Return the review to display: the one that waits for decisions, otherwise the
 * last one of the latest iteration (or, before the first run, the last one).
 * Edits that auto mode took into its scratch copy are not a review of the
 * user's.
 */
export function shownReview(
  session: Session
): { iteration: Iteration | null; review: Review } | null {
  const all: { iteration: Iteration | null; review: Review }[] = [
    ...session.reviews.map(review => ({ iteration: null, review })),
    ...session.iterations.flatMap(iteration =>
      iteration.reviews
        .filter(review => !review.adopted)
        .map(review => ({ iteration, review }))
    )
  ];
  const open = [...all].reverse().find(({ review }) => isOpen(review));
  if (open) {
    return open;
  }
  const last = all[all.length - 1] ?? null;
  const latest = currentIteration(session);
  if (!last || (last.iteration !== latest && !last.review.final)) {
    return null;
  }
  return last;
}

/** Return the number of edits that wait for the user's decision. */
export function countUndecided(session: Session): number {
  const review = shownReview(session)?.review;
  return (
    review?.proposal.edits.filter(
      edit => editState(review, edit.id) === 'pending'
    ).length ?? 0
  );
}

/** A root error with its consequences. */
export interface IRootError {
  /** The cell's own failure. */
  root: Finding;
  /** Failures only because the root failed. */
  cascades: Finding[];
}

/**
 * Return errors in the order of display: roots with their cascades, then
 * harmless ones.
 */
export function foldFindings(findings: readonly Finding[]): {
  roots: IRootError[];
  orphans: Finding[];
  harmless: Finding[];
} {
  const roots: IRootError[] = findings
    .filter(finding => finding.kind === 'root')
    .map(root => ({ root, cascades: [] }));
  const orphans: Finding[] = [];
  for (const finding of findings) {
    if (finding.kind !== 'cascade') {
      continue;
    }
    // A cell may raise one error only, but it can show others before: the raised one is the cause.
    const ofCell = roots.filter(
      item => item.root.error.cell_id === finding.caused_by
    );
    const cause = ofCell.find(item => item.root.error.raised) ?? ofCell[0];
    if (cause) {
      cause.cascades.push(finding);
    } else {
      orphans.push(finding);
    }
  }
  return {
    roots,
    orphans,
    harmless: findings.filter(finding => finding.kind === 'harmless')
  };
}

/**
 * Return the number of the code cell at which a run would resume; null if it
 * would begin with the first.
 *
 * @param session - Of the notebook.
 * @param now - The document's current notebook.
 * @param ran - The waiting run's notebook, null while unknown: the server
 *   decides.
 */
export function goesOnFrom(
  session: Session | null,
  now: Notebook,
  ran: Notebook | null
): number | null {
  const { waiting = null } = session ?? {};
  if (!waiting) {
    return null;
  }
  const cells = codeOf(now);
  if (cells.length < waiting.ordinal) {
    return null;
  }
  const before = ran ? codeOf(ran).slice(0, waiting.ordinal - 1) : [];
  return before.every((source, index) => source === cells[index])
    ? waiting.ordinal
    : null;
}

function codeOf(notebook: Notebook): string[] {
  return notebook.cells
    .filter(cell => cell.type === 'code')
    .map(cell => cell.source);
}

/**
 * Return the missing file that stopped the latest run, by its name in the
 * notebook; null if none did.
 */
export function missingFile(session: Session): string | null {
  const findings = currentIteration(session)?.diagnosis?.findings ?? [];
  const cause = findings.find(
    ({ error, kind }) => kind === 'root' && error.ename === 'FileNotFoundError'
  );
  if (!cause) {
    return null;
  }
  const quoted = /['"`]([^'"`]+)['"`]/.exec(cause.error.evalue);
  return quoted?.[1] ?? cause.error.evalue;
}

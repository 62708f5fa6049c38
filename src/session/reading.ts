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

/**
 * Whether the server is at work in this phase.
 */
export function isWorking(phase: Phase): boolean {
  return WORKING.has(phase);
}

/**
 * The latest iteration, or null.
 */
export function currentIteration(session: Session): Iteration | null {
  return session.iterations[session.iterations.length - 1] ?? null;
}

/**
 * A run on all data, which has a score or should have one.
 */
export type GradedRun = CleanRun | ResumedRun;

/**
 * Whether a run is on all data.
 */
export function isGraded(item: Iteration): item is GradedRun {
  return item.kind !== 'rehearsal';
}

/**
 * The session's runs on all data, in their order.
 */
export function gradedRuns(session: Session): GradedRun[] {
  return session.iterations.filter(isGraded);
}

/**
 * The run that came out best; null where none has.
 */
export function bestRun(session: Session): GradedRun | null {
  const item = session.iterations[(session.best ?? 0) - 1];
  return item && isGraded(item) ? item : null;
}

/**
 * The grade of the latest iteration; null where it is a rehearsal or has not been graded.
 */
export function currentGrade(session: Session): Grade | null {
  const item = currentIteration(session);
  return item && isGraded(item) ? item.grade : null;
}

/**
 * The run whose outputs a notebook could be finished with; null where none is good enough: it
 * reached its target, or there is no target and it ran without an error.
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
 * Whether anything about the latest run is there to be fixed: a cell that failed, a score that is
 * off, outputs other than the saved ones.
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

/**
 * Whether a verdict says that nothing is left to do.
 */
export function isGood(verdict: Verdict): boolean {
  return (
    verdict === 'reproduced' ||
    verdict === 'above-target' ||
    verdict === 'within-noise'
  );
}

/**
 * The state of one of a review's edits, as the server knows it.
 */
export function editState(review: Review, editId: string): EditState {
  return review.decisions[editId]?.state ?? 'pending';
}

/**
 * What a person sees of an edit: the server's state, and what only the document tells.
 *
 * - `stale`: waits for a decision, but nothing of it fits the cell any more.
 * - `undone`: accepted, and then taken back in the document.
 * - `present`: waits for a decision, but the document has it already.
 */
export type EditStatus = EditState | 'undone' | 'present';

/**
 * Whether an edit of the review still waits for a decision.
 */
export function isOpen(review: Review): boolean {
  return (
    !review.adopted &&
    review.proposal.edits.some(edit => editState(review, edit.id) === 'pending')
  );
}

/**
 * The review a person sees: the one that waits for decisions, otherwise the last one of the
 * latest iteration (or, before the first run, the last one). What auto mode took into its scratch copy is no review of the person's.
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

/**
 * How many edits wait for the person's decision.
 */
export function countUndecided(session: Session): number {
  const review = shownReview(session)?.review;
  return (
    review?.proposal.edits.filter(
      edit => editState(review, edit.id) === 'pending'
    ).length ?? 0
  );
}

/**
 * How many edits of a review have a decision, and how many there are.
 */
export function reviewCount(review: Review): { done: number; total: number } {
  const { edits } = review.proposal;
  const done = edits.filter(
    edit => editState(review, edit.id) !== 'pending'
  ).length;
  return { done, total: edits.length };
}

/**
 * A root error with what follows from it.
 */
export interface IRootError {
  /** The cell's own failure. */
  root: Finding;
  /** Failures only because the root failed. */
  cascades: Finding[];
}

/**
 * Errors as a person wants them: roots with their cascades, then what does no harm.
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
 * The number of the code cell a run would go on from; null where it would begin with the first.
 *
 * @param session - Of the notebook.
 * @param now - The notebook as it is in the document.
 * @param ran - What the waiting run ran, null while it is not known: the server has the last word.
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
 * The file whose absence stopped the latest run, as the notebook names it; null where none did.
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

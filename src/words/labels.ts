import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  CellEdit,
  CleanRun,
  Diagnosis,
  FixType,
  Impact,
  Meaning,
  Metric,
  Outcome,
  Phase,
  SandboxInfo,
  ScoreKind,
  Session,
  SplitKind,
  Verdict
} from '../api/types';
import { type EditStatus, isGood } from '../session/reading';
import type { IProblem } from '../session/requests';
import { messagesText, messageText } from './message';

/** Assessment of a state: determines its colour and its sign. */
export type Tone = 'good' | 'fair' | 'bad' | 'busy' | 'plain';

/**
 * Return a problem as a sentence: the server's own, or that it was unexpected.
 */
export function problemText(
  problem: IProblem,
  trans: TranslationBundle
): string {
  return problem.code === 'unexpected'
    ? trans.__('Something went wrong: %1', problem.message)
    : problem.message;
}

/** Return a phase in words. */
export function phaseLabel(phase: Phase, trans: TranslationBundle): string {
  switch (phase) {
    case 'ready':
      return trans.__('Ready');
    case 'preparing':
      return trans.__('Preparing');
    case 'running':
      return trans.__('Running');
    case 'grading':
      return trans.__('Grading');
    case 'fixing':
      return trans.__('Looking for a fix');
    case 'reviewing':
      return trans.__('Your review');
    case 'finished':
      return trans.__('Finished');
    case 'cancelled':
      return trans.__('Cancelled');
    case 'interrupted':
      return trans.__('Interrupted');
    case 'failed':
      return trans.__('Could not continue');
  }
}

/** The facts that determine a session's state. */
type Stand = Pick<Session, 'phase' | 'result' | 'verdict'>;

/**
 * Return a session's state in words: its verdict or the outcome of its best run
 * if the work has ended, otherwise the phase.
 */
export function standLabel(session: Stand, trans: TranslationBundle): string {
  const { phase, result, verdict } = session;
  const isOver = phase === 'finished' || verdict === 'awaits-yes';
  if (isOver && verdict !== null) {
    return verdictLabel(verdict, trans);
  }
  return isOver && result.length > 0
    ? messagesText(result, trans)
    : phaseLabel(phase, trans);
}

/** Return the way out of a session's state if the label does not name it. */
export function standCaption(
  session: Stand,
  trans: TranslationBundle
): string | undefined {
  return session.verdict === 'not-python'
    ? messageText({ code: 'advice.no-python', parameters: {} }, trans)
    : undefined;
}

/** Return the tone of a session's state. */
export function standTone(session: Stand): Tone {
  switch (session.phase) {
    case 'preparing':
    case 'running':
    case 'grading':
    case 'fixing':
      return 'busy';
    case 'failed':
    case 'interrupted':
      return 'bad';
    case 'reviewing':
      return 'fair';
    case 'ready':
    case 'cancelled':
      return 'plain';
    case 'finished':
      break;
  }
  if (session.verdict === null) {
    const [result] = session.result;
    return result ? resultTone(result.code) : 'plain';
  }
  return isGood(session.verdict) ? 'good' : 'fair';
}

/** Return a session's verdict in words. */
export function verdictLabel(
  verdict: Verdict,
  trans: TranslationBundle
): string {
  switch (verdict) {
    case 'reproduced':
      return trans.__('Reproducible');
    case 'within-noise':
      return trans.__('Within its own variation');
    case 'above-target':
      return trans.__('Better than the target');
    case 'below-target':
      return trans.__('Below the target');
    case 'target-implausible':
      return trans.__('Target not plausible');
    case 'grader-mismatch':
      return trans.__('Target of another kind');
    case 'needs-external-data':
      return trans.__('Needs other data');
    case 'non-deterministic':
      return trans.__('Not deterministic');
    case 'cannot-run':
      return trans.__('Cannot run here');
    case 'not-python':
      return trans.__('Not Python code');
    case 'needs-time':
      return trans.__('Needs more time');
    case 'awaits-yes':
      return trans.__('Needs your confirmation');
    case 'no-fix':
      return trans.__('No fix known');
    case 'not-examined':
      return trans.__('Not examined');
    case 'as-saved':
      return trans.__('Fails as in the original');
    case 'budget-spent':
      return trans.__('Limit reached');
    case 'reached':
      return trans.__('Reached, not proven');
    case 'not-proven':
      return trans.__('Not proven');
    case 'no-progress':
      return trans.__('No progress');
  }
}

/** Return a sandbox in words, as a choice. */
export function sandboxLabel(
  sandbox: SandboxInfo,
  trans: TranslationBundle
): string {
  if (!sandbox.available) {
    return trans.__('%1 (cannot be used here)', sandbox.name);
  }
  return sandbox.isolated
    ? sandbox.name
    : trans.__('%1 (not isolated)', sandbox.name);
}

/**
 * Return a run's outcome in words: by its score if there is a target, else by
 * its outputs.
 */
export function outcomeLabel(
  run: Run,
  hasTarget: boolean,
  trans: TranslationBundle
): string {
  if (!hasTarget) {
    return messageText({ code: runResult(run), parameters: {} }, trans);
  }
  switch (run.diagnosis.outcome) {
    case 'error-free-reproducible':
      return trans.__('Reproducible, no errors');
    case 'error-reproducible':
      return trans.__('Reproducible, with errors');
    case 'error-free-non-reproducible':
      return trans.__('Not reproducible, no errors');
    case 'error-non-reproducible':
      return trans.__('Not reproducible, with errors');
    case 'failed':
      return trans.__('Failed');
  }
}

/** Return the tone of a run. */
export function runTone(run: Run, hasTarget: boolean): Tone {
  return hasTarget
    ? outcomeTone(run.diagnosis.outcome)
    : resultTone(runResult(run));
}

/** A run that came to its diagnosis. */
type Run = Pick<CleanRun, 'agreement'> & { diagnosis: Diagnosis };

/**
 * Return the outcome of a run without a compared score, as the server's
 * `run_result` has it.
 */
function runResult({ agreement, diagnosis }: Run): string {
  if (diagnosis.outcome === 'failed') {
    return 'result.failed';
  }
  if (diagnosis.execution_status !== 'error-free') {
    return 'result.with-errors';
  }
  if (!agreement?.compared) {
    return 'result.without-errors';
  }
  const { agreeing, close, compared } = agreement;
  if (agreeing === compared) {
    return 'result.saved-outputs';
  }
  return agreeing + close === compared
    ? 'result.close-outputs'
    : 'result.other-outputs';
}

function resultTone(code: string): Tone {
  switch (code) {
    case 'result.saved-outputs':
    case 'result.close-outputs':
    case 'result.without-errors':
      return 'good';
    case 'result.other-outputs':
      return 'fair';
    default:
      return 'bad';
  }
}

/** Return the tone of an outcome. */
export function outcomeTone(outcome: Outcome): Tone {
  switch (outcome) {
    case 'error-free-reproducible':
    case 'error-reproducible':
      return 'good';
    case 'error-free-non-reproducible':
      return 'fair';
    case 'error-non-reproducible':
    case 'failed':
      return 'bad';
  }
}

/** Return a fix type in words. */
export function fixTypeLabel(
  fixType: FixType,
  trans: TranslationBundle
): string {
  switch (fixType) {
    case 'error-repair':
      return trans.__('Error repair');
    case 'score-calibration':
      return trans.__('Score calibration');
    case 'runtime-reduction':
      return trans.__('Runtime reduction');
    case 'submission':
      return trans.__('Submission');
    case 'before-run':
      return trans.__('Before the first run');
    case 'improvement':
      return trans.__('Improvement');
    case 'writing':
      return trans.__('Writing');
  }
}

/** Return the purpose of a fix of that type, as a sentence. */
export function fixTypeHelp(
  fixType: FixType,
  trans: TranslationBundle
): string {
  switch (fixType) {
    case 'error-repair':
      return trans.__('Makes cells run that fail with today’s libraries.');
    case 'score-calibration':
      return trans.__(
        'Restores what libraries changed silently, to bring the score back.'
      );
    case 'runtime-reduction':
      return trans.__('Makes a notebook fit its time limit.');
    case 'submission':
      return trans.__(
        'Repairs how the submission is written, if it is missing or not valid.'
      );
    case 'before-run':
      return trans.__('Fixes what is known to break before anything runs.');
    case 'improvement':
      return trans.__('Raises the score, as measured on validation folds.');
    case 'writing':
      return trans.__('Repeats the experiment of a paper.');
  }
}

/** Return the effect of a library change on a notebook, in words. */
export function impactLabel(impact: Impact, trans: TranslationBundle): string {
  switch (impact) {
    case 'stops':
      return trans.__('Fails');
    case 'result':
      return trans.__('Other result');
    case 'default':
      return trans.__('Default changed');
    case 'display':
      return trans.__('Looks different');
  }
}

/** Return the tone of an impact. */
export function impactTone(impact: Impact): Tone {
  switch (impact) {
    case 'stops':
      return 'bad';
    case 'result':
    case 'default':
      return 'fair';
    case 'display':
      return 'plain';
  }
}

/** Return the source of a score, in words. */
export function scoreKindLabel(
  kind: ScoreKind,
  trans: TranslationBundle
): string {
  switch (kind) {
    case 'graded':
      return trans.__('graded');
    case 'printed':
      return trans.__('printed by a cell');
    case 'typed':
      return trans.__('typed');
  }
}

/** Return the hold-out rows of a split, in words. */
export function splitLabel(kind: SplitKind, trans: TranslationBundle): string {
  switch (kind) {
    case 'random':
      return trans.__('random rows');
    case 'stratified':
      return trans.__('stratified rows');
    case 'group':
      return trans.__('whole groups');
    case 'time':
      return trans.__('the latest rows');
  }
}

/** Return the metric's name. */
export function metricLabel(metric: Metric, trans: TranslationBundle): string {
  const names: Partial<Record<Metric, string>> = {
    accuracy: trans.__('Accuracy'),
    balanced_accuracy: trans.__('Balanced accuracy'),
    gini: trans.__('Normalised Gini'),
    log_loss: trans.__('Log loss'),
    macro_f1: trans.__('Macro F1'),
    mae: trans.__('MAE'),
    mcc: trans.__('Matthews correlation'),
    micro_f1: trans.__('Micro F1'),
    quadratic_weighted_kappa: trans.__('Quadratic weighted kappa'),
    r2: trans.__('R²'),
    rmse: trans.__('RMSE'),
    rmsle: trans.__('RMSLE'),
    roc_auc: trans.__('ROC AUC'),
    spearman: trans.__('Spearman correlation')
  };
  return names[metric] ?? metric.replace(/_/g, ' ');
}

/** Return the effect of an edit on the experiment, in words. */
export function meaningLabel(
  meaning: Meaning,
  trans: TranslationBundle
): string {
  switch (meaning) {
    case 'rename':
      return trans.__('Renamed API');
    case 'default-pinned':
      return trans.__('Old default written out');
    case 'behaviour-restored':
      return trans.__('Old behaviour restored');
    case 'path':
      return trans.__('Path');
    case 'display':
      return trans.__('Display only');
    case 'speed':
      return trans.__('Same result, faster');
    case 'experiment':
      return trans.__('Changes the experiment');
    case 'other':
      return trans.__('Other change');
  }
}

/** Return an edit's status in words. */
export function statusLabel(
  status: EditStatus,
  { isElsewhere, isPartial }: { isElsewhere: boolean; isPartial: boolean },
  trans: TranslationBundle
): string {
  switch (status) {
    case 'pending':
      return trans.__('To review');
    case 'accepted':
      return isPartial ? trans.__('Partly accepted') : trans.__('Accepted');
    case 'rejected':
      return trans.__('Rejected');
    case 'stale':
      return trans.__('Out of date');
    case 'failed':
      return trans.__('Failed');
    case 'undone':
      return isElsewhere
        ? trans.__('Accepted, but not in this document')
        : trans.__('Accepted, then undone');
    case 'present':
      return trans.__('Already in the notebook');
  }
}

/** Return the tone of an edit's status. */
export function statusTone(status: EditStatus): Tone {
  switch (status) {
    case 'accepted':
      return 'good';
    case 'failed':
      return 'bad';
    case 'stale':
    case 'undone':
      return 'fair';
    case 'pending':
    case 'present':
      return 'busy';
    case 'rejected':
      return 'plain';
  }
}

/**
 * Return the effect of an edit and its cell, in words.
 *
 * @param name - Name of the code cell; null for text cells and cells that are
 *   missing.
 */
export function editTitle(
  edit: CellEdit,
  name: string | null,
  trans: TranslationBundle
): string {
  switch (edit.kind) {
    case 'modify':
      return name === null
        ? trans.__('Change a text cell')
        : trans.__('Change cell %1', name);
    case 'delete':
      return name === null
        ? trans.__('Delete a cell')
        : trans.__('Delete cell %1', name);
    case 'insert':
      if (edit.after === null) {
        return trans.__('New cell at the top');
      }
      return name === null
        ? trans.__('New cell')
        : trans.__('New cell after cell %1', name);
  }
}

/** Return the short name of an edit. */
export function editShortTitle(
  edit: CellEdit,
  name: string | null,
  trans: TranslationBundle
): string {
  // The code stands beside it: the prompt is enough.
  const prompt = name?.replace(/(?<=^\[[\d ]+\]).*/, '') ?? null;
  switch (edit.kind) {
    case 'modify':
      return prompt === null
        ? trans.__('Text cell')
        : trans.__('Cell %1', prompt);
    case 'delete':
      return prompt === null
        ? trans.__('Delete')
        : trans.__('Delete %1', prompt);
    case 'insert':
      return trans.__('New cell');
  }
}

import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  CellEdit,
  CleanRun,
  Diagnosis,
  Impact,
  Metric,
  Outcome,
  SandboxInfo,
  Session
} from '../api/types';
import { type EditStatus, isGood } from '../session/reading';
import type { IProblem } from '../session/requests';
import { labelOf, messagesText, messageText } from './message';

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
    return labelOf('verdict', verdict, trans);
  }
  return isOver && result.length > 0
    ? messagesText(result, trans)
    : labelOf('phase', phase, trans);
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
  return labelOf('outcome', run.diagnosis.outcome, trans);
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

import type { TranslationBundle } from '@jupyterlab/translation';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

/**
 * The ids of the product's commands.
 */
export namespace CommandIDs {
  /** Run the current notebook. */
  export const modernize = 'mle-modernizer:modernize';
  /** The same, once there is something to run again. */
  export const runAgain = 'mle-modernizer:run-again';
  /** Stop the work. */
  export const cancel = 'mle-modernizer:cancel';
  /** Ask for another fix. */
  export const proposeFix = 'mle-modernizer:propose-fix';
  /** Accept the current edit. */
  export const acceptEdit = 'mle-modernizer:accept-edit';
  /** Reject the current edit. */
  export const rejectEdit = 'mle-modernizer:reject-edit';
  /** Take the decision on the current edit back. */
  export const undoEdit = 'mle-modernizer:undo-edit';
  /** Accept all edits that wait. */
  export const acceptAll = 'mle-modernizer:accept-all';
  /** Reject all edits that wait. */
  export const rejectAll = 'mle-modernizer:reject-all';
  /** Look at the next edit. */
  export const nextEdit = 'mle-modernizer:next-edit';
  /** Look at the edit before. */
  export const previousEdit = 'mle-modernizer:previous-edit';
  /** Show the panel. */
  export const openPanel = 'mle-modernizer:open-panel';
  /** Show the review in a tab. */
  export const openReview = 'mle-modernizer:open-review';
  /** Bring an iteration's sources back. */
  export const restoreIteration = 'mle-modernizer:restore-iteration';
  /** Save an iteration as a new notebook. */
  export const saveCopy = 'mle-modernizer:save-copy';
  /** Open the settings. */
  export const openSettings = 'mle-modernizer:open-settings';
  /** Leave the session behind. */
  export const newSession = 'mle-modernizer:new-session';
  /** Show the guide in a tab. */
  export const openGuide = 'mle-modernizer:open-guide';
  /** Choose a notebook to modernize. */
  export const chooseNotebook = 'mle-modernizer:choose-notebook';
  /** Open the notebook selected in the file browser with the panel. */
  export const modernizeFile = 'mle-modernizer:modernize-file';
  /** Make a first notebook for a competition. */
  export const newFromTask = 'mle-modernizer:new-from-task';
  /** Show the statistics of all sessions in a tab. */
  export const openStatistics = 'mle-modernizer:open-statistics';
  /** Look at a batch's folder. */
  export const openBatch = 'mle-modernizer:open-batch';
  /** Read a paper, and make the notebook to reproduce it. */
  export const reproducePaper = 'mle-modernizer:reproduce-paper';
  /** Preview the request to a model. */
  export const showPrompt = 'mle-modernizer:show-prompt';
  /** Show the requests to models and their responses. */
  export const showExchange = 'mle-modernizer:show-exchange';
  /** Take the best run's outputs into the notebook. */
  export const finish = 'mle-modernizer:finish';
  /** Restore the state from before finishing. */
  export const undoFinish = 'mle-modernizer:undo-finish';
  /** Run all cells in JupyterLab's own kernel. */
  export const runHere = 'mle-modernizer:run-here';
  /** Download the report. */
  export const downloadReport = 'mle-modernizer:download-report';
}

/**
 * Return a command's label: without the product's name in the palette, which
 * adds it.
 */
export function commandLabel(label: string, trans: TranslationBundle) {
  return (args: ReadonlyPartialJSONObject): string =>
    args.isPalette === true || label === trans.__('Modernize')
      ? label
      : trans.__('Modernize: %1', label);
}

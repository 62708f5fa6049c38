// Made by `python -m mle_modernizer_server.words.typescript` from the server's words. Do not edit.
import type { TranslationBundle } from '@jupyterlab/translation';

import type { Parameters } from './parameters';

/** What each code says, in the panel's language; its parameters are put in by place. */
export const MESSAGES: Readonly<
  Record<string, (p: Parameters, trans: TranslationBundle) => string>
> = {
  text: (p, trans) => trans.__('%1', p.text('text')),
  'summary.cancelled': (p, trans) => trans.__('Cancelled%1.', p.text('cell')),
  'summary.timed-out': (p, trans) =>
    trans.__(
      'Stopped at the time limit of %1 s%2.',
      p.text('limit'),
      p.text('cell')
    ),
  'summary.stopped': (p, trans) =>
    trans.__('Stopped%1, the first cell that failed.', p.text('cell')),
  'summary.in-cell': (p, trans) =>
    trans.__(' in cell %1 of %2', p.text('cell'), p.text('of')),
  'summary.kernel-died': (p, trans) =>
    trans.__('The kernel died%1.', p.text('cell')),
  'summary.out-of-memory': (p, trans) =>
    trans.__(
      'The kernel was killed because it ran out of memory%1.',
      p.text('cell')
    ),
  'summary.disk-full': (p, trans) =>
    trans.__(
      'The kernel was killed because it ran out of disk space%1.',
      p.text('cell')
    ),
  'summary.failed': (p, trans) =>
    trans._n('%1 cell failed.', '%1 cells failed.', p.count()),
  'summary.failed-and-cascades': (p, trans) =>
    trans._n(
      '%1 cell failed, and %2 more as a consequence.',
      '%1 cells failed, and %2 more as a consequence.',
      p.count(),
      p.text('cascades')
    ),
  'summary.score-holds': (_, trans) =>
    trans.__('The score is reached all the same.'),
  'summary.perfect': (_, trans) =>
    trans.__('The score is perfect: check where it comes from.'),
  'doubt.copy': (p, trans) =>
    trans.__(
      'Not judged yet: its predictions are those of %1, which existed before the run.',
      p.text('file')
    ),
  'doubt.cells': (p, trans) =>
    trans._n(
      'Not judged yet: it depends on %1 cell that failed.',
      'Not judged yet: it depends on %1 cells that failed.',
      p.count()
    ),
  'score.not-judged': (_, trans) =>
    trans.__('The score has not been judged yet.'),
  'summary.ran': (_, trans) => trans.__('Every cell ran without an error.'),
  'summary.no-competition': (_, trans) =>
    trans.__('No competition is selected, so there is no score.'),
  'summary.saved-outputs': (p, trans) =>
    trans._n(
      '%2 of %1 cell reproduces its saved output.',
      '%2 of %1 cells reproduce their saved output.',
      p.count(),
      p.text('agreeing')
    ),
  'result.saved-outputs': (_, trans) =>
    trans.__('Reproduces its saved outputs'),
  'result.other-outputs': (_, trans) => trans.__('Runs, but outputs differ'),
  'result.without-errors': (_, trans) => trans.__('Runs without errors'),
  'result.with-errors': (_, trans) => trans.__('Runs with errors'),
  'result.failed': (_, trans) => trans.__('Failed'),
  'summary.no-submission': (_, trans) =>
    trans.__('No submission CSV was written.'),
  'summary.no-target': (_, trans) => trans.__('No target score is known.'),
  'summary.invalid': (_, trans) => trans.__('The submission is invalid.'),
  'summary.no-score': (_, trans) => trans.__('There is no score.'),
  'summary.not-compared': (p, trans) =>
    trans.__(
      '%1 %2; there is no target score to compare it with.',
      p.text('kind'),
      p.text('score')
    ),
  'summary.reproduced': (p, trans) =>
    trans.__(
      'Reproduced. %1 %2 is %3 the target %4.',
      p.text('kind'),
      p.text('score'),
      p.text('distance'),
      p.text('target')
    ),
  'summary.off': (p, trans) =>
    trans.__(
      '%1 %2 is %3 the target %4.',
      p.text('kind'),
      p.text('score'),
      p.text('distance'),
      p.text('target')
    ),
  'summary.off-and-better': (p, trans) =>
    trans.__(
      '%1 %2 is %3 the target %4, on the better side.',
      p.text('kind'),
      p.text('score'),
      p.text('distance'),
      p.text('target')
    ),
  'summary.resumed-otherwise': (p, trans) =>
    trans.__(
      'The run resumed in the paused kernel ended differently (%1); this clean run counts.',
      p.text('outcome')
    ),
  'score.graded': (_, trans) => trans.__('Score'),
  'score.printed': (_, trans) => trans.__('Printed score'),
  'score.typed': (_, trans) => trans.__('Typed score'),
  'score.within-band': (_, trans) =>
    trans.__('The score is within the band around the target.'),
  'score.better': (_, trans) =>
    trans.__('The score is better than the band around the target.'),
  'score.worse': (_, trans) =>
    trans.__('The score is worse than the band around the target.'),
  'distance.other-kind': (_, trans) => trans.__('not of the same kind as'),
  'distance.above-floor': (p, trans) =>
    trans.__(
      'off by %1 % of the distance from the floor to',
      p.text('percent')
    ),
  'distance.none': (_, trans) => trans.__('exactly'),
  'distance.absolute': (p, trans) => trans.__('%1 off', p.text('distance')),
  'distance.tiny': (_, trans) => trans.__('less than 0.01 % off'),
  'distance.percent': (p, trans) => trans.__('%1 % off', p.text('percent')),
  'outcome.clean-reproducible': (_, trans) =>
    trans.__('without errors, reproducible'),
  'outcome.clean-other': (_, trans) =>
    trans.__('without errors, not reproducible'),
  'outcome.errors-reproducible': (_, trans) =>
    trans.__('with errors, reproducible'),
  'outcome.errors-other': (_, trans) =>
    trans.__('with errors, not reproducible'),
  'rehearsal.timed-out': (p, trans) =>
    trans.__(', cut off after %1 s,', p.text('limit')),
  'rehearsal.kernel-ended': (_, trans) =>
    trans.__(', until the kernel exited,'),
  'rehearsal.doubtful': (p, trans) =>
    trans.__(
      'In a rehearsal on a sample (%1)%2 the first error may be caused by the sample.',
      p.text('size'),
      p.text('ended')
    ),
  'rehearsal.no-error': (p, trans) =>
    trans.__(
      'In a rehearsal on a sample (%1)%2 no cell failed.',
      p.text('size'),
      p.text('ended')
    ),
  'rehearsal.failed': (p, trans) =>
    trans._n(
      'In a rehearsal on a sample (%2)%3 %1 cell failed.',
      'In a rehearsal on a sample (%2)%3 %1 cells failed.',
      p.count(),
      p.text('size'),
      p.text('ended')
    ),
  'rehearsal.failed-and': (p, trans) =>
    trans._n(
      'In a rehearsal on a sample (%2)%3 %1 cell failed, and %4 more that may be caused by the sample.',
      'In a rehearsal on a sample (%2)%3 %1 cells failed, and %4 more that may be caused by the sample.',
      p.count(),
      p.text('size'),
      p.text('ended'),
      p.text('doubted')
    ),
  'sample.rows': (p, trans) =>
    trans.__(
      '%1 of %2 rows',
      p.text('rows', 'thousands'),
      p.text('of', 'thousands')
    ),
  'sample.files': (p, trans) =>
    trans.__('all rows, %1 files left out', p.text('count', 'thousands')),
  'sample.too-large': (p, trans) =>
    trans._n(
      '%1 file was too large to copy: %2.',
      '%1 files were too large to copy, such as %2.',
      p.count(),
      p.text('named')
    ),
  'sample.ids': (p, trans) =>
    trans.__(
      'It was not recognised how the ids of %1 and %2 correspond.',
      p.text('test'),
      p.text('submission')
    ),
  'sampled.file': (_, trans) =>
    trans.__('The file is in the full data but not in the sample.'),
  'sampled.picture': (_, trans) =>
    trans.__('The image may have been left out of the sample.'),
  'sampled.too-few': (_, trans) =>
    trans.__('The sample may have too few rows for this.'),
  'sampled.nothing-left': (_, trans) =>
    trans.__('The sample may have no rows left at this point.'),
  'sampled.value': (_, trans) =>
    trans.__('The sample may lack a value that occurs in the full data.'),
  'sampled.place': (p, trans) =>
    trans.__(
      'The cell uses position %1; the sample has fewer rows.',
      p.text('place', 'thousands')
    ),
  'sampled.count': (p, trans) =>
    trans.__(
      'The cell expects %1 rows; the sample has fewer.',
      p.text('rows', 'thousands')
    ),
  'sampled.rows': (_, trans) =>
    trans.__('The notebook hard-codes a number of rows; the sample has fewer.'),
  'unrehearsed.no-competition': (_, trans) =>
    trans.__('No rehearsal was possible: no competition is known.'),
  'unrehearsed.small': (_, trans) =>
    trans.__('No rehearsal was needed: the data are small already.'),
  'unrehearsed.no-sample': (p, trans) =>
    trans.__('No rehearsal was possible: %1.', p.text('reason')),
  'no-sample.too-long': (_, trans) =>
    trans.__('sampling this much data takes too long'),
  'no-sample.too-many-files': (_, trans) =>
    trans.__('examining so many files takes too long'),
  'no-sample.unreadable': (p, trans) =>
    trans.__(
      'the data cannot be read, or the sample cannot be written (%1)',
      p.text('reason')
    ),
  'no-sample.packed': (p, trans) =>
    trans.__('a file cannot be unpacked (%1)', p.text('reason')),
  'no-sample.not-kept': (p, trans) =>
    trans.__(
      'it cannot be stored in %1 (%2)',
      p.text('root'),
      p.text('reason')
    ),
  'not-permuted.no-competition': (_, trans) =>
    trans.__('there are no competition data'),
  'no-table.training': (_, trans) =>
    trans.__('no table of training data was found'),
  'no-table.test': (_, trans) => trans.__('no table of test data was found'),
  'no-table.sample': (_, trans) => trans.__('no sample submission was found'),
  'not-permuted.labels-unknown': (_, trans) =>
    trans.__('it is not known which columns of the training data are labels'),
  'not-permuted.one-label': (_, trans) =>
    trans.__('all training labels are the same'),
  'not-permuted.no-ids': (_, trans) =>
    trans.__(
      'the test data have no ids, and the sample submission has different rows'
    ),
  'not-permuted.no-submission': (_, trans) =>
    trans.__('the run on shuffled rows wrote no submission'),
  'not-halved.no-submission': (_, trans) =>
    trans.__('the run on half of the test rows wrote no submission'),
  'not-tried.budget': (_, trans) =>
    trans.__('the budget is too small for further runs'),
  'not-permuted.too-long': (_, trans) =>
    trans.__('permuting so much data takes too long'),
  'not-permuted.too-large': (p, trans) =>
    trans.__(
      '%1 has %2 rows, too many to permute at once',
      p.text('table'),
      p.text('rows', 'thousands')
    ),
  'not-permuted.unreadable': (p, trans) =>
    trans.__(
      'the data cannot be read, or the copy cannot be written (%1)',
      p.text('reason')
    ),
  'verdict.copy': (p, trans) =>
    trans.__(
      'The submission is a copy of %1: nothing was predicted.',
      p.text('file')
    ),
  'verdict.runs-within-band': (p, trans) =>
    trans.__(
      "%1 of %2 runs are within the target's band.",
      p.text('within'),
      p.text('of')
    ),
  'advice.within-noise': (_, trans) =>
    trans.__(
      "The notebook's own variation explains the gap: there is nothing to fix."
    ),
  'advice.above-target': (_, trans) =>
    trans.__('A better score needs no fix; check the target if you doubt it.'),
  'advice.below-target': (_, trans) =>
    trans.__(
      'Repeat the run to see how much the score varies, compare with old libraries (probe), or check the target.'
    ),
  'advice.target-implausible': (_, trans) =>
    trans.__('Check the target score, then run again.'),
  'advice.grader-mismatch': (_, trans) =>
    trans.__(
      'Check what the target score measures (metric, direction, scale), correct it, and run again.'
    ),
  'advice.needs-external-data': (_, trans) =>
    trans.__(
      "Put the file into the notebook's folder or the competition's folder, or provide it with --file PATH=FILE, and run again."
    ),
  'advice.needs-folder': (_, trans) =>
    trans.__(
      "Put it into the notebook's folder, and correct the path if it is of another machine."
    ),
  'advice.needs-network': (_, trans) =>
    trans.__(
      "Fetch the file (--fetch URL); or download it yourself, put it under its own name into the notebook's folder (or provide it with --file URL=FILE), and run again. Or give the runs network access (--network; in the panel: Settings, More settings, Network)."
    ),
  'advice.server-not-reached': (_, trans) =>
    trans.__(
      'Public web servers can be reached on ports 80 and 443; see which servers this run reached. The address may no longer exist: look for the file elsewhere and put it beside the notebook.'
    ),
  'advice.library-data': (p, trans) =>
    trans.__(
      '%1 downloads more than a single file, so it cannot be fetched here. Give the runs access to public web servers (--network; in the panel: Settings, More settings, Network); or load the data once in a kernel of your own, save them beside the notebook, and read them from there.',
      p.text('library')
    ),
  'advice.torch-weights': (_, trans) =>
    trans.__(
      'Fetch the weights (--fetch with the address the cell printed, https://download.pytorch.org/models/…), and run again; torch will find them.'
    ),
  'advice.install-nltk': (p, trans) =>
    trans.__(
      'Fetch it (--fetch URL), or install it into one of your environments that has nltk (python -m nltk.downloader -d "$(python -c \'import sys; print(sys.prefix)\')/nltk_data" %1), select that environment, and run again.',
      p.text('name')
    ),
  'advice.install-spacy': (p, trans) =>
    trans.__(
      'Install it into one of your environments that has spacy (python -m spacy download %1), select that environment, and run again.',
      p.text('name')
    ),
  'advice.non-deterministic': (_, trans) =>
    trans.__(
      "Set the notebook's seeds, or judge it by the mean of several runs."
    ),
  'advice.awaits-yes': (_, trans) =>
    trans.__(
      'Review the change and confirm it yourself, or allow changes to the experiment, and run again.'
    ),
  'advice.other-sandbox': (_, trans) =>
    trans.__('Select another sandbox or image, and run again.'),
  'advice.install-program': (_, trans) =>
    trans.__('Install it there, and run again.'),
  'advice.by-hand': (_, trans) => trans.__('Fix it by hand, and run again.'),
  'advice.add-package': (_, trans) =>
    trans.__(
      'Have an environment with it made for this notebook, or select one that has it, and run again.'
    ),
  'advice.import-own': (p, trans) =>
    trans.__(
      'Write `from . import %1` in `%2`, and run again.',
      p.text('module'),
      p.text('file')
    ),
  'advice.no-fix': (_, trans) =>
    trans.__('Fix it by hand, or ask another fixer.'),
  'advice.no-fix-beside': (p, trans) =>
    trans.__('Change %1 by hand, or ask another fixer.', p.text('file')),
  'advice.not-proven': (_, trans) =>
    trans.__(
      'Check the edits: the submission must come from the trained model.'
    ),
  'advice.no-progress': (_, trans) =>
    trans.__('Fix the notebook by hand, or ask another model.'),
  'target.other-kind': (p, trans) =>
    trans.__(
      'The score was %1, the target was %2.',
      p.text('score'),
      p.text('target')
    ),
  'target.trap': (p, trans) =>
    trans.__(
      'The target is reached if a peculiarity of the grader is left out. %1',
      p.text('trap')
    ),
  'target.percentage': (p, trans) =>
    trans.__(
      'The target %1 looks like a percentage; %2 is at most 1. Set the target to %3.',
      p.text('target'),
      p.text('metric'),
      p.text('corrected')
    ),
  'target.other-scale': (p, trans) =>
    trans.__(
      'The target %1 fits %2, not the %3 that is computed.',
      p.text('target'),
      p.text('scale'),
      p.text('metric')
    ),
  'target.unreachable': (p, trans) =>
    trans.__(
      'The target %1 is impossible: %2 lies between %3 and %4.',
      p.text('target'),
      p.text('metric'),
      p.text('low'),
      p.text('high')
    ),
  'target.sample-submission': (p, trans) =>
    trans.__(
      'The target %1 is the score of the sample submission.',
      p.text('target')
    ),
  'target.constant': (p, trans) =>
    trans.__(
      'The target %1 is the score of a constant prediction.',
      p.text('target')
    ),
  'target.out-of-reach': (_, trans) =>
    trans.__('No fix brought the score to the target.'),
  'scale.other-sign': (_, trans) =>
    trans.__('the score with the opposite sign'),
  'scale.other-direction': (_, trans) =>
    trans.__('1 minus the score (the opposite direction)'),
  'scale.mse': (_, trans) => trans.__('the mean squared error'),
  'scale.rmse': (_, trans) => trans.__('the RMSE'),
  'scale.gini': (_, trans) => trans.__('the Gini coefficient'),
  'scale.roc-auc': (_, trans) => trans.__('the ROC AUC'),
  'scale.percentage': (_, trans) => trans.__('the percentage'),
  'needs.server': (p, trans) =>
    trans.__(
      'The notebook downloads something, and the server could not be reached although the run had network access (%1).',
      p.text('error')
    ),
  'needs.network': (p, trans) =>
    trans.__(
      'The notebook downloads something, but runs have no network access (%1).',
      p.text('error')
    ),
  'needs.resource': (p, trans) =>
    trans.__(
      'The notebook uses %1 from %2, which is not installed where it runs.',
      p.text('name'),
      p.text('library')
    ),
  'needs.file': (p, trans) =>
    trans.__('The notebook reads %1, which does not exist.', p.text('path')),
  'needs.folder': (p, trans) =>
    trans.__(
      'The notebook uses the folder %1, which does not exist.',
      p.text('path')
    ),
  'needs.kept-away': (p, trans) =>
    trans.__(
      'The notebook reads %1, which is beside it but %2',
      p.text('path'),
      p.text('reason')
    ),
  'kept-away.too-large': (_, trans) =>
    trans.__('is too large to copy. Select the sandbox `bubblewrap`.'),
  'kept-away.out-of-reach': (_, trans) =>
    trans.__(
      'is not accessible in this sandbox. Select the sandbox `bubblewrap`.'
    ),
  'kept-away.unreadable': (_, trans) =>
    trans.__(
      'cannot be read with your permissions. Change them, and run again.'
    ),
  'cannot-run.kernel-died': (_, trans) =>
    trans.__('The kernel died before the first cell had run.'),
  'cannot-run.program-missing': (p, trans) =>
    trans.__(
      'The program `%1` is not installed where the notebook runs; it is not a Python package.',
      p.text('program')
    ),
  'cannot-run.no-python': (_, trans) =>
    trans.__('The code is not valid Python.'),
  'cannot-run.module-missing': (p, trans) =>
    trans.__(
      'The package that provides `%1` is not installed where the notebook runs.',
      p.text('module')
    ),
  'cannot-run.package-missing': (_, trans) =>
    trans.__(
      'The package that provides a module is not installed where the notebook runs.'
    ),
  'cannot-run.python2-import': (p, trans) =>
    trans.__(
      '`%1` imports `%2`, which is beside it, in a way only Python 2 supports.',
      p.text('file'),
      p.text('module')
    ),
  'stops.in': (p, trans) =>
    trans.__('Cell %1 fails. %2', p.text('cell'), p.text('why')),
  'stops.first': (p, trans) =>
    trans.__('It stops first in %1', p.text('failure')),
  'stops.as-saved': (p, trans) =>
    trans.__(
      'The original failed there too: its saved output shows a %1.',
      p.text('kind')
    ),
  'needs-time.works': (p, trans) =>
    trans.__(
      "No cell failed up to cell %1 of %2, but the notebook needs longer than %3 s. Run it with %4 (the panel's button, or --time-limit %5).",
      p.text('cell'),
      p.text('of'),
      p.text('limit'),
      p.text('longer'),
      p.text('seconds')
    ),
  'needs-time.works-now': (p, trans) =>
    trans.__(
      "No cell fails any more up to cell %1 of %2, but the notebook needs longer than %3 s. Run it with %4 (the panel's button, or --time-limit %5).",
      p.text('cell'),
      p.text('of'),
      p.text('limit'),
      p.text('longer'),
      p.text('seconds')
    ),
  'time.minutes': (p, trans) => trans.__('%1 minutes', p.text('minutes')),
  'time.hours': (p, trans) => trans.__('%1 h', p.text('hours')),
  'stalled.same-patch': (_, trans) =>
    trans.__(
      'The proposed fix leads back to a version that has already been run.'
    ),
  'stalled.tried-before': (_, trans) =>
    trans.__('The proposed fix was tried before and did not help.'),
  'stalled.still-stops': (p, trans) =>
    trans.__('It still stops first in %1', p.text('failure')),
  'failure.first': (p, trans) =>
    trans.__('cell %1: %2.', p.text('cell'), p.text('error')),
  'stalled.same-errors': (p, trans) =>
    trans._n(
      'The last fix changed nothing: the notebook fails with the same errors.',
      'The last %1 fixes changed nothing: the notebook fails with the same errors.',
      p.count()
    ),
  'stalled.same-score': (p, trans) =>
    trans._n(
      'The last fix did not move the score at all.',
      'The last %1 fixes did not move the score at all.',
      p.count()
    ),
  'stalled.no-progress': (p, trans) =>
    trans._n(
      'The last fix made no progress.',
      'The last %1 fixes made no progress.',
      p.count()
    ),
  'budget.no-fix': (_, trans) =>
    trans.__(
      'No fixes are allowed; raise the limit to continue (More settings in the panel, or --max-fixes).'
    ),
  'budget.fixes': (p, trans) =>
    trans._n(
      'The one allowed fix is used up; raise the limit to continue (More settings in the panel, or --max-fixes).',
      'All %1 allowed fixes are used up; raise the limit to continue (More settings in the panel, or --max-fixes).',
      p.count()
    ),
  'budget.tokens': (p, trans) =>
    trans.__(
      'The limit of %1 tokens is used up; raise it to continue (More settings in the panel, or --max-tokens).',
      p.text('tokens', 'thousands')
    ),
  'budget.money': (p, trans) =>
    trans.__(
      'The limit of %1 USD is spent; raise it to continue (More settings in the panel, or --max-cost).',
      p.text('usd')
    ),
  'budget.time': (p, trans) =>
    trans.__(
      'The limit of %1 minutes is over; raise it to continue (More settings in the panel, or --max-minutes).',
      p.text('minutes')
    ),
  'next.run': (_, trans) => trans.__('Run the notebook.'),
  'next.run-on-all-data': (_, trans) => trans.__('Run it on the full data.'),
  'next.run-for-rest': (_, trans) =>
    trans.__('Run the notebook to see what remains.'),
  'next.run-unchanged': (_, trans) =>
    trans.__('Nothing was changed; run the notebook to see what breaks.'),
  'next.run-fixed': (_, trans) =>
    trans.__('Run the notebook again to see what the fix did.'),
  'next.after-rejection': (_, trans) =>
    trans.__(
      'The fix was rejected; ask for another one, or run the notebook again.'
    ),
  'next.review-fix': (_, trans) => trans.__('Review the proposed fix.'),
  'next.review-and-run': (_, trans) =>
    trans.__('Review the proposed fix, then run again.'),
  'next.review-restoring': (_, trans) =>
    trans.__(
      'Libraries changed silently what the differing outputs depend on; review what restores the old behaviour, then run again.'
    ),
  'next.review-elsewhere': (_, trans) =>
    trans.__('Review the proposal, then run the notebook here.'),
  'next.review-changes': (_, trans) => trans.__('Review the changes.'),
  'next.review-before-run': (_, trans) =>
    trans.__('Review what is proposed before the first run.'),
  'review.decided': (_, trans) => trans.__('All changes are decided.'),
  'progress.starting': (_, trans) => trans.__('Starting'),
  'progress.done': (_, trans) => trans.__('done'),
  'progress.next-in-line': (_, trans) =>
    trans.__('Waiting for work on another notebook to finish'),
  'progress.in-line': (p, trans) =>
    trans.__(
      'Waiting for work on other notebooks to finish (%1 ahead)',
      p.text('count')
    ),
  'progress.sandbox': (_, trans) => trans.__('Preparing the sandbox'),
  'progress.this-sandbox': (p, trans) =>
    trans.__('Preparing the %1 sandbox', p.text('sandbox')),
  'progress.rehearsal-sandbox': (_, trans) =>
    trans.__('Preparing the sandbox for a rehearsal'),
  'progress.resuming': (p, trans) =>
    trans.__('Resuming at cell %1', p.text('cell')),
  'progress.sampling': (_, trans) => trans.__('Choosing a sample of the data'),
  'progress.running': (_, trans) => trans.__('Running the notebook'),
  'progress.running-cell': (p, trans) =>
    trans.__('Running cell %1 of %2', p.text('cell'), p.text('of')),
  'progress.rehearsing': (_, trans) => trans.__('Rehearsing on a sample'),
  'progress.rehearsing-cell': (p, trans) =>
    trans.__(
      'Rehearsing on a sample: cell %1 of %2',
      p.text('cell'),
      p.text('of')
    ),
  'progress.grading': (_, trans) => trans.__('Grading the submission'),
  'progress.diagnosing': (_, trans) => trans.__('Examining the results'),
  'progress.looking-ahead': (_, trans) =>
    trans.__('Looking for known breaking changes'),
  'progress.asking-rules': (p, trans) =>
    trans.__('Looking for known breaking changes (%1)', p.text('fix_type')),
  'progress.asking-model': (p, trans) =>
    trans.__('Asking the model (%1)', p.text('fix_type')),
  'progress.reading-answer': (_, trans) =>
    trans.__("Reading the model's answer"),
  'progress.alternatives': (p, trans) =>
    trans.__('Trying %1 fixes in parallel', p.text('count')),
  'progress.alternative': (p, trans) =>
    trans.__(
      'Alternative %1 of %2: %3',
      p.text('number'),
      p.text('of'),
      p.text('step')
    ),
  'progress.study': (p, trans) =>
    trans.__('%1: %2', p.text('study'), p.text('step')),
  'making.missing': (p, trans) =>
    trans.__(
      'Making an environment for this notebook; missing so far: %1',
      p.text('packages')
    ),
  'making.waiting': (_, trans) =>
    trans.__('Waiting: another process is making this environment'),
  'making.python': (_, trans) => trans.__('Looking for a Python of that time'),
  'making.resolving': (_, trans) => trans.__('Resolving package versions'),
  'making.installing': (p, trans) =>
    trans._n('Installing %1 package', 'Installing %1 packages', p.count()),
  'making.downloading': (p, trans) =>
    trans._n(
      'Installing %1 package, at most %2 MB to download',
      'Installing %1 packages, at most %2 MB to download',
      p.count(),
      p.text('megabytes', 'rough')
    ),
  'making.checking': (_, trans) => trans.__('Checking the installed packages'),
  'fetch.progress': (p, trans) =>
    trans.__('Fetching %1: %2 MB', p.text('address'), p.text('megabytes')),
  'fetch.wanted': (p, trans) =>
    trans.__(
      'The notebook reads %1, but runs have no network access. Fetch it once with --fetch %1',
      p.text('address')
    ),
  'fetch.refused': (p, trans) =>
    trans.__('%1 was not fetched: %2.', p.text('address'), p.text('reason')),
  'fetch.not-public': (p, trans) =>
    trans.__(
      '%1 was not fetched: %2 is not a public server. Put the file beside the notebook yourself.',
      p.text('address'),
      p.text('server')
    ),
  'fetch.redirects': (p, trans) =>
    trans.__(
      '%1 was not fetched: it redirects more than %2 times.',
      p.text('address'),
      p.text('most')
    ),
  'fetch.bad-redirect': (p, trans) =>
    trans.__(
      '%1 was not fetched: it redirects to something that is not a web address.',
      p.text('address')
    ),
  'fetch.downgrade': (p, trans) =>
    trans.__(
      '%1 was not fetched: it redirects to an unencrypted connection.',
      p.text('address')
    ),
  'fetch.status': (p, trans) =>
    trans.__(
      '%1 was not fetched: the server answered with status %2.',
      p.text('address'),
      p.text('status')
    ),
  'fetch.packed': (p, trans) =>
    trans.__(
      '%1 was not fetched: the server used a compression that was not requested.',
      p.text('address')
    ),
  'fetch.page': (p, trans) =>
    trans.__(
      '%1 was not fetched: the server sent a web page (a form or a notice) instead of the file.',
      p.text('address')
    ),
  'fetch.too-large': (p, trans) =>
    trans.__(
      '%1 was not fetched: it is larger than %2 MB. Download it yourself and put it beside the notebook.',
      p.text('address'),
      p.text('megabytes', 'rough')
    ),
  'fetch.time': (p, trans) =>
    trans.__(
      '%1 was not fetched: it took longer than %2 seconds.',
      p.text('address'),
      p.text('seconds', 'rough')
    ),
  'fetch.silence': (p, trans) =>
    trans.__(
      '%1 was not fetched: no answer for %2 seconds.',
      p.text('address'),
      p.text('seconds', 'rough')
    ),
  'fetch.certificate': (p, trans) =>
    trans.__(
      "%1 was not fetched: the server's certificate is invalid (%2).",
      p.text('address'),
      p.text('detail')
    ),
  'fetch.no-server': (p, trans) =>
    trans.__(
      '%1 was not fetched: the server does not exist, or there is no network here.',
      p.text('address')
    ),
  'fetch.failed': (p, trans) =>
    trans.__('%1 was not fetched: %2.', p.text('address'), p.text('detail')),
  'fetch.cancelled': (p, trans) =>
    trans.__('Fetching %1 was cancelled.', p.text('address')),
  'fetch.not-kept': (p, trans) =>
    trans.__(
      '%1 was not fetched: %2 cannot be written (%3).',
      p.text('address'),
      p.text('folder'),
      p.text('detail')
    ),
  'fetch.no-such': (p, trans) =>
    trans.__(
      'No fetched file has the id %1; `jupyter modernize resources` lists them.',
      p.text('id')
    ),
  'docker.next-in-line': (_, trans) => trans.__('Waiting for a free container'),
  'docker.in-line': (p, trans) =>
    trans.__('Waiting for a free container (%1 ahead)', p.text('count')),
  'docker.sending': (_, trans) =>
    trans.__('Sending the data to the Docker engine'),
  'docker.fetching': (p, trans) =>
    trans.__('Pulling the image %1', p.text('image')),
  'docker.fetching-layers': (p, trans) =>
    trans.__('Pulling the image %1: %2', p.text('image'), p.text('layers')),
  'docker.fetching-bytes': (p, trans) =>
    trans.__(
      'Pulling the image %1: %2, %3 of %4',
      p.text('image'),
      p.text('layers'),
      p.text('loaded'),
      p.text('total')
    ),
  'docker.layers': (p, trans) =>
    trans.__('%1 of %2 layers', p.text('done'), p.text('of')),
  'docker.less-memory': (p, trans) =>
    trans.__(
      'The machine has only %1 of memory: the notebook gets %2 instead of %3.',
      p.text('there'),
      p.text('given'),
      p.text('asked')
    ),
  'docker.fewer-processors': (p, trans) =>
    trans.__(
      'The machine has only %1 processors: the notebook gets all of them instead of %2.',
      p.text('there'),
      p.text('asked')
    ),
  'run.decides': (_, trans) => trans.__('A clean run decides.'),
  'run.timed-out': (p, trans) =>
    trans.__('Stopped at the time limit of %1 seconds.', p.text('limit')),
  'run.cancelled': (_, trans) => trans.__('Cancelled.'),
  'run.stopped': (p, trans) =>
    trans.__('Stopped at cell %1, the first that failed.', p.text('cell')),
  'beside.translated': (p, trans) =>
    trans._n(
      'A module beside the notebook is written for Python 2; the run used a Python 3 translation of it: %2. Your file is unchanged.',
      'Modules beside the notebook are written for Python 2; the run used Python 3 translations of them: %2. Your files are unchanged.',
      p.count(),
      p.text('files')
    ),
  'beside.relative': (p, trans) =>
    trans._n(
      '%2 imports the module %3 of its own package by its bare name, as in Python 2; the run used a copy in which that works. Your file is unchanged: elsewhere it needs `from . import`.',
      '%2 imports the modules %3 of its own package by their bare names, as in Python 2; the run used a copy in which that works. Your file is unchanged: elsewhere it needs `from . import`.',
      p.count(),
      p.text('file'),
      p.text('modules')
    ),
  'run.not-resumable': (p, trans) =>
    trans.__(
      'It %1, so it cannot simply be run again: the next run starts at the first cell.',
      p.text('reason')
    ),
  'ended.server-shut-down': (_, trans) =>
    trans.__('The server was shut down while this was running; run it again.'),
  'ended.server-went-down': (_, trans) =>
    trans.__(
      'The server stopped unexpectedly while this was running. What it had started has been cleaned up; run it again.'
    ),
  'ended.cancelled': (_, trans) =>
    trans.__('Cancelled. The notebook is unchanged.'),
  'ended.review': (_, trans) => trans.__('Review the changes made so far.'),
  'ended.defect': (p, trans) =>
    trans.__(
      "Something went wrong inside MLE Modernizer (%1); see the server's log.",
      p.text('error')
    ),
  'pause.alternatives': (_, trans) =>
    trans.__('Alternatives run from the start.'),
  'pause.another-run': (_, trans) =>
    trans.__('Another run of the notebook is now the paused one.'),
  'pause.made-room': (_, trans) =>
    trans.__(
      "The paused kernel was ended to make room for another notebook's."
    ),
  'pause.server-shut-down': (_, trans) =>
    trans.__('The server was shut down while the kernel was paused.'),
  'pause.server-went-down': (_, trans) =>
    trans.__('The server stopped unexpectedly while the kernel was paused.'),
  'pause.too-long': (_, trans) =>
    trans.__('The kernel was paused for the maximum time and was ended.'),
  'pause.ended-by-itself': (_, trans) =>
    trans.__('The kernel exited while it was paused.'),
  'pause.kernel-gone': (_, trans) =>
    trans.__(
      'The kernel exited while it was paused, so the notebook runs from the start.'
    ),
  'pause.from-start': (_, trans) =>
    trans.__('The notebook runs from the start.'),
  'pause.whole-run': (_, trans) => trans.__('The notebook runs as a whole.'),
  'pause.work-ended': (_, trans) => trans.__('The work is finished.'),
  'pause.settings-changed': (_, trans) =>
    trans.__('The settings of the run were changed.'),
  'pause.cancelled': (_, trans) => trans.__('Cancelled.'),
  'restart.side-effect': (p, trans) =>
    trans.__(
      'Cell %1 %2, so the notebook runs from the start.',
      p.text('cell'),
      p.text('reason')
    ),
  'restart.earlier-cell': (p, trans) =>
    trans.__(
      'A cell before cell %1 was changed, added or removed, so the notebook runs from the start.',
      p.text('cell')
    ),
  'restart.packages': (_, trans) =>
    trans.__(
      'Different packages are to be installed, so the notebook runs from the start.'
    ),
  'restart.cell-gone': (p, trans) =>
    trans.__(
      'Cell %1 no longer exists, so the notebook runs from the start.',
      p.text('cell')
    ),
  'restart.name-read': (p, trans) =>
    trans.__(
      'Cell %1 had set `%2` before it failed, and later code reads it, so the notebook runs from the start.',
      p.text('cell'),
      p.text('name')
    ),
  'effect.no-answer': (_, trans) =>
    trans.__('left the kernel without an answer'),
  'effect.no-python': (_, trans) =>
    trans.__('is not Python, and its effects are unknown'),
  'effect.no-line': (_, trans) =>
    trans.__('does not report the line at which it failed'),
  'effect.nested': (_, trans) =>
    trans.__('is nested too deeply to determine what it changed'),
  'effect.ran': (p, trans) =>
    trans.__('had run `%1` before it failed', p.text('text')),
  'effect.deleted': (p, trans) =>
    trans.__('had deleted `%1` before it failed', p.text('name')),
  'effect.imported': (_, trans) =>
    trans.__('had imported names it does not list before it failed'),
  'effect.waited': (_, trans) =>
    trans.__('had awaited something before it failed'),
  'effect.read-once': (p, trans) =>
    trans.__(
      'had read from `%1`, which can be read only once, before it failed',
      p.text('name')
    ),
  'effect.changed': (p, trans) =>
    trans.__('had changed `%1` before it failed', p.text('name')),
  'effect.called': (p, trans) =>
    trans.__('had called `%1` before it failed', p.text('name')),
  'effect.called-unknown': (p, trans) =>
    trans.__(
      'had called `%1`, which may change something, before it failed',
      p.text('name')
    ),
  'effect.called-unread': (p, trans) =>
    trans.__(
      'had called `%1`, whose code was not examined, before it failed',
      p.text('name')
    ),
  'effect.called-which': (p, trans) =>
    trans.__('had called `%1`, which %2', p.text('name'), p.text('effect')),
  'effect.random': (_, trans) =>
    trans.__('had drawn random numbers before it failed'),
  'effect.trained': (p, trans) =>
    trans.__('had trained `%1` before it failed', p.text('name')),
  'fix.refused': (p, trans) =>
    trans.__('A proposal was refused: %1', p.text('findings')),
  'fix.held': (p, trans) =>
    trans._n(
      'The proposal changes the experiment in %1 cell (data, features, model, parameters, seed or split) and needs your confirmation.',
      'The proposal changes the experiment in %1 cells (data, features, model, parameters, seed or split) and needs your confirmation.',
      p.count()
    ),
  'fix.taken-back': (p, trans) =>
    trans._n(
      'The edit of cell %2 was reverted: it was tried and did not help.',
      'The edits of cells %2 were reverted: they were tried and did not help.',
      p.count(),
      p.text('cells')
    ),
  'fix.unseen': (p, trans) =>
    trans._n(
      'No run has shown the effect of %1 edit yet; it is marked.',
      'No run has shown the effect of %1 edits yet; they are marked.',
      p.count()
    ),
  'fix.unseen-run': (p, trans) =>
    trans.__(
      'To see it, run the changed notebook with %1 (time limit in the panel, or --time-limit %2).',
      p.text('longer'),
      p.text('seconds')
    ),
  'fix.tried-already': (_, trans) =>
    trans.__(
      'The proposed fix is the same as one that is being tried already.'
    ),
  'fix.model-has-none': (p, trans) =>
    trans.__('The model proposes no change: %1', p.text('reply')),
  'rules.python-only': (_, trans) =>
    trans.__('The rules cover Python notebooks only.'),
  'rules.no-cell-fails': (_, trans) =>
    trans.__('No cell fails; select the whole file as the scope of the fix.'),
  'rules.not-looked': (p, trans) =>
    trans.__('The rules did not examine this notebook: %1.', p.text('why')),
  'rules.none-faster': (_, trans) =>
    trans.__(
      'No rule makes this notebook faster: use a language model, or edit it yourself.'
    ),
  'restoring.none': (_, trans) =>
    trans.__(
      'No known silent change of a library concerns the outputs that differ.'
    ),
  'restoring.cut-off': (_, trans) =>
    trans.__(
      'What libraries are known to have changed silently was restored, but the time was up before that run ended, so it was taken back.'
    ),
  'restoring.none-helped': (_, trans) =>
    trans.__(
      'What libraries are known to have changed silently was restored and run: no more outputs are as saved, so it was taken back.'
    ),
  'rules.none-silent': (p, trans) =>
    trans.__(
      'No changed default or behaviour was found in this notebook%1.',
      p.text('other')
    ),
  'rules.none': (p, trans) =>
    trans.__('No rule applies to this notebook%1.', p.text('other')),
  'rules.none-covers': (p, trans) =>
    trans.__(
      'No rule%1 covers the %2 in cell %3.',
      p.text('other'),
      p.text('error'),
      p.text('cell')
    ),
  'rules.no-automatic-fix': (p, trans) =>
    trans.__(
      'The %1 in cell %2 is a known change, but there is no automatic fix for the code as it stands.',
      p.text('error'),
      p.text('cell')
    ),
  'rules.beside': (p, trans) =>
    trans.__(
      'The error arises in %1, line %2 (`%3`), which the cell imports or calls. Change that file yourself: fixes are made in the notebook only.',
      p.text('file'),
      p.text('line'),
      p.text('code')
    ),
  'rules.beside-for-model': (p, trans) =>
    trans.__(
      'The error arises in %1, line %2 (`%3`), which the cell imports or calls. That file cannot be edited; the notebook can set what it lacks before it imports it.',
      p.text('file'),
      p.text('line'),
      p.text('code')
    ),
  'rules.no-fix-beside': (p, trans) =>
    trans.__(
      'The %1 in cell %2 is a known change, but it arises in %3, line %4. Change that file yourself: fixes are made in the notebook only.',
      p.text('error'),
      p.text('cell'),
      p.text('file'),
      p.text('line')
    ),
  'rules.none-before-run': (_, trans) =>
    trans.__('The rules have nothing to fix before the first run.'),
  'rules.but-rejected': (_, trans) =>
    trans.__(' other than those you rejected'),
  'rules.but-tried': (_, trans) =>
    trans.__(' other than those that were tried without success'),
  'files.choose': (p, trans) =>
    trans.__(
      '%1 may be %2: select one (in the panel, or with --file PATH=FILE).',
      p.text('path'),
      p.text('candidates')
    ),
  'files.nowhere': (p, trans) =>
    trans.__(
      "%1 does not exist, and there is no file of that name in the notebook's folder or among the competition's files.",
      p.text('path')
    ),
  'attempt.rejected': (_, trans) => trans.__('The user rejected it.'),
  'attempt.not-run': (_, trans) => trans.__('It was not run to completion.'),
  'attempt.outcome': (p, trans) => trans.__('%1.', p.text('outcome')),
  'attempt.failed': (p, trans) =>
    trans._n(
      '%2, %1 cell failed.',
      '%2, %1 cells failed.',
      p.count(),
      p.text('outcome')
    ),
  'model.python-only': (_, trans) =>
    trans.__('The model is asked about Python notebooks only.'),
  'model.not-asked': (_, trans) =>
    trans.__('The model was not asked: no edit can provide what is missing.'),
  'model.not-asked-saved': (_, trans) =>
    trans.__(
      'The model was not asked: the remaining errors are those the notebook was saved with.'
    ),
  'model.not-asked-imports': (_, trans) =>
    trans.__(
      'The model was not asked: importing modules took nearly all of the time, and no edit makes that faster.'
    ),
  'model.experiment-not-allowed': (p, trans) =>
    trans.__(
      'Not used: it changes the experiment (data, features, model, parameters, seed or split) in %1, and the user has not allowed that. Find a repair that leaves the experiment as it is.',
      p.text('cells')
    ),
  'model.experiment-not-allowed-in-part': (p, trans) =>
    trans.__(
      'Not used yet: the edits in %1 change the experiment (data, features, model, parameters, seed or split), and the user has not allowed that. Find a repair of these cells that leaves the experiment as it is, or leave them out; nothing is wrong with the other edits, so send them again.',
      p.text('cells')
    ),
  'model.another-way': (_, trans) =>
    trans.__(
      'It is being tried in parallel with what you propose now: take a different approach, or reply that there is no other.'
    ),
  'integrity.private-answers': (p, trans) =>
    trans.__('It reads the answers of the competition (%1).', p.text('key')),
  'integrity.existing-submission': (p, trans) =>
    trans.__('It reads a submission that already exists (%1).', p.text('key')),
  'integrity.constant-prediction': (p, trans) =>
    trans.__('It writes a constant as prediction (column %1).', p.text('key')),
  'integrity.hard-coded-score': (p, trans) =>
    trans.__(
      'It writes a score down instead of computing it (%1).',
      p.text('key')
    ),
  'integrity.network': (p, trans) =>
    trans.__('It reaches for the network (%1).', p.text('key')),
  'integrity.process': (p, trans) =>
    trans.__(
      'It runs code or commands that cannot be reviewed (%1).',
      p.text('key')
    ),
  'integrity.deletion': (p, trans) =>
    trans.__('It deletes files (%1).', p.text('key')),
  'integrity.swallowed-error': (p, trans) =>
    trans.__('It swallows errors around a %1.', p.text('key')),
  'integrity.training-dropped': (_, trans) =>
    trans.__('A training step is gone.'),
  'integrity.model-dropped': (p, trans) =>
    trans.__('A model is gone: %1.', p.text('key')),
  'integrity.model-knows-nothing': (p, trans) =>
    trans.__(
      'It brings a model that learns nothing from the features (%1).',
      p.text('key')
    ),
  'integrity.prediction-replaced': (p, trans) =>
    trans.__(
      'It replaces a function of a model or a metric by another one (%1).',
      p.text('key')
    ),
  'integrity.metric-fixed': (p, trans) =>
    trans.__(
      'It defines a metric that returns a fixed number (%1).',
      p.text('key')
    ),
  'integrity.outside-data': (p, trans) =>
    trans.__(
      'It brings data in that is no file of the competition (%1).',
      p.text('key')
    ),
  'integrity.notebook-ended': (p, trans) =>
    trans.__('It ends the notebook early (%1).', p.text('key')),
  'integrity.submission-without-model': (p, trans) =>
    trans.__(
      'What it writes to %1 does not come from a fitted model any more, but from %2.',
      p.text('file'),
      p.text('instead')
    ),
  'integrity.submission-gone': (p, trans) =>
    trans.__(
      "Nothing writes the model's predictions to %1 any more.",
      p.text('file')
    ),
  'integrity.metric-without-model': (p, trans) =>
    trans.__(
      '%1 is given nothing that a model predicted any more, but %2.',
      p.text('metric'),
      p.text('instead')
    ),
  'integrity.score-not-computed': (p, trans) =>
    trans.__(
      'A score that was computed is now written as a number (%1).',
      p.text('key')
    ),
  'integrity.prediction-from-truth': (p, trans) =>
    trans.__(
      'It makes what is measured out of the true values (%1).',
      p.text('key')
    ),
  'integrity.trained-on-part': (_, trans) =>
    trans.__('A model is trained on a part of the rows.'),
  'integrity.trained-on-other-data': (p, trans) =>
    trans.__(
      'A model is trained on %1 and not on the training data.',
      p.text('instead')
    ),
  'integrity.data-thinned': (p, trans) => trans.__('%1', p.text('what')),
  'integrity.feature-step-dropped': (_, trans) =>
    trans.__('A step that prepares features is gone (.fit_transform).'),
  'integrity.model-changed': (p, trans) =>
    trans.__('Another model: %1 became %2.', p.text('gone'), p.text('name')),
  'integrity.training-cut': (p, trans) =>
    trans.__(
      'Training is cut: %1 was %2 and is %3.',
      p.text('name'),
      p.text('old'),
      p.text('new')
    ),
  'integrity.seed-changed': (p, trans) => trans.__('%1', p.text('change')),
  'integrity.split-changed': (p, trans) => trans.__('%1', p.text('change')),
  'integrity.hyper-parameter-changed': (p, trans) =>
    trans.__('%1', p.text('change')),
  'integrity.assertion-dropped': (p, trans) =>
    trans.__('An assertion is gone: %1.', p.text('key')),
  'integrity.training-data-changed': (p, trans) =>
    trans.__(
      'A model is trained on other variables: %1 became %2.',
      p.text('old'),
      p.text('new')
    ),
  'integrity.metric-changed': (p, trans) =>
    trans.__(
      'A metric is called in another way: %1 became %2.',
      p.text('old'),
      p.text('new')
    ),
  'integrity.training-conditional': (p, trans) =>
    trans.__('A training step now depends on a condition: %1.', p.text('key')),
  'integrity.score-print-dropped': (_, trans) =>
    trans.__('A cell shows less of what its model predicts.'),
  'integrity.dependence-unclear': (p, trans) =>
    trans.__(
      'Whether %1 still depends on a fitted model cannot be read from the code. A run with shuffled labels shows it.',
      p.text('what')
    ),
  'thinned.nrows': (_, trans) => trans.__('Fewer rows are read (nrows).'),
  'thinned.n_rows': (_, trans) => trans.__('Fewer rows are read (n_rows).'),
  'thinned.skiprows': (_, trans) =>
    trans.__('Rows are skipped when reading (skiprows).'),
  'thinned.skipfooter': (_, trans) =>
    trans.__('Rows are skipped when reading (skipfooter).'),
  'thinned.sample': (_, trans) => trans.__('The data is sampled (.sample).'),
  'thinned.slice': (_, trans) => trans.__('The data is cut by a slice.'),
  'thinned.part': (p, trans) =>
    trans.__('Only a part of the data is used (.%1).', p.text('name')),
  'setting.new': (p, trans) =>
    trans.__('%1 is now set to %2.', p.text('name'), p.text('new')),
  'setting.gone': (p, trans) =>
    trans.__('%1 is no longer set to %2.', p.text('name'), p.text('old')),
  'setting.changed': (p, trans) =>
    trans.__(
      '%1 was %2 and is %3.',
      p.text('name'),
      p.text('old'),
      p.text('new')
    ),
  'comes-from.sample': (_, trans) => trans.__('the sample submission'),
  'comes-from.earlier': (_, trans) =>
    trans.__('a submission that was there before'),
  'comes-from.training': (_, trans) => trans.__('the training data alone'),
  'comes-from.test': (_, trans) => trans.__("the test data's own columns"),
  'comes-from.code': (_, trans) => trans.__('what is written in the code'),
  'comes-from.two': (p, trans) =>
    trans.__('%1 and %2', p.text('first'), p.text('second')),
  'depends.submission': (_, trans) => trans.__('the submission'),
  'depends.result': (_, trans) => trans.__('a result'),
  'metric-given.nothing': (_, trans) => trans.__('nothing'),
  'left-out.needs': (p, trans) =>
    trans.__(
      'The edit of cell %1 was left out: it needs the edit of cell %2, which was left out.',
      p.text('cell'),
      p.text('needs')
    ),
  'left-out.why': (p, trans) =>
    trans.__(
      'The edit of cell %1 was left out: %2',
      p.text('cell'),
      p.text('why')
    ),
  'left-out.why-in-line': (p, trans) =>
    trans.__(
      'The edit of cell %1 was left out, line %2: %3',
      p.text('cell'),
      p.text('line'),
      p.text('why')
    ),
  'left-out.of-reply': (p, trans) =>
    trans.__("A part of the model's reply was left out: %1", p.text('what')),
  'left-out.no-code-cell': (p, trans) =>
    trans.__(
      "The model's change of cell %1 was left out: it is no code cell.",
      p.text('cell')
    ),
  'rules.era-unknown': (p, trans) =>
    trans.__(
      'Whether the notebook is older than %1 cannot be told from it; if it is newer, say its era in the settings and reject the defaults written out here.',
      p.text('changes')
    ),
  'rules.taken-for': (p, trans) =>
    trans.__('Taken to be written for %1.', p.text('era')),
  'rules.assumed': (p, trans) =>
    trans.__(
      'Not proved by the code, and taken for granted: %1.',
      p.text('what')
    ),
  'rules.cell-not-changed': (p, trans) =>
    trans.__(
      'Cell %1: not changed, because %2 (%3).',
      p.text('cell'),
      p.text('why'),
      p.text('change', 'clause')
    ),
  'rules.line-not-changed': (p, trans) =>
    trans.__(
      'Cell %1: line %2 of the changed cell is left as it was, because %3 (%4).',
      p.text('cell'),
      p.text('line'),
      p.text('why'),
      p.text('change', 'clause')
    ),
  'rules.cell-left-alone': (p, trans) =>
    trans.__('Cell %1 was left alone: %2.', p.text('cell'), p.text('why')),
  'improve.measured': (p, trans) =>
    trans.__(
      'Measured: better by %1 (%2 to %3) on the mean of %4 validation folds.',
      p.text('mean'),
      p.text('low'),
      p.text('high'),
      p.text('folds')
    ),
  'improve.measured-once': (p, trans) =>
    trans.__(
      'Measured: %1 on a single hold-out set, which is weak evidence: the difference may be chance.',
      p.text('mean')
    ),
  'detected.path': (p, trans) =>
    trans.__('The notebook reads from ../input/%1.', p.text('competition')),
  'detected.name': (p, trans) =>
    trans.__('The notebook names %1 in its code.', p.text('competition')),
  'detected.kaggle': (p, trans) =>
    trans.__(
      "Kaggle's %1 beside it names %2.",
      p.text('file'),
      p.text('competition')
    ),
  'detected.several': (p, trans) =>
    trans.__(
      'The notebook speaks of %1 alike; choose the competition.',
      p.text('competitions')
    ),
  'detected.files': (p, trans) =>
    trans.__(
      'The files and columns the notebook reads are those of %1.',
      p.text('competition')
    ),
  'detected.data': (p, trans) =>
    trans.__(
      'The data the notebook reads are those of %1.',
      p.text('competition')
    ),
  'detected.several-data': (p, trans) =>
    trans.__(
      'The data the notebook reads are those of %1 alike; choose one.',
      p.text('competitions')
    ),
  'detected.absent': (p, trans) =>
    trans.__(
      'The notebook reads from ../input/%1, but no such competition lies below the data root; choose one or add its data.',
      p.text('competition')
    ),
  'era.library-python-2': (_, trans) => trans.__('Python 2'),
  'era.library-before': (p, trans) =>
    trans.__('%1 before %2', p.text('library'), p.text('version')),
  'era.library-since': (p, trans) =>
    trans.__('%1 %2 or newer', p.text('library'), p.text('version')),
  'era.library': (p, trans) =>
    trans.__('%1 %2', p.text('library'), p.text('version')),
  'era.library-between': (p, trans) =>
    trans.__('%1 %2–%3', p.text('library'), p.text('first'), p.text('last')),
  'era.libraries': (p, trans) =>
    trans.__('%1, %2', p.text('first'), p.text('second')),
  'era.year': (p, trans) => trans.__('%1', p.text('year')),
  'era.years': (p, trans) => trans.__('%1–%2', p.text('first'), p.text('last')),
  'era.year-or-later': (p, trans) => trans.__('%1 or later', p.text('year')),
  'era.year-or-earlier': (p, trans) =>
    trans.__('%1 or earlier', p.text('year')),
  'era.libraries-and-years': (p, trans) =>
    trans.__('%1 (%2)', p.text('libraries'), p.text('years')),
  'era.written-for': (p, trans) => trans.__('Written for %1.', p.text('era')),
  'era.written-for-and-runs-on': (p, trans) =>
    trans.__('Written for %1, runs on %2.', p.text('era'), p.text('now')),
  'era.you-say-written-for': (p, trans) =>
    trans.__('You say it was written for %1.', p.text('era')),
  'era.you-say-written-for-and-runs-on': (p, trans) =>
    trans.__(
      'You say it was written for %1, runs on %2.',
      p.text('era'),
      p.text('now')
    ),
  'era.you-say': (_, trans) => trans.__('You say so.'),
  'era.ran-in': (p, trans) =>
    trans.__('Its metadata say that it ran in %1.', p.text('month')),
  'era.speaks-of': (p, trans) =>
    trans.__('Its text speaks of the year %1.', p.text('year')),
  'era.kernel-python-2': (_, trans) => trans.__('Its kernel was Python 2.'),
  'era.saved-with': (p, trans) =>
    trans.__('It was last saved with Python %1.', p.text('version')),
  'era.keras-backend': (_, trans) =>
    trans.__(
      "Its outputs name Keras's backend, which Keras said before 2.4 only."
    ),
  'era.will-change': (p, trans) =>
    trans.__(
      'A warning in its outputs says what %1 %2 will change.',
      p.text('library'),
      p.text('version')
    ),
  'era.deprecated': (p, trans) =>
    trans.__(
      'A warning in its outputs says what %1 %2 deprecated.',
      p.text('library'),
      p.text('version')
    ),
  'era.outputs-name': (p, trans) =>
    trans.__('Its outputs name %1 %2.', p.text('library'), p.text('version')),
  'era.installs': (p, trans) =>
    trans.__('It installs %1 %2.', p.text('library'), p.text('version')),
  'era.python-2-form': (p, trans) => trans.__('Python 2: %1', p.text('what')),
  'era.python-2': (_, trans) => trans.__('It is written in Python 2.'),
  'era.gone': (p, trans) =>
    trans.__(
      'It uses what %1 %2 no longer has: %3',
      p.text('library'),
      p.text('version'),
      p.text('what')
    ),
  'era.uses': (p, trans) =>
    trans.__(
      'It uses %1, which came with %2 %3.',
      p.text('what'),
      p.text('library'),
      p.text('version')
    ),
  'era.f-strings': (_, trans) => trans.__('f-strings'),
  'era.walrus': (_, trans) => trans.__('the operator :='),
  'era.match': (_, trans) => trans.__('the match statement'),
  'preflight.other-language': (_, trans) =>
    trans.__('The rules know Python notebooks only.'),
  'preflight.unparsed': (p, trans) =>
    trans.__('Was not looked into: %1.', p.text('why')),
  'preflight.not-python': (p, trans) =>
    trans.__('Was not looked into: it is no Python (%1).', p.text('magic')),
  'preflight.installs': (p, trans) =>
    trans.__(
      '%1 itself; if that works, that version counts.',
      p.text('installs', 'clause')
    ),
  'preflight.no-analysis': (p, trans) =>
    trans.__('The notebook was not looked into: %1.', p.text('why')),
  'grade.no-competition': (_, trans) =>
    trans.__('There is no competition, so the CSV cannot be graded.'),
  'grade.no-csv-no-competition': (_, trans) =>
    trans.__('The run wrote no CSV, and there is no competition to grade one.'),
  'grade.no-csv': (_, trans) => trans.__('The run wrote no CSV.'),
  'grade.other-kind': (p, trans) =>
    trans.__(
      'The score was %1, the target was %2: scores of different kinds are not compared.',
      p.text('score'),
      p.text('target')
    ),
  'grade.nearest': (p, trans) =>
    trans.__('%1: %2', p.text('path'), p.text('why')),
  'grade.answers': (p, trans) =>
    trans.__(
      'The answers of %1 cannot be used: %2.',
      p.text('competition'),
      p.text('why', 'clause')
    ),
  'grade.no-output': (p, trans) =>
    trans.__("No output fits '%1'.", p.text('pattern')),
  'grading.time': (p, trans) =>
    trans.__('Grading took longer than %1 s', p.text('seconds')),
  'grading.memory': (p, trans) =>
    trans.__('Grading needed more than %1 GB of memory', p.text('gigabytes')),
  'grading.broke-off': (p, trans) =>
    trans.__('Grading was aborted (%1)', p.text('words')),
  'grading.silent': (_, trans) =>
    trans.__('Grading was aborted without a message'),
  'grading.too-many-broke': (_, trans) =>
    trans.__('It was not graded: too many other files aborted the grading.'),
  'answers.outside': (_, trans) =>
    trans.__("they are outside the competition's folder"),
  'answers.changed': (_, trans) =>
    trans.__('they, or the description, were changed while the notebook ran'),
  'answers.changed-reading': (_, trans) =>
    trans.__('they changed while they were read'),
  'answers.file': (p, trans) =>
    trans.__('%1: %2', p.text('file'), p.text('why')),
  'answers.cell': (p, trans) =>
    trans.__(
      'line %1, column %2: %3',
      p.text('line'),
      p.text('column'),
      p.text('why')
    ),
  'answers.id-twice': (_, trans) => trans.__('an id occurs more than once'),
  'answers.no-role': (p, trans) =>
    trans.__('no column is named for the role %1', p.text('role')),
  'answers.not-binary': (p, trans) =>
    trans.__('column %1 must hold 0 and 1 only', p.text('column')),
  'answers.one-value': (p, trans) =>
    trans.__(
      'column %1 holds one value only, and ROC AUC needs both 0 and 1',
      p.text('column')
    ),
  'answers.negative': (p, trans) =>
    trans.__('column %1 has values below 0', p.text('column')),
  'answers.not-one-class': (_, trans) =>
    trans.__('each row must mark exactly one class with 1'),
  'answers.no-such-target': (p, trans) =>
    trans.__(
      'the label %1 belongs to none of the target columns',
      p.text('label')
    ),
  'answers.label-empty': (p, trans) =>
    trans.__('a label in column %1 is empty', p.text('column')),
  'answers.kappa': (_, trans) =>
    trans.__(
      'quadratic weighted kappa needs numbers, or `classes` that give the order'
    ),
  'answers.no-class': (p, trans) =>
    trans.__('the label %1 is none of `classes`', p.text('label')),
  'answers.votes': (_, trans) =>
    trans.__('each row needs a vote, and none may be below 0'),
  'answers.no-auc': (_, trans) =>
    trans.__('an AUC is not defined for them (only one class in the truth)'),
  'answers.patient-part': (_, trans) =>
    trans.__('an id is not of the kind patient_part'),
  'answers.no-column': (p, trans) =>
    trans.__('the column %1 is missing', p.text('column')),
  'answers.no-rows': (_, trans) => trans.__('they have no rows'),
  'csv.examples': (p, trans) =>
    trans.__('%1 and %2 more', p.text('first'), p.text('rest', 'thousands')),
  'csv.and-more': (p, trans) =>
    trans.__(' (and %1 more)', p.text('rest', 'thousands')),
  'csv.gone': (_, trans) => trans.__('It is not there any more.'),
  'csv.changed': (_, trans) => trans.__('It changed while it was graded.'),
  'csv.leads-out': (_, trans) =>
    trans.__('Its path leads out of the working directory.'),
  'csv.link': (_, trans) => trans.__('It is a symbolic link, not a file.'),
  'csv.not-regular': (_, trans) => trans.__('It is not a regular file.'),
  'csv.unopened': (p, trans) =>
    trans.__('It cannot be opened (%1).', p.text('why')),
  'csv.unread': (p, trans) =>
    trans.__('It cannot be read (%1).', p.text('why')),
  'csv.damaged': (_, trans) => trans.__('Its compressed content is damaged.'),
  'csv.larger': (p, trans) =>
    trans.__('It is larger than %1 GB.', p.text('gigabytes', 'precise')),
  'csv.larger-in-bytes': (p, trans) =>
    trans.__('It is larger than %1 bytes.', p.text('most', 'thousands')),
  'csv.nul': (_, trans) =>
    trans.__(
      'It holds NUL characters: it is a binary file or UTF-16, not a CSV in UTF-8.'
    ),
  'csv.not-utf-8': (p, trans) =>
    trans.__(
      "It is not a text file in UTF-8 (byte 0x%1): write it with encoding='utf-8'.",
      p.text('byte')
    ),
  'csv.other-kind': (p, trans) =>
    trans.__(
      'It is %1, not a CSV: write it with DataFrame.to_csv.',
      p.text('kind')
    ),
  'csv.pickle': (_, trans) => trans.__('a pickle'),
  'csv.zip': (_, trans) => trans.__('a zip archive (or an Excel workbook)'),
  'csv.gzip': (_, trans) => trans.__('a gzip file'),
  'csv.bzip2': (_, trans) => trans.__('a bzip2 file'),
  'csv.xz': (_, trans) => trans.__('an xz file'),
  'csv.parquet': (_, trans) => trans.__('a Parquet file'),
  'csv.feather': (_, trans) => trans.__('a Feather file'),
  'csv.hdf5': (_, trans) => trans.__('an HDF5 file'),
  'csv.numpy': (_, trans) => trans.__('a NumPy file'),
  'csv.sqlite': (_, trans) => trans.__('an SQLite database'),
  'csv.zip-members': (p, trans) =>
    trans.__(
      'The zip file holds %1 files; it should hold one CSV.',
      p.text('count')
    ),
  'csv.long-line': (_, trans) => trans.__('A line is too long for a CSV.'),
  'csv.not-csv': (p, trans) =>
    trans.__('Line %1 is no CSV (%2).', p.text('line'), p.text('why')),
  'csv.unequal': (p, trans) =>
    trans.__(
      'Line %1 has %2 fields, the header %3.',
      p.text('line'),
      p.text('fields'),
      p.text('header')
    ),
  'csv.no-header': (_, trans) =>
    trans.__('It is empty: there is no header line.'),
  'csv.many-columns': (p, trans) =>
    trans.__('It has more than %1 columns.', p.text('most', 'thousands')),
  'csv.column-twice': (p, trans) =>
    trans.__('The column %1 is there more than once.', p.text('column')),
  'csv.missing-columns': (p, trans) =>
    trans._n(
      'The column %2 is missing; it has %3.',
      'The columns %2 are missing; it has %3.',
      p.count(),
      p.text('columns'),
      p.text('there')
    ),
  'csv.semicolons': (_, trans) =>
    trans.__('Its fields are separated by semicolons; commas are expected.'),
  'csv.tabs': (_, trans) =>
    trans.__('Its fields are separated by tabs; commas are expected.'),
  'csv.meant': (p, trans) =>
    trans.__('Is %1 meant to be %2?', p.text('column'), p.text('expected')),
  'csv.extra-columns': (p, trans) =>
    trans._n(
      "It has %2, which is none of the competition's columns%3; exactly %4 must be there.",
      "It has %2, which are none of the competition's columns%3; exactly %4 must be there.",
      p.count(),
      p.text('columns'),
      p.text('index'),
      p.text('wanted')
    ),
  'csv.without-index': (_, trans) =>
    trans.__(' (write the CSV with index=False)'),
  'csv.index-overlooked': (p, trans) =>
    trans.__('The index column was overlooked%1.', p.text('index')),
  'csv.overlooked': (p, trans) =>
    trans.__(
      'Columns nobody asked for were overlooked: %1.',
      p.text('columns')
    ),
  'csv.id-not-first': (p, trans) =>
    trans.__(
      'Its first column is %1; %2 must come first.',
      p.text('column'),
      p.text('expected')
    ),
  'csv.column-order': (p, trans) =>
    trans.__(
      "Its columns are in another order than the sample submission's: column %1 is %2 instead of %3.",
      p.text('place'),
      p.text('column'),
      p.text('expected')
    ),
  'csv.no-rows': (p, trans) =>
    trans.__(
      'It has a header but no rows; %1 expected.',
      p.text('expected', 'thousands')
    ),
  'csv.rows': (p, trans) =>
    trans._n(
      'It has %2 row; %3 are expected.',
      'It has %2 rows; %3 are expected.',
      p.count(),
      p.text('count', 'thousands'),
      p.text('expected', 'thousands')
    ),
  'csv.too-many-rows': (p, trans) =>
    trans.__(
      'It has more than %1 rows; %2 are expected.',
      p.text('found', 'thousands'),
      p.text('expected', 'thousands')
    ),
  'csv.group-rows': (p, trans) =>
    trans._n(
      'It has %2 row with %3 in column %4; %5 are expected.',
      'It has %2 rows with %3 in column %4; %5 are expected.',
      p.count(),
      p.text('count', 'thousands'),
      p.text('group'),
      p.text('column'),
      p.text('expected', 'thousands')
    ),
  'csv.none-scored': (_, trans) =>
    trans.__('None of its rows is one that is scored.'),
  'csv.ids': (p, trans) =>
    trans.__(
      "Its ids in column %1 are not the competition's: %2 missing (%3), %4 unknown (%5).",
      p.text('column'),
      p.text('missing', 'thousands'),
      p.text('first_missing'),
      p.text('unknown', 'thousands'),
      p.text('first_unknown')
    ),
  'csv.id-twice': (p, trans) =>
    trans.__(
      'The id %1 occurs more than once in column %2 (lines %3 and %4).',
      p.text('id'),
      p.text('column'),
      p.text('first'),
      p.text('second')
    ),
  'csv.id-order': (p, trans) =>
    trans.__(
      "Line %1 has the id %2; %3 is expected there: the rows of %4 must keep the sample submission's order.",
      p.text('line'),
      p.text('id'),
      p.text('expected'),
      p.text('competition')
    ),
  'csv.spelled-otherwise': (_, trans) =>
    trans.__(
      "Its ids are spelled otherwise than the answers' (such as 7 for 007)."
    ),
  'csv.days': (p, trans) =>
    trans.__("The days in column %1 are not the answers'.", p.text('column')),
  'csv.number-empty': (p, trans) =>
    trans.__(
      'Line %1, column %2 is empty; a number is expected.',
      p.text('line'),
      p.text('column')
    ),
  'csv.number-missing': (p, trans) =>
    trans.__(
      'Line %1, column %2 is a missing value (NaN); a number is expected.',
      p.text('line'),
      p.text('column')
    ),
  'csv.number-infinite': (p, trans) =>
    trans.__(
      'Line %1, column %2 is infinite; a finite number is expected.',
      p.text('line'),
      p.text('column')
    ),
  'csv.no-number': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3, which is not a finite number.',
      p.text('line'),
      p.text('column'),
      p.text('value')
    ),
  'csv.unscored-text': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3, which is no number. The row is not scored, but a column of numbers must hold nothing else.',
      p.text('line'),
      p.text('column'),
      p.text('value')
    ),
  'csv.outside': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3; %4 is expected%5.',
      p.text('line'),
      p.text('column'),
      p.text('value'),
      p.text('expected'),
      p.text('more')
    ),
  'csv.value-between': (p, trans) =>
    trans.__(
      'a value from %1 to %2',
      p.text('low', 'precise'),
      p.text('high', 'precise')
    ),
  'csv.probability': (_, trans) => trans.__('a probability between 0 and 1'),
  'csv.not-negative': (_, trans) =>
    trans.__('a value of at least 0 (RMSLE takes logarithms)'),
  'csv.all-negative': (_, trans) =>
    trans.__(
      'Every prediction is below 0; probabilities between 0 and 1 are expected.'
    ),
  'csv.row-sum': (p, trans) =>
    trans.__(
      'The probabilities in line %1 sum to %2; each row must sum to 1 (%3 of %4 rows do not).',
      p.text('line'),
      p.text('sum'),
      p.text('wrong', 'thousands'),
      p.text('rows', 'thousands')
    ),
  'csv.label-empty': (p, trans) =>
    trans.__(
      'Line %1, column %2 is empty; a label is expected.',
      p.text('line'),
      p.text('column')
    ),
  'csv.label-missing': (p, trans) =>
    trans.__(
      'Line %1, column %2 is a missing value (%3); a label is expected.',
      p.text('line'),
      p.text('column'),
      p.text('value')
    ),
  'csv.label-first': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3; a class label (a whole number) is expected first.',
      p.text('line'),
      p.text('column'),
      p.text('value')
    ),
  'csv.label-not-whole': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3; a class label (a whole number) is expected.',
      p.text('line'),
      p.text('column'),
      p.text('value')
    ),
  'csv.numeric-labels': (p, trans) =>
    trans.__('The labels are numbers such as %1.', p.text('labels')),
  'csv.strange-label': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3, which is none of the labels %4.',
      p.text('line'),
      p.text('column'),
      p.text('value'),
      p.text('labels')
    ),
  'csv.no-common-label': (p, trans) =>
    trans.__(
      "None of the labels in column %1 (%2) is one of the competition's, which are of the kind %3.",
      p.text('column'),
      p.text('given'),
      p.text('known')
    ),
  'csv.only-numbers': (p, trans) =>
    trans.__(
      'Column %1 holds nothing but numbers and empty cells; the labels are of the kind %2.',
      p.text('column'),
      p.text('labels')
    ),
  'csv.no-labels': (p, trans) =>
    trans.__(
      'Column %1 holds no label at all; the labels are of the kind %2.',
      p.text('column'),
      p.text('labels')
    ),
  'csv.items': (p, trans) =>
    trans.__(
      'Line %1, column %2 has %3 items instead of the %4 to be put in order (%5).',
      p.text('line'),
      p.text('column'),
      p.text('given'),
      p.text('expected'),
      p.text('why')
    ),
  'csv.item-missing': (p, trans) => trans.__('%1 is missing', p.text('item')),
  'csv.item-twice': (_, trans) => trans.__('an item is there twice'),
  'csv.not-finite': (p, trans) =>
    trans.__(
      'Its %1 is not a finite number: the values are too large, or the metric is not defined for them.',
      p.text('metric')
    ),
  'csv.cell': (p, trans) =>
    trans.__(
      'Line %1, column %2 is %3: %4.',
      p.text('line'),
      p.text('column'),
      p.text('value'),
      p.text('why')
    ),
  'cell.empty': (_, trans) => trans.__('it is empty'),
  'cell.empty-boxes': (_, trans) =>
    trans.__('it is empty; `14 1 0 0 1 1` says that there is nothing'),
  'cell.nan': (_, trans) => trans.__('a number is NaN'),
  'cell.whole-numbers': (_, trans) =>
    trans.__('whole numbers with spaces between them are expected'),
  'cell.run-lengths': (_, trans) =>
    trans.__('run lengths are whole numbers with spaces between them'),
  'cell.odd-runs': (p, trans) =>
    trans._n(
      'it has %1 number; they come in pairs of start and length',
      'it has %1 numbers; they come in pairs of start and length',
      p.count()
    ),
  'cell.runs-from-1': (_, trans) =>
    trans.__('starts and lengths are at least 1'),
  'cell.runs-unordered': (_, trans) =>
    trans.__('the starts are not in ascending order'),
  'cell.runs-overlap': (_, trans) => trans.__('runs overlap'),
  'cell.words-a-box': (p, trans) =>
    trans.__(
      'it has %1 words; %2 a box are expected',
      p.text('words'),
      p.text('length')
    ),
  'cell.words-a-point': (p, trans) =>
    trans.__(
      'it has %1 words; %2 a point are expected',
      p.text('words'),
      p.text('length')
    ),
  'cell.class-infinite': (_, trans) => trans.__('a class is not finite'),
  'cell.box-size': (_, trans) =>
    trans.__('a box has a size that is not above 0'),
  'cell.box-infinite': (_, trans) => trans.__('a box is not finite'),
  'trap.binarize': (_, trans) =>
    trans.__(
      "MLE-bench's grader rounds the predictions to 0 and 1 (from 0.5 upwards) before it computes the AUCs; Kaggle did not."
    ),
  'trap.round': (_, trans) =>
    trans.__("MLE-bench's grader rounds this score to a whole number."),
  'trap.empty-is-full': (_, trans) =>
    trans.__(
      "MLE-bench's grader treats an empty mask as one of the whole image where there is something to find."
    ),
  'trap.corners-as-sizes': (_, trans) =>
    trans.__(
      "MLE-bench's grader treats the far corner of a box as its width and height."
    ),
  'trap.zero-is-none': (_, trans) =>
    trans.__(
      "MLE-bench's grader numbers the boxes from 0, which the COCO tools treat as no box: a hit of the first true box counts as a miss."
    ),
  'trap.position': (_, trans) =>
    trans.__(
      "MLE-bench's grader takes the rows in file order and ignores the ids."
    ),
  'trap.sorted': (_, trans) =>
    trans.__(
      "MLE-bench's grader sorts both files by id but does not compare the ids."
    ),
  'trap.scored-by-position': (_, trans) =>
    trans.__(
      "MLE-bench's grader selects the scored rows by their position in the file, so rows in a different order from the answers are compared with the wrong ones."
    ),
  'trap.columns-by-position': (_, trans) =>
    trans.__(
      "MLE-bench's grader takes the columns in file order, whatever their names."
    ),
  'trap.clipping': (_, trans) =>
    trans.__(
      'Predictions of exactly 0 or 1: scikit-learn clips them at 2e-16, Kaggle did at 1e-15.'
    ),
  'trap.refused-by-id': (p, trans) =>
    trans.__('Matched by id it would be rejected: %1', p.text('why')),
  'competition.file-missing': (p, trans) =>
    trans.__(
      '%1: %2 (`%3`) is missing; without it nothing can be graded.',
      p.text('slug'),
      p.text('file'),
      p.text('field')
    ),
  'competition.no-root': (p, trans) =>
    trans.__(
      'No competition is set up: the folder %1 does not exist. Set another with the setting data_root, the variable MLE_MODERNIZER_DATA_ROOT or the option --data-root.',
      p.text('root')
    ),
  'server.problem': (p, trans) =>
    trans.__('%1: %2', p.text('part'), p.text('error')),
  'label.run': (p, trans) =>
    trans.__('Run %1 of %2', p.text('number'), p.text('of')),
  'label.noise': (p, trans) =>
    trans.__('Noise, run %1 of %2', p.text('number'), p.text('of')),
  'label.control': (_, trans) => trans.__('Unchanged run, for comparison'),
  'label.restored': (p, trans) =>
    trans._n(
      'With one old behaviour restored',
      'With %1 old behaviours restored',
      p.count()
    ),
  'label.folds': (_, trans) => trans.__('Folds'),
  'label.fold': (p, trans) =>
    trans.__(
      '%1, fold %2 of %3',
      p.text('version'),
      p.text('number'),
      p.text('of')
    ),
  'catalogue.no-folder': (p, trans) =>
    trans.__(
      'There is no folder %1 with models and recipes.',
      p.text('folder')
    ),
  'catalogue.no-search': (_, trans) =>
    trans.__(
      'A search on the web needs words and an endpoint: set MLE_MODERNIZER_SEARCH to searxng:ADDRESS or tavily:ADDRESS.'
    ),
  'catalogue.search-setting': (p, trans) =>
    trans.__(
      'MLE_MODERNIZER_SEARCH is %1; it must be searxng:ADDRESS or tavily:ADDRESS.',
      p.text('given')
    ),
  'catalogue.search-key': (p, trans) =>
    trans.__(
      'The key of the search endpoint cannot be read from %1.',
      p.text('file')
    ),
  'catalogue.search-failed': (p, trans) =>
    trans.__(
      'The search endpoint %1 gave no results: %2.',
      p.text('host'),
      p.text('error')
    ),
  'folds.making': (_, trans) => trans.__('Making validation folds'),
  'folds.no-submission': (_, trans) =>
    trans.__(
      'It wrote no submission that could be graded; printed scores are not used.'
    ),
  'draft.no-table': (p, trans) =>
    trans.__(
      "No notebook can be drafted: %1 was not found among the competition's files.",
      p.text('what')
    ),
  'draft.unreadable': (p, trans) =>
    trans.__(
      'No notebook can be drafted: %1 cannot be read (%2).',
      p.text('table'),
      p.text('why', 'clause')
    ),
  'draft.no-commas': (_, trans) => trans.__('no commas'),
  'draft.media': (p, trans) =>
    trans.__(
      "No notebook can be drafted: the competition's data are %1 (%2 files); drafts are written for tables.",
      p.text('what'),
      p.text('count')
    ),
  'draft.no-target': (p, trans) =>
    trans.__(
      'No notebook can be drafted: the training data lack the column %1, which is to be predicted.',
      p.text('columns')
    ),
  'draft.no-features': (p, trans) =>
    trans.__(
      'No notebook can be drafted: %1 has no informative column that the test data have too.',
      p.text('table')
    ),
  'draft.metric': (p, trans) =>
    trans.__(
      'No notebook can be drafted: under %1, drafts predict a number or a class, and these target columns are neither.',
      p.text('metric')
    ),
  'draft.too-large': (_, trans) =>
    trans.__('No notebook can be drafted: the data are too large to examine.'),
  'draft.ids': (_, trans) =>
    trans.__(
      'No notebook can be drafted: the ids of the sample submission are not found in the test data.'
    ),
  'folds.no-score': (p, trans) =>
    trans.__(
      'The notebook has no score on validation fold %1, so there is nothing to compare.',
      p.text('fold')
    ),
  'folds.no-candidate': (_, trans) =>
    trans.__(
      'The code offers no change that is known to help such a notebook.'
    ),
  'folds.none-better': (_, trans) =>
    trans.__('No version is better than the notebook beyond chance.'),
  'folds.weak': (_, trans) =>
    trans.__(
      'One hold-out set cannot tell a gain from chance, so no version is called better. Compare what looks good on more folds.'
    ),
  'folds.better': (p, trans) =>
    trans.__('%1 is better than the notebook.', p.text('version')),
  'change.all-rows': (_, trans) =>
    trans.__('No rows are left out of the training data.'),
  'change.average': (p, trans) =>
    trans.__('The average of %1 and %2.', p.text('one'), p.text('other')),
  'change.blend': (p, trans) =>
    trans.__('A weighted average of predictions: %1.', p.text('shares')),
  'change.category-numbers': (_, trans) =>
    trans.__('Numbers stand for categories in place of a column each.'),
  'change.class-weights': (p, trans) =>
    trans.__('%1 weighs each class by how rare it is.', p.text('model')),
  'change.clipping': (_, trans) =>
    trans.__('Probabilities are kept between 0.01 and 0.99.'),
  'change.column-zero': (p, trans) =>
    trans.__('The column %1 is 0 everywhere.', p.text('column')),
  'change.defaults': (p, trans) =>
    trans.__('%1 has its default parameters.', p.text('model')),
  'change.early-stopping': (p, trans) =>
    trans.__(
      '%1 takes small steps, until a tenth of the rows shows no progress.',
      p.text('model')
    ),
  'change.fills-constant': (p, trans) =>
    trans.__('A constant stands in place of what %1 fills in.', p.text('step')),
  'change.fills-zero': (p, trans) =>
    trans.__('0 stands in place of a statistic: %1.', p.text('where')),
  'change.log-target': (p, trans) =>
    trans.__(
      '%1 learns the logarithm of the target, for a metric of ratios.',
      p.text('model')
    ),
  'change.medians-for-constants': (p, trans) =>
    trans.__(
      'Missing numbers are filled with the medians of `%1`.',
      p.text('table')
    ),
  'change.medians-for-means': (_, trans) =>
    trans.__('SimpleImputer fills in medians in place of means.'),
  'change.model': (p, trans) =>
    trans.__('%1 in place of %2.', p.text('new'), p.text('old')),
  'change.more-trees': (p, trans) =>
    trans.__('%1 trees in place of %2.', p.text('new'), p.text('old')),
  'change.no-feature': (p, trans) =>
    trans.__('%1 is no feature.', p.text('column')),
  'change.no-member': (p, trans) =>
    trans.__('%1 has no part in the blend.', p.text('member')),
  'change.others-for-member': (p, trans) =>
    trans.__(
      '%1 has no part in the blend; the others stand in its place.',
      p.text('member')
    ),
  'change.passes-through': (p, trans) =>
    trans.__('%1 lets its input through.', p.text('step')),
  'change.plain-target': (_, trans) =>
    trans.__('The model learns the target as it is.'),
  'change.scaling': (p, trans) =>
    trans.__(
      'Features are scaled before %1, by the training rows.',
      p.text('model')
    ),
  'change.seeds': (p, trans) =>
    trans.__(
      'The average of %1 %2 with other seeds.',
      p.text('number'),
      p.text('model')
    ),
  'change.threshold': (p, trans) =>
    trans.__(
      'The threshold between the classes is chosen for %1.',
      p.text('metric')
    ),
  'improve.asking': (_, trans) => trans.__('Asking the model for a change'),
  'improve.asking-leaks': (_, trans) => trans.__('Asking the model for leaks'),
  'improve.no-opinion': (p, trans) =>
    trans.__('%1 gave no usable answer', p.text('model')),
  'improve.reads-elsewhere': (p, trans) =>
    trans.__(
      "It reads %1, outside the notebook's own folders, where rows that a fold holds out may lie.",
      p.text('path')
    ),
  'improve.tried-before': (_, trans) =>
    trans.__('It leads to a version that was tried before.'),
  'improve.other-family': (p, trans) =>
    trans.__(
      'A repair must keep the kind of model, and it takes out the one there (%1).',
      p.text('families')
    ),
  'improve.review': (p, trans) =>
    trans.__(
      'Review the version "%1": it was better on %2 validation folds. It changes the experiment.',
      p.text('version'),
      p.text('folds')
    ),
  'improve.review-weak': (p, trans) =>
    trans.__(
      'Review the version "%1": it scored better on a single hold-out set, which is weak evidence. It changes the experiment.',
      p.text('version')
    ),
  'improve.unknown': (_, trans) =>
    trans.__('There is no such version that was better than the notebook.'),
  'writing.asking': (p, trans) =>
    trans.__(
      'Stage %1, round %2: asking %3',
      p.text('stage'),
      p.text('round'),
      p.text('model')
    ),
  'writing.clean-run': (_, trans) => trans.__('A clean run on the full data'),
  'writing.sample-run': (p, trans) =>
    trans.__('Stage %1: a run on a sample', p.text('stage')),
  'writing.reading': (_, trans) => trans.__('Reading the paper'),
  'writing.review': (_, trans) =>
    trans.__(
      'The notebook is written, and a clean run of it on the full data completed. Review it; nothing enters the notebook before you accept it.'
    ),
  'writing.not-run': (p, trans) =>
    trans.__(
      'Stage %1 was not completed (%2), so there is no working notebook to review. What was written is kept: write again to continue there.',
      p.text('stage'),
      p.text('ending')
    ),
  'writing.kept': (_, trans) =>
    trans.__('What was written is kept: write again to continue there.'),
  'improve.kept': (_, trans) => trans.__('The notebook is unchanged.'),
  'conflict.no-version': (_, trans) =>
    trans.__(
      'Only a version that was compared with the notebook on validation folds can be proposed as an improvement.'
    ),
  'conflict.undecided': (_, trans) =>
    trans.__('Decide on the proposed changes first.'),
  'label.leak-labels': (_, trans) =>
    trans.__('Looking for leaks (shuffled labels)'),
  'label.leak-half': (_, trans) =>
    trans.__('Looking for leaks (half of the test rows)'),
  'label.leak-again': (_, trans) =>
    trans.__('Looking for leaks (a second plain run)'),
  'label.proof': (_, trans) => trans.__('Proof, run 1 of 3'),
  'label.proof-labels': (_, trans) =>
    trans.__('Proof, run 2 of 3 (shuffled labels)'),
  'label.proof-rows': (_, trans) =>
    trans.__('Proof, run 3 of 3 (shuffled rows)'),
  'study.cancelled': (_, trans) =>
    trans.__('Cancelled; the measurements made so far are kept.'),
  'study.cancelled-after': (p, trans) =>
    trans.__('Cancelled after %1 of %2 runs.', p.text('runs'), p.text('of')),
  'study.ended-early': (p, trans) =>
    trans.__(
      'Ended after %1 of %2 runs: %3.',
      p.text('runs'),
      p.text('of'),
      p.text('why')
    ),
  'ended-early.no-score': (_, trans) => trans.__('one had no score'),
  'ended-early.steady': (_, trans) => trans.__('their scores are all the same'),
  'ended-early.sure': (p, trans) =>
    trans.__('p is already below %1', p.text('p')),
  'band.within': (p, trans) =>
    trans.__('within %1', p.text('threshold', 'percent')),
  'band.better': (_, trans) => trans.__('outside the band, on the better side'),
  'band.worse': (_, trans) => trans.__('outside the band, on the worse side'),
  'verification.no-submission': (_, trans) =>
    trans.__('It wrote no submission.'),
  'verification.no-score': (p, trans) =>
    trans.__(
      'Not reproducible: run %1 has no score. %2',
      p.text('run'),
      p.text('reason')
    ),
  'verification.no-target': (_, trans) =>
    trans.__('There is no target score to compare with.'),
  'verification.reproducible': (p, trans) =>
    trans.__('Reproducible: %1', p.text('why')),
  'verification.not-reproducible': (p, trans) =>
    trans.__('Not reproducible: %1', p.text('why')),
  'verification.single': (p, trans) =>
    trans.__('the score of a clean run is %1.', p.text('band')),
  'verification.steady': (p, trans) =>
    trans.__(
      '%1 runs gave the same score, so its spread cannot be tested and the band decides: it is %2.',
      p.text('runs'),
      p.text('band')
    ),
  'verification.consistent': (p, trans) =>
    trans.__(
      '%1 scores are consistent with the target (t-test, p = %2 ≥ %3); their mean is %4.',
      p.text('scores'),
      p.text('p'),
      p.text('limit'),
      p.text('band')
    ),
  'verification.inconsistent': (p, trans) =>
    trans.__(
      '%1 scores are not consistent with the target (t-test, p = %2 < %3); their mean is %4.',
      p.text('scores'),
      p.text('p'),
      p.text('limit'),
      p.text('band')
    ),
  'verification.inconsistent-better': (p, trans) =>
    trans.__(
      '%1 scores are not consistent with the target (t-test, p = %2 < %3) but better than it; their mean is %4.',
      p.text('scores'),
      p.text('p'),
      p.text('limit'),
      p.text('band')
    ),
  'verification.score': (p, trans) =>
    trans.__('The score is %1.', p.text('score', 'precise')),
  'verification.scores': (p, trans) =>
    trans.__(
      '%1 scores: %2 ± %3.',
      p.text('count'),
      p.text('mean', 'precise'),
      p.text('deviation', 'short')
    ),
  'noise.measuring': (p, trans) =>
    trans.__(
      'Measuring the noise: %1 runs of about %2 s each',
      p.text('runs'),
      p.text('seconds', 'rough')
    ),
  'noise.skipped': (p, trans) =>
    trans.__(
      'The noise was not measured: a run takes %1 s, %2 runs about %3 s. Start the measurement yourself, or set it to always.',
      p.text('seconds', 'rough'),
      p.text('runs'),
      p.text('total', 'rough')
    ),
  'noise.no-score': (_, trans) =>
    trans.__('The noise cannot be measured: there is no score.'),
  'noise.run-without-score': (p, trans) =>
    trans.__(
      'The noise cannot be measured: run %1 has no score.',
      p.text('run')
    ),
  'noise.steady': (p, trans) =>
    trans.__(
      'The score is the same in %1 runs: randomness does not explain its distance from the target.',
      p.text('runs')
    ),
  'noise.steady-other-seeds': (p, trans) =>
    trans.__(
      'The score is the same in %1 runs, even with other seeds: randomness does not explain its distance from the target.',
      p.text('runs')
    ),
  'noise.other-seeds': (_, trans) => trans.__('with other seeds'),
  'noise.as-it-is': (_, trans) => trans.__('unchanged'),
  'noise.repeats': (_, trans) =>
    trans.__('The unchanged notebook repeats its score.'),
  'noise.within': (p, trans) =>
    trans.__(
      'Within noise: %1, one more score would lie from %2 to %3 (95 %, from %4 scores), and so does the target.',
      p.text('of_what'),
      p.text('low', 'precise'),
      p.text('high', 'precise'),
      p.text('scores')
    ),
  'noise.no-fix-needed': (_, trans) =>
    trans.__('No fix is needed to explain the distance.'),
  'noise.beyond': (p, trans) =>
    trans.__(
      "The distance is %1 times the notebook's own spread (%2, %3 scores; one more would lie from %4 to %5).",
      p.text('multiple'),
      p.text('of_what'),
      p.text('scores'),
      p.text('low', 'precise'),
      p.text('high', 'precise')
    ),
  'noise.look-for-cause': (_, trans) =>
    trans.__('Randomness does not explain it: look for a cause.'),
  'cause.looking': (_, trans) =>
    trans.__("Looking for the cause among the libraries' silent changes"),
  'cause.cancelled': (_, trans) =>
    trans.__('Cancelled before a cause was found.'),
  'cause.nothing-changed': (_, trans) =>
    trans.__('No changed default or behaviour was found in this notebook.'),
  'cause.no-score': (_, trans) =>
    trans.__('A repeated run had no score: the cause cannot be determined.'),
  'cause.none': (p, trans) =>
    trans._n(
      "With the old behaviour restored, the score does not change: the libraries' known silent changes are not the cause.",
      "With all %1 old behaviours restored, the score does not change: the libraries' known silent changes are not the cause.",
      p.count()
    ),
  'cause.none-and-no-score': (p, trans) =>
    trans._n(
      "With the old behaviour restored, the run has no score: the libraries' known silent changes are not the cause.",
      "With all %1 old behaviours restored, the run has no score: the libraries' known silent changes are not the cause.",
      p.count()
    ),
  'cause.found': (p, trans) =>
    trans.__(
      '%1 That moved the score from %2 to %3: this is the cause.',
      p.text('what'),
      p.text('before', 'precise'),
      p.text('after', 'precise')
    ),
  'cause.part': (p, trans) =>
    trans.__(
      '%1 That moved the score from %2 to %3: this is part of the cause.',
      p.text('what'),
      p.text('before', 'precise'),
      p.text('after', 'precise')
    ),
  'cause.away': (p, trans) =>
    trans.__(
      '%1 That moved the score from %2 to %3, away from the target.',
      p.text('what'),
      p.text('before', 'precise'),
      p.text('after', 'precise')
    ),
  'label.own-time': (_, trans) => trans.__('In the libraries of its time'),
  'own-time.stops': (p, trans) =>
    trans.__('It stops first in %1', p.text('failure')),
  'own-time.outputs': (p, trans) =>
    trans._n(
      '%2 of %1 cell reproduces its saved output.',
      '%2 of %1 cells reproduce their saved output.',
      p.count(),
      p.text('agreeing')
    ),
  'own-time.outputs-with': (p, trans) =>
    trans._n(
      'With %2, %3 of %1 cell reproduces its saved output.',
      'With %2, %3 of %1 cells reproduce their saved output.',
      p.count(),
      p.text('libraries'),
      p.text('agreeing')
    ),
  'own-time.score': (p, trans) =>
    trans.__(
      'With %1 the score is %2.',
      p.text('libraries'),
      p.text('score', 'precise')
    ),
  'own-time.is-target': (_, trans) => trans.__('It is now the target.'),
  'own-time.runs-without-score': (p, trans) =>
    trans.__('With %1 it runs but gives no score.', p.text('libraries')),
  'own-time.fails': (p, trans) =>
    trans.__('With %1 it does not run either.', p.text('libraries')),
  'backport.made': (p, trans) =>
    trans.__(
      'The kernel %1 is now in the menu; the notebook runs there unchanged.',
      p.text('kernel')
    ),
  'backport.not-made': (_, trans) =>
    trans.__('No kernel was added to the menu.'),
  'backport.removed': (_, trans) =>
    trans.__(
      'The kernel was removed from the menu; its environment stays until you remove it.'
    ),
  'conflict.kernel-in-menu': (_, trans) =>
    trans.__(
      "A kernel in Jupyter's menu uses this environment; remove the kernel first (`jupyter modernize backport NOTEBOOK --remove`)."
    ),
  'conflict.no-rules-folder': (_, trans) =>
    trans.__(
      'The server has no folder for your own rules: set `ModernizerExtension.rules_path` or `MLE_MODERNIZER_RULES`, or download the rule.'
    ),
  'not-found.learned-rule': (_, trans) =>
    trans.__('There is no such rule among those learned in this session.'),
  'conflict.no-backport': (_, trans) =>
    trans.__('No kernel was added to the menu for this notebook.'),
  'label.today': (_, trans) => trans.__("With today's libraries"),
  'contrast.nothing': (p, trans) =>
    trans.__(
      'No cell could be compared with the run with %1.',
      p.text('libraries')
    ),
  'contrast.same': (p, trans) =>
    trans._n(
      'The %1 cell that could be compared gives the same today as with %2.',
      'All %1 cells that could be compared give the same today as with %2.',
      p.count(),
      p.text('libraries')
    ),
  'contrast.settings': (p, trans) =>
    trans.__(
      'Only estimator settings differ, first in cell %1: defaults that a library changed.',
      p.text('cell')
    ),
  'contrast.first': (p, trans) =>
    trans._n(
      '%2 of %1 cell gives the same today as with %3; the first that differs is cell %4.',
      '%2 of %1 cells give the same today as with %3; the first that differs is cell %4.',
      p.count(),
      p.text('agreeing'),
      p.text('libraries'),
      p.text('cell')
    ),
  'contrast.value': (p, trans) =>
    trans.__(
      'Its %1 was %2 and is %3.',
      p.text('name'),
      p.text('then'),
      p.text('now')
    ),
  'contrast.printed': (p, trans) =>
    trans.__('It printed %1 and prints %2.', p.text('then'), p.text('now')),
  'contrast.fails': (p, trans) => trans.__('It fails: %1.', p.text('error')),
  'contrast.unsteady': (p, trans) =>
    trans._n(
      '%1 value varies from run to run and was not compared.',
      '%1 values vary from run to run and were not compared.',
      p.count()
    ),
  'contrast.cancelled': (_, trans) =>
    trans.__('The comparison with the libraries of its time was cancelled.'),
  'comparison.bad-limits': (_, trans) =>
    trans.__('The rows and the time limit of a comparison must be above 0.'),
  'comparison.no-such-change': (p, trans) =>
    trans.__(
      "'%1' is not a silent change that concerns this notebook; `jupyter modernize preflight` lists those that do.",
      p.text('rule')
    ),
  'comparison.not-tried': (p, trans) =>
    trans.__(
      'Not tried, to save time; select one with --rule: %1.',
      p.text('rules')
    ),
  'comparison.without-data': (_, trans) =>
    trans.__('There is no competition, so the cells ran without its data.'),
  'comparison.rows': (p, trans) =>
    trans.__('Compared on the first %1 rows of every CSV.', p.text('rows')),
  'comparison.copying': (p, trans) =>
    trans.__('Copying the first %1 rows of the data', p.text('rows')),
  'comparison.old': (_, trans) => trans.__('Running with the old libraries'),
  'comparison.new': (_, trans) =>
    trans.__("Running with today's libraries, all known fixes applied"),
  'comparison.without': (p, trans) =>
    trans.__(
      'Running without the fix of %1 (%2 of %3)',
      p.text('rule'),
      p.text('number'),
      p.text('of')
    ),
  'comparison.impossible': (p, trans) =>
    trans.__('The comparison was not possible: %1', p.text('reason')),
  'comparison.cancelled': (_, trans) =>
    trans.__('The comparison was cancelled.'),
  'comparison.old-fails': (p, trans) =>
    trans.__(
      'With the old libraries cell %1 fails: %2',
      p.text('cell'),
      p.text('problem')
    ),
  'data-head.files': (p, trans) =>
    trans.__(
      'Only the first %1 files of the competition were used.',
      p.text('files')
    ),
  'data-head.packed': (p, trans) =>
    trans.__('%1 was left out: it cannot be unpacked.', p.text('file')),
  'data-head.large': (p, trans) =>
    trans.__(
      '%1 was left out: it is large, and not a CSV that could be shortened.',
      p.text('file')
    ),
  'proof.against': (_, trans) => trans.__('The result is not proven.'),
  'proof.unfinished': (_, trans) =>
    trans.__(
      'The proof was not completed: the origin of the result is not shown. What was shown so far is kept.'
    ),
  'proof.for': (_, trans) =>
    trans.__(
      'The result comes from training: with shuffled labels the score is lost.'
    ),
  'proof.neither': (_, trans) =>
    trans.__('The experiments neither contradict the result nor prove it.'),
  'proof.cells-failed': (p, trans) =>
    trans.__(
      'Cells that the submission depends on fail (%1).',
      p.text('cells')
    ),
  'proof.copy': (p, trans) =>
    trans.__('The submission is a copy of %1.', p.text('file')),
  'proof.labels-unused': (_, trans) =>
    trans.__('Trained on shuffled labels, it submits the same predictions.'),
  'proof.score-kept': (_, trans) =>
    trans.__('Trained on shuffled labels, it scores just as well.'),
  'proof.score-not-computed': (_, trans) =>
    trans.__('Trained on shuffled labels, it prints the same score.'),
  'proof.follows-ids': (_, trans) =>
    trans.__('Its predictions follow the ids, not the rows.'),
  'proof.follows-places': (_, trans) =>
    trans.__("Its predictions follow the rows' positions."),
  'proof.all-the-same': (_, trans) =>
    trans.__('It predicts the same for every row.'),
  'proof.other': (p, trans) =>
    trans.__('%1: %2.', p.text('kind'), p.text('finding')),
  'conflict.at-work': (_, trans) =>
    trans.__(
      'This notebook is being worked on; cancel that, or wait until it is finished.'
    ),
  'conflict.nothing-ran': (_, trans) =>
    trans.__('No run has completed yet; run the notebook first.'),
  'conflict.cut-off': (_, trans) =>
    trans.__(
      'The last run was cut off; run the notebook again before you ask for a fix.'
    ),
  'conflict.nothing-to-look-for': (_, trans) =>
    trans.__(
      'There is no score that is compared with a target, so there is no cause to look for.'
    ),
  'batch.no-result': (p, trans) =>
    trans.__('The batch has no result %1 that can be read.', p.text('key')),
  'batch.no-proposal': (p, trans) =>
    trans.__('The batch proposes nothing for %1.', p.text('name')),
  'batch.notebook-elsewhere': (p, trans) =>
    trans.__(
      '%1 is not among the files this server shows. Start JupyterLab in a folder above it.',
      p.text('name')
    ),
  'batch.notebook-changed': (p, trans) =>
    trans.__(
      '%1 has changed since the batch read it. Modernize it here, or start the batch again.',
      p.text('name')
    ),
  'batch.file-too-large': (p, trans) =>
    trans.__(
      '%1 of the batch cannot be read: it is missing or too large.',
      p.text('name')
    ),
  'batch.session-unreadable': (p, trans) =>
    trans.__('%1 of the batch cannot be read.', p.text('name')),
  'batch.too-many': (p, trans) =>
    trans.__(
      'The batch has more than %1 results.',
      p.text('most', 'thousands')
    ),
  'batch.no-folder': (p, trans) =>
    trans.__('%1 is not a batch folder.', p.text('root')),
  'batch.only-ran': (p, trans) =>
    trans.__(
      'The batch in %1 only ran its notebooks; it changed none.',
      p.text('root')
    ),
  'batch.scheduler-silent': (p, trans) =>
    trans.__(
      'The scheduler %1 does not answer: %2',
      p.text('where'),
      p.text('error')
    ),
  'batch.scheduler-other': (p, trans) =>
    trans.__(
      'The scheduler %1 answers, but not as this command needs it (%2). It is most often of another version of Dask; here it is distributed %3. Use the same environment for all.',
      p.text('where'),
      p.text('error'),
      p.text('version')
    ),
  'batch.other-package': (p, trans) =>
    trans.__(
      '%1 of %2 has %3 %4, this command %5; use the same environment for all.',
      p.text('name'),
      p.text('where'),
      p.text('package'),
      p.text('other'),
      p.text('mine')
    ),
  'batch.worker-without': (p, trans) =>
    trans.__(
      'MLE Modernizer cannot be used on all of %1: %2; install mle-modernizer[batch]==%3 there.',
      p.text('where'),
      p.text('error'),
      p.text('version')
    ),
  'batch.scheduler-version': (p, trans) =>
    trans.__(
      '%1 of %2 has MLE Modernizer %3, this command %4.',
      p.text('name'),
      p.text('where'),
      p.text('version'),
      p.text('version2')
    ),
  'batch.worker-version': (p, trans) =>
    trans.__(
      '%1 has MLE Modernizer %2, the batch %3.',
      p.text('worker'),
      p.text('version'),
      p.text('version2')
    ),
  'batch.no-slot': (p, trans) =>
    trans.__(
      "No worker offers a slot; start them with --resources '%1=1' (docs/batch.md).",
      p.text('slot')
    ),
  'batch.scheduler-gone': (_, trans) =>
    trans.__(
      'The scheduler is gone. The results so far are kept; the same command continues with the rest.'
    ),
  'batch.folder-taken': (p, trans) =>
    trans.__(
      '%1 is neither empty nor a batch folder; choose another.',
      p.text('root')
    ),
  'file.not-writable': (p, trans) =>
    trans.__('%1 cannot be written (%2).', p.text('path'), p.text('why')),
  'batch.other-settings': (p, trans) =>
    trans.__(
      '%1 holds a batch with different settings (%2): its results would not be comparable. Choose another folder, or use the settings it was started with (study.json).',
      p.text('root'),
      p.text('changed')
    ),
  'batch.study-unreadable': (p, trans) =>
    trans.__(
      '%1 cannot be read as the study of a batch: %2',
      p.text('path'),
      p.text('why')
    ),
  'manifest.none': (p, trans) =>
    trans.__(
      '%1 is neither a folder nor a manifest (%2), and matches no file.',
      p.text('what'),
      p.text('formats')
    ),
  'manifest.no-notebook': (p, trans) =>
    trans.__('There is no notebook (.ipynb) in %1.', p.text('what')),
  'manifest.too-large': (p, trans) =>
    trans.__(
      '%1 is larger than %2 bytes.',
      p.text('path'),
      p.text('most_bytes', 'thousands')
    ),
  'file.not-readable': (p, trans) =>
    trans.__('%1 cannot be read (%2).', p.text('path'), p.text('why')),
  'manifest.no-column': (p, trans) =>
    trans.__('%1 has no column `notebook`.', p.text('path')),
  'manifest.line': (p, trans) =>
    trans.__(
      '%1, line %2: %3.',
      p.text('path'),
      p.text('line_num'),
      p.text('error')
    ),
  'manifest.no-yaml': (p, trans) =>
    trans.__('%1 is not valid YAML: %2', p.text('path'), p.text('error')),
  'manifest.no-list': (p, trans) =>
    trans.__(
      '%1 must be a list of mappings, one per notebook.',
      p.text('path')
    ),
  'manifest.unknown-fields': (p, trans) =>
    trans.__('It has unknown fields: %1.', p.text('fields')),
  'manifest.names-none': (_, trans) => trans.__('It names no notebook.'),
  'file.missing': (p, trans) =>
    trans.__('There is no file %1.', p.text('path')),
  'manifest.no-number': (p, trans) =>
    trans.__(
      '%1 must be a number of at least 0, not %2.',
      p.text('name'),
      p.text('value')
    ),
  'setting.wrong': (p, trans) =>
    trans.__('%1: %2.', p.text('name'), p.text('why')),
  'batch.report-not-written': (p, trans) =>
    trans.__('The report cannot be written (%1).', p.text('why')),
  'cli.no-terminal': (_, trans) =>
    trans.__(
      'Reviewing every fix needs a terminal; add --auto to fix without asking, or use `jupyter modernize run` to only run and diagnose.'
    ),
  'cli.setting-wrong': (p, trans) =>
    trans.__('The %1 is wrong: %2.', p.text('name'), p.text('why')),
  'cli.no-cell': (p, trans) =>
    trans.__(
      'There is no code cell %1; the notebook has %2.',
      p.text('score_cell'),
      p.text('count')
    ),
  'cli.package-elsewhere': (p, trans) =>
    trans.__(
      '--package adds to an environment made for the notebook, but %1 is left unchanged: omit --environment, or choose `%2` or `%3`.',
      p.text('environment'),
      p.text('own'),
      p.text('own_time')
    ),
  'file.exists': (p, trans) =>
    trans.__('%1 exists; choose another file.', p.text('path')),
  'cli.no-dask': (_, trans) =>
    trans.__(
      "A batch needs Dask: pip install 'mle-modernizer[batch]' (here, and wherever its workers run)."
    ),
  'cli.docker-only': (p, trans) =>
    trans.__(
      '--image, --memory, --cpus, --gpu and --pip are for the sandbox `docker`, not for `%1`.',
      p.text('sandbox')
    ),
  'cli.price-unknown': (p, trans) =>
    trans.__(
      'The price of %1 is not known, so --total-cost cannot be enforced. Set MLE_MODERNIZER_PRICE, or limit the tokens (--total-tokens).',
      p.text('model')
    ),
  'cli.no-metric-fits': (_, trans) =>
    trans.__('No common metric fits these targets; choose one with --metric.'),
  'cli.no-ipynb': (p, trans) =>
    trans.__('%1 does not end in .ipynb.', p.text('output')),
  'cli.output-exists': (p, trans) =>
    trans.__(
      '%1 exists; add --force to overwrite it, or choose another file.',
      p.text('path')
    ),
  'cli.no-submission': (p, trans) =>
    trans.__('%1 is not a file; name a submission (.csv).', p.text('path')),
  'cli.name-competition': (p, trans) =>
    trans.__(
      'Choose the competition with --competition; %1 has: %2.',
      p.text('root'),
      p.text('names')
    ),
  'cli.score-without-target': (_, trans) =>
    trans.__('--score needs --target-score to compare with.'),
  'cli.score-not-graded': (_, trans) =>
    trans.__(
      '--score is not graded, so it cannot be combined with --grader or a floor.'
    ),
  'cli.grader-competition': (_, trans) =>
    trans.__("MLE-bench's grader needs --competition."),
  'cli.sends-to-kaggle': (p, trans) =>
    trans.__('This sends %1 to Kaggle; confirm with --yes.', p.text('path')),
  'cli.same-file': (_, trans) =>
    trans.__('--output and --report name the same file.'),
  'cli.no-database': (p, trans) =>
    trans.__(
      'There are no sessions yet: %1 does not exist. Sessions are kept by the Jupyter server; name its file with --database.',
      p.text('database')
    ),
  'cli.no-rule': (p, trans) =>
    trans.__(
      'There is no rule %1; `jupyter modernize rules` lists all.',
      p.text('rule')
    ),
  'cli.no-such-sessions': (p, trans) =>
    trans.__("No session's path begins with %1.", p.text('path')),
  'environment.not-made-here': (_, trans) =>
    trans.__(
      'That environment was not made here; `environments` lists those that were.'
    ),
  'environment.missing': (p, trans) =>
    trans.__('There is no environment %1.', p.text('environment_id')),
  'environment.in-use': (p, trans) =>
    trans.__('The environment %1 is in use.', p.text('environment_id')),
  'environment.being-made': (p, trans) =>
    trans.__('The environment %1 is being made.', p.text('environment_id')),
  'environment.changed': (p, trans) =>
    trans.__(
      'The environment %1 has been changed since it was made; remove it (`jupyter modernize environments --remove %1`), and it will be made again.',
      p.text('environment_id')
    ),
  'environment.disk-full': (p, trans) =>
    trans.__(
      'The disk of %1 is full; remove environments (`jupyter modernize environments`) or free some space.',
      p.text('root')
    ),
  'environment.too-large': (p, trans) =>
    trans.__(
      'These packages need a download of %1 GB, more than the limit of %2 GB; the largest are %3.',
      p.text('size'),
      p.text('most_download'),
      p.text('largest')
    ),
  'environment.not-locked': (_, trans) =>
    trans.__('The installed packages are not those that were locked.'),
  'environment.no-requirement': (p, trans) =>
    trans.__(
      '%1 is not a plain requirement (a name and versions).',
      p.text('given')
    ),
  'environment.no-version': (p, trans) =>
    trans.__('%1 is not a version of Python.', p.text('python')),
  'environment.cancelled': (_, trans) => trans.__('Cancelled.'),
  'environment.not-made': (p, trans) =>
    trans.__('The environment could not be made. %1', p.text('words')),
  'environment.no-python': (_, trans) =>
    trans.__('No Python 3.6 or newer was found to make an environment with.'),
  'environment.no-uv': (_, trans) =>
    trans.__(
      'The package `uv`, which makes the environments, is not installed.'
    ),
  'environment.uv-broken': (_, trans) =>
    trans.__('The program of the package `uv` is missing; reinstall it.'),
  'program.not-started': (p, trans) =>
    trans.__('%1 cannot be started (%2).', p.text('program'), p.text('why')),
  'environment.too-long': (p, trans) =>
    trans.__('It took longer than %1 seconds.', p.text('limit', 'precise')),
  'environment.uv-says': (p, trans) =>
    trans.__('%1 uv: %2', p.text('words'), p.text('detail')),
  'given.no-path': (p, trans) =>
    trans.__(
      '--file %1=%2: %3 is not the path of a file.',
      p.text('path'),
      p.text('file'),
      p.text('path2')
    ),
  'given.no-file': (p, trans) =>
    trans.__(
      '--file %1=%2: there is no file %2.',
      p.text('path'),
      p.text('file')
    ),
  'given.unusable': (p, trans) =>
    trans.__(
      '--file %1=%2: %3.',
      p.text('path'),
      p.text('file'),
      p.text('why')
    ),
  'given.no-place': (p, trans) =>
    trans.__(
      "--file %1=%2: no file can be placed there in this sandbox; the path belongs to the system or to the competition's data.",
      p.text('path'),
      p.text('file')
    ),
  'interpreter.missing': (p, trans) =>
    trans.__(
      'There is no Python at %1; choose the interpreter of the old libraries.',
      p.text('path')
    ),
  'interpreter.silent': (p, trans) =>
    trans.__(
      '%1 does not answer like a Python 3.6 or newer (%2).',
      p.text('path'),
      p.text('name')
    ),
  'interpreter.too-old': (p, trans) =>
    trans.__(
      '%1 is Python %2; a comparison needs 3.6 or newer.',
      p.text('path'),
      p.text('found')
    ),
  'interpreter.too-much': (p, trans) =>
    trans.__(
      'The files of %1 are in %2, all of which a sandbox would have to expose. Make a virtual environment of that Python elsewhere, and choose that one.',
      p.text('path'),
      p.text('directory')
    ),
  'interpreter.not-in-sandbox': (p, trans) =>
    trans.__(
      'An old Python of this machine cannot run in the sandbox `%1`; choose `bubblewrap`, or `process` if you trust the notebook.',
      p.text('name')
    ),
  'notebook.language': (p, trans) =>
    trans.__(
      '%1 is a notebook in %2; only Python notebooks can be modernized.',
      p.text('name'),
      p.text('language')
    ),
  'notebook.no-code': (p, trans) =>
    trans.__(
      '%1 has no code to run. Open a notebook with at least one code cell.',
      p.text('name')
    ),
  'notebook.same-ids': (p, trans) =>
    trans.__(
      '%1 has two cells with the same id; save it again with JupyterLab.',
      p.text('name')
    ),
  'notebook.too-large': (p, trans) =>
    trans.__(
      '%1 has %2 MB, more than the limit of %3 MB; clear its outputs, or move data out of its cells into files.',
      p.text('path'),
      p.text('size', 'rough'),
      p.text('largest_notebook', 'precise')
    ),
  'notebook.not-readable': (p, trans) =>
    trans.__(
      '%1 cannot be read (%2). Check the path and its permissions.',
      p.text('path'),
      p.text('strerror')
    ),
  'notebook.no-json': (p, trans) =>
    trans.__(
      '%1 is not a notebook: it is not valid JSON (%2). Open a Jupyter notebook (.ipynb); a script can be converted with jupytext.',
      p.text('path'),
      p.text('error')
    ),
  'notebook.format': (p, trans) =>
    trans.__(
      '%1 has notebook format %2; formats 3 and 4 are supported. Save it again with a current JupyterLab.',
      p.text('name'),
      p.text('major')
    ),
  'notebook.no-cells': (p, trans) =>
    trans.__(
      '%1 is JSON but not a notebook: it has no cells. Open a Jupyter notebook (.ipynb).',
      p.text('name')
    ),
  'notebook.damaged': (p, trans) =>
    trans.__(
      '%1 is a damaged notebook (%2). Open it in JupyterLab and save it again.',
      p.text('name'),
      p.text('error')
    ),
  'notebook.name-one': (p, trans) =>
    trans.__(
      '%1 %2; choose a notebook (.ipynb).',
      p.text('path'),
      p.text('what')
    ),
  'notebook.too-large-outputs': (p, trans) =>
    trans.__(
      '%1 has %2 MB, more than the limit of %3 MB for a notebook; clear its outputs (in JupyterLab: Clear Outputs of All Cells).',
      p.text('path'),
      p.text('size', 'rough'),
      p.text('most_bytes', 'rough')
    ),
  'notebook.metadata': (p, trans) =>
    trans.__(
      'The metadata `%1` of %2 must be an object.',
      p.text('metadata_key'),
      p.text('path')
    ),
  'notebook.metadata-competition': (p, trans) =>
    trans.__(
      '`%1.competition` in %2 must be a string.',
      p.text('metadata_key'),
      p.text('path')
    ),
  'notebook.metadata-number': (p, trans) =>
    trans.__(
      '`%1.%2` in %3 must be a finite number.',
      p.text('metadata_key'),
      p.text('key'),
      p.text('path')
    ),
  'notebook.metadata-wrong': (p, trans) =>
    trans.__(
      '`%1` in %2: %3.',
      p.text('metadata_key'),
      p.text('path'),
      p.text('error')
    ),
  'output.is-notebook': (p, trans) =>
    trans.__(
      '%1 is the notebook itself, which is never changed; choose another file.',
      p.text('output')
    ),
  'output.is-directory': (p, trans) =>
    trans.__('%1 is a directory; choose a file.', p.text('output')),
  'output.no-directory': (p, trans) =>
    trans.__('The directory %1 does not exist.', p.text('parent')),
  'sandbox.no-kernel': (p, trans) =>
    trans.__(
      'No kernel starts in the sandbox `%1`: %2. Check that ipykernel works in this Python environment, or select another sandbox.',
      p.text('sandbox'),
      p.text('error')
    ),
  'competition.no-data': (p, trans) =>
    trans.__(
      "The competition's data are missing: there is no directory %1. Put the competition's public files there.",
      p.text('public')
    ),
  'sandbox.packages-unknown': (p, trans) =>
    trans.__(
      'The installed packages cannot be listed, so nothing can be predicted before a run (%1).',
      p.text('name')
    ),
  'sandbox.none-isolates': (p, trans) =>
    trans.__(
      "No sandbox that isolates the notebook works here. %1 The sandbox `process` runs anywhere, but the notebook's code then has your own permissions on this machine: select `process` explicitly if you trust the notebook.",
      p.text('reasons')
    ),
  'sandbox.unknown': (p, trans) =>
    trans.__(
      'There is no sandbox `%1`. Choose one of: %2.',
      p.text('name'),
      p.text('every')
    ),
  'sandbox.provisioner': (p, trans) =>
    trans.__(
      'Kernels of the sandbox `%1` are started by the kernel provisioner `%2`: use that one in the kernelspec.',
      p.text('chosen'),
      p.text('provisioner')
    ),
  'docker.elsewhere': (p, trans) =>
    trans.__(
      "The Docker engine cannot access this machine's directories (%1): it runs on another machine, or the server itself runs in a container. Select another sandbox.",
      p.text('words')
    ),
  'docker.no-shell': (p, trans) =>
    trans.__(
      'The image `%1` has no shell to start a kernel with (%2). Choose an image with Python and ipykernel.',
      p.text('image'),
      p.text('words')
    ),
  'docker.no-container': (p, trans) =>
    trans.__(
      'The Docker engine could not start a container: %1.',
      p.text('words')
    ),
  'docker.refuses': (p, trans) => trans.__('%1.', p.text('reason')),
  'docker.image-unknown': (p, trans) =>
    trans.__(
      'The image `%1` cannot be looked up: %2. Check its name.',
      p.text('name'),
      p.text('error')
    ),
  'docker.silent': (p, trans) =>
    trans.__(
      'The Docker engine at %1 no longer answers; check that it runs (`docker info`), and run the notebook again.',
      p.text('host')
    ),
  'docker.no-image': (p, trans) =>
    trans.__(
      'There is no image `%1` that you may pull (%2). Check its name, log in to its registry (`docker login`), or select another image or sandbox.',
      p.text('name'),
      p.text('words')
    ),
  'docker.image-not-fetched': (p, trans) =>
    trans.__(
      'The image `%1` could not be pulled (%2). Try again, load it in another way (`docker load`), or select another image or sandbox.',
      p.text('name'),
      p.text('words')
    ),
  'docker.no-gpu': (_, trans) =>
    trans.__(
      'A GPU was requested, but the Docker engine has none: install the NVIDIA Container Toolkit on a machine with a GPU, or request none (`gpus`).'
    ),
  'docker.kernel-late': (p, trans) =>
    trans.__(
      'The kernel in the image `%1` did not start within %2 seconds; the machine may be overloaded. Try again.',
      p.text('image'),
      p.text('start_limit', 'precise')
    ),
  'docker.sockets-exchanged': (_, trans) =>
    trans.__("The kernel's sockets were replaced while it started."),
  'docker.no-kernel': (p, trans) =>
    trans.__('No kernel starts on the Docker engine: %1', p.text('error')),
  'kernelspec.not-written': (p, trans) =>
    trans.__('The kernel cannot be added to the menu (%1).', p.text('why')),
  'kernelspec.not-in-menu': (_, trans) =>
    trans.__('No kernel was added to the menu for this notebook.'),
  'kernelspec.missing': (p, trans) =>
    trans.__('There is no kernelspec `%1`.', p.text('name')),
  'docker.packages-unknown': (p, trans) =>
    trans.__(
      'The image does not report its packages, so nothing can be predicted before a run (%1).',
      p.text('last')
    ),
  'docker.python-of-machine': (p, trans) =>
    trans.__(
      "%1 is a Python of this machine and cannot run in a container. Choose the image's own environment, or another sandbox.",
      p.text('python')
    ),
  'docker.image-not-here': (p, trans) =>
    trans.__(
      'The image `%1` is not on this machine: pull it with `docker pull %1`, or run a notebook in the `docker` sandbox once, which pulls it and shows the progress.',
      p.text('name')
    ),
  'docker.data-closed': (p, trans) =>
    trans.__(
      "The competition's data cannot be read from a container: %1 has no read permission for others. Grant it with `chmod -R a+rX %2`.",
      p.text('unreadable'),
      p.text('public')
    ),
  'docker.no-size': (p, trans) =>
    trans.__(
      'The %1 must be a size such as 30g or 512m, not %2.',
      p.text('name'),
      p.text('text')
    ),
  'docker.no-gpus-setting': (p, trans) =>
    trans.__(
      'GPUs must be auto, none, all or a number, not %1.',
      p.text('text')
    ),
  'docker.files-not-moved': (p, trans) =>
    trans.__(
      "The notebook's files could not be %1 the Docker engine (%2). Try again, or select another sandbox.",
      p.text('way'),
      p.text('words')
    ),
  'scratch.not-made': (p, trans) =>
    trans.__(
      'The scratch directory cannot be created in %1: %2. Free some space there, or set another directory for temporary files (TMPDIR).',
      p.text('place'),
      p.text('why')
    ),
  'llm.no-reply': (p, trans) =>
    trans._n(
      'LLM failed: no usable reply from %2 in %1 try. The last one: %3 The notebook is unchanged; ask again, change the scope or use another model.',
      'LLM failed: no usable reply from %2 in %1 tries. The last one: %3 The notebook is unchanged; ask again, change the scope or use another model.',
      p.count(),
      p.text('model'),
      p.text('mistakes')
    ),
  'prices.too-large': (p, trans) =>
    trans.__(
      'The price list %1 is too large: more than a megabyte.',
      p.text('file')
    ),
  'prices.not-readable': (p, trans) =>
    trans.__(
      'The price list %1 cannot be read (%2). Check MLE_MODERNIZER_PRICES and that the file may be read.',
      p.text('file'),
      p.text('name')
    ),
  'prices.wrong': (p, trans) =>
    trans.__(
      'The price list %1 cannot be used: %2: %3. It needs `as_of` (a date), `currency: USD`, `source`, and `models` with model, input, cached_input and output in USD per million tokens.',
      p.text('file'),
      p.text('where'),
      p.text('first')
    ),
  'prices.no-yaml': (p, trans) =>
    trans.__(
      'The price list %1 is not valid YAML: %2',
      p.text('file'),
      p.text('error')
    ),
  'prices.twice': (p, trans) =>
    trans.__(
      'The price list %1 lists the model %2 twice.',
      p.text('file'),
      p.text('model')
    ),
  'llm.address': (_, trans) =>
    trans.__(
      'The address of the language model cannot be used: it must start with http:// or https://, name a host and contain no password. Check MLE_MODERNIZER_BASE_URL.'
    ),
  'llm.api': (p, trans) =>
    trans.__(
      'MLE_MODERNIZER_API must be auto, chat or responses, not %1.',
      p.text('text')
    ),
  'llm.setting': (p, trans) =>
    trans.__(
      '%1 must be %2, not %3.',
      p.text('name'),
      p.text('wanted'),
      p.text('text')
    ),
  'llm.switch': (p, trans) =>
    trans.__('%1 must be 1 or 0, not %2.', p.text('name'), p.text('text')),
  'llm.key-unreadable': (p, trans) =>
    trans.__(
      'The key file %1 cannot be read (%2). Check its path, and that the Jupyter server may read it.',
      p.text('file'),
      p.text('name')
    ),
  'llm.key-empty': (p, trans) =>
    trans.__(
      'The key file %1 is empty. Put the key on its first line.',
      p.text('file')
    ),
  'rules.no-folder': (p, trans) =>
    trans.__(
      'The rules folder %1 does not exist. Check `rules_path`.',
      p.text('folder')
    ),
  'rules.too-many': (p, trans) =>
    trans.__(
      '%1 holds more than %2 rule files.',
      p.text('folder'),
      p.text('most_files')
    ),
  'competition.file-leads-out': (p, trans) =>
    trans.__(
      '%1/%2 is a link that points outside its folder.',
      p.text('slug'),
      p.text('file_name')
    ),
  'competition.path-leads-out': (p, trans) =>
    trans.__(
      '%1: %2 is a link that points outside its folder.',
      p.text('slug'),
      p.text('path')
    ),
  'competition.no-public': (p, trans) =>
    trans.__(
      '%1 has no directory prepared/public with the data.',
      p.text('slug')
    ),
  'competition.folder-leads-out': (p, trans) =>
    trans.__(
      'The folder of %1 is a link that points outside the data root.',
      p.text('slug')
    ),
  'competition.too-large': (p, trans) =>
    trans.__(
      '%1 is larger than 1 MB and cannot be a description.',
      p.text('label')
    ),
  'competition.no-yaml': (p, trans) =>
    trans.__('%1 cannot be read as YAML: %2', p.text('label'), p.text('what')),
  'competition.no-mapping': (p, trans) =>
    trans.__(
      '%1 must be a mapping of fields such as `metric: rmse`.',
      p.text('label')
    ),
  'competition.wrong': (p, trans) =>
    trans.__('%1: %2', p.text('label'), p.text('error')),
  'competition.in-private': (p, trans) =>
    trans.__(
      '%1: `%2` must not lie in prepared/private.',
      p.text('label'),
      p.text('field')
    ),
  'competition.answers-public': (p, trans) =>
    trans.__(
      '%1: `answers` must lie in prepared/private, which no notebook sees.',
      p.text('label')
    ),
  'competition.other-id': (p, trans) =>
    trans.__(
      '%1: `id` is %2, but the folder is %3.',
      p.text('label'),
      p.text('written'),
      p.text('folder')
    ),
  'competition.direction': (p, trans) =>
    trans.__(
      '%1: `higher_is_better` contradicts `metric`: for %2, %3 is better.',
      p.text('label'),
      p.text('metric'),
      p.text('direction')
    ),
  'competition.no-id-column': (p, trans) =>
    trans.__(
      '%1: `id_columns` must name at least one column.',
      p.text('label')
    ),
  'competition.both-columns': (p, trans) =>
    trans.__(
      '%1: %2 is in `id_columns` and `target_columns`.',
      p.text('label'),
      p.text('both')
    ),
  'competition.column-twice': (p, trans) =>
    trans.__(
      '%1: `%2` names a column twice.',
      p.text('label'),
      p.text('field')
    ),
  'competition.path-outside': (p, trans) =>
    trans.__(
      "%1: `%2` must be a path inside the competition's folder, not %3.",
      p.text('label'),
      p.text('field'),
      p.text('path')
    ),
  'competition.classes-count': (p, trans) =>
    trans.__(
      '%1: `classes` has %2 labels for %3 `target_columns`; log loss needs one label for each column.',
      p.text('label'),
      p.text('count'),
      p.text('count2')
    ),
  'competition.with-confidence': (p, trans) =>
    trans.__(
      '%1: %2 takes two `target_columns`, the value and its confidence, and one of `answer_columns`.',
      p.text('label'),
      p.text('metric')
    ),
  'competition.answer-columns': (p, trans) =>
    trans.__(
      '%1: `answer_columns` has %2 columns, `target_columns` %3; there must be one for each.',
      p.text('label'),
      p.text('count'),
      p.text('count2')
    ),
  'competition.one-target': (p, trans) =>
    trans.__(
      '%1: %2 takes one target column, not %3.',
      p.text('label'),
      p.text('metric'),
      p.text('count')
    ),
  'competition.class-twice': (p, trans) =>
    trans.__('%1: `classes` names a label twice.', p.text('label')),
  'competition.no-option': (p, trans) =>
    trans.__(
      '%1: `options`: %2 has no option %3; %4.',
      p.text('label'),
      p.text('metric'),
      p.text('name'),
      p.text('there')
    ),
  'competition.no-support': (p, trans) =>
    trans.__(
      '%1: %2 needs `support` with `%3: <column of the answers>`.',
      p.text('label'),
      p.text('metric'),
      p.text('role')
    ),
  'competition.sample-unusable': (p, trans) =>
    trans.__(
      '%1: `target_columns` is missing, and cannot be read from the sample submission %2: %3',
      p.text('label'),
      p.text('sample_submission'),
      p.text('message')
    ),
  'competition.sample-ids-only': (p, trans) =>
    trans.__(
      '%1: the sample submission has no column beside the ids.',
      p.text('label')
    ),
  'holdout.share': (p, trans) =>
    trans.__(
      'The held-out share must lie between 0 and 1, not %1.',
      p.text('share', 'precise')
    ),
  'holdout.empty-side': (p, trans) =>
    trans.__(
      'With %1 rows and a share of %2, one side of the split is empty.',
      p.text('rows', 'thousands'),
      p.text('share', 'precise')
    ),
  'mlebench.not-installed': (_, trans) =>
    trans.__(
      'The package mlebench is not installed in this Python, and there is no command `mlebench`; install it from https://github.com/openai/mle-bench or leave out `--grader mlebench`.'
    ),
  'mlebench.too-long': (p, trans) =>
    trans.__(
      "MLE-bench's grader took longer than %1 s.",
      p.text('seconds', 'precise')
    ),
  'mlebench.failed': (p, trans) =>
    trans.__("MLE-bench's grader failed: %1", p.text('last')),
  'own-competition.no-directory': (p, trans) =>
    trans.__('%1 is not a directory.', p.text('folder')),
  'own-competition.several-files': (p, trans) =>
    trans.__(
      'It is not clear which file in %1 holds the labelled data (%2); choose it with --train.',
      p.text('folder'),
      p.text('names')
    ),
  'own-competition.no-column': (p, trans) =>
    trans.__(
      '%1 has no column %2; it has %3.',
      p.text('chosen'),
      p.text('name'),
      p.text('there')
    ),
  'own-competition.exists': (p, trans) =>
    trans.__(
      '%1 has %2 already; add --force to replace them.',
      p.text('folder'),
      p.text('names')
    ),
  'own-competition.leads-out': (p, trans) =>
    trans.__(
      '%1 is a link that points outside %2; remove it.',
      p.text('name'),
      p.text('folder')
    ),
  'own-competition.unusable': (p, trans) =>
    trans.__('%1 cannot be used: %2', p.text('path'), p.text('message')),
  'own-competition.no-target': (p, trans) =>
    trans.__(
      'Line %1 has no %2: every row needs a target.',
      p.text('lines'),
      p.text('name')
    ),
  'own-competition.needs-numbers': (p, trans) =>
    trans.__(
      '%1 needs numbers, and %2 has other values; choose a metric for labels such as accuracy, or write the labels as 0 and 1.',
      p.text('metric'),
      p.text('name')
    ),
  'own-competition.needs-two': (p, trans) =>
    trans.__(
      '%1 needs targets of 0 and 1, and %2 has other values; metrics that fit: %3.',
      p.text('metric'),
      p.text('name'),
      p.text('fitting')
    ),
  'own-competition.id-twice': (p, trans) =>
    trans.__('An id occurs more than once in column %1.', p.text('id_column')),
  'own-competition.row-column': (p, trans) =>
    trans.__(
      'There is a column %1 that is not an id; rename it.',
      p.text('row_id')
    ),
  'own-competition.no-split-column': (p, trans) =>
    trans.__(
      'There is no column %1 to split by; there are %2.',
      p.text('column'),
      p.text('there')
    ),
  'kaggle.unreachable': (p, trans) =>
    trans.__(
      'Kaggle cannot be reached for %1 (%2). Is there a network connection?',
      p.text('what'),
      p.text('name')
    ),
  'kaggle.unreadable': (p, trans) =>
    trans.__(
      "Kaggle's answer for %1 cannot be read (%2).",
      p.text('what'),
      p.text('name')
    ),
  'kaggle.not-installed': (_, trans) =>
    trans.__(
      "This needs the package kaggle, which is not installed in this Python or cannot be used. Install it: pip install 'mle-modernizer[kaggle]' (Python 3.11 or newer)."
    ),
  'kaggle.token': (p, trans) =>
    trans.__(
      'Kaggle rejects your token for %1. Create a new one: https://www.kaggle.com/settings/api',
      p.text('what')
    ),
  'kaggle.rules': (p, trans) =>
    trans.__(
      'Kaggle refuses %1: usually the rules have not been accepted yet. Join the competition and accept them: https://www.kaggle.com/competitions/%2/rules',
      p.text('what'),
      p.text('slug')
    ),
  'kaggle.no-access': (p, trans) =>
    trans.__(
      'Kaggle refuses %1: your account has no access to it.',
      p.text('what')
    ),
  'kaggle.unknown': (p, trans) =>
    trans.__(
      'Kaggle does not know %1. Is the name spelled as in its address?',
      p.text('what')
    ),
  'kaggle.refuses': (p, trans) =>
    trans.__(
      'Kaggle refuses %1 (%2)%3',
      p.text('what'),
      p.text('status'),
      p.text('words')
    ),
  'archive.broken': (p, trans) =>
    trans.__('The archive cannot be unpacked (%1).', p.text('error')),
  'archive.too-many': (p, trans) =>
    trans.__(
      'The archive holds more than %1 files.',
      p.text('most_members', 'thousands')
    ),
  'archive.twice': (p, trans) =>
    trans.__('The archive holds %1 twice.', p.text('member')),
  'archive.link': (p, trans) =>
    trans.__(
      'The archive holds %1, which is a link or not a regular file.',
      p.text('member')
    ),
  'archive.path': (p, trans) =>
    trans.__(
      'The archive holds %1, a path that is not allowed.',
      p.text('member')
    ),
  'archive.too-large': (p, trans) =>
    trans.__(
      'Unpacked, it is larger than %1 GB; see --max-size.',
      p.text('most_bytes', 'precise')
    ),
  'kaggle.no-slug': (p, trans) =>
    trans.__(
      "%1 is not a competition's name; use the last part of its address.",
      p.text('text')
    ),
  'kaggle.own-answers': (p, trans) =>
    trans.__(
      "%1 holds its own answers, made from other data than Kaggle's test set. Use another --data-root.",
      p.text('folder')
    ),
  'kaggle.there-already': (p, trans) =>
    trans.__(
      '%1 exists already. --force downloads it again.',
      p.text('public')
    ),
  'kaggle.broke-off': (p, trans) =>
    trans.__(
      'The download broke off after %1 of %2 bytes. Try again.',
      p.text('done', 'thousands'),
      p.text('total', 'thousands')
    ),
  'kaggle.data-too-large': (p, trans) =>
    trans.__(
      'The data is larger than %1 GB; --max-size allows more.',
      p.text('most_bytes', 'precise')
    ),
  'kaggle.no-room': (p, trans) =>
    trans.__(
      'There is not enough space below %1 for %2 GB.',
      p.text('parent'),
      p.text('size')
    ),
  'kaggle.no-notebook-name': (p, trans) =>
    trans.__(
      "%1 is not a notebook's name; use OWNER/SLUG, the end of its address.",
      p.text('text')
    ),
  'kaggle.file-exists': (p, trans) =>
    trans.__(
      '%1 exists; choose another directory with --into, or use --force.',
      p.text('file')
    ),
  'kaggle.no-notebook': (p, trans) =>
    trans.__(
      '%1/%2 is a %3, not a notebook.',
      p.text('owner'),
      p.text('slug'),
      p.text('kind')
    ),
  'kaggle.notebook-too-large': (p, trans) =>
    trans.__('%1/%2 is too large.', p.text('owner'), p.text('slug')),
  'kaggle.answer-empty': (p, trans) =>
    trans.__("Kaggle's answer for %1 contains no notebook.", p.text('what')),
  'kaggle.closed': (p, trans) =>
    trans.__('%1 no longer takes submissions.', p.text('slug')),
  'kaggle.notebooks-only': (p, trans) =>
    trans.__(
      "%1 accepts only notebooks, no CSV: submit from a notebook on Kaggle's site.",
      p.text('slug')
    ),
  'kaggle.not-sent': (p, trans) =>
    trans.__(
      '%1 could not be sent to Kaggle. Nothing was submitted.',
      p.text('csv')
    ),
  'kaggle.not-scored': (p, trans) =>
    trans.__('Kaggle could not score the submission: %1', p.text('why')),
  'kaggle.not-scored-yet': (p, trans) =>
    trans.__(
      'The submission %1 has not been scored after %2 s. You will find it on Kaggle under My submissions.',
      p.text('ref'),
      p.text('waited', 'rough')
    ),
  'file.not-readable-why': (p, trans) =>
    trans.__('%1 cannot be read: %2.', p.text('path'), p.text('strerror')),
  'reproduction.no-claim': (p, trans) =>
    trans.__(
      'No claim was found in %1, so there is nothing to check a notebook against. Results that appear only in figures are not read.',
      p.text('source')
    ),
  'reproduction.too-many': (p, trans) =>
    trans.__(
      '%1 claims exceed the limit of %2 per notebook.',
      p.text('count'),
      p.text('most_claims_chosen')
    ),
  'reproduction.unknown-claim': (p, trans) =>
    trans.__('There is no claim %1 in this paper.', p.text('unknown')),
  'request.files-elsewhere': (_, trans) =>
    trans.__(
      'This server does not keep its files in a directory; make the competition with `jupyter modernize competition init` in a terminal.'
    ),
  'request.too-large': (p, trans) =>
    trans.__(
      'The request has %1 MB, more than the limit of %2 MB. Notebooks are sent without their outputs; move large texts and data out of the cells, into files.',
      p.text('length'),
      p.text('most_bytes', 'precise')
    ),
  'request.no-json': (p, trans) =>
    trans.__("The request's body is not valid JSON: %1", p.text('error')),
  'request.too-deep': (_, trans) =>
    trans.__("The request's body is nested too deeply."),
  'request.format': (p, trans) =>
    trans.__(
      'format must be json, markdown or html, not %1.',
      p.text('wanted')
    ),
  'request.no-number': (p, trans) =>
    trans.__(
      '%1 must be a whole number, not %2.',
      p.text('name'),
      p.text('text')
    ),
  'request.no-file': (p, trans) =>
    trans.__('There is no file %1 in the file browser.', p.text('path')),
  'sandbox.setting-unknown': (p, trans) =>
    trans.__(
      'There is no sandbox %1; available: %2.',
      p.text('sandbox'),
      p.text('known')
    ),
  'own-competition.name-leads-out': (p, trans) =>
    trans.__(
      '%1 below the data root is a link that points outside it.',
      p.text('wish')
    ),
  'own-competition.folder-exists': (p, trans) =>
    trans.__(
      'A folder %1 exists already in %2; choose another name, or confirm that it may be overwritten.',
      p.text('wish'),
      p.text('root')
    ),
  'own-competition.not-writable': (p, trans) =>
    trans.__(
      '%1 cannot be written (%2); set a data root that can.',
      p.text('into'),
      p.text('why')
    ),
  'own-competition.no-such-directory': (p, trans) =>
    trans.__(
      "There is no directory %1 in the file browser's root.",
      p.text('directory')
    ),
  'own-competition.not-readable': (p, trans) =>
    trans.__('%1 cannot be read (%2).', p.text('folder'), p.text('strerror')),
  'own-competition.no-such-csv': (p, trans) =>
    trans.__('There is no CSV %1 in %2.', p.text('train'), p.text('folder')),
  'own-competition.no-csv': (p, trans) =>
    trans.__(
      'There is no CSV in %1; name the directory of the data.',
      p.text('folder')
    ),
  'decision.no-edit': (p, trans) =>
    trans.__(
      'Proposal %1 has no edit %2.',
      p.text('proposal_id'),
      p.text('edit_id')
    ),
  'decision.no-proposal': (p, trans) =>
    trans.__(
      'Session %1 has no proposal %2.',
      p.text('session'),
      p.text('proposal_id')
    ),
  'decision.work-goes-on': (_, trans) =>
    trans.__(
      'Decisions cannot be undone while the notebook is being worked on.'
    ),
  'decision.has-run': (_, trans) =>
    trans.__('The notebook has been run since; ask for another fix instead.'),
  'decision.accepted-already': (_, trans) =>
    trans.__('This change has already been accepted.'),
  'decision.stale': (_, trans) =>
    trans.__(
      'The cell was changed after the fix was proposed; ask for the fix again.'
    ),
  'decision.needs-yes': (_, trans) =>
    trans.__(
      'This edit changes the experiment (data, features, model, parameters, seed or split). Accept it individually, with your explicit confirmation.'
    ),
  'conflict.nothing-run': (_, trans) =>
    trans.__('No run has completed yet; run the notebook first.'),
  'conflict.has-score': (p, trans) =>
    trans.__(
      'This run already has a score, which was %1.',
      p.text('score_kind')
    ),
  'environment.none-made': (_, trans) =>
    trans.__(
      'This server does not make environments (MLE_MODERNIZER_MAKE_ENVIRONMENTS).'
    ),
  'era.unknown': (_, trans) =>
    trans.__(
      'Nothing in the notebook shows when it was written; enter a year (`--era 2018`).'
    ),
  'environment.unknown': (p, trans) =>
    trans.__(
      'There is no environment %1: use a kernelspec, a conda environment, a path, `%2`, `%3` or `%4`; `jupyter modernize environments --for NOTEBOOK` lists the available ones.',
      p.text('wanted'),
      p.text('server'),
      p.text('own'),
      p.text('own_time')
    ),
  'environment.cannot-run': (p, trans) =>
    trans.__(
      'The environment %1 cannot run a notebook (%2).',
      p.text('wanted'),
      p.text('trouble')
    ),
  'conflict.no-fix-due': (_, trans) =>
    trans.__(
      'The notebook needs no fix; select a fix type to ask for one anyway.'
    ),
  'conflict.rehearsal-errors': (_, trans) =>
    trans.__(
      'A rehearsal only shows errors; run the notebook for anything else.'
    ),
  'conflict.rules-first': (_, trans) =>
    trans.__(
      'Before the first run only the rules are asked; nothing is sent to a model.'
    ),
  'exchange.none': (p, trans) =>
    trans.__('Nothing was sent to a model for %1.', p.text('exchange')),
  'store.newer': (p, trans) =>
    trans.__(
      '%1 was written by a newer version of MLE Modernizer; update this installation, or set another database file.',
      p.text('where')
    ),
  'store.unusable': (p, trans) =>
    trans.__(
      'The session database %1 cannot be used: %2',
      p.text('where'),
      p.text('error')
    ),
  'session.missing': (p, trans) =>
    trans.__(
      'There is no session %1; it may have been deleted.',
      p.text('session_id')
    ),
  'session.no-notebook': (p, trans) =>
    trans.__(
      'Session %1 has no notebook %2.',
      p.text('session_id'),
      p.text('digest')
    ),
  'store.not-writable': (p, trans) =>
    trans.__('The session database cannot be written: %1.', p.text('error')),
  'store.closing': (_, trans) => trans.__('The server is shutting down.'),
  'conflict.no-model-chosen': (_, trans) =>
    trans.__(
      'The model is not among the selected fixers: nothing will be spent.'
    ),
  'finish.no-run': (_, trans) =>
    trans.__('There is no run to finish the notebook with; run it first.'),
  'finish.not-whole': (p, trans) =>
    trans.__(
      'Run %1 did not run the whole notebook on all data; run it again to finish it.',
      p.text('wanted')
    ),
  'conflict.has-run': (_, trans) =>
    trans.__('The notebook has been run; ask for a fix based on that run.'),
  'conflict.two-runs': (_, trans) =>
    trans.__('A strict verification needs at least two runs.'),
  'conflict.nothing-to-measure': (_, trans) =>
    trans.__(
      'There is no score that is compared with a target, so there is nothing to measure.'
    ),
  'blocks.unknown': (p, trans) =>
    trans.__(
      'There is no block %1; the notebook has %2.',
      p.text('number'),
      p.text('most')
    ),
  'compare.no-version': (_, trans) =>
    trans.__('There is no other version to compare the notebook with.'),
  'folds.no-competition': (_, trans) =>
    trans.__(
      "Validation folds need a competition's data; select a competition."
    ),
  'own-time.unknown-libraries': (p, trans) =>
    trans.__(
      'The server has no old libraries %1; available: %2.',
      p.text('old_python'),
      p.text('known')
    ),
  'conflict.sandbox-python': (_, trans) =>
    trans.__("Here, notebooks run in the sandbox's own Python."),
  'finish.outputs-gone': (p, trans) =>
    trans.__(
      'The outputs of run %1 were not kept; run it again to finish it.',
      p.text('number')
    ),
  'finish.replaced-gone': (_, trans) =>
    trans.__('What finishing this notebook replaced is no longer kept.'),
  'budget.price-unknown': (p, trans) =>
    trans.__(
      'The price of %1 is not known, so a cost limit cannot be enforced. Set MLE_MODERNIZER_PRICE (input,cached,output in USD per million tokens) where the server or the command starts, or remove the limit.',
      p.text('model')
    ),
  'folds.cannot': (p, trans) =>
    trans.__('No validation folds can be made because %1.', p.text('error')),
  'not-folded.few-rows': (p, trans) =>
    trans.__(
      '%1 rows in %2 folds leave %3 in the smallest; a meaningful score needs %4',
      p.text('rows', 'thousands'),
      p.text('folds'),
      p.text('least'),
      p.text('needed')
    ),
  'not-folded.one-label': (_, trans) =>
    trans.__('all rows of the training data have the same label'),
  'not-folded.few-values': (p, trans) =>
    trans.__(
      '%1 has %2 values, too few for %3 folds',
      p.text('column'),
      p.text('values'),
      p.text('folds')
    ),
  'not-folded.too-long': (_, trans) =>
    trans.__('splitting this much data takes too long'),
  'not-folded.unreadable': (p, trans) =>
    trans.__('the data cannot be read or written (%1)', p.text('reason')),
  'not-folded.no-column': (p, trans) =>
    trans.__('the training data have no column %1', p.text('column')),
  'not-folded.empty-sample': (_, trans) =>
    trans.__('the sample submission is empty'),
  'not-folded.no-csv': (p, trans) =>
    trans.__('%1 is not a CSV', p.text('table')),
  'not-folded.too-large': (p, trans) =>
    trans.__('%1 is too large to split', p.text('table')),
  'not-folded.two-tables': (p, trans) =>
    trans.__(
      'labels and features are in two tables, %1 and another',
      p.text('table')
    ),
  'not-folded.columns-missing': (p, trans) =>
    trans.__('%1 has no column %2', p.text('table'), p.text('columns')),
  'not-folded.other-columns': (p, trans) =>
    trans.__(
      'the test data have columns that %1 lacks: %2',
      p.text('table'),
      p.text('column')
    ),
  'folds.too-long': (p, trans) =>
    trans.__(
      'A run takes %1 seconds, so %2 folds take %3 for the notebook alone, more than the budget of %4. Raise the budget, or use fewer folds, which show less.',
      p.text('seconds', 'rough'),
      p.text('count'),
      p.text('needed', 'rough'),
      p.text('budget', 'rough')
    ),
  'folds.one-hold-out': (_, trans) =>
    trans.__(
      'A single hold-out set (1 fold) fits into the budget. It is weak evidence: it shows gains, and calls nothing better.'
    ),
  'own-time.sandbox': (_, trans) =>
    trans.__(
      'The target is found in an environment made here; choose the sandbox `bubblewrap` or `process`.'
    ),
  'reproduction.settings': (p, trans) =>
    trans.__(
      'The number of runs must be 1 to %1, and the tolerance a share between 0 and 1.',
      p.text('most_repeated')
    ),
  'reproduction.no-claims-named': (p, trans) =>
    trans.__(
      '%1 does not name the claims it reproduces; make the notebook with `jupyter modernize paper FILE --output NOTEBOOK`.',
      p.text('name')
    ),
  'writing.rounds': (p, trans) =>
    trans.__('The rounds of a stage must be 1 to %1.', p.text('most')),
  'writing.sections': (_, trans) =>
    trans.__(
      'The notebook lacks sections that a model fills in; make it again from the paper.'
    ),
  'claims.no-reply': (p, trans) =>
    trans._n(
      'LLM failed: no usable answer from %2 in %1 try. %3 The claims are those found by rules.',
      'LLM failed: no usable answer from %2 in %1 tries. %3 The claims are those found by rules.',
      p.count(),
      p.text('model'),
      p.text('mistake')
    ),
  'claims.over-budget': (p, trans) =>
    trans.__(
      'The request would take about %1 tokens, which is over the limit.',
      p.text('tokens')
    ),
  'claims.other-file': (p, trans) =>
    trans.__(
      '%1 does not hold claims read by a model; move it, and ask again.',
      p.text('path')
    ),
  'writing.no-file': (_, trans) =>
    trans.__("The notebook's file cannot be read; save it first."),
  'writing.no-paper': (p, trans) =>
    trans.__(
      'The paper %1 is not beside the notebook, or has changed since the notebook was made.',
      p.text('paper')
    ),
  'conflict.not-written-so': (_, trans) =>
    trans.__("A paper's notebook is written with its own button."),
  'writing.no-price': (_, trans) =>
    trans.__('A cost limit needs the price of the model, which is not known.'),
  'writing.unreadable': (p, trans) =>
    trans.__('%1 cannot be read; remove it to start over.', p.text('path')),
  'writing.other-paper': (p, trans) =>
    trans.__(
      '%1 belongs to another paper or other claims; remove it to start over.',
      p.text('path')
    ),
  'reproduction.too-large': (p, trans) =>
    trans.__(
      'The metadata of %1 are too large for a reproduction.',
      p.text('name')
    ),
  'reproduction.wrong': (p, trans) =>
    trans.__(
      'The claims recorded in %1 cannot be used (%2: %3).',
      p.text('name'),
      p.text('where'),
      p.text('first')
    ),
  'reproduction.names-used': (p, trans) =>
    trans.__(
      'There are %1 notebooks of %2 already; remove some.',
      p.text('most_names'),
      p.text('paper')
    ),
  'paper.unknown-format': (p, trans) =>
    trans.__(
      '%1 is not a readable paper: use LaTeX (a .tex file or an archive as from arXiv), PDF, Markdown or HTML.',
      p.text('path')
    ),
  'paper.too-large': (p, trans) =>
    trans.__('%1 is too large for a paper.', p.text('path')),
  'paper.bad-archive': (p, trans) =>
    trans.__('%1 is an archive that cannot be unpacked.', p.text('path')),
  'paper.no-source': (p, trans) =>
    trans.__(
      '%1 is an archive without a LaTeX document in it.',
      p.text('path')
    ),
  'paper.damaged': (p, trans) =>
    trans.__('%1 is damaged and cannot be read.', p.text('path')),
  'paper.encrypted': (p, trans) =>
    trans.__('%1 needs a password; save a copy without one.', p.text('path')),
  'paper.scanned': (p, trans) =>
    trans.__(
      "%1 has only images of pages and no text; use a version with text (the publisher's PDF, or the LaTeX sources).",
      p.text('path')
    ),
  'paper.empty': (p, trans) => trans.__('%1 has no text.', p.text('path')),
  'paper.time': (p, trans) =>
    trans.__('%1 takes too long to read.', p.text('path')),
  'paper.memory': (p, trans) =>
    trans.__('%1 takes too much memory to read.', p.text('path')),
  'paper.no-page': (p, trans) =>
    trans.__(
      '%1 has no picture of that page: it is no PDF, or has fewer pages.',
      p.text('path')
    ),
  'paper.crashed': (p, trans) =>
    trans.__(
      '%1 cannot be read: the process that reads it crashed.',
      p.text('path')
    ),
  'archive.both': (p, trans) =>
    trans.__(
      'The archive holds %1 both as a file and as a directory.',
      p.text('member')
    ),
  'kaggle.rate-limit-seconds': (p, trans) =>
    trans.__(
      "Kaggle's rate limit is reached. Try again in %1 seconds.",
      p.text('seconds')
    ),
  'kaggle.rate-limit': (_, trans) =>
    trans.__("Kaggle's rate limit is reached. Try again in a few minutes."),
  'kaggle.trouble': (p, trans) =>
    trans.__(
      'Kaggle reports a server problem (%1). Try again later.',
      p.text('status')
    ),
  'competition.unknown': (p, trans) =>
    trans.__(
      'There is no competition %1 below %2.',
      p.text('slug'),
      p.text('root')
    ),
  'competition.meant': (p, trans) =>
    trans.__('Did you mean %1?', p.text('names')),
  'competition.there-are-more': (p, trans) =>
    trans.__(
      'Available: %1 and %2 more (`jupyter modernize competition list` lists all).',
      p.text('names'),
      p.text('more')
    ),
  'competition.there-are': (p, trans) =>
    trans.__('Available: %1.', p.text('names')),
  'competition.none-there': (_, trans) =>
    trans.__('There are no competitions; set the data root.'),
  'kaggle.not-written': (p, trans) =>
    trans.__(
      'The data cannot be written below %1 (%2).',
      p.text('root'),
      p.text('why')
    ),
  'era.wrong': (_, trans) =>
    trans.__(
      "The era must be a year such as 2018, or versions such as 'pandas 0.23, sklearn 0.19'."
    ),
  'sandbox.unusable': (p, trans) =>
    trans.__(
      'The sandbox `%1` cannot be used: %2.',
      p.text('name'),
      p.text('reason')
    ),
  'sandbox.gives-no-network': (p, trans) =>
    trans.__(
      'The sandbox `%1` cannot give runs network access; bubblewrap can. Or fetch the file once, or put it beside the notebook.',
      p.text('name')
    ),
  'run.network-none': (_, trans) =>
    trans.__('This run had network access and reached no server.'),
  'run.network': (p, trans) =>
    trans.__('This run had network access and reached %1.', p.text('servers')),
  'run.network-refused': (p, trans) =>
    trans.__('Blocked: %1.', p.text('servers')),
  'sandbox.other-works': (p, trans) =>
    trans.__('`%1` works here.', p.text('name')),
  'sandbox.other-not-isolated': (p, trans) =>
    trans.__(
      '`%1` works here, but does not isolate the notebook: select it if you trust the code.',
      p.text('name')
    ),
  'docker.no-ipykernel': (p, trans) =>
    trans.__(
      'The image `%1` has no ipykernel, so no notebook can run in it. Install it there (`pip install ipykernel`), or select another image.',
      p.text('image')
    ),
  'docker.image-cannot': (p, trans) =>
    trans.__(
      'The image `%1` cannot run a kernel: %2. Select another image.',
      p.text('image'),
      p.text('words')
    ),
  'docker.little-memory': (p, trans) =>
    trans.__(
      '%1 of memory are not enough to start a kernel; allow more.',
      p.text('memory')
    ),
  'docker.image-no-kernel': (p, trans) =>
    trans.__(
      'No kernel starts in the image `%1` (exit code %2): %3',
      p.text('image'),
      p.text('exit'),
      p.text('words')
    ),
  'kaggle.token-refused': (_, trans) =>
    trans.__(
      'Kaggle rejects the token in KAGGLE_API_TOKEN. Create a new one: https://www.kaggle.com/settings/api'
    ),
  'kaggle.no-token': (_, trans) =>
    trans.__(
      'There is no Kaggle token. Create one at https://www.kaggle.com/settings/api and put it into KAGGLE_API_TOKEN or ~/.kaggle/access_token (an older key into KAGGLE_USERNAME and KAGGLE_KEY or ~/.kaggle/kaggle.json).'
    ),
  'docker.image-not-yet': (p, trans) =>
    trans.__(
      'its image %1 is not on this machine yet; select `docker` explicitly to have it pulled',
      p.text('image')
    ),
  'bubblewrap.linux-only': (_, trans) =>
    trans.__('bubblewrap exists on Linux only'),
  'bubblewrap.not-installed': (_, trans) =>
    trans.__('bwrap is not installed (the package is `bubblewrap`)'),
  'bubblewrap.not-started': (p, trans) =>
    trans.__('bwrap does not start: %1', p.text('error')),
  'bubblewrap.no-namespaces': (p, trans) =>
    trans.__(
      'bwrap is not allowed to create its namespaces on this machine (%1)',
      p.text('words')
    ),
  'docker.needs-unix': (_, trans) =>
    trans.__(
      'containers are reached through Unix sockets; run JupyterLab within WSL 2'
    ),
  'docker.windows-containers': (_, trans) =>
    trans.__(
      'the Docker engine runs Windows containers; switch it to Linux containers'
    ),
  'docker.maps-users': (_, trans) =>
    trans.__(
      'the Docker engine maps user ids (userns-remap), so a container could not write to the scratch directory; use an engine without it, or a rootless one'
    ),
  'docker.no-right': (p, trans) =>
    trans.__(
      'you have no permission to use the Docker engine at %1; ask to be added to the group `docker` (which is equivalent to root access), or use a rootless engine',
      p.text('host')
    ),
  'docker.host-silent': (p, trans) =>
    trans.__(
      'the Docker engine at %1 does not answer (%2)',
      p.text('host'),
      p.text('words')
    ),
  'docker.none-answers': (p, trans) =>
    trans.__(
      'no Docker engine answers at %1; install Docker, or start it (`systemctl start docker`)',
      p.text('host')
    ),
  'sandbox.reason': (p, trans) =>
    trans.__('%1: %2.', p.text('name'), p.text('reason'))
};

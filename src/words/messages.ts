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
    trans.__('Stopped%1, the first that failed.', p.text('cell')),
  'summary.in-cell': (p, trans) =>
    trans.__(' in cell %1 of %2', p.text('cell'), p.text('of')),
  'summary.kernel-died': (p, trans) =>
    trans.__('The kernel died%1.', p.text('cell')),
  'summary.out-of-memory': (p, trans) =>
    trans.__(
      'The kernel was killed because the memory ran out%1.',
      p.text('cell')
    ),
  'summary.disk-full': (p, trans) =>
    trans.__(
      'The kernel was killed because the disk space ran out%1.',
      p.text('cell')
    ),
  'summary.failed': (p, trans) =>
    trans._n('%1 cell failed.', '%1 cells failed.', p.count()),
  'summary.failed-and-cascades': (p, trans) =>
    trans._n(
      '%1 cell failed, %2 more only because of it.',
      '%1 cells failed, %2 more only because of them.',
      p.count(),
      p.text('cascades')
    ),
  'summary.score-holds': (_, trans) =>
    trans.__('The score holds all the same.'),
  'summary.perfect': (_, trans) =>
    trans.__('It is a perfect score: look where it comes from.'),
  'doubt.copy': (p, trans) =>
    trans.__(
      'Not judged yet, for its predictions are those of %1, which was there before.',
      p.text('file')
    ),
  'doubt.cells': (p, trans) =>
    trans._n(
      'Not judged yet, for it depends on %1 cell that failed.',
      'Not judged yet, for it depends on %1 cells that failed.',
      p.count()
    ),
  'score.not-judged': (_, trans) => trans.__('The score is not judged yet.'),
  'summary.ran': (_, trans) => trans.__('Every cell ran without an error.'),
  'summary.no-competition': (_, trans) =>
    trans.__('No competition is chosen, so there is no score.'),
  'summary.saved-outputs': (p, trans) =>
    trans._n(
      '%2 of %1 cell gives what it gave.',
      '%2 of %1 cells give what they gave.',
      p.count(),
      p.text('agreeing')
    ),
  'result.saved-outputs': (_, trans) => trans.__('Gives its saved outputs'),
  'result.other-outputs': (_, trans) => trans.__('Runs, other outputs'),
  'result.without-errors': (_, trans) => trans.__('Runs without errors'),
  'result.with-errors': (_, trans) => trans.__('Runs with errors'),
  'result.failed': (_, trans) => trans.__('Failed'),
  'summary.no-submission': (_, trans) =>
    trans.__('No submission CSV was written.'),
  'summary.no-target': (_, trans) => trans.__('No target score is known.'),
  'summary.invalid': (_, trans) => trans.__('The submission is not valid.'),
  'summary.no-score': (_, trans) => trans.__('There is no score.'),
  'summary.not-compared': (p, trans) =>
    trans.__(
      '%1 %2; without a target score there is nothing to compare it with.',
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
      '%1 %2 is %3 the target %4, and better.',
      p.text('kind'),
      p.text('score'),
      p.text('distance'),
      p.text('target')
    ),
  'summary.resumed-otherwise': (p, trans) =>
    trans.__(
      'The run that had been resumed in the paused kernel came out otherwise (%1); this clean one counts.',
      p.text('outcome')
    ),
  'score.graded': (_, trans) => trans.__('Score'),
  'score.printed': (_, trans) => trans.__('Printed score'),
  'score.typed': (_, trans) => trans.__('Typed score'),
  'score.within-band': (_, trans) =>
    trans.__("The score is within the target's band."),
  'score.better': (_, trans) =>
    trans.__("The score is better than the target's band."),
  'score.worse': (_, trans) =>
    trans.__("The score is worse than the target's band."),
  'distance.other-kind': (_, trans) => trans.__('of another kind than'),
  'distance.above-floor': (p, trans) =>
    trans.__(
      '%1 % of what the target is above the floor off',
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
    trans.__(' within %1 s, which did not do for all cells', p.text('limit')),
  'rehearsal.kernel-ended': (_, trans) => trans.__(' until the kernel ended'),
  'rehearsal.doubtful': (p, trans) =>
    trans.__(
      'In a rehearsal on a sample (%1)%2 the first error may come from the sample.',
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
      'In a rehearsal on a sample (%2)%3 %1 cell failed, and %4 more that may come from the sample.',
      'In a rehearsal on a sample (%2)%3 %1 cells failed, and %4 more that may come from the sample.',
      p.count(),
      p.text('size'),
      p.text('ended'),
      p.text('doubted')
    ),
  'sample.rows': (p, trans) =>
    trans.__(
      '%1 rows of %2',
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
      'How the ids of %1 and %2 belong together was not recognised.',
      p.text('test'),
      p.text('submission')
    ),
  'sampled.file': (_, trans) =>
    trans.__('The file it asks for is in the data but not in the sample.'),
  'sampled.picture': (_, trans) =>
    trans.__(
      'A picture that it asks for may have been left out of the sample.'
    ),
  'sampled.too-few': (_, trans) =>
    trans.__('The sample may have too few rows for it.'),
  'sampled.nothing-left': (_, trans) =>
    trans.__("Nothing may have been left of the sample's rows there."),
  'sampled.value': (_, trans) =>
    trans.__('The sample may lack a value that the data have.'),
  'sampled.place': (p, trans) =>
    trans.__(
      'The cell names place %1; the sample has fewer rows.',
      p.text('place', 'thousands')
    ),
  'sampled.count': (p, trans) =>
    trans.__(
      'The cell counts on %1; the sample has fewer rows.',
      p.text('rows', 'thousands')
    ),
  'sampled.rows': (_, trans) =>
    trans.__('The notebook names a number of rows; the sample has fewer.'),
  'unrehearsed.no-competition': (_, trans) =>
    trans.__('No rehearsal was possible, because no competition is known.'),
  'unrehearsed.small': (_, trans) =>
    trans.__(
      'No rehearsal was possible, because the data are small as they are.'
    ),
  'unrehearsed.no-sample': (p, trans) =>
    trans.__('No rehearsal was possible, because %1.', p.text('reason')),
  'no-sample.too-long': (_, trans) =>
    trans.__('choosing it from so much data takes too long'),
  'no-sample.too-many-files': (_, trans) =>
    trans.__('looking at so many files takes too long'),
  'no-sample.unreadable': (p, trans) =>
    trans.__(
      'the data cannot be read or the sample not written (%1)',
      p.text('reason')
    ),
  'no-sample.packed': (p, trans) =>
    trans.__('a file cannot be unpacked (%1)', p.text('reason')),
  'no-sample.not-kept': (p, trans) =>
    trans.__('it cannot be kept in %1 (%2)', p.text('root'), p.text('reason')),
  'not-permuted.no-competition': (_, trans) =>
    trans.__("there is no competition's data"),
  'no-table.training': (_, trans) =>
    trans.__('there is no table of training data that could be found'),
  'no-table.test': (_, trans) =>
    trans.__('there is no table of test data that could be found'),
  'no-table.sample': (_, trans) =>
    trans.__('there is no sample submission that could be found'),
  'not-permuted.labels-unknown': (_, trans) =>
    trans.__(
      'it is not known which columns of the training data are the labels'
    ),
  'not-permuted.one-label': (_, trans) =>
    trans.__('all training labels are the same'),
  'not-permuted.no-ids': (_, trans) =>
    trans.__('the test data have no ids, and the sample has other rows'),
  'not-permuted.no-submission': (_, trans) =>
    trans.__('the run on shuffled rows has no submission'),
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
      'the data cannot be read or the copy not written (%1)',
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
      "The notebook's own spread covers the gap: there is nothing to fix."
    ),
  'advice.above-target': (_, trans) =>
    trans.__(
      'Nothing pushes a better score down; check the target if you doubt it.'
    ),
  'advice.below-target': (_, trans) =>
    trans.__(
      'Repeat the run to see its spread, compare with old libraries (probe), or check the target.'
    ),
  'advice.target-implausible': (_, trans) =>
    trans.__('Check the target score, then run again.'),
  'advice.grader-mismatch': (_, trans) =>
    trans.__(
      'Check what the target score is of (metric, direction, scale), set it anew, and run again.'
    ),
  'advice.needs-external-data': (_, trans) =>
    trans.__(
      "Put the file into the notebook's folder (or into the competition's), or name one with --file PATH=FILE, and run again."
    ),
  'advice.needs-network': (_, trans) =>
    trans.__(
      "Have the file fetched (--fetch URL), or download it, put it under its own name into the notebook's folder (or name it with --file URL=FILE), and run again. Or allow its runs the network (--network; in the panel Settings, More settings, Network)."
    ),
  'advice.server-not-reached': (_, trans) =>
    trans.__(
      'Public web servers can be reached, at the ports 80 and 443; see what this run reached. The address may be gone: look for the file elsewhere, and put it beside the notebook.'
    ),
  'advice.library-data': (p, trans) =>
    trans.__(
      'What %1 downloads is no single file, so it is not fetched here. Allow the runs public web servers (--network; in the panel Settings, More settings, Network); or load it once in a kernel of yours, save it beside the notebook, and read it from there.',
      p.text('library')
    ),
  'advice.torch-weights': (_, trans) =>
    trans.__(
      'Have the weights fetched (--fetch with the address that the cell printed, https://download.pytorch.org/models/…), and run again; they lie where torch looks.'
    ),
  'advice.install-nltk': (p, trans) =>
    trans.__(
      'Have it fetched (--fetch URL), or install it into an environment of yours that has nltk (python -m nltk.downloader -d "$(python -c \'import sys; print(sys.prefix)\')/nltk_data" %1), choose that environment, and run again.',
      p.text('name')
    ),
  'advice.install-spacy': (p, trans) =>
    trans.__(
      'Install it into an environment of yours that has spacy (python -m spacy download %1), choose that environment, and run again.',
      p.text('name')
    ),
  'advice.non-deterministic': (_, trans) =>
    trans.__(
      "Fix the notebook's seeds, or judge it by the mean of several runs."
    ),
  'advice.awaits-yes': (_, trans) =>
    trans.__(
      'Review it and say yes to it yourself, or allow changes of the experiment and run again.'
    ),
  'advice.other-sandbox': (_, trans) =>
    trans.__('Choose another sandbox or image, and run again.'),
  'advice.install-program': (_, trans) =>
    trans.__('Install it there, and run again.'),
  'advice.by-hand': (_, trans) => trans.__('Fix it by hand, and run again.'),
  'advice.add-package': (_, trans) =>
    trans.__(
      'Let an environment be made for this notebook with it, or choose one that has it, and run again.'
    ),
  'advice.import-own': (p, trans) =>
    trans.__(
      'Write `from . import %1` in `%2`, and run again.',
      p.text('module'),
      p.text('file')
    ),
  'advice.no-fix': (_, trans) =>
    trans.__('Fix the notebook by hand, or ask another fixer.'),
  'advice.not-proven': (_, trans) =>
    trans.__(
      'Look at the edits: what is submitted must come from the trained model.'
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
      'The target is reached without a peculiarity of the grader. %1',
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
      'The target %1 is no value of the metric: %2 lies between %3 and %4.',
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
    trans.__('No fix could bring the score there.'),
  'scale.other-sign': (_, trans) => trans.__('the score with the other sign'),
  'scale.other-direction': (_, trans) =>
    trans.__('1 minus the score (the other direction)'),
  'scale.mse': (_, trans) => trans.__('the mean squared error'),
  'scale.rmse': (_, trans) => trans.__('the RMSE'),
  'scale.gini': (_, trans) => trans.__('the Gini coefficient'),
  'scale.roc-auc': (_, trans) => trans.__('the ROC AUC'),
  'scale.percentage': (_, trans) => trans.__('the percentage'),
  'needs.server': (p, trans) =>
    trans.__(
      'The notebook downloads something, and the server was not reached although the run was allowed the network (%1).',
      p.text('error')
    ),
  'needs.network': (p, trans) =>
    trans.__(
      'The notebook downloads something, and a run has no network (%1).',
      p.text('error')
    ),
  'needs.resource': (p, trans) =>
    trans.__(
      'The notebook uses %1 of %2, which is not installed where it runs.',
      p.text('name'),
      p.text('library')
    ),
  'needs.file': (p, trans) =>
    trans.__('The notebook reads %1, which is not there.', p.text('path')),
  'needs.kept-away': (p, trans) =>
    trans.__(
      'The notebook reads %1, which lies beside it but %2',
      p.text('path'),
      p.text('reason')
    ),
  'kept-away.too-large': (_, trans) =>
    trans.__('is too large to be copied. Choose the sandbox `bubblewrap`.'),
  'kept-away.out-of-reach': (_, trans) =>
    trans.__(
      'cannot be shown in this sandbox. Choose the sandbox `bubblewrap`.'
    ),
  'kept-away.unreadable': (_, trans) =>
    trans.__('cannot be read with your rights. Change them, and run again.'),
  'cannot-run.kernel-died': (_, trans) =>
    trans.__('The kernel died before a single cell had run.'),
  'cannot-run.program-missing': (p, trans) =>
    trans.__(
      'The program `%1` is not installed where the notebook runs; it is no Python package.',
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
      '`%1` imports `%2`, which lies beside it, as only Python 2 can.',
      p.text('file'),
      p.text('module')
    ),
  'stops.in': (p, trans) =>
    trans.__('It stops in cell %1. %2', p.text('cell'), p.text('why')),
  'stops.first': (p, trans) =>
    trans.__('It stops first in %1', p.text('failure')),
  'needs-time.works': (p, trans) =>
    trans.__(
      "No cell failed: it works and needs longer than %1 s. Run it with %2 (the panel's button, or --time-limit %3).",
      p.text('limit'),
      p.text('longer'),
      p.text('seconds')
    ),
  'needs-time.works-now': (p, trans) =>
    trans.__(
      "No cell fails any more: it works and needs longer than %1 s. Run it with %2 (the panel's button, or --time-limit %3).",
      p.text('limit'),
      p.text('longer'),
      p.text('seconds')
    ),
  'time.minutes': (p, trans) => trans.__('%1 minutes', p.text('minutes')),
  'time.hours': (p, trans) => trans.__('%1 h', p.text('hours')),
  'stalled.same-patch': (_, trans) =>
    trans.__(
      'What was proposed leads back to a notebook that was already run.'
    ),
  'stalled.tried-before': (_, trans) =>
    trans.__('What was proposed had been tried before and did not help.'),
  'stalled.still-stops': (p, trans) =>
    trans.__('It still stops first in %1', p.text('failure')),
  'failure.first': (p, trans) =>
    trans.__('cell %1: %2.', p.text('cell'), p.text('error')),
  'stalled.same-errors': (p, trans) =>
    trans._n(
      'The last fix brought nothing: the notebook fails with the same errors.',
      'The last %1 fixes brought nothing: the notebook fails with the same errors.',
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
      'The last fix brought no progress.',
      'The last %1 fixes brought no progress.',
      p.count()
    ),
  'budget.no-fix': (_, trans) =>
    trans.__(
      'No fix is allowed; raise the limit to go on (More settings in the panel, or --max-fixes).'
    ),
  'budget.fixes': (p, trans) =>
    trans._n(
      'The one fix allowed is used up; raise the limit to go on (More settings in the panel, or --max-fixes).',
      'All %1 fixes are used up; raise the limit to go on (More settings in the panel, or --max-fixes).',
      p.count()
    ),
  'budget.tokens': (p, trans) =>
    trans.__(
      'The %1 tokens allowed are used up; raise the limit to go on (More settings in the panel, or --max-tokens).',
      p.text('tokens', 'thousands')
    ),
  'budget.money': (p, trans) =>
    trans.__(
      'The %1 USD allowed are spent; raise the limit to go on (More settings in the panel, or --max-cost).',
      p.text('usd')
    ),
  'budget.time': (p, trans) =>
    trans.__(
      'The %1 minutes allowed are over; raise the limit to go on (More settings in the panel, or --max-minutes).',
      p.text('minutes')
    ),
  'next.run': (_, trans) => trans.__('Run the notebook.'),
  'next.run-on-all-data': (_, trans) => trans.__('Run it on all the data.'),
  'next.run-for-rest': (_, trans) =>
    trans.__('Run the notebook to see what is left.'),
  'next.run-unchanged': (_, trans) =>
    trans.__('Nothing was changed; run the notebook to see what breaks.'),
  'next.run-fixed': (_, trans) =>
    trans.__('Run the notebook again to see what the fix did.'),
  'next.after-rejection': (_, trans) =>
    trans.__(
      'The fix was rejected; ask for another one, or run the notebook again.'
    ),
  'next.review-fix': (_, trans) => trans.__('Review the fix proposed.'),
  'next.review-and-run': (_, trans) =>
    trans.__('Review the fix proposed, then run again.'),
  'next.review-elsewhere': (_, trans) =>
    trans.__('Review what was proposed for it, then run it here.'),
  'next.review-changes': (_, trans) => trans.__('Review the changes.'),
  'next.review-before-run': (_, trans) =>
    trans.__('Review what is proposed before the first run.'),
  'review.decided': (_, trans) => trans.__('All changes are decided.'),
  'progress.starting': (_, trans) => trans.__('Starting'),
  'progress.done': (_, trans) => trans.__('done'),
  'progress.next-in-line': (_, trans) =>
    trans.__("Waiting for another notebook's work to end"),
  'progress.in-line': (p, trans) =>
    trans.__(
      "Waiting for another notebook's work to end (%1 before you)",
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
  'progress.looking-ahead': (_, trans) =>
    trans.__('Looking for known breaking changes'),
  'progress.asking-rules': (p, trans) =>
    trans.__('Looking for known breaking changes (%1)', p.text('fix_type')),
  'progress.asking-model': (p, trans) =>
    trans.__('Asking the model (%1)', p.text('fix_type')),
  'progress.reading-answer': (_, trans) =>
    trans.__("Reading the model's answer"),
  'progress.alternatives': (p, trans) =>
    trans.__('Trying %1 fixes at the same time', p.text('count')),
  'progress.alternative': (p, trans) =>
    trans.__(
      'Alternative %1 of %2: %3',
      p.text('number'),
      p.text('of'),
      p.text('step')
    ),
  'progress.study': (p, trans) =>
    trans.__('%1: %2', p.text('study'), p.text('step')),
  'making.waiting': (_, trans) =>
    trans.__('Another process makes this environment; waiting'),
  'making.python': (_, trans) => trans.__('Looking for a Python of that time'),
  'making.resolving': (_, trans) =>
    trans.__('Choosing versions of the packages'),
  'making.installing': (p, trans) =>
    trans._n('Installing %1 package', 'Installing %1 packages', p.count()),
  'making.downloading': (p, trans) =>
    trans._n(
      'Installing %1 package, at most %2 MB to download',
      'Installing %1 packages, at most %2 MB to download',
      p.count(),
      p.text('megabytes', 'rough')
    ),
  'making.checking': (_, trans) => trans.__('Checking what was installed'),
  'fetch.progress': (p, trans) =>
    trans.__('Fetching %1: %2 MB', p.text('address'), p.text('megabytes')),
  'fetch.wanted': (p, trans) =>
    trans.__(
      'The notebook reads %1, and a run has no network. Fetch it once with --fetch %1',
      p.text('address')
    ),
  'fetch.refused': (p, trans) =>
    trans.__('%1 is not fetched: %2.', p.text('address'), p.text('reason')),
  'fetch.not-public': (p, trans) =>
    trans.__(
      '%1 is not fetched: %2 is not a server of the public network. Put the file beside the notebook yourself.',
      p.text('address'),
      p.text('server')
    ),
  'fetch.redirects': (p, trans) =>
    trans.__(
      '%1 is not fetched: it leads to more than %2 other addresses.',
      p.text('address'),
      p.text('most')
    ),
  'fetch.bad-redirect': (p, trans) =>
    trans.__(
      '%1 is not fetched: it leads to what is no web address to fetch.',
      p.text('address')
    ),
  'fetch.downgrade': (p, trans) =>
    trans.__(
      '%1 is not fetched: it leads to a connection that is not encrypted.',
      p.text('address')
    ),
  'fetch.status': (p, trans) =>
    trans.__(
      '%1 is not fetched: its server answers with the status %2.',
      p.text('address'),
      p.text('status')
    ),
  'fetch.packed': (p, trans) =>
    trans.__(
      '%1 is not fetched: its server packs it in a way that was not asked for.',
      p.text('address')
    ),
  'fetch.page': (p, trans) =>
    trans.__(
      '%1 is not fetched: its server gives a page for people (a form or a notice) in place of the file.',
      p.text('address')
    ),
  'fetch.too-large': (p, trans) =>
    trans.__(
      '%1 is not fetched: it is larger than %2 MB. Download it yourself and put it beside the notebook.',
      p.text('address'),
      p.text('megabytes', 'rough')
    ),
  'fetch.time': (p, trans) =>
    trans.__(
      '%1 is not fetched: it took longer than %2 seconds.',
      p.text('address'),
      p.text('seconds', 'rough')
    ),
  'fetch.silence': (p, trans) =>
    trans.__(
      '%1 is not fetched: no answer for %2 seconds.',
      p.text('address'),
      p.text('seconds', 'rough')
    ),
  'fetch.certificate': (p, trans) =>
    trans.__(
      "%1 is not fetched: its server's certificate is not valid (%2).",
      p.text('address'),
      p.text('detail')
    ),
  'fetch.no-server': (p, trans) =>
    trans.__(
      '%1 is not fetched: there is no such server, or no network here.',
      p.text('address')
    ),
  'fetch.failed': (p, trans) =>
    trans.__('%1 is not fetched: %2.', p.text('address'), p.text('detail')),
  'fetch.cancelled': (p, trans) =>
    trans.__('Fetching %1 was cancelled.', p.text('address')),
  'fetch.not-kept': (p, trans) =>
    trans.__(
      '%1 is not fetched: %2 cannot be written (%3).',
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
    trans.__('Waiting for a free container (%1 before you)', p.text('count')),
  'docker.sending': (_, trans) =>
    trans.__('Sending the data to the Docker engine'),
  'docker.fetching': (p, trans) =>
    trans.__('Fetching the image %1', p.text('image')),
  'docker.fetching-layers': (p, trans) =>
    trans.__('Fetching the image %1: %2', p.text('image'), p.text('layers')),
  'docker.fetching-bytes': (p, trans) =>
    trans.__(
      'Fetching the image %1: %2, %3 of %4',
      p.text('image'),
      p.text('layers'),
      p.text('loaded'),
      p.text('total')
    ),
  'docker.layers': (p, trans) =>
    trans.__('%1 of %2 layers', p.text('done'), p.text('of')),
  'docker.less-memory': (p, trans) =>
    trans.__(
      'The machine has %1 of memory: the notebook gets %2 instead of %3.',
      p.text('there'),
      p.text('given'),
      p.text('asked')
    ),
  'docker.fewer-processors': (p, trans) =>
    trans.__(
      'The machine has %1 processors: the notebook gets all of them instead of %2.',
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
      "A module beside the notebook is Python 2's, and the run got a copy of it in Python 3: %2. Your file is as it was.",
      "Modules beside the notebook are Python 2's, and the run got copies of them in Python 3: %2. Your files are as they were.",
      p.count(),
      p.text('files')
    ),
  'beside.relative': (p, trans) =>
    trans._n(
      '%2 imports the module %3 of its own package by its bare name, as in Python 2; the run got a copy in which that works. Your file is as it was: elsewhere it needs `from . import`.',
      '%2 imports the modules %3 of its own package by their bare names, as in Python 2; the run got a copy in which that works. Your file is as it was: elsewhere it needs `from . import`.',
      p.count(),
      p.text('file'),
      p.text('modules')
    ),
  'run.not-resumable': (p, trans) =>
    trans.__(
      'It %1, so it cannot simply be run again: the next run begins with the first cell.',
      p.text('reason')
    ),
  'ended.server-shut-down': (_, trans) =>
    trans.__(
      'The server was shut down in the middle of the work; run it again.'
    ),
  'ended.server-went-down': (_, trans) =>
    trans.__(
      'The server went down in the middle of the work, and what it had started is removed; run it again.'
    ),
  'ended.cancelled': (_, trans) =>
    trans.__('Cancelled. The notebook is as it was.'),
  'ended.review': (_, trans) => trans.__('Review the changes made until then.'),
  'ended.defect': (p, trans) =>
    trans.__(
      "Something went wrong inside MLE Modernizer (%1); see the server's log.",
      p.text('error')
    ),
  'pause.alternatives': (_, trans) =>
    trans.__('Alternatives run from the start.'),
  'pause.another-run': (_, trans) =>
    trans.__('Another run of the notebook is paused now.'),
  'pause.made-room': (_, trans) =>
    trans.__("The paused kernel made room for another notebook's."),
  'pause.server-shut-down': (_, trans) =>
    trans.__('The server was shut down while the kernel was paused.'),
  'pause.server-went-down': (_, trans) =>
    trans.__('The server went down while the kernel was paused.'),
  'pause.too-long': (_, trans) =>
    trans.__('The kernel was paused as long as it may be and was ended.'),
  'pause.ended-by-itself': (_, trans) =>
    trans.__('The kernel ended by itself while it was paused.'),
  'pause.kernel-gone': (_, trans) =>
    trans.__(
      'The kernel ended while it was paused, so the notebook runs from the start.'
    ),
  'pause.from-start': (_, trans) =>
    trans.__('The notebook runs from the start.'),
  'pause.whole-run': (_, trans) => trans.__('The notebook is run as a whole.'),
  'pause.work-ended': (_, trans) => trans.__('The work came to its end.'),
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
      'Other packages are to be installed, so the notebook runs from the start.'
    ),
  'restart.cell-gone': (p, trans) =>
    trans.__(
      'There is no cell %1 any more, so the notebook runs from the start.',
      p.text('cell')
    ),
  'restart.name-read': (p, trans) =>
    trans.__(
      'Cell %1 had set `%2` before it failed, and what follows reads it, so the notebook runs from the start.',
      p.text('cell'),
      p.text('name')
    ),
  'effect.no-answer': (_, trans) =>
    trans.__('left the kernel without an answer'),
  'effect.no-python': (_, trans) =>
    trans.__('is not Python, and what it has done is not known'),
  'effect.no-line': (_, trans) =>
    trans.__('does not tell at which line it failed'),
  'effect.nested': (_, trans) =>
    trans.__('is nested too deeply to tell what it has changed'),
  'effect.ran': (p, trans) =>
    trans.__('had run `%1` before it failed', p.text('text')),
  'effect.deleted': (p, trans) =>
    trans.__('had deleted `%1` before it failed', p.text('name')),
  'effect.imported': (_, trans) =>
    trans.__('had imported names that it does not say before it failed'),
  'effect.waited': (_, trans) =>
    trans.__('had waited for something else before it failed'),
  'effect.read-once': (p, trans) =>
    trans.__(
      'had read from `%1` before it failed, which can be read once',
      p.text('name')
    ),
  'effect.changed': (p, trans) =>
    trans.__('had changed `%1` before it failed', p.text('name')),
  'effect.called': (p, trans) =>
    trans.__('had called `%1` before it failed', p.text('name')),
  'effect.called-unknown': (p, trans) =>
    trans.__(
      'had called `%1` before it failed, which may change something',
      p.text('name')
    ),
  'effect.called-unread': (p, trans) =>
    trans.__(
      'had called `%1` before it failed, which is not looked at',
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
      'What is proposed changes the experiment in %1 cell (data, features, model, parameters, seed or split) and waits for your yes.',
      'What is proposed changes the experiment in %1 cells (data, features, model, parameters, seed or split) and waits for your yes.',
      p.count()
    ),
  'fix.taken-back': (p, trans) =>
    trans._n(
      'The edit of cell %2 was taken back: it was tried and did not help.',
      'The edits of cells %2 were taken back: they were tried and did not help.',
      p.count(),
      p.text('cells')
    ),
  'fix.carried': (p, trans) =>
    trans._n(
      'No run has reached the edit of cell %2: its effect is not yet seen.',
      'No run has reached the edits of cells %2: their effect is not yet seen.',
      p.count(),
      p.text('cells')
    ),
  'fix.tried-already': (_, trans) =>
    trans.__('The fix proposed is the same as one that is tried already.'),
  'fix.model-has-none': (p, trans) =>
    trans.__('The model proposes no change: %1', p.text('reply')),
  'rules.python-only': (_, trans) =>
    trans.__('The rules know Python notebooks only.'),
  'rules.no-cell-fails': (_, trans) =>
    trans.__('No cell fails; choose the whole file as the scope of the fix.'),
  'rules.not-looked': (p, trans) =>
    trans.__('The rules did not look into this notebook: %1.', p.text('why')),
  'rules.none-faster': (_, trans) =>
    trans.__(
      'No rule makes this notebook faster: that needs the language model or your hand.'
    ),
  'rules.none-silent': (p, trans) =>
    trans.__(
      'No default and no behaviour that changed is found in this notebook%1.',
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
      'What is known of the %1 in cell %2 has no automatic fix for the code as it stands there.',
      p.text('error'),
      p.text('cell')
    ),
  'rules.none-before-run': (_, trans) =>
    trans.__('No rule has anything to fix before the first run.'),
  'rules.but-rejected': (_, trans) =>
    trans.__(' other than those you rejected'),
  'rules.but-tried': (_, trans) =>
    trans.__(' other than those that were tried and did not help'),
  'files.choose': (p, trans) =>
    trans.__(
      '%1 may be %2: choose one (in the panel, or with --file PATH=FILE).',
      p.text('path'),
      p.text('candidates')
    ),
  'files.nowhere': (p, trans) =>
    trans.__(
      "%1 is not there, and no file of that name lies in the notebook's folder or among the competition's files.",
      p.text('path')
    ),
  'attempt.rejected': (_, trans) => trans.__('The user rejected it.'),
  'attempt.not-run': (_, trans) => trans.__('It was not run to its end.'),
  'attempt.outcome': (p, trans) => trans.__('%1.', p.text('outcome')),
  'attempt.failed': (p, trans) =>
    trans._n(
      '%2, %1 cell failed.',
      '%2, %1 cells failed.',
      p.count(),
      p.text('outcome')
    ),
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
      p.text('why')
    ),
  'grade.no-output': (p, trans) =>
    trans.__("No output fits '%1'.", p.text('pattern')),
  'grading.time': (p, trans) =>
    trans.__('Grading took longer than %1 s', p.text('seconds')),
  'grading.memory': (p, trans) =>
    trans.__('Grading needed more than %1 GB of memory', p.text('gigabytes')),
  'grading.broke-off': (p, trans) =>
    trans.__('Grading broke off (%1)', p.text('words')),
  'grading.silent': (_, trans) => trans.__('Grading broke off without a word'),
  'grading.too-many-broke': (_, trans) =>
    trans.__('It was not graded: too many others broke the grading.'),
  'answers.outside': (_, trans) =>
    trans.__("they lie outside the competition's folder"),
  'answers.changed': (_, trans) =>
    trans.__('they or the description were changed while the notebook ran'),
  'answers.changed-reading': (_, trans) =>
    trans.__('they changed while they were read'),
  'answers.file': (p, trans) =>
    trans.__('%1: %2', p.text('file'), p.text('why')),
  'trap.binarize': (_, trans) =>
    trans.__(
      "MLE-bench's grader makes 0 and 1 of the predictions (from 0.5 on) before it computes the AUCs; Kaggle did not."
    ),
  'trap.round': (_, trans) =>
    trans.__("MLE-bench's grader rounds this score to a whole number."),
  'trap.empty-is-full': (_, trans) =>
    trans.__(
      "MLE-bench's grader takes an empty mask for one of the whole image where there is something to find."
    ),
  'trap.corners-as-sizes': (_, trans) =>
    trans.__(
      "MLE-bench's grader takes the far corner of a box for its width and height."
    ),
  'trap.zero-is-none': (_, trans) =>
    trans.__(
      "MLE-bench's grader numbers the boxes from 0, which the COCO tools take for no box: a hit of the first true box counts as a miss."
    ),
  'trap.position': (_, trans) =>
    trans.__(
      "MLE-bench's grader takes the rows as they stand and does not look at the ids."
    ),
  'trap.sorted': (_, trans) =>
    trans.__(
      "MLE-bench's grader sorts both files by id but does not compare the ids."
    ),
  'trap.scored-by-position': (_, trans) =>
    trans.__(
      "MLE-bench's grader chooses the scored rows by where they stand in the file, so that rows in another order than the answers' are compared with the wrong ones."
    ),
  'trap.columns-by-position': (_, trans) =>
    trans.__(
      "MLE-bench's grader takes the columns as they stand, whatever their names."
    ),
  'trap.clipping': (_, trans) =>
    trans.__(
      'Predictions of exactly 0 or 1: scikit-learn cuts them at 2e-16, Kaggle did at 1e-15.'
    ),
  'trap.refused-by-id': (p, trans) =>
    trans.__('Taken by id it would be refused: %1', p.text('why')),
  'competition.file-missing': (p, trans) =>
    trans.__(
      '%1: %2 (`%3`) is missing; no grading without.',
      p.text('slug'),
      p.text('file'),
      p.text('field')
    ),
  'competition.no-root': (p, trans) =>
    trans.__(
      'No competition is set up: there is no folder %1. The setting data_root, the variable MLE_MODERNIZER_DATA_ROOT or the option --data-root names another.',
      p.text('root')
    ),
  'server.problem': (p, trans) =>
    trans.__('%1: %2', p.text('part'), p.text('error')),
  'label.run': (p, trans) =>
    trans.__('Run %1 of %2', p.text('number'), p.text('of')),
  'label.noise': (p, trans) =>
    trans.__('Noise, run %1 of %2', p.text('number'), p.text('of')),
  'label.control': (_, trans) => trans.__('Run as it is, to compare'),
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
      'It wrote no submission that could be graded; a printed score is not used.'
    ),
  'draft.no-table': (p, trans) =>
    trans.__(
      "No notebook can be drafted: %1 could not be found among the competition's files.",
      p.text('what')
    ),
  'draft.unreadable': (p, trans) =>
    trans.__(
      'No notebook can be drafted: %1 cannot be read (%2).',
      p.text('table'),
      p.text('why')
    ),
  'draft.media': (p, trans) =>
    trans.__(
      "No notebook can be drafted: the competition's data are %1 (%2 files); drafts are written for tables.",
      p.text('what'),
      p.text('count')
    ),
  'draft.no-target': (p, trans) =>
    trans.__(
      'No notebook can be drafted: the training data have no column %1, which is to be predicted.',
      p.text('columns')
    ),
  'draft.no-features': (p, trans) =>
    trans.__(
      'No notebook can be drafted: %1 has no column that the test data have too and that something can be learned of.',
      p.text('table')
    ),
  'draft.metric': (p, trans) =>
    trans.__(
      'No notebook can be drafted: the columns that are predicted are not what drafts are written for under %1 (a number, or a class).',
      p.text('metric')
    ),
  'draft.too-large': (_, trans) =>
    trans.__(
      'No notebook can be drafted: the data are too large to be looked through.'
    ),
  'draft.ids': (_, trans) =>
    trans.__(
      'No notebook can be drafted: the rows of the sample submission cannot be found in the test data by their ids.'
    ),
  'folds.no-score': (p, trans) =>
    trans.__(
      'The notebook has no score on validation fold %1, so nothing can be compared with it.',
      p.text('fold')
    ),
  'folds.no-candidate': (_, trans) =>
    trans.__('The code shows no change that is known to help such a notebook.'),
  'folds.none-better': (_, trans) =>
    trans.__('No version is better than the notebook beyond chance.'),
  'folds.better': (p, trans) =>
    trans.__('%1 is better than the notebook.', p.text('version')),
  'improve.asking': (_, trans) => trans.__('Asking the model for a change'),
  'improve.tried-before': (_, trans) =>
    trans.__('It leads to a notebook that was tried before.'),
  'improve.review': (p, trans) =>
    trans.__(
      'Review the version "%1": it was better on %2 validation folds. It changes the experiment.',
      p.text('version'),
      p.text('folds')
    ),
  'improve.unknown': (_, trans) =>
    trans.__('No such version was better than the notebook.'),
  'writing.asking': (p, trans) =>
    trans.__(
      'Stage %1, round %2: asking %3',
      p.text('stage'),
      p.text('round'),
      p.text('model')
    ),
  'writing.clean-run': (_, trans) => trans.__('A clean run on all data'),
  'writing.sample-run': (p, trans) =>
    trans.__('Stage %1: a run on a sample', p.text('stage')),
  'writing.reading': (_, trans) => trans.__('Reading the paper'),
  'writing.review': (_, trans) =>
    trans.__(
      'The notebook is written, and a clean run of it on all data came to its end. Review it; nothing is in the notebook before.'
    ),
  'writing.not-run': (p, trans) =>
    trans.__(
      'Stage %1 did not come to its end (%2), so there is no notebook that ran and nothing to review. What was written is kept: write again to go on there.',
      p.text('stage'),
      p.text('ending')
    ),
  'writing.kept': (_, trans) =>
    trans.__('What was written is kept: write again to go on there.'),
  'improve.kept': (_, trans) => trans.__('The notebook stays as it was.'),
  'conflict.no-version': (_, trans) =>
    trans.__(
      'Only a version that was compared with the notebook on validation folds can be proposed as an improvement.'
    ),
  'conflict.undecided': (_, trans) =>
    trans.__('Decide on the changes that are proposed first.'),
  'label.proof': (_, trans) => trans.__('Proof, run 1 of 3'),
  'label.proof-labels': (_, trans) =>
    trans.__('Proof, run 2 of 3 (shuffled labels)'),
  'label.proof-rows': (_, trans) =>
    trans.__('Proof, run 3 of 3 (shuffled rows)'),
  'study.cancelled': (_, trans) =>
    trans.__('Cancelled; what was measured so far is kept.'),
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
      '%1 runs gave the same score, so no test of its spread is defined and the band decides: it is %2.',
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
      '%1 scores are not consistent with the target (t-test, p = %2 < %3); they are better than it; their mean is %4.',
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
      'The noise was not measured: a run takes %1 s, and %2 runs about %3 s. Measure it by hand, or set it to always.',
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
      'The score is the same in %1 runs: randomness is not the cause of its distance from the target.',
      p.text('runs')
    ),
  'noise.steady-other-seeds': (p, trans) =>
    trans.__(
      'The score is the same in %1 runs, with other seeds too: randomness is not the cause of its distance from the target.',
      p.text('runs')
    ),
  'noise.other-seeds': (_, trans) => trans.__('with other seeds'),
  'noise.as-it-is': (_, trans) => trans.__('as it is'),
  'noise.repeats': (_, trans) =>
    trans.__('The notebook as it is repeats its score.'),
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
    trans.__(
      'No default and no behaviour that changed is found in this notebook.'
    ),
  'cause.no-score': (_, trans) =>
    trans.__('A repeated run had no score: the cause cannot be found.'),
  'cause.none': (p, trans) =>
    trans._n(
      "The old behaviour restored, the score does not move: the libraries' known silent changes are not it.",
      "All %1 old behaviours restored, the score does not move: the libraries' known silent changes are not it.",
      p.count()
    ),
  'cause.none-and-no-score': (p, trans) =>
    trans._n(
      "The old behaviour restored, the run has no score: the libraries' known silent changes are not it.",
      "All %1 old behaviours restored, the run has no score: the libraries' known silent changes are not it.",
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
      '%1 That moved the score from %2 to %3: a part of the cause.',
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
      '%2 of %1 cell gives what was saved.',
      '%2 of %1 cells give what was saved.',
      p.count(),
      p.text('agreeing')
    ),
  'own-time.outputs-with': (p, trans) =>
    trans._n(
      'With %2, %3 of %1 cell gives what was saved.',
      'With %2, %3 of %1 cells give what was saved.',
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
  'own-time.is-target': (_, trans) => trans.__('It is the target now.'),
  'own-time.runs-without-score': (p, trans) =>
    trans.__('With %1 it runs and gives no score.', p.text('libraries')),
  'own-time.fails': (p, trans) =>
    trans.__('With %1 it does not run either.', p.text('libraries')),
  'backport.made': (p, trans) =>
    trans.__(
      'The kernel %1 is in the menu now; the notebook runs there unchanged.',
      p.text('kernel')
    ),
  'backport.not-made': (_, trans) =>
    trans.__('So no kernel was put into the menu.'),
  'backport.removed': (_, trans) =>
    trans.__(
      'The kernel is out of the menu; its environment stays until it is removed.'
    ),
  'conflict.kernel-in-menu': (_, trans) =>
    trans.__(
      "A kernel in Jupyter's menu runs in this environment; take it out first (`jupyter modernize backport NOTEBOOK --remove`)."
    ),
  'conflict.no-rules-folder': (_, trans) =>
    trans.__(
      'The server has no folder for rules of your own: name one in its setting `ModernizerExtension.rules_path` or in `MLE_MODERNIZER_RULES`, or download the rule.'
    ),
  'not-found.learned-rule': (_, trans) =>
    trans.__("The session's fixes teach no such rule."),
  'conflict.no-backport': (_, trans) =>
    trans.__('No kernel was put into the menu for this notebook.'),
  'label.today': (_, trans) => trans.__("With today's libraries"),
  'contrast.nothing': (p, trans) =>
    trans.__(
      'No cell could be compared with the run with %1.',
      p.text('libraries')
    ),
  'contrast.same': (p, trans) =>
    trans._n(
      'The %1 cell that could be compared gives today what it gave with %2.',
      'All %1 cells that could be compared give today what they gave with %2.',
      p.count(),
      p.text('libraries')
    ),
  'contrast.settings': (p, trans) =>
    trans.__(
      'Only settings of estimators are others, first in cell %1: defaults that a library changed.',
      p.text('cell')
    ),
  'contrast.first': (p, trans) =>
    trans._n(
      '%2 of %1 cell gives today what it gave with %3; the first that gives something else is cell %4.',
      '%2 of %1 cells give today what they gave with %3; the first that gives something else is cell %4.',
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
      '%1 value differs from run to run today already and was not compared.',
      '%1 values differ from run to run today already and were not compared.',
      p.count()
    ),
  'contrast.cancelled': (_, trans) =>
    trans.__('The comparison with the libraries of its time was cancelled.'),
  'comparison.bad-limits': (_, trans) =>
    trans.__('The rows and the time limit of a comparison must be above 0.'),
  'comparison.no-such-change': (p, trans) =>
    trans.__(
      "'%1' is no silent change that concerns this notebook; `jupyter modernize preflight` lists those that do.",
      p.text('rule')
    ),
  'comparison.not-tried': (p, trans) =>
    trans.__(
      'Not tried, to keep it short; name one with --rule: %1.',
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
      "Only the first %1 of the competition's files are there.",
      p.text('files')
    ),
  'data-head.packed': (p, trans) =>
    trans.__('%1 was left out: it cannot be unpacked.', p.text('file')),
  'data-head.large': (p, trans) =>
    trans.__(
      '%1 was left out: it is no CSV that could be cut, and large.',
      p.text('file')
    ),
  'proof.against': (_, trans) => trans.__('The result is not proven.'),
  'proof.unfinished': (_, trans) =>
    trans.__(
      'The proof was not finished: where the result comes from is not shown. What was shown so far is kept.'
    ),
  'proof.for': (_, trans) =>
    trans.__(
      'The result comes from training: with shuffled labels the score is lost.'
    ),
  'proof.neither': (_, trans) =>
    trans.__(
      'The experiments show nothing that speaks against the result, and do not prove it.'
    ),
  'proof.cells-failed': (p, trans) =>
    trans.__('Cells on the way to the submission fail (%1).', p.text('cells')),
  'proof.copy': (p, trans) =>
    trans.__('The submission is a copy of %1.', p.text('file')),
  'proof.labels-unused': (_, trans) =>
    trans.__('Trained on shuffled labels it submits the same predictions.'),
  'proof.score-kept': (_, trans) =>
    trans.__('Trained on shuffled labels it scores as well.'),
  'proof.score-not-computed': (_, trans) =>
    trans.__('Trained on shuffled labels it prints the same score.'),
  'proof.follows-ids': (_, trans) =>
    trans.__('Its predictions belong to the ids and not to the rows.'),
  'proof.follows-places': (_, trans) =>
    trans.__("Its predictions belong to the rows' places."),
  'proof.all-the-same': (_, trans) =>
    trans.__('It predicts the same for every row.'),
  'proof.other': (p, trans) =>
    trans.__('%1: %2.', p.text('kind'), p.text('finding')),
  'conflict.at-work': (_, trans) =>
    trans.__(
      'Work on this notebook is going on; cancel it or wait for its end.'
    ),
  'conflict.nothing-ran': (_, trans) =>
    trans.__('Nothing has run to its end yet; run the notebook first.'),
  'conflict.cut-off': (_, trans) =>
    trans.__(
      'The last run was cut off; run the notebook again before asking for a fix.'
    ),
  'conflict.nothing-to-look-for': (_, trans) =>
    trans.__(
      'There is no score that is compared with a target; nothing to look for.'
    ),
  'batch.no-result': (p, trans) =>
    trans.__('The batch has no result %1 that can be read.', p.text('key')),
  'batch.no-proposal': (p, trans) =>
    trans.__('The batch proposes nothing for %1.', p.text('name')),
  'batch.notebook-elsewhere': (p, trans) =>
    trans.__(
      '%1 is not among the files that this server shows. Start JupyterLab in a folder above it.',
      p.text('name')
    ),
  'batch.notebook-changed': (p, trans) =>
    trans.__(
      '%1 was changed since the batch read it. Modernize it here, or start the batch again.',
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
    trans.__('%1 is not the folder of a batch.', p.text('root')),
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
      'The scheduler is gone. What was done is kept; the same command goes on with the rest.'
    ),
  'batch.folder-taken': (p, trans) =>
    trans.__(
      '%1 is neither empty nor the folder of a batch; name another.',
      p.text('root')
    ),
  'file.not-writable': (p, trans) =>
    trans.__('%1 cannot be written (%2).', p.text('path'), p.text('why')),
  'batch.other-settings': (p, trans) =>
    trans.__(
      '%1 holds a batch with other settings (%2): its results would not be comparable. Name another folder, or give the settings it was begun with (study.json).',
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
      '%1 is no folder, no manifest (%2) and matches no file.',
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
    trans.__('%1 is no YAML: %2', p.text('path'), p.text('error')),
  'manifest.no-list': (p, trans) =>
    trans.__('%1 must be a list of mappings, one a notebook.', p.text('path')),
  'manifest.unknown-fields': (p, trans) =>
    trans.__('It has what is not known: %1.', p.text('fields')),
  'manifest.names-none': (_, trans) => trans.__('It names no notebook.'),
  'file.missing': (p, trans) =>
    trans.__('There is no file %1.', p.text('path')),
  'manifest.no-number': (p, trans) =>
    trans.__(
      '%1 must be a number from 0, not %2.',
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
      '--package adds to an environment that is made for the notebook, and %1 stays as it is: leave --environment out, or choose `%2` or `%3`.',
      p.text('environment'),
      p.text('own'),
      p.text('own_time')
    ),
  'file.exists': (p, trans) =>
    trans.__('%1 exists; name another file.', p.text('path')),
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
      'The price of %1 is not known, so --total-cost cannot be kept. Set MLE_MODERNIZER_PRICE, or bound the tokens (--total-tokens).',
      p.text('model')
    ),
  'cli.no-metric-fits': (_, trans) =>
    trans.__('No everyday metric fits these targets; name one with --metric.'),
  'cli.no-ipynb': (p, trans) =>
    trans.__(
      "%1 does not end in .ipynb, as a notebook's name does.",
      p.text('output')
    ),
  'cli.output-exists': (p, trans) =>
    trans.__(
      '%1 exists; add --force to overwrite it, or name another file.',
      p.text('path')
    ),
  'cli.no-submission': (p, trans) =>
    trans.__('%1 is not a file; name a submission (.csv).', p.text('path')),
  'cli.name-competition': (p, trans) =>
    trans.__(
      'Name the competition with --competition; below %1 there are: %2.',
      p.text('root'),
      p.text('names')
    ),
  'cli.score-without-target': (_, trans) =>
    trans.__('--score needs --target-score, with which it is compared.'),
  'cli.score-not-graded': (_, trans) =>
    trans.__(
      '--score is not graded: it goes with neither --grader nor a floor.'
    ),
  'cli.grader-competition': (_, trans) =>
    trans.__("MLE-bench's grader needs --competition."),
  'cli.sends-to-kaggle': (p, trans) =>
    trans.__(
      'This sends %1 to Kaggle; --yes says that it may.',
      p.text('path')
    ),
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
    trans.__('That is no environment made here; `environments` lists them.'),
  'environment.missing': (p, trans) =>
    trans.__('There is no environment %1.', p.text('environment_id')),
  'environment.in-use': (p, trans) =>
    trans.__(
      'Something runs in the environment %1 now.',
      p.text('environment_id')
    ),
  'environment.being-made': (p, trans) =>
    trans.__('The environment %1 is being made now.', p.text('environment_id')),
  'environment.changed': (p, trans) =>
    trans.__(
      'The environment %1 is not as it was made; remove it (`jupyter modernize environments --remove %1`), and it is made anew.',
      p.text('environment_id')
    ),
  'environment.disk-full': (p, trans) =>
    trans.__(
      'The disk of %1 is full; remove environments (`jupyter modernize environments`) or make room.',
      p.text('root')
    ),
  'environment.too-large': (p, trans) =>
    trans.__(
      'These packages are %1 GB to download, more than the limit of %2 GB; the largest are %3.',
      p.text('size'),
      p.text('most_download'),
      p.text('largest')
    ),
  'environment.not-locked': (_, trans) =>
    trans.__('What was installed is not what was locked.'),
  'environment.no-requirement': (p, trans) =>
    trans.__(
      '%1 is no plain requirement: a name and versions.',
      p.text('given')
    ),
  'environment.no-version': (p, trans) =>
    trans.__('%1 is no version of Python.', p.text('python')),
  'environment.cancelled': (_, trans) => trans.__('Cancelled.'),
  'environment.not-made': (p, trans) =>
    trans.__('The environment could not be made. %1', p.text('words')),
  'environment.no-python': (_, trans) =>
    trans.__('No Python from 3.6 on was found to make an environment from.'),
  'environment.no-uv': (_, trans) =>
    trans.__('The package `uv` is not installed; it makes the environments.'),
  'environment.uv-broken': (_, trans) =>
    trans.__('The program of the package `uv` is missing; install it again.'),
  'program.not-started': (p, trans) =>
    trans.__('%1 cannot be started (%2).', p.text('program'), p.text('why')),
  'environment.too-long': (p, trans) =>
    trans.__('It took longer than %1 seconds.', p.text('limit', 'precise')),
  'environment.uv-says': (p, trans) =>
    trans.__('%1 uv: %2', p.text('words'), p.text('detail')),
  'given.no-path': (p, trans) =>
    trans.__(
      '--file %1=%2: %3 is no path of a file.',
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
      "--file %1=%2: no file can be put there in this sandbox; the system's files or the competition's data lie there.",
      p.text('path'),
      p.text('file')
    ),
  'interpreter.missing': (p, trans) =>
    trans.__(
      'There is no Python at %1; name the interpreter of the old libraries.',
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
      'The files of %1 lie in %2, and a sandbox would have to show all of it. Make a virtual environment of that Python elsewhere, and name that one.',
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
      '%1 has two cells of the same id; save it again with JupyterLab.',
      p.text('name')
    ),
  'notebook.too-large': (p, trans) =>
    trans.__(
      '%1 has %2 MB, more than the %3 MB that are read; clear its outputs, or move data out of its cells into files.',
      p.text('path'),
      p.text('size', 'rough'),
      p.text('largest_notebook', 'precise')
    ),
  'notebook.not-readable': (p, trans) =>
    trans.__(
      '%1 cannot be read (%2). Check the path and your rights.',
      p.text('path'),
      p.text('strerror')
    ),
  'notebook.no-json': (p, trans) =>
    trans.__(
      '%1 is not a notebook: it holds no JSON (%2). Open a Jupyter notebook (.ipynb); a script can be turned into one with jupytext.',
      p.text('path'),
      p.text('error')
    ),
  'notebook.format': (p, trans) =>
    trans.__(
      '%1 has the notebook format %2; 3 and 4 can be read. Save it again with a current JupyterLab.',
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
      '%1 %2; name a notebook (.ipynb).',
      p.text('path'),
      p.text('what')
    ),
  'notebook.too-large-outputs': (p, trans) =>
    trans.__(
      '%1 has %2 MB, more than the %3 MB that are read of a notebook; clear its outputs (in JupyterLab: Clear Outputs of All Cells).',
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
      '`%1.competition` in %2 must be a text.',
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
      '%1 is the notebook itself, which is never changed; name another.',
      p.text('output')
    ),
  'output.is-directory': (p, trans) =>
    trans.__('%1 is a directory; name a file.', p.text('output')),
  'output.no-directory': (p, trans) =>
    trans.__('The directory %1 does not exist.', p.text('parent')),
  'sandbox.no-kernel': (p, trans) =>
    trans.__(
      'No kernel starts in the sandbox `%1`: %2. Check that ipykernel works in this Python environment, or choose another sandbox.',
      p.text('sandbox'),
      p.text('error')
    ),
  'competition.no-data': (p, trans) =>
    trans.__(
      "The data of the competition are missing: there is no directory %1. Put the competition's public files there.",
      p.text('public')
    ),
  'sandbox.packages-unknown': (p, trans) =>
    trans.__(
      'The installed packages cannot be listed; what will break cannot be told before a run (%1).',
      p.text('name')
    ),
  'sandbox.none-isolates': (p, trans) =>
    trans.__(
      'No sandbox that isolates the notebook works here. %1 The sandbox `process` runs anywhere, but notebook code then has your own rights on this machine: choose `process` by name if you trust the notebook.',
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
      'Kernels of the sandbox `%1` are started by the kernel provisioner `%2`: name that one in the kernelspec.',
      p.text('chosen'),
      p.text('provisioner')
    ),
  'docker.elsewhere': (p, trans) =>
    trans.__(
      "The Docker engine does not see this machine's directories (%1): it runs on another machine, or the server itself runs in a container. Choose another sandbox.",
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
      'The Docker engine does not start a container: %1.',
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
      'The Docker engine at %1 does not answer any more; see whether it runs (`docker info`), and run the notebook again.',
      p.text('host')
    ),
  'docker.no-image': (p, trans) =>
    trans.__(
      'There is no image `%1` that you may read (%2). Check its name, log in to its registry (`docker login`), or choose another image or sandbox.',
      p.text('name'),
      p.text('words')
    ),
  'docker.image-not-fetched': (p, trans) =>
    trans.__(
      'The image `%1` could not be fetched (%2). Try again, bring it to this machine in another way (`docker load`), or choose another image or sandbox.',
      p.text('name'),
      p.text('words')
    ),
  'docker.no-gpu': (_, trans) =>
    trans.__(
      'A GPU was asked for, but the Docker engine has none to give: install the NVIDIA Container Toolkit on a machine with a GPU, or ask for none (`gpus`).'
    ),
  'docker.kernel-late': (p, trans) =>
    trans.__(
      'The kernel in the image `%1` did not start within %2 seconds; the machine may have too much to do. Try again.',
      p.text('image'),
      p.text('start_limit', 'precise')
    ),
  'docker.sockets-exchanged': (_, trans) =>
    trans.__("The kernel's sockets were exchanged while it started."),
  'docker.no-kernel': (p, trans) =>
    trans.__('No kernel starts on the Docker engine: %1', p.text('error')),
  'kernelspec.not-written': (p, trans) =>
    trans.__('The kernel cannot be put into the menu (%1).', p.text('why')),
  'kernelspec.not-in-menu': (_, trans) =>
    trans.__('No kernel was put into the menu for this notebook.'),
  'kernelspec.missing': (p, trans) =>
    trans.__('There is no kernelspec `%1`.', p.text('name')),
  'docker.packages-unknown': (p, trans) =>
    trans.__(
      'The image does not tell which packages it has; what will break cannot be told before a run (%1).',
      p.text('last')
    ),
  'docker.python-of-machine': (p, trans) =>
    trans.__(
      "%1 is a Python of this machine and cannot run in a container. Choose the image's own environment, or another sandbox.",
      p.text('python')
    ),
  'docker.image-not-here': (p, trans) =>
    trans.__(
      'The image `%1` is not on this machine: fetch it with `docker pull %1`, or run a notebook in the `docker` sandbox once, which fetches it with progress.',
      p.text('name')
    ),
  'docker.data-closed': (p, trans) =>
    trans.__(
      'The data of the competition cannot be read from a container: %1 is closed to others. Open it with `chmod -R a+rX %2`.',
      p.text('unreadable'),
      p.text('public')
    ),
  'docker.no-size': (p, trans) =>
    trans.__(
      'The %1 is a size such as 30g or 512m, not %2.',
      p.text('name'),
      p.text('text')
    ),
  'docker.no-gpus-setting': (p, trans) =>
    trans.__('GPUs are auto, none, all or a number, not %1.', p.text('text')),
  'docker.files-not-moved': (p, trans) =>
    trans.__(
      "The notebook's files could not be %1 the Docker engine (%2). Try again, or choose another sandbox.",
      p.text('way'),
      p.text('words')
    ),
  'scratch.not-made': (p, trans) =>
    trans.__(
      'The scratch directory cannot be made in %1: %2. Free some space there, or set another directory for temporary files (TMPDIR).',
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
      'The price list %1 is no YAML: %2',
      p.text('file'),
      p.text('error')
    ),
  'prices.twice': (p, trans) =>
    trans.__(
      'The price list %1 names the model %2 twice.',
      p.text('file'),
      p.text('model')
    ),
  'llm.address': (_, trans) =>
    trans.__(
      'The address of the language model cannot be used: it must start with http:// or https://, name a host and hold no password. Check MLE_MODERNIZER_BASE_URL.'
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
      'There is no folder %1 with rules. Check `rules_path`.',
      p.text('folder')
    ),
  'rules.too-many': (p, trans) =>
    trans.__(
      '%1 holds more than %2 files of rules.',
      p.text('folder'),
      p.text('most_files')
    ),
  'competition.file-leads-out': (p, trans) =>
    trans.__(
      '%1/%2 is a link that leads out of its folder.',
      p.text('slug'),
      p.text('file_name')
    ),
  'competition.path-leads-out': (p, trans) =>
    trans.__(
      '%1: %2 is a link that leads out of its folder.',
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
      'The folder of %1 is a link that leads out of the data root.',
      p.text('slug')
    ),
  'competition.too-large': (p, trans) =>
    trans.__(
      '%1 is larger than 1 MB; that is no description.',
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
      '%1: `id` is %2, the folder %3.',
      p.text('label'),
      p.text('written'),
      p.text('folder')
    ),
  'competition.direction': (p, trans) =>
    trans.__(
      '%1: `higher_is_better` contradicts `metric`: of %2, %3 is better.',
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
      '%1: `target_columns` is left out, and the sample submission %2 that would tell them is no use: %3',
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
      'The share held out must lie between 0 and 1, not %1.',
      p.text('share', 'precise')
    ),
  'holdout.empty-side': (p, trans) =>
    trans.__(
      'With %1 rows and a share of %2 one side of the split is empty.',
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
    trans.__('%1 is no directory.', p.text('folder')),
  'own-competition.several-files': (p, trans) =>
    trans.__(
      'The labelled data is not to be told in %1 (%2); name it with --train.',
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
      '%1 has %2 already; add --force to write them anew.',
      p.text('folder'),
      p.text('names')
    ),
  'own-competition.leads-out': (p, trans) =>
    trans.__(
      '%1 is a link that leads out of %2; remove it.',
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
      '%1 takes numbers, and %2 has others; choose a metric of labels such as accuracy, or write the labels as 0 and 1.',
      p.text('metric'),
      p.text('name')
    ),
  'own-competition.needs-two': (p, trans) =>
    trans.__(
      '%1 needs targets of 0 and 1, and %2 has others; metrics that fit: %3.',
      p.text('metric'),
      p.text('name'),
      p.text('fitting')
    ),
  'own-competition.id-twice': (p, trans) =>
    trans.__('An id occurs more than once in column %1.', p.text('id_column')),
  'own-competition.row-column': (p, trans) =>
    trans.__(
      'There is a column %1 that is no id; rename it.',
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
      'Kaggle cannot be reached for %1 (%2). Is there a network?',
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
      "This needs the package kaggle, which is not installed in this Python (or not usable). Install it: pip install 'mle-modernizer[kaggle]' (Python 3.11 or newer)."
    ),
  'kaggle.token': (p, trans) =>
    trans.__(
      'Kaggle does not accept your token for %1. Make a new one: https://www.kaggle.com/settings/api',
      p.text('what')
    ),
  'kaggle.rules': (p, trans) =>
    trans.__(
      'Kaggle refuses %1: most often the rules are not accepted yet. Join the competition and accept them: https://www.kaggle.com/competitions/%2/rules',
      p.text('what'),
      p.text('slug')
    ),
  'kaggle.no-access': (p, trans) =>
    trans.__('Kaggle refuses %1: your account may not see it.', p.text('what')),
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
      'The archive holds %1, which is a link or no plain file.',
      p.text('member')
    ),
  'archive.path': (p, trans) =>
    trans.__(
      'The archive holds %1, a path that must not be in it.',
      p.text('member')
    ),
  'archive.too-large': (p, trans) =>
    trans.__(
      'Unpacked, it is larger than %1 GB; see --max-size.',
      p.text('most_bytes', 'precise')
    ),
  'kaggle.no-slug': (p, trans) =>
    trans.__(
      "%1 is no competition's name; it is the end of its address.",
      p.text('text')
    ),
  'kaggle.own-answers': (p, trans) =>
    trans.__(
      "%1 holds answers of its own, made from other data than Kaggle's test set. Use another --data-root.",
      p.text('folder')
    ),
  'kaggle.there-already': (p, trans) =>
    trans.__('%1 is there already. --force fetches it anew.', p.text('public')),
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
      'There is no room below %1 for %2 GB.',
      p.text('parent'),
      p.text('size')
    ),
  'kaggle.no-notebook-name': (p, trans) =>
    trans.__(
      "%1 is no notebook's name; it is OWNER/SLUG, the end of its address.",
      p.text('text')
    ),
  'kaggle.file-exists': (p, trans) =>
    trans.__(
      '%1 exists; name another directory with --into, or --force.',
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
    trans.__("Kaggle's answer for %1 holds no notebook.", p.text('what')),
  'kaggle.closed': (p, trans) =>
    trans.__('%1 takes no submissions any more.', p.text('slug')),
  'kaggle.notebooks-only': (p, trans) =>
    trans.__(
      "%1 takes notebooks only, no CSV: it has to be submitted from a notebook on Kaggle's own site.",
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
      'The submission %1 is not scored after %2 s. It stays at Kaggle, under My submissions.',
      p.text('ref'),
      p.text('waited', 'rough')
    ),
  'file.not-readable-why': (p, trans) =>
    trans.__('%1 cannot be read: %2.', p.text('path'), p.text('strerror')),
  'reproduction.no-claim': (p, trans) =>
    trans.__(
      '%1 has no claim that was found, so there is nothing to check a notebook with. Results that stand in figures alone are not read.',
      p.text('source')
    ),
  'reproduction.too-many': (p, trans) =>
    trans.__(
      '%1 claims are more than the %2 of a notebook.',
      p.text('count'),
      p.text('most_claims_chosen')
    ),
  'reproduction.unknown-claim': (p, trans) =>
    trans.__('There is no claim %1 in this paper.', p.text('unknown')),
  'request.files-elsewhere': (_, trans) =>
    trans.__(
      'This server keeps its files elsewhere than in a directory; make the competition with `jupyter modernize competition init` in a terminal.'
    ),
  'request.too-large': (p, trans) =>
    trans.__(
      'The request has %1 MB, more than the %2 MB that are taken here. A notebook is sent without its outputs; move large texts and data out of its cells, into files.',
      p.text('length'),
      p.text('most_bytes', 'precise')
    ),
  'request.no-json': (p, trans) =>
    trans.__("The request's body is no JSON: %1", p.text('error')),
  'request.too-deep': (_, trans) =>
    trans.__("The request's body is no JSON of ours: it is nested too deeply."),
  'request.format': (p, trans) =>
    trans.__('format is json, markdown or html, not %1.', p.text('wanted')),
  'request.no-number': (p, trans) =>
    trans.__('%1 is a whole number, not %2.', p.text('name'), p.text('text')),
  'request.no-file': (p, trans) =>
    trans.__('There is no file %1 in the file browser.', p.text('path')),
  'sandbox.setting-unknown': (p, trans) =>
    trans.__(
      'There is no sandbox %1; there are %2.',
      p.text('sandbox'),
      p.text('known')
    ),
  'own-competition.name-leads-out': (p, trans) =>
    trans.__(
      '%1 below the data root is a link that leads out of it.',
      p.text('wish')
    ),
  'own-competition.folder-exists': (p, trans) =>
    trans.__(
      'There is a folder %1 in %2 already; choose another name, or say that it may be overwritten.',
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
    trans.__('Decisions cannot be taken back while work goes on.'),
  'decision.has-run': (_, trans) =>
    trans.__('The notebook has run since; ask for another fix instead.'),
  'decision.accepted-already': (_, trans) =>
    trans.__('This change has been accepted already.'),
  'decision.stale': (_, trans) =>
    trans.__(
      'The cell was changed after the fix was proposed; ask for the fix again.'
    ),
  'decision.needs-yes': (_, trans) =>
    trans.__(
      'This edit changes the experiment (data, features, model, parameters, seed or split). Accept it by itself, with your explicit yes.'
    ),
  'conflict.nothing-run': (_, trans) =>
    trans.__('Nothing has run to its end yet; run the notebook first.'),
  'conflict.has-score': (p, trans) =>
    trans.__('This run has a score that was %1.', p.text('score_kind')),
  'environment.none-made': (_, trans) =>
    trans.__(
      'This server makes no environments (MLE_MODERNIZER_MAKE_ENVIRONMENTS).'
    ),
  'era.unknown': (_, trans) =>
    trans.__(
      'Nothing in the notebook tells when it was written; name a year (`--era 2018`).'
    ),
  'environment.unknown': (p, trans) =>
    trans.__(
      'There is no environment %1: name a kernelspec, a conda environment, a path, `%2`, `%3` or `%4`; `jupyter modernize environments --for NOTEBOOK` lists what is there.',
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
      'The notebook needs no fix; choose a fix type to ask for one anyway.'
    ),
  'conflict.rehearsal-errors': (_, trans) =>
    trans.__(
      'A rehearsal shows errors only; run the notebook for anything else.'
    ),
  'conflict.rules-first': (_, trans) =>
    trans.__(
      'Before the first run only the rules are asked; no model is sent anything.'
    ),
  'exchange.none': (p, trans) =>
    trans.__('Nothing was sent to a model for %1.', p.text('exchange')),
  'store.newer': (p, trans) =>
    trans.__(
      '%1 was written by a newer version of MLE Modernizer; update this one, or set another database file.',
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
      'The model is not among the fixers chosen: nothing will be spent.'
    ),
  'finish.no-run': (_, trans) =>
    trans.__('There is no run to finish the notebook with; run it first.'),
  'finish.not-whole': (p, trans) =>
    trans.__(
      'Run %1 did not run the whole notebook on all data; run it again to finish it.',
      p.text('wanted')
    ),
  'conflict.has-run': (_, trans) =>
    trans.__('The notebook has run; ask for a fix of what the run showed.'),
  'conflict.two-runs': (_, trans) =>
    trans.__('A strict verification needs at least two runs.'),
  'conflict.nothing-to-measure': (_, trans) =>
    trans.__(
      'There is no score that is compared with a target; nothing to measure.'
    ),
  'compare.no-version': (_, trans) =>
    trans.__('There is no other version to compare the notebook with.'),
  'folds.no-competition': (_, trans) =>
    trans.__(
      "Validation folds need a competition's data; choose a competition."
    ),
  'own-time.unknown-libraries': (p, trans) =>
    trans.__(
      'The server knows no old libraries %1; it knows %2.',
      p.text('old_python'),
      p.text('known')
    ),
  'conflict.sandbox-python': (_, trans) =>
    trans.__("Notebooks run in the sandbox's own Python here."),
  'finish.outputs-gone': (p, trans) =>
    trans.__(
      'The outputs of run %1 are not kept; run it again to finish it.',
      p.text('number')
    ),
  'finish.replaced-gone': (_, trans) =>
    trans.__('What finishing this notebook replaced is not kept any more.'),
  'budget.price-unknown': (p, trans) =>
    trans.__(
      'The price of %1 is not known, so a limit on its cost cannot be kept. Set MLE_MODERNIZER_PRICE (input,cached,output in USD per million tokens) where the server or the command starts, or take the limit away.',
      p.text('model')
    ),
  'folds.cannot': (p, trans) =>
    trans.__('No validation folds can be made because %1.', p.text('error')),
  'not-folded.few-rows': (p, trans) =>
    trans.__(
      '%1 rows in %2 folds leave %3 in the smallest; %4 are needed for a score that says something',
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
    trans.__('cutting so much data takes too long'),
  'not-folded.unreadable': (p, trans) =>
    trans.__('the data cannot be read or written (%1)', p.text('reason')),
  'not-folded.no-column': (p, trans) =>
    trans.__('the training data have no column %1', p.text('column')),
  'not-folded.empty-sample': (_, trans) =>
    trans.__('the sample submission is empty'),
  'not-folded.no-csv': (p, trans) => trans.__('%1 is no CSV', p.text('table')),
  'not-folded.too-large': (p, trans) =>
    trans.__('%1 is too large to cut', p.text('table')),
  'not-folded.two-tables': (p, trans) =>
    trans.__(
      'labels and features lie in two tables, %1 and another',
      p.text('table')
    ),
  'not-folded.columns-missing': (p, trans) =>
    trans.__('%1 has no column %2', p.text('table'), p.text('columns')),
  'not-folded.other-columns': (p, trans) =>
    trans.__(
      'the test data have columns that %1 has not: %2',
      p.text('table'),
      p.text('column')
    ),
  'folds.too-long': (p, trans) =>
    trans.__(
      'A run takes %1 seconds, so %2 folds take %3 for the notebook alone, more than the budget of %4. Give it more time, or fewer folds, which show less.',
      p.text('seconds', 'rough'),
      p.text('count'),
      p.text('needed', 'rough'),
      p.text('budget', 'rough')
    ),
  'own-time.sandbox': (_, trans) =>
    trans.__(
      'The target is found in an environment made here; choose the sandbox `bubblewrap` or `process`.'
    ),
  'reproduction.settings': (p, trans) =>
    trans.__(
      'The runs must be 1 to %1, and the tolerance a share between 0 and 1.',
      p.text('most_repeated')
    ),
  'reproduction.no-claims-named': (p, trans) =>
    trans.__(
      '%1 does not say which claims it is to reproduce; make the notebook with `jupyter modernize paper FILE --output NOTEBOOK`.',
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
      'LLM failed: no usable answer from %2 in %1 try. %3 The claims are those that rules found.',
      'LLM failed: no usable answer from %2 in %1 tries. %3 The claims are those that rules found.',
      p.count(),
      p.text('model'),
      p.text('mistake')
    ),
  'claims.over-budget': (p, trans) =>
    trans.__(
      'The question would take about %1 tokens, which is more than the bound allows.',
      p.text('tokens')
    ),
  'claims.other-file': (p, trans) =>
    trans.__(
      '%1 is not a file with claims that a model read; move it, and ask again.',
      p.text('path')
    ),
  'writing.no-file': (_, trans) =>
    trans.__("The notebook's file cannot be read; save it first."),
  'writing.no-paper': (p, trans) =>
    trans.__(
      'The paper %1 does not lie beside the notebook as it was when the notebook was made.',
      p.text('paper')
    ),
  'conflict.not-written-so': (_, trans) =>
    trans.__("A paper's notebook is written by its own button."),
  'writing.no-price': (_, trans) =>
    trans.__(
      'A bound on money needs the price of the model, which is not known.'
    ),
  'writing.unreadable': (p, trans) =>
    trans.__('%1 cannot be read; remove it to begin anew.', p.text('path')),
  'writing.other-paper': (p, trans) =>
    trans.__(
      '%1 is of another paper or other claims; remove it to begin anew.',
      p.text('path')
    ),
  'reproduction.too-large': (p, trans) =>
    trans.__(
      'The metadata of %1 are larger than those of a reproduction.',
      p.text('name')
    ),
  'reproduction.wrong': (p, trans) =>
    trans.__(
      'What %1 says of its claims cannot be used (%2: %3).',
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
      '%1 is no paper that can be read: give LaTeX (a .tex file or an archive as arXiv has it), PDF, Markdown or HTML.',
      p.text('path')
    ),
  'paper.too-large': (p, trans) =>
    trans.__(
      '%1 is too large, or holds more than a paper does.',
      p.text('path')
    ),
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
      "%1 has pictures of pages and no text; a version with text is needed (the publisher's PDF, or the LaTeX sources).",
      p.text('path')
    ),
  'paper.empty': (p, trans) => trans.__('%1 has no text.', p.text('path')),
  'paper.time': (p, trans) =>
    trans.__('%1 takes too long to read.', p.text('path')),
  'paper.memory': (p, trans) =>
    trans.__('%1 takes too much memory to read.', p.text('path')),
  'paper.crashed': (p, trans) =>
    trans.__(
      '%1 cannot be read: the process that reads it broke down.',
      p.text('path')
    ),
  'archive.both': (p, trans) =>
    trans.__(
      'The archive holds %1 both as a file and as a directory.',
      p.text('member')
    ),
  'kaggle.rate-limit-seconds': (p, trans) =>
    trans.__(
      'Kaggle takes no more requests for now (rate limit). Try again in %1 seconds.',
      p.text('seconds')
    ),
  'kaggle.rate-limit': (_, trans) =>
    trans.__(
      'Kaggle takes no more requests for now (rate limit). Try again in some minutes.'
    ),
  'kaggle.trouble': (p, trans) =>
    trans.__(
      'Kaggle has trouble of its own (%1). Try again later.',
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
      'There are: %1 and %2 more (`jupyter modernize competition list` names all).',
      p.text('names'),
      p.text('more')
    ),
  'competition.there-are': (p, trans) =>
    trans.__('There are: %1.', p.text('names')),
  'competition.none-there': (_, trans) =>
    trans.__('No competition lies there; set the data root.'),
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
      'The sandbox `%1` gives a run no way to the network; bubblewrap does. Or have the file fetched once, or put it beside the notebook.',
      p.text('name')
    ),
  'run.network-none': (_, trans) =>
    trans.__('This run was allowed the network, and reached no server.'),
  'run.network': (p, trans) =>
    trans.__(
      'This run was allowed the network, and reached %1.',
      p.text('servers')
    ),
  'run.network-refused': (p, trans) =>
    trans.__('Not let through: %1.', p.text('servers')),
  'sandbox.other-works': (p, trans) =>
    trans.__('`%1` works here.', p.text('name')),
  'sandbox.other-not-isolated': (p, trans) =>
    trans.__(
      '`%1` works here, but gives no isolation: choose it if you trust the code.',
      p.text('name')
    ),
  'docker.no-ipykernel': (p, trans) =>
    trans.__(
      'The image `%1` has no ipykernel, so no notebook can run in it. Install it there (`pip install ipykernel`), or choose another image.',
      p.text('image')
    ),
  'docker.image-cannot': (p, trans) =>
    trans.__(
      'The image `%1` cannot run a kernel: %2. Choose another image.',
      p.text('image'),
      p.text('words')
    ),
  'docker.little-memory': (p, trans) =>
    trans.__(
      'The memory of %1 is not enough to start a kernel; give it more.',
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
      'Kaggle does not accept the token in KAGGLE_API_TOKEN. Make a new one: https://www.kaggle.com/settings/api'
    ),
  'kaggle.no-token': (_, trans) =>
    trans.__(
      'There is no Kaggle token. Make one at https://www.kaggle.com/settings/api and put it into KAGGLE_API_TOKEN or ~/.kaggle/access_token (an older key into KAGGLE_USERNAME and KAGGLE_KEY or ~/.kaggle/kaggle.json).'
    ),
  'docker.image-not-yet': (p, trans) =>
    trans.__(
      'its image %1 is not on this machine yet; choose `docker` by name to have it fetched',
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
      'bwrap may not make its namespaces on this machine (%1)',
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
      'the Docker engine maps user ids (userns-remap), so that a container could not write the scratch directory; use an engine without it, or a rootless one'
    ),
  'docker.no-right': (p, trans) =>
    trans.__(
      "you have no right to use the Docker engine at %1; ask to be added to the group `docker` (that right is as good as root's), or use a rootless engine",
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

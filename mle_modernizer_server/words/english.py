"""The words, by code.

A place `{name}` is a parameter's; `{name:how}` sets its format (see `render.py`). Two
texts are the singular and the plural, by the parameter `count`. Texts of codes `model.…` are for
a language model only: the panel has no words for them.
"""

from __future__ import annotations

from mle_modernizer_server.words.labels import label_codes

WORDS: dict[str, str | tuple[str, str]] = {
    "text": "{text}",
    # Results of a run and its score
    "summary.cancelled": "Cancelled{cell}.",
    "summary.timed-out": "Stopped at the time limit of {limit:duration}{cell}.",
    "summary.stopped": "Stopped{cell}, the first cell that failed.",
    "summary.in-cell": " in cell {cell}",
    "summary.kernel-died": "The kernel died{cell}.",
    "summary.out-of-memory": "The kernel was killed because it ran out of memory{cell}.",
    "summary.disk-full": "The kernel was killed because it ran out of disk space{cell}.",
    "run.exits": "Cell {cell} ends the kernel with {call}.",
    "run.exits-early": (
        "Cell {cell} ends the kernel with {call}; the cell below it did not run.",
        "Cell {cell} ends the kernel with {call}; the {count} cells below it did not run.",
    ),
    "run.skipped": (
        "{count} cell is tagged skip-execution and was not run.",
        "{count} cells are tagged skip-execution and were not run.",
    ),
    # Older logs lack the number of all cells.
    "summary.failed": ("{count} cell failed.", "{count} cells failed."),
    "summary.failed-and-cascades": (
        "{count} cell failed, and {cascades} more as a consequence.",
        "{count} cells failed, and {cascades} more as a consequence.",
    ),
    "summary.failed-of": ("{count} of {of} cells fails.", "{count} of {of} cells fail."),
    "summary.failed-of-and-cascades": (
        "{count} of {of} cells fails, and {cascades} more as a consequence.",
        "{count} of {of} cells fail, and {cascades} more as a consequence.",
    ),
    "summary.score-holds": "The score is reached all the same.",
    "summary.perfect": "The score is perfect: check where it comes from.",
    "doubt.copy": (
        "Not judged yet: its predictions are those of {file}, which existed before the run."
    ),
    "doubt.cells": (
        "Not judged yet: it depends on {count} cell that failed.",
        "Not judged yet: it depends on {count} cells that failed.",
    ),
    "score.not-judged": "The score has not been judged yet.",
    "summary.ran": "Every cell ran without an error.",
    "summary.ran-others": "Every cell not tagged skip-execution ran without an error.",
    "summary.no-competition": "No competition is selected, so there is no score.",
    "summary.all-saved-outputs": (
        "The {count} output that can be compared matches.",
        "All {count} outputs that can be compared match.",
    ),
    "summary.saved-outputs": (
        "{agreeing} of {count} output that can be compared matches.",
        "{agreeing} of {count} outputs that can be compared match.",
    ),
    "summary.close-outputs": (
        "{count} more is close: its numbers are within the threshold.",
        "{count} more are close: their numbers are within the threshold.",
    ),
    "outputs.count": "{agreeing} of {compared}",
    "outputs.count-close": "{agreeing} of {compared}, {close} close",
    "outputs.unrun": (
        "Cell {cells} has not been run since it was changed: this output may be of other code.",
        "Cells {cells} have not been run since they were changed: this output may be of other "
        "code.",
    ),
    "result.saved-outputs": "Reproduces its saved outputs",
    "result.close-outputs": "Runs, outputs close to the saved ones",
    "result.other-outputs": "Runs, but outputs differ",
    "result.without-errors": "Runs without errors",
    "result.with-errors": "Runs with errors",
    "result.failed": "Failed",
    "summary.no-submission": "No submission CSV was written.",
    "summary.no-target": "No target score is known.",
    "summary.invalid": "The submission is invalid.",
    "summary.no-score": "There is no score.",
    "summary.at-floor": (
        "That is no better than predicting the same for every row, which scores {floor}."
    ),
    "summary.same-as": (
        "Its predictions are those of {file}, an earlier result that the code writes and does not "
        "read."
    ),
    "summary.not-compared": "{kind} {score}; there is no target score to compare it with.",
    "summary.reproduced": "Reproduced. {kind} {score} is {distance} the target {target}.",
    "summary.reached": "Reached, not proven. {kind} {score} is {distance} the target {target}.",
    "summary.off": "{kind} {score} is {distance} the target {target}.",
    "summary.off-and-better": (
        "{kind} {score} is {distance} the target {target}, on the better side."
    ),
    "summary.resumed-otherwise": (
        "The run resumed in the paused kernel ended differently ({outcome}); this clean run counts."
    ),
    "floor.constant": "A constant prediction scores {score}.",
    "floor.sample": "The sample submission scores {score}.",
    "score.graded": "Score",
    "score.printed": "Printed score",
    "score.typed": "Typed score",
    "score.within-band": "The score is within the band around the target.",
    "score.better": "The score is better than the band around the target.",
    "score.worse": "The score is worse than the band around the target.",
    "distance.other-kind": "not of the same kind as",
    "distance.above-floor": "off by {percent} % of the distance from the floor to",
    "distance.none": "exactly",
    "distance.absolute": "{distance} off",
    "distance.tiny": "within 0.01 % of",
    "distance.percent": "{percent} % off",
    "outcome.clean-reproducible": "without errors, reproducible",
    "outcome.clean-other": "without errors, not reproducible",
    "outcome.errors-reproducible": "with errors, reproducible",
    "outcome.errors-other": "with errors, not reproducible",
    # Results of a run on a sample
    "rehearsal.timed-out": ", cut off after {limit:duration},",
    "rehearsal.kernel-ended": ", until the kernel exited,",
    "rehearsal.doubtful": (
        "In a rehearsal ({size}){ended} the first error may be caused by what was reduced."
    ),
    "rehearsal.no-error": "In a rehearsal ({size}){ended} no cell failed.",
    "rehearsal.failed": (
        "In a rehearsal ({size}){ended} {count} cell failed.",
        "In a rehearsal ({size}){ended} {count} cells failed.",
    ),
    "rehearsal.failed-and": (
        "In a rehearsal ({size}){ended} {count} cell failed, and {doubted} more "
        "that may be caused by what was reduced.",
        "In a rehearsal ({size}){ended} {count} cells failed, and {doubted} more "
        "that may be caused by what was reduced.",
    ),
    "rehearsal.size": "{data}; shortened training: {named}",
    "rehearsal.steps": "{data}; few training steps",
    "sample.all": "all data",
    "sample.rows": "{rows:thousands} of {of:thousands} rows",
    "sample.files": (
        "all rows, {count} file left out",
        "all rows, {count:thousands} files left out",
    ),
    "sample.too-large": (
        "{count} file was too large to copy: {named}.",
        "{count} files were too large to copy, such as {named}.",
    ),
    "sample.ids": "It was not recognised how the ids of {test} and {submission} correspond.",
    "sampled.file": "The file is in the full data but not in the sample.",
    "sampled.picture": "The image may have been left out of the sample.",
    "sampled.too-few": "The sample may have too few rows for this.",
    "sampled.nothing-left": "The sample may have no rows left at this point.",
    "sampled.value": "The sample may lack a value that occurs in the full data.",
    "sampled.place": "The cell uses position {place:thousands}; the sample has fewer rows.",
    "sampled.count": "The cell expects {rows:thousands} rows; the sample has fewer.",
    "sampled.training-name": "Only a round that the short training leaves out defines this name.",
    "sampled.training-steps": "The rehearsal limits the steps of an epoch.",
    "sampled.training-file": "A round that the short training leaves out may write this file.",
    "sampled.training-place": "The short training has fewer rounds than this position.",
    "sampled.training-sizes": "The code expects the results of the whole training.",
    "sampled.rows": "The notebook hard-codes a number of rows; the sample has fewer.",
    "unrehearsed.no-competition": (
        "No rehearsal was possible: no competition is known whose data could be sampled, "
        "and the notebook has no training to shorten."
    ),
    "unrehearsed.small": (
        "No rehearsal was needed: the data are small already, and the notebook has no training "
        "to shorten."
    ),
    "unrehearsed.no-sample": "No rehearsal was possible: {reason}.",
    "no-sample.too-long": "sampling this much data takes too long",
    "no-sample.too-many-files": "examining so many files takes too long",
    "no-sample.unreadable": "the data cannot be read, or the sample cannot be written ({reason})",
    "no-sample.packed": "a file cannot be unpacked ({reason})",
    "no-sample.not-kept": "it cannot be stored in {root} ({reason})",
    # Reasons not to permute data
    "not-permuted.no-competition": "there are no competition data",
    "no-table.training": "no table of training data was found",
    "no-table.test": "no table of test data was found",
    "no-table.sample": "no sample submission was found",
    "not-permuted.labels-unknown": "it is not known which columns of the training data are labels",
    "not-permuted.one-label": "all training labels are the same",
    "not-permuted.no-ids": (
        "the test data have no ids, and the sample submission has different rows"
    ),
    "not-permuted.no-submission": "the run on shuffled rows wrote no submission",
    "not-halved.no-submission": "the run on half of the test rows wrote no submission",
    "not-tried.budget": "the budget is too small for further runs",
    "not-permuted.too-long": "permuting so much data takes too long",
    "not-permuted.too-large": "{table} has {rows:thousands} rows, too many to permute at once",
    "not-permuted.unreadable": "the data cannot be read, or the copy cannot be written ({reason})",
    # Verdicts and next steps
    "verdict.copy": "The submission is a copy of {file}: nothing was predicted.",
    "verdict.runs-within-band": "{within} of {of} runs are within the target's band.",
    "advice.within-noise": (
        "The notebook's own variation explains the gap: there is nothing to fix."
    ),
    "advice.above-target": "A better score needs no fix; check the target if you doubt it.",
    "advice.below-target": (
        "Repeat the run to see how much the score varies, compare with old libraries (probe),"
        " or check the target."
    ),
    "advice.target-implausible": "Check the target score, then run again.",
    "advice.grader-mismatch": (
        "Check what the target score measures (metric, direction, scale), correct it, and run"
        " again."
    ),
    "advice.needs-external-data": (
        "Put the file into the notebook's folder or the competition's folder, or provide it "
        "with --file PATH=FILE, and run again."
    ),
    "advice.find-file": (
        "Modernize the notebook: if a file of this name is in its folder, the path is corrected. "
        "Otherwise put the file there or into the competition's folder, or provide it with "
        "--file PATH=FILE, and run again."
    ),
    "advice.needs-folder": (
        "Put it into the notebook's folder, and correct the path if it is of another machine."
    ),
    "advice.needs-network": (
        "Fetch the file (“Fetch once” in the panel, --fetch URL on the command line), and run "
        "again. Or download it yourself and put it under its own name into the notebook's folder "
        "(or --file URL=FILE); or give the runs network access (“Run with the network”, --network)."
    ),
    "advice.server-not-reached": (
        "Public web servers can be reached on ports 80 and 443; see which servers this run "
        "reached. The address may no longer exist: look for the file elsewhere and put it "
        "beside the notebook."
    ),
    "advice.library-data": (
        "{library} downloads more than a single file, so it cannot be fetched here. Give the "
        "runs access to public web servers (--network; in the panel: Settings, More settings,"
        " Network); or load the data once in a kernel of your own, save them beside the "
        "notebook, and read them from there."
    ),
    "advice.torch-weights": (
        "Fetch the weights (“Fetch once” in the panel; --fetch with the address the cell printed, "
        "https://download.pytorch.org/models/…), and run again; torch will find them."
    ),
    "advice.install-nltk": (
        "Fetch it (“Fetch once” in the panel, --fetch URL on the command line), and run again. "
        "Or install it into one of your environments that has nltk "
        "(python -m nltk.downloader -d \"$(python -c 'import sys; "
        "print(sys.prefix)')/nltk_data\" {name}), and select that environment."
    ),
    "advice.install-spacy": (
        "Install it into one of your environments that has spacy (python -m spacy download "
        "{name}), select that environment, and run again."
    ),
    "advice.non-deterministic": (
        "Set the notebook's seeds, or judge it by the mean of several runs."
    ),
    "advice.awaits-yes": (
        "Review the change and confirm it yourself, or allow changes to the experiment, and "
        "run again."
    ),
    "advice.other-sandbox": "Select another sandbox or image, and run again.",
    "advice.install-program": "Install it there, and run again.",
    "advice.no-python": (
        "If it is text, change the cell to Markdown; if it is code, correct it. Then run again."
    ),
    "advice.add-package": (
        "Have an environment with it made for this notebook, or select one that has it, and "
        "run again."
    ),
    "advice.hosted-module": (
        "Remove the lines that use it. Put files that it uploads, downloads or mounts into the "
        "notebook's folder, correct their paths, and run again."
    ),
    "advice.add-own-module": (
        "If it is your own code, put {module}.py into the notebook's folder. Otherwise have an "
        "environment with its package made for this notebook; then run again."
    ),
    "advice.import-own": "Write `from . import {module}` in `{file}`, and run again.",
    "advice.not-examined": (
        "Try again with more time (the panel's button, or --rules-time SECONDS)."
    ),
    "advice.no-fix": "Fix it by hand, or ask another fixer.",
    "advice.no-fix-beside": "Change {file} by hand, or ask another fixer.",
    "advice.reached": (
        "An edit by a model or by hand led to it. Prove with shuffled data that it comes from "
        "training: “Prove it” in the panel, `--prove` on the command line."
    ),
    "advice.not-proven": "Check the edits: the submission must come from the trained model.",
    "advice.no-progress": "Fix the notebook by hand, or ask another model.",
    "target.other-kind": "The score was {score}, the target was {target}.",
    "target.trap": "The target is reached if a peculiarity of the grader is left out. {trap}",
    "target.percentage": (
        "The target {target} looks like a percentage; {metric} is at most 1. Set the target to "
        "{corrected}."
    ),
    "target.other-scale": "The target {target} fits {scale}, not the {metric} that is computed.",
    "target.unreachable": (
        "The target {target} is impossible: {metric} lies between {low} and {high}."
    ),
    "target.sample-submission": "The target {target} is the score of the sample submission.",
    "target.constant": "The target {target} is the score of a constant prediction.",
    "target.out-of-reach": "No fix brought the score to the target.",
    "scale.other-sign": "the score with the opposite sign",
    "scale.other-direction": "1 minus the score (the opposite direction)",
    "scale.mse": "the mean squared error",
    "scale.rmse": "the RMSE",
    "scale.gini": "the Gini coefficient",
    "scale.roc-auc": "the ROC AUC",
    "scale.percentage": "the percentage",
    "needs.server": (
        "The notebook downloads something, and the server could not be reached although the "
        "run had network access ({error})."
    ),
    "needs.network": "The notebook downloads something, but runs have no network access ({error}).",
    "needs.resource": (
        "The notebook uses {name} from {library}, which is not installed where it runs."
    ),
    "needs.file": "The notebook reads {path}, which does not exist.",
    "needs.folder": "The notebook uses the folder {path}, which does not exist.",
    "needs.kept-away": "The notebook reads {path}, which is beside it but {reason}",
    "kept-away.too-large": "is too large to copy. Select the sandbox `bubblewrap`.",
    "kept-away.out-of-reach": "is not accessible in this sandbox. Select the sandbox `bubblewrap`.",
    "kept-away.unreadable": "cannot be read with your permissions. Change them, and run again.",
    "cannot-run.kernel-died": "The kernel died before the first cell had run.",
    "cannot-run.program-missing": (
        "The program `{program}` is not installed where the notebook runs; it is not a Python"
        " package."
    ),
    "cannot-run.no-python": "It is not Python code.",
    "cannot-run.module-missing": "`{module}` is not installed where the notebook runs.",
    "cannot-run.hosted-module": "`{module}` exists only on {service}.",
    "cannot-run.package-missing": (
        "The package that provides a module is not installed where the notebook runs."
    ),
    "cannot-run.python2-import": (
        "`{file}` imports `{module}`, which is beside it, in a way only Python 2 supports."
    ),
    "stops.in": "Cell {cell} fails. {why}",
    "stops.first": "It stops first in {failure}",
    "stops.as-saved": "The original failed there too: its saved output shows a {kind}.",
    "needs-time.works": (
        "No errors so far ({cell} of {of} cells). The limit of {limit:duration} was too short. Run "
        "it with {seconds:duration} (--time-limit {seconds} on the command line)."
    ),
    "stalled.same-patch": "The proposed fix leads back to a version that has already been run.",
    "stalled.tried-before": "The proposed fix was tried before and did not help.",
    "stalled.still-stops": "It still stops first in {failure}",
    "failure.first": "cell {cell}: {error}.",
    "stalled.same-errors": (
        "The last fix changed nothing: the notebook fails with the same errors.",
        "The last {count} fixes changed nothing: the notebook fails with the same errors.",
    ),
    "stalled.same-score": (
        "The last fix did not move the score at all.",
        "The last {count} fixes did not move the score at all.",
    ),
    "stalled.no-progress": (
        "The last fix made no progress.",
        "The last {count} fixes made no progress.",
    ),
    "budget.no-fix": (
        "No fixes are allowed; raise the limit to continue (More settings in the panel, or "
        "--max-fixes)."
    ),
    "budget.fixes": (
        "The one allowed fix is used up; raise the limit to continue (More settings in the "
        "panel, or --max-fixes).",
        "All {count} allowed fixes are used up; raise the limit to continue (More settings in"
        " the panel, or --max-fixes).",
    ),
    "budget.tokens": (
        "The limit of {tokens:thousands} tokens is used up; raise it to continue (More "
        "settings in the panel, or --max-tokens)."
    ),
    "budget.money": (
        "The limit of {usd} USD is spent; raise it to continue (More settings in the panel, "
        "or --max-cost)."
    ),
    "budget.time": (
        "The limit of {seconds:duration} is over; raise it to continue (More settings in the "
        "panel, or --max-minutes)."
    ),
    "next.run": "Run the notebook.",
    "next.run-on-all-data": "Run it on the full data.",
    "next.run-for-rest": "Run the notebook to see what remains.",
    "next.run-unchanged": "Nothing was changed; run the notebook to see what breaks.",
    "next.run-fixed": "Run the notebook again to see what the fix did.",
    "next.after-rejection": "The fix was rejected; ask for another one, or run the notebook again.",
    "next.review-fix": "Review the proposed fix.",
    "next.review-and-run": "Review the proposed fix, then run again.",
    "next.review-restoring": "Libraries changed silently what the differing outputs depend on; "
    "review what restores the old behaviour, then run again.",
    "next.review-elsewhere": "Review the proposal, then run the notebook here.",
    "next.review-changes": "Review the changes.",
    "next.review-before-run": "Review what is proposed before the first run.",
    "review.decided": "All changes are decided.",
    # Progress
    "progress.starting": "Starting",
    "progress.done": "done",
    "progress.next-in-line": "Waiting for {notebook}, which is running",
    "progress.in-line": "Waiting for {notebook}, which is running ({count} more ahead)",
    "progress.sandbox": "Preparing the sandbox",
    "progress.this-sandbox": "Preparing the {sandbox} sandbox",
    "progress.rehearsal-sandbox": "Preparing the sandbox for a rehearsal",
    "progress.resuming": "Resuming at cell {cell}",
    "progress.sampling": "Choosing a sample of the data",
    "progress.running": "Running the notebook",
    "progress.running-cell": "Running cell {cell} of {of}",
    "progress.rehearsing": "Rehearsing",
    "progress.rehearsing-cell": "Rehearsing: cell {cell} of {of}",
    "progress.grading": "Grading the submission",
    "progress.diagnosing": "Examining the results",
    "progress.looking-ahead": "Looking for known breaking changes",
    "progress.asking-rules": "Looking for known breaking changes",
    "progress.asking-model": "Asking the model",
    "progress.reading-answer": "Reading the model's answer",
    "progress.alternatives": "Trying {count} fixes in parallel",
    "progress.alternative": "Alternative {number} of {of}: {step}",
    "progress.study": "{study}: {step}",
    "making.for": "Missing: {packages}. {step}",
    "making.beginning": "Preparing an environment",
    "making.waiting": "Waiting: another process is making this environment",
    "making.python": "Looking for a Python of that time",
    "making.resolving": "Preparing an environment: resolving package versions",
    "making.installing": (
        "Preparing an environment ({count} package)",
        "Preparing an environment ({count} packages)",
    ),
    "making.downloading": (
        "Preparing an environment ({count} package, at most {megabytes:rough} MB)",
        "Preparing an environment ({count} packages, at most {megabytes:rough} MB)",
    ),
    "making.checking": "Preparing an environment: checking the installed packages",
    "making.ask": (
        "Missing: {packages}. An environment for this notebook downloads at most "
        "{megabytes:rough} MB. Prepare it, or run without it."
    ),
    "fetch.progress": "Fetching {address}: {megabytes} MB",
    "fetch.wanted": (
        "The notebook reads {address}, but runs have no network access. Fetch it once with "
        "--fetch {address}"
    ),
    "fetch.refused": "{address} was not fetched: {reason}.",
    "fetch.not-public": (
        "{address} was not fetched: {server} is not a public server. Put the file beside the "
        "notebook yourself."
    ),
    "fetch.redirects": "{address} was not fetched: it redirects more than {most} times.",
    "fetch.bad-redirect": (
        "{address} was not fetched: it redirects to something that is not a web address."
    ),
    "fetch.downgrade": "{address} was not fetched: it redirects to an unencrypted connection.",
    "fetch.status": "{address} was not fetched: the server answered with status {status}.",
    "fetch.packed": (
        "{address} was not fetched: the server used a compression that was not requested."
    ),
    "fetch.page": (
        "{address} was not fetched: the server sent a web page (a form or a notice) instead "
        "of the file."
    ),
    "fetch.too-large": (
        "{address} was not fetched: it is larger than {megabytes:rough} MB. Download it "
        "yourself and put it beside the notebook."
    ),
    "fetch.time": "{address} was not fetched: it took longer than {seconds:duration}.",
    "fetch.silence": "{address} was not fetched: no answer for {seconds:duration}.",
    "fetch.certificate": (
        "{address} was not fetched: the server's certificate is invalid ({detail})."
    ),
    "fetch.no-server": (
        "{address} was not fetched: the server does not exist, or there is no network here."
    ),
    "fetch.failed": "{address} was not fetched: {detail}.",
    "fetch.cancelled": "Fetching {address} was cancelled.",
    "fetch.not-kept": "{address} was not fetched: {folder} cannot be written ({detail}).",
    "fetch.no-such": "No fetched file has the id {id}; `jupyter modernize resources` lists them.",
    "docker.next-in-line": "Waiting for a free container",
    "docker.in-line": "Waiting for a free container ({count} ahead)",
    "docker.sending": "Sending the data to the Docker engine",
    "docker.fetching": "Pulling the image {image}",
    "docker.fetching-layers": "Pulling the image {image}: {layers}",
    "docker.fetching-bytes": "Pulling the image {image}: {layers}, {loaded} of {total}",
    "docker.layers": "{done} of {of} layers",
    "docker.less-memory": (
        "The machine has only {there} of memory: the notebook gets {given} instead of {asked}."
    ),
    "docker.fewer-processors": (
        "The machine has only {there} processors: the notebook gets all of them instead of {asked}."
    ),
    # Ends of a run
    "run.decides": "A clean run decides.",
    "run.timed-out": "Stopped at the time limit of {limit:duration}.",
    "run.cancelled": "Cancelled.",
    "run.stopped": "Stopped at cell {cell}, the first that failed.",
    "beside.translated": (
        "A module beside the notebook is written for Python 2; the run used a Python 3 "
        "translation of it: {files}. Your file is unchanged.",
        "Modules beside the notebook are written for Python 2; the run used Python 3 "
        "translations of them: {files}. Your files are unchanged.",
    ),
    "beside.relative": (
        "{file} imports the module {modules} of its own package by its bare name, as in "
        "Python 2; the run used a copy in which that works. Your file is unchanged: elsewhere"
        " it needs `from . import`.",
        "{file} imports the modules {modules} of its own package by their bare names, as in "
        "Python 2; the run used a copy in which that works. Your file is unchanged: elsewhere"
        " it needs `from . import`.",
    ),
    "run.not-resumable": (
        "It {reason}, so it cannot simply be run again: the next run starts at the first cell."
    ),
    "ended.server-shut-down": "The server was shut down while this was running; run it again.",
    "ended.server-went-down": (
        "The server stopped unexpectedly while this was running. What it had started has been"
        " cleaned up; run it again."
    ),
    "ended.cancelled": "Cancelled. The notebook is unchanged.",
    "ended.review": "Review the changes made so far.",
    "ended.defect": "Something went wrong inside MLE Modernizer ({error}); see the server's log.",
    "pause.alternatives": "Alternatives run from the start.",
    "pause.another-run": "Another run of the notebook is now the paused one.",
    "pause.made-room": "The paused kernel was ended to make room for another notebook's.",
    "pause.server-shut-down": "The server was shut down while the kernel was paused.",
    "pause.server-went-down": "The server stopped unexpectedly while the kernel was paused.",
    "pause.too-long": "The kernel was paused for the maximum time and was ended.",
    "pause.ended-by-itself": "The kernel exited while it was paused.",
    "pause.kernel-gone": (
        "The kernel exited while it was paused, so the notebook runs from the start."
    ),
    "pause.from-start": "The notebook runs from the start.",
    "pause.whole-run": "The notebook runs as a whole.",
    "pause.work-ended": "The work is finished.",
    "pause.settings-changed": "The settings of the run were changed.",
    "pause.cancelled": "Cancelled.",
    "restart.side-effect": "Cell {cell} {reason}, so the notebook runs from the start.",
    "restart.earlier-cell": (
        "A cell before cell {cell} was changed, added or removed, so the notebook runs from the "
        "start."
    ),
    "restart.packages": (
        "Different packages are to be installed, so the notebook runs from the start."
    ),
    "restart.data": (
        "The notebook now reads the data elsewhere in /kaggle/input, so it runs from the start."
    ),
    "restart.cell-gone": "Cell {cell} no longer exists, so the notebook runs from the start.",
    "restart.name-read": (
        "Cell {cell} had set `{name}` before it failed, and later code reads it, so the "
        "notebook runs from the start."
    ),
    "effect.no-answer": "left the kernel without an answer",
    "effect.no-python": "is not Python, and its effects are unknown",
    "effect.no-line": "does not report the line at which it failed",
    "effect.nested": "is nested too deeply to determine what it changed",
    "effect.ran": "had run `{text}` before it failed",
    "effect.deleted": "had deleted `{name}` before it failed",
    "effect.imported": "had imported names it does not list before it failed",
    "effect.waited": "had awaited something before it failed",
    "effect.read-once": "had read from `{name}`, which can be read only once, before it failed",
    "effect.changed": "had changed `{name}` before it failed",
    "effect.called": "had called `{name}` before it failed",
    "effect.called-unknown": "had called `{name}`, which may change something, before it failed",
    "effect.called-unread": "had called `{name}`, whose code was not examined, before it failed",
    "effect.called-which": "had called `{name}`, which {effect}",
    "effect.random": "had drawn random numbers before it failed",
    "effect.trained": "had trained `{name}` before it failed",
    # Fixes, and reasons for none
    "plan.step": ("Cell {cells}: {what}", "Cells {cells}: {what}"),
    "plan.step-and-more": "Cells {cells} and {more} more: {what}",
    "plan.none": "The model gave no plan.",
    "plan.so-far": "The fixes so far, made in {scope} scope.",
    "plan.stage": (
        "{stage}: {ending}, asked {count} time",
        "{stage}: {ending}, asked {count} times",
    ),
    "plan.stage-open": (
        "{stage}: {ending}, asked {count} time; still open: {problem}",
        "{stage}: {ending}, asked {count} times; still open: {problem}",
    ),
    "fix.refused": "A proposal was refused: {findings}",
    "fix.held": (
        "The proposal changes the experiment in {count} cell (data, features, model, "
        "parameters, seed or split) and needs your confirmation.",
        "The proposal changes the experiment in {count} cells (data, features, model, "
        "parameters, seed or split) and needs your confirmation.",
    ),
    "fix.taken-back": (
        "The edit of cell {cells} was reverted: it was tried and did not help.",
        "The edits of cells {cells} were reverted: they were tried and did not help.",
    ),
    "fix.unseen": (
        "No run has shown the effect of {count} edit yet; it is marked.",
        "No run has shown the effect of {count} edits yet; they are marked.",
    ),
    "fix.unseen-run": (
        "To see it, run the changed notebook with {seconds:duration} (time limit in the panel, or "
        "--time-limit {seconds})."
    ),
    "fix.tried-already": "The proposed fix is the same as one that is being tried already.",
    "fix.model-has-none": "The model proposes no change: {reply}",
    "rules.python-only": "The rules cover Python notebooks only.",
    "rules.no-cell-fails": "No cell fails; select the whole file as the scope of the fix.",
    "rules.not-looked": "The rules did not examine this notebook: {why}.",
    "rules.not-finished": (
        "The rules used up their processor time before they had examined cell {cells}.",
        "The rules used up their processor time before they had examined {count} cells: {cells}.",
    ),
    "rules.none-faster": (
        "No rule makes this notebook faster: use a language model, or edit it yourself."
    ),
    "restoring.none": "No known silent change of a library concerns the outputs that differ.",
    "restoring.predicted": (
        "Known changes of libraries concern the outputs that differ, and the rules have nothing "
        "more to restore. {changes}"
    ),
    "restoring.predicted-change": "Cell {cell}: {what}",
    "restoring.cut-off": "What libraries are known to have changed silently was restored, but the "
    "time was up before that run ended, so it was taken back.",
    "restoring.none-helped": "What libraries are known to have changed silently was restored and "
    "run: no more outputs are as saved, so it was taken back.",
    "rules.none-silent": "No changed default or behaviour was found in this notebook{other}.",
    "rules.none": "No rule applies to this notebook{other}.",
    "rules.none-covers": "No rule{other} covers the {error} in cell {cell}.",
    "rules.no-automatic-fix": (
        "The {error} in cell {cell} is a known change, but there is no automatic fix for the "
        "code as it stands."
    ),
    "rules.beside": (
        "The error arises in {file}, line {line} (`{code}`), which the cell imports or calls. "
        "Change that file yourself: fixes are made in the notebook only."
    ),
    "rules.beside-for-model": (
        "The error arises in {file}, line {line} (`{code}`), which the cell imports or calls. "
        "That file cannot be edited; the notebook can set what it lacks before it imports it."
    ),
    "rules.no-fix-beside": (
        "The {error} in cell {cell} is a known change, but it arises in {file}, line {line}. "
        "Change that file yourself: fixes are made in the notebook only."
    ),
    "rules.none-before-run": "The rules have nothing to fix before the first run.",
    "rules.but-rejected": " other than those you rejected",
    "rules.but-tried": " other than those that were tried without success",
    "files.choose": (
        "{path} may be {candidates}: select one (in the panel, or with --file PATH=FILE)."
    ),
    "files.nowhere": (
        "{path} does not exist, and there is no file of that name in the notebook's folder or"
        " among the competition's files."
    ),
    "attempt.rejected": "The user rejected it.",
    "attempt.not-run": "It was not run to completion.",
    "attempt.outcome": "{outcome}.",
    "attempt.failed": ("{outcome}, {count} cell failed.", "{outcome}, {count} cells failed."),
    "model.python-only": "The model is asked about Python notebooks only.",
    "model.not-asked": "The model was not asked: no edit can provide what is missing.",
    "model.not-asked-saved": (
        "The model was not asked: the remaining errors are those the notebook was saved with."
    ),
    "model.not-asked-time": (
        "The model was not asked: the rules may have a fix, if they get more time."
    ),
    "model.not-asked-imports": (
        "The model was not asked: importing modules took nearly all of the time, "
        "and no edit makes that faster."
    ),
    "model.experiment-not-allowed": (
        "Not used: it changes the experiment (data, features, model, parameters, seed or split) in "
        "{cells}, and the user has not allowed that. Find a repair that leaves the experiment as "
        "it is."
    ),
    "model.experiment-not-allowed-in-part": (
        "Not used yet: the edits in {cells} change the experiment (data, features, model, "
        "parameters, seed or split), and the user has not allowed that. Find a repair of these "
        "cells that leaves the experiment as it is, or leave them out; nothing is wrong with the "
        "other edits, so send them again."
    ),
    "model.another-way": (
        "It is being tried in parallel with what you propose now: take a different approach, "
        "or reply that there is no other."
    ),
    # Grading
    # Age of a notebook, and findings before a run
    # Facts about a patch that a reviewer must know
    "integrity.private-answers": "It reads the answers of the competition ({key}).",
    "integrity.existing-submission": "It reads a submission that already exists ({key}).",
    "integrity.constant-prediction": "It writes a constant as prediction (column {key}).",
    "integrity.hard-coded-score": "It writes a score down instead of computing it ({key}).",
    "integrity.network": "It reaches for the network ({key}).",
    "integrity.process": "It runs code or commands that cannot be reviewed ({key}).",
    "integrity.deletion": "It deletes files ({key}).",
    "integrity.swallowed-error": "It swallows errors around a {key}.",
    "integrity.training-dropped": "A training step is gone.",
    "integrity.model-dropped": "A model is gone: {key}.",
    "integrity.model-knows-nothing": (
        "It brings a model that learns nothing from the features ({key})."
    ),
    "integrity.prediction-replaced": (
        "It replaces a function of a model or a metric by another one ({key})."
    ),
    "integrity.metric-fixed": "It defines a metric that returns a fixed number ({key}).",
    "integrity.outside-data": "It brings data in that is no file of the competition ({key}).",
    "integrity.notebook-ended": "It ends the notebook early ({key}).",
    "integrity.submission-without-model": (
        "What it writes to {file} does not come from a fitted model any more, but from {instead}."
    ),
    "integrity.submission-gone": "Nothing writes the model's predictions to {file} any more.",
    "integrity.metric-without-model": (
        "{metric} is given nothing that a model predicted any more, but {instead}."
    ),
    "integrity.score-not-computed": "A score that was computed is now written as a number ({key}).",
    "integrity.prediction-from-truth": "It makes what is measured out of the true values ({key}).",
    "integrity.trained-on-part": "A model is trained on a part of the rows.",
    "integrity.trained-on-other-data": (
        "A model is trained on {instead} and not on the training data."
    ),
    "integrity.data-thinned": "{what}",
    "integrity.feature-step-dropped": "A step that prepares features is gone (.fit_transform).",
    "integrity.model-changed": "Another model: {gone} became {name}.",
    "integrity.training-cut": "Training is cut: {name} was {old} and is {new}.",
    "integrity.seed-changed": "{change}",
    "integrity.split-changed": "{change}",
    "integrity.hyper-parameter-changed": "{change}",
    "integrity.assertion-dropped": "An assertion is gone: {key}.",
    "integrity.training-data-changed": "A model is trained on other variables: {old} became {new}.",
    "integrity.metric-changed": "A metric is called in another way: {old} became {new}.",
    "integrity.training-conditional": "A training step now depends on a condition: {key}.",
    "integrity.score-print-dropped": "A cell shows less of what its model predicts.",
    "integrity.dependence-unclear": (
        "Whether {what} still depends on a fitted model cannot be read from the code. A run "
        "with shuffled labels shows it."
    ),
    "thinned.nrows": "Fewer rows are read (nrows).",
    "thinned.n_rows": "Fewer rows are read (n_rows).",
    "thinned.skiprows": "Rows are skipped when reading (skiprows).",
    "thinned.skipfooter": "Rows are skipped when reading (skipfooter).",
    "thinned.sample": "The data is sampled (.sample).",
    "thinned.slice": "The data is cut by a slice.",
    "thinned.part": "Only a part of the data is used (.{name}).",
    "setting.new": "{name} is now set to {new}.",
    "setting.gone": "{name} is no longer set to {old}.",
    "setting.changed": "{name} was {old} and is {new}.",
    "comes-from.sample": "the sample submission",
    "comes-from.earlier": "a submission that was there before",
    "comes-from.training": "the training data alone",
    "comes-from.test": "the test data's own columns",
    "comes-from.code": "what is written in the code",
    "comes-from.two": "{first} and {second}",
    "depends.submission": "the submission",
    "depends.result": "a result",
    "metric-given.nothing": "nothing",
    # Forms of an edit that would be allowed
    "model.allowed.private-answers": "Use the competition's public files only.",
    "model.allowed.existing-submission": (
        "Keep the author's model, fit it on the training data and write what it predicts."
    ),
    "model.allowed.constant-prediction": (
        "Write the predictions of the fitted model into the column. To write into some rows "
        'where the author did, `df.loc[rows, "{key}"] = value` takes the place of '
        '`df["{key}"][rows] = value`.'
    ),
    "model.allowed.hard-coded-score": (
        "Print what the metric's function returns for the model's predictions."
    ),
    "model.allowed.network": (
        "There is none. Use what is installed and the competition's files, or leave the line "
        "as the author wrote it."
    ),
    "model.allowed.process": "Write it as plain Python, or leave the author's line as it is.",
    "model.allowed.deletion": "Leave the files where they are.",
    "model.allowed.swallowed-error": "Mend what raises the error; no try/except around it.",
    "model.allowed.training-dropped": (
        "Keep every call that trains, with today's name and arguments."
    ),
    "model.allowed.model-dropped": (
        "Keep every model of the author, with today's name of its class."
    ),
    "model.allowed.model-knows-nothing": (
        "Keep the author's model, fit it on the training data and write what it predicts."
    ),
    "model.allowed.prediction-replaced": (
        "Call the library's own function with today's name and arguments."
    ),
    "model.allowed.metric-fixed": (
        "Compute the metric: import it from where it lies today, or write its formula."
    ),
    "model.allowed.outside-data": "Read the competition's files that the author read.",
    "model.allowed.notebook-ended": "Let the notebook run from the first cell to the last.",
    "model.allowed.submission-without-model": (
        "Keep the author's model, fit it on the training data and write what it predicts."
    ),
    "model.allowed.submission-gone": "Keep the line that writes the submission.",
    "model.allowed.metric-without-model": (
        "Give the metric the true values and the predictions that the author gave it."
    ),
    "model.allowed.score-not-computed": (
        "Print what the metric's function returns for the model's predictions."
    ),
    "model.allowed.prediction-from-truth": (
        "Give the metric the predictions of the model as they are."
    ),
    "model.allowed.trained-on-part": (
        "Train on all rows that the author trained on. If that takes too long, make the "
        "computation faster."
    ),
    "model.allowed.trained-on-other-data": (
        "Fit the model on the training data that the author gave it."
    ),
    # Omissions and assumptions of a fixer
    "left-out.needs": (
        "The edit of cell {cell} was left out: it needs the edit of cell {needs}, which was "
        "left out."
    ),
    "left-out.why": "The edit of cell {cell} was left out: {why}",
    "left-out.why-in-line": "The edit of cell {cell} was left out, line {line}: {why}",
    "left-out.of-reply": "A part of the model's reply was left out: {what}",
    "left-out.no-code-cell": "The model's change of cell {cell} was left out: it is no code cell.",
    "rules.era-unknown": (
        "Whether the notebook is older than {changes} cannot be told from it; if it is newer,"
        " say its era in the settings and reject the defaults written out here."
    ),
    "rules.taken-for": "Taken to be written for {era}.",
    "rules.assumed": "Assumed: {what}.",
    "rules.cell-not-changed": "Cell {cell}: not changed, because {why} ({change:clause}).",
    "rules.line-not-changed": (
        "Cell {cell}: line {line} of the changed cell is left as it was, because {why} "
        "({change:clause})."
    ),
    "rules.cell-left-alone": "Cell {cell} was left alone: {why}.",
    "improve.measured": (
        "Measured: better by {mean} ({low} to {high}) on the mean of {folds} validation folds."
    ),
    "improve.measured-once": (
        "Measured: {mean} on a single hold-out set, which is weak evidence: the difference may be "
        "chance."
    ),
    # Which competition a notebook is about
    "detected.path": "The notebook reads from ../input/{competition}.",
    "detected.name": "The notebook names {competition} in its code.",
    "detected.kaggle": "Kaggle's {file} beside it names {competition}.",
    "detected.several": "The notebook speaks of {competitions} alike; choose the competition.",
    "detected.files": "The files and columns the notebook reads are those of {competition}.",
    "detected.data": "The data the notebook reads are those of {competition}.",
    "detected.several-data": (
        "The data the notebook reads are those of {competitions} alike; choose one."
    ),
    "detected.absent": (
        "The notebook reads from ../input/{competition}, but no such competition lies below the "
        "data root; choose one or add its data."
    ),
    # Age and original environment of a notebook
    "era.library-python-2": "Python {version}",
    "era.library-before": "{library} before {version}",
    "era.library-since": "{library} {version} or newer",
    "era.library": "{library} {version}",
    "era.library-between": "{library} {first}–{last}",
    "era.libraries": "{first}, {second}",
    "era.year": "{year}",
    "era.years": "{first}–{last}",
    "era.year-or-later": "{year} or later",
    "era.year-or-earlier": "{year} or earlier",
    "era.libraries-and-years": "{libraries} ({years})",
    "era.python-2-years-and-libraries": "{python}, {years} ({libraries})",
    "era.written-for": "Written for {era}.",
    "era.written-in": "Written in {era}.",
    "era.you-say-written-for": "You say it was written for {era}.",
    "era.you-have": "You have {now}.",
    "era.you-say": "You say so.",
    "era.ran-in": "Its metadata say that it ran in {month}.",
    "era.speaks-of": "Its text speaks of the year {year}.",
    "era.kernel-python-2": "Its kernel was Python 2.",
    "era.saved-with": "It was last saved with Python {version}.",
    "era.keras-backend": "Its outputs name Keras's backend, which Keras said before 2.4 only.",
    "era.will-change": "A warning in its outputs says what {library} {version} will change.",
    "era.deprecated": "A warning in its outputs says what {library} {version} deprecated.",
    "era.outputs-name": "Its outputs name {library} {version}.",
    "era.installs": "It installs {library} {version}.",
    "era.python-2-form": "Python 2: {what}",
    "era.python-2": "It is written in Python 2.",
    "era.gone": "It uses what {library} {version} no longer has: {what}",
    "era.uses": "It uses {what}, which came with {library} {version}.",
    "era.f-strings": "f-strings",
    "era.walrus": "the operator :=",
    "era.match": "the match statement",
    "preflight.cells-fail": ("{count} cell will fail.", "{count} cells will fail."),
    "preflight.results-change": (
        "{count} library change alters results without an error.",
        "{count} library changes alter results without an error.",
    ),
    "preflight.files-lost": ("{count} file is not found.", "{count} files are not found."),
    "preflight.paths-corrected": (
        "{count} path can be corrected.",
        "{count} paths can be corrected.",
    ),
    "preflight.nothing-certain": "No change is known that will certainly break it.",
    "preflight.not-installed": "Not installed, and so not examined: {packages}.",
    "preflight.nothing-examined": "Nothing is known to break in the cells that were examined.",
    "preflight.other-language": "The rules know Python notebooks only.",
    "preflight.unparsed": "Was not looked into: {why}.",
    "preflight.not-python": "Was not looked into: it is no Python ({magic}).",
    "preflight.installs": "{installs:clause} itself; if that works, that version counts.",
    "preflight.left": "Left as it is: {why}.",
    "preflight.left-in-part": "A part of it is left as it is: {why}.",
    "preflight.left-refused": "Its fix is left out: {findings}",
    "preflight.no-gpu": (
        "The code wants a GPU, and there is none where it would run: it runs on the processor, "
        "and training takes far longer."
    ),
    "preflight.no-analysis": "The notebook was not looked into: {why}.",
    "grade.no-competition": "There is no competition, so the CSV cannot be graded.",
    "grade.no-csv-no-competition": (
        "The run wrote no CSV, and there is no competition to grade one."
    ),
    "grade.no-csv": "The run wrote no CSV.",
    "grade.other-kind": (
        "The score was {score}, the target was {target}: scores of different kinds are not "
        "compared."
    ),
    "grade.nearest": "{path}: {why}",
    "grade.answers": "The answers of {competition} cannot be used: {why:clause}.",
    "grade.no-output": "No output fits '{pattern}'.",
    "grading.time": "Grading took longer than {seconds:duration}",
    "grading.memory": "Grading needed more than {gigabytes} GB of memory",
    "grading.broke-off": "Grading was aborted ({words})",
    "grading.silent": "Grading was aborted without a message",
    "grading.too-many-broke": "It was not graded: too many other files aborted the grading.",
    "answers.outside": "they are outside the competition's folder",
    "answers.changed": "they, or the description, were changed while the notebook ran",
    "answers.changed-reading": "they changed while they were read",
    "answers.file": "{file}: {why}",
    "answers.cell": "line {line}, column {column}: {why}",
    "answers.id-twice": "an id occurs more than once",
    "answers.no-role": "no column is named for the role {role}",
    "answers.not-binary": "column {column} must hold 0 and 1 only",
    "answers.one-value": "column {column} holds one value only, and ROC AUC needs both 0 and 1",
    "answers.negative": "column {column} has values below 0",
    "answers.not-one-class": "each row must mark exactly one class with 1",
    "answers.no-such-target": "the label {label} belongs to none of the target columns",
    "answers.label-empty": "a label in column {column} is empty",
    "answers.kappa": "quadratic weighted kappa needs numbers, or `classes` that give the order",
    "answers.no-class": "the label {label} is none of `classes`",
    "answers.votes": "each row needs a vote, and none may be below 0",
    "answers.no-auc": "an AUC is not defined for them (only one class in the truth)",
    "answers.patient-part": "an id is not of the kind patient_part",
    "answers.no-column": "the column {column} is missing",
    "answers.no-rows": "they have no rows",
    # Reasons to refuse a CSV, and tolerated deviations in one
    "csv.examples": "{first} and {rest:thousands} more",
    "csv.and-more": " (and {rest:thousands} more)",
    "csv.gone": "It is not there any more.",
    "csv.changed": "It changed while it was graded.",
    "csv.leads-out": "Its path leads out of the working directory.",
    "csv.link": "It is a symbolic link, not a file.",
    "csv.not-regular": "It is not a regular file.",
    "csv.unopened": "It cannot be opened ({why}).",
    "csv.unread": "It cannot be read ({why}).",
    "csv.damaged": "Its compressed content is damaged.",
    "csv.larger": "It is larger than {gigabytes:precise} GB.",
    "csv.larger-in-bytes": "It is larger than {most:thousands} bytes.",
    "csv.nul": "It holds NUL characters: it is a binary file or UTF-16, not a CSV in UTF-8.",
    "csv.not-utf-8": (
        "It is not a text file in UTF-8 (byte 0x{byte}): write it with encoding='utf-8'."
    ),
    "csv.other-kind": "It is {kind}, not a CSV: write it with DataFrame.to_csv.",
    "csv.pickle": "a pickle",
    "csv.zip": "a zip archive (or an Excel workbook)",
    "csv.gzip": "a gzip file",
    "csv.bzip2": "a bzip2 file",
    "csv.xz": "an xz file",
    "csv.parquet": "a Parquet file",
    "csv.feather": "a Feather file",
    "csv.hdf5": "an HDF5 file",
    "csv.numpy": "a NumPy file",
    "csv.sqlite": "an SQLite database",
    "csv.zip-members": "The zip file holds {count} files; it should hold one CSV.",
    "csv.long-line": "A line is too long for a CSV.",
    "csv.not-csv": "Line {line} is no CSV ({why}).",
    "csv.unequal": "Line {line} has {fields} fields, the header {header}.",
    "csv.no-header": "It is empty: there is no header line.",
    "csv.many-columns": "It has more than {most:thousands} columns.",
    "csv.column-twice": "The column {column} is there more than once.",
    "csv.missing-columns": (
        "The column {columns} is missing; it has {there}.",
        "The columns {columns} are missing; it has {there}.",
    ),
    "csv.semicolons": "Its fields are separated by semicolons; commas are expected.",
    "csv.tabs": "Its fields are separated by tabs; commas are expected.",
    "csv.meant": "Is {column} meant to be {expected}?",
    "csv.extra-columns": (
        "It has {columns}, which is none of the competition's columns{index}; exactly {wanted} "
        "must be there.",
        "It has {columns}, which are none of the competition's columns{index}; exactly {wanted} "
        "must be there.",
    ),
    "csv.without-index": " (write the CSV with index=False)",
    "csv.index-overlooked": "The index column was overlooked{index}.",
    "csv.overlooked": "Columns nobody asked for were overlooked: {columns}.",
    "csv.id-not-first": "Its first column is {column}; {expected} must come first.",
    "csv.column-order": (
        "Its columns are in another order than the sample submission's: column {place} is {column} "
        "instead of {expected}."
    ),
    "csv.no-rows": "It has a header but no rows; {expected:thousands} expected.",
    "csv.rows": (
        "It has {count:thousands} row; {expected:thousands} are expected.",
        "It has {count:thousands} rows; {expected:thousands} are expected.",
    ),
    "csv.too-many-rows": (
        "It has more than {found:thousands} rows; {expected:thousands} are expected."
    ),
    "csv.group-rows": (
        "It has {count:thousands} row with {group} in column {column}; {expected:thousands} are "
        "expected.",
        "It has {count:thousands} rows with {group} in column {column}; {expected:thousands} are "
        "expected.",
    ),
    "csv.none-scored": "None of its rows is one that is scored.",
    "csv.ids": (
        "Its ids in column {column} are not the competition's: {missing:thousands} missing "
        "({first_missing}), {unknown:thousands} unknown ({first_unknown})."
    ),
    "csv.id-twice": (
        "The id {id} occurs more than once in column {column} (lines {first} and {second})."
    ),
    "csv.id-order": (
        "Line {line} has the id {id}; {expected} is expected there: the rows of {competition} must "
        "keep the sample submission's order."
    ),
    "csv.taken-as": "The header differs from the competition's: read {columns}.",
    "csv.spelled-otherwise": "Its ids are spelled otherwise than the answers' (such as 7 for 007).",
    "csv.days": "The days in column {column} are not the answers'.",
    "csv.number-empty": "Line {line}, column {column} is empty; a number is expected.",
    "csv.number-missing": (
        "Line {line}, column {column} is a missing value (NaN); a number is expected."
    ),
    "csv.number-infinite": (
        "Line {line}, column {column} is infinite; a finite number is expected."
    ),
    "csv.no-number": "Line {line}, column {column} is {value}, which is not a finite number.",
    "csv.unscored-text": (
        "Line {line}, column {column} is {value}, which is no number. The row is not scored, but a "
        "column of numbers must hold nothing else."
    ),
    "csv.outside": "Line {line}, column {column} is {value}; {expected} is expected{more}.",
    "csv.value-between": "a value from {low:precise} to {high:precise}",
    "csv.probability": "a probability between 0 and 1",
    "csv.not-negative": "a value of at least 0 (RMSLE takes logarithms)",
    "csv.all-negative": (
        "Every prediction is below 0; probabilities between 0 and 1 are expected."
    ),
    "csv.row-sum": (
        "The probabilities in line {line} sum to {sum}; each row must sum to 1 ({wrong:thousands} "
        "of {rows:thousands} rows do not)."
    ),
    "csv.label-empty": "Line {line}, column {column} is empty; a label is expected.",
    "csv.label-missing": (
        "Line {line}, column {column} is a missing value ({value}); a label is expected."
    ),
    "csv.label-first": (
        "Line {line}, column {column} is {value}; a class label (a whole number) is expected first."
    ),
    "csv.label-not-whole": (
        "Line {line}, column {column} is {value}; a class label (a whole number) is expected."
    ),
    "csv.numeric-labels": "The labels are numbers such as {labels}.",
    "csv.strange-label": (
        "Line {line}, column {column} is {value}, which is none of the labels {labels}."
    ),
    "csv.no-common-label": (
        "None of the labels in column {column} ({given}) is one of the competition's, which are of "
        "the kind {known}."
    ),
    "csv.only-numbers": (
        "Column {column} holds nothing but numbers and empty cells; the labels are of the kind "
        "{labels}."
    ),
    "csv.no-labels": "Column {column} holds no label at all; the labels are of the kind {labels}.",
    "csv.items": (
        "Line {line}, column {column} has {given} items instead of the {expected} to be put in "
        "order ({why})."
    ),
    "csv.item-missing": "{item} is missing",
    "csv.item-twice": "an item is there twice",
    "csv.not-finite": (
        "Its {metric} is not a finite number: the values are too large, or the metric is not "
        "defined for them."
    ),
    "csv.cell": "Line {line}, column {column} is {value}: {why}.",
    "cell.empty": "it is empty",
    "cell.empty-boxes": "it is empty; `14 1 0 0 1 1` says that there is nothing",
    "cell.nan": "a number is NaN",
    "cell.whole-numbers": "whole numbers with spaces between them are expected",
    "cell.run-lengths": "run lengths are whole numbers with spaces between them",
    "cell.odd-runs": (
        "it has {count} number; they come in pairs of start and length",
        "it has {count} numbers; they come in pairs of start and length",
    ),
    "cell.runs-from-1": "starts and lengths are at least 1",
    "cell.runs-unordered": "the starts are not in ascending order",
    "cell.runs-overlap": "runs overlap",
    "cell.words-a-box": "it has {words} words; {length} a box are expected",
    "cell.words-a-point": "it has {words} words; {length} a point are expected",
    "cell.class-infinite": "a class is not finite",
    "cell.box-size": "a box has a size that is not above 0",
    "cell.box-infinite": "a box is not finite",
    "trap.binarize": (
        "MLE-bench's grader rounds the predictions to 0 and 1 (from 0.5 upwards) before it "
        "computes the AUCs; Kaggle did not."
    ),
    "trap.round": "MLE-bench's grader rounds this score to a whole number.",
    "trap.empty-is-full": (
        "MLE-bench's grader treats an empty mask as one of the whole image where there is "
        "something to find."
    ),
    "trap.corners-as-sizes": (
        "MLE-bench's grader treats the far corner of a box as its width and height."
    ),
    "trap.zero-is-none": (
        "MLE-bench's grader numbers the boxes from 0, which the COCO tools treat as no box: a"
        " hit of the first true box counts as a miss."
    ),
    "trap.position": "MLE-bench's grader takes the rows in file order and ignores the ids.",
    "trap.sorted": ("MLE-bench's grader sorts both files by id but does not compare the ids."),
    "trap.scored-by-position": (
        "MLE-bench's grader selects the scored rows by their position in the file, so rows in"
        " a different order from the answers are compared with the wrong ones."
    ),
    "trap.columns-by-position": (
        "MLE-bench's grader takes the columns in file order, whatever their names."
    ),
    "trap.clipping": (
        "Predictions of exactly 0 or 1: scikit-learn clips them at 2e-16, Kaggle did at 1e-15."
    ),
    "trap.refused-by-id": "Matched by id it would be rejected: {why}",
    "competition.file-missing": (
        "{slug}: {file} (`{field}`) is missing; without it nothing can be graded."
    ),
    "competition.no-root": (
        "No competition is set up: the folder {root} does not exist. Set another with the "
        "setting data_root, the variable MLE_MODERNIZER_DATA_ROOT or the option --data-root."
    ),
    "server.problem": "{part}: {error}",
    "server.busy": ("The server is busy with other requests. Try again in {seconds:duration}."),
    # Studies: repeated runs
    "label.run": "Run {number} of {of}",
    "label.noise": "Noise, run {number} of {of}",
    "label.control": "Unchanged run, for comparison",
    "label.restored": (
        "With one old behaviour restored",
        "With {count} old behaviours restored",
    ),
    "label.folds": "Folds",
    "label.fold": "{version}, fold {number} of {of}",
    "catalogue.no-folder": "There is no folder {folder} with models and recipes.",
    "catalogue.no-search": (
        "A search on the web needs words and an endpoint: set MLE_MODERNIZER_SEARCH to "
        "searxng:ADDRESS or tavily:ADDRESS."
    ),
    "catalogue.search-setting": (
        "MLE_MODERNIZER_SEARCH is {given}; it must be searxng:ADDRESS or tavily:ADDRESS."
    ),
    "catalogue.search-key": "The key of the search endpoint cannot be read from {file}.",
    "catalogue.search-failed": "The search endpoint {host} gave no results: {error}.",
    "folds.making": "Making validation folds",
    "folds.no-submission": (
        "It wrote no submission that could be graded; printed scores are not used."
    ),
    "draft.no-table": (
        "No notebook can be drafted: {what} was not found among the competition's files."
    ),
    "draft.unreadable": "No notebook can be drafted: {table} cannot be read ({why:clause}).",
    "draft.no-commas": "no commas",
    "draft.media": (
        "No notebook can be drafted: the competition's data are {what} ({count} files); drafts are "
        "written for tables."
    ),
    "draft.no-target": (
        "No notebook can be drafted: the training data lack the column {columns}, which is to"
        " be predicted."
    ),
    "draft.no-features": (
        "No notebook can be drafted: {table} has no informative column that the test data have too."
    ),
    "draft.metric": (
        "No notebook can be drafted: under {metric}, drafts predict a number or a class, and "
        "these target columns are neither."
    ),
    "draft.too-large": "No notebook can be drafted: the data are too large to examine.",
    "draft.ids": (
        "No notebook can be drafted: the ids of the sample submission are not found in the "
        "test data."
    ),
    "folds.no-score": (
        "The notebook has no score on validation fold {fold}, so there is nothing to compare."
    ),
    "folds.no-candidate": "The code offers no change that is known to help such a notebook.",
    "folds.none-better": "No version is better than the notebook beyond chance.",
    "folds.weak": (
        "One hold-out set cannot tell a gain from chance, so no version is called better. Compare "
        "what looks good on more folds."
    ),
    "folds.better": "{version} is better than the notebook.",
    "change.all-rows": "No rows are left out of the training data.",
    "change.average": "The average of {one} and {other}.",
    "change.blend": "A weighted average of predictions: {shares}.",
    "change.category-numbers": "Numbers stand for categories in place of a column each.",
    "change.class-weights": "{model} weighs each class by how rare it is.",
    "change.clipping": "Probabilities are kept between 0.01 and 0.99.",
    "change.column-zero": "The column {column} is 0 everywhere.",
    "change.defaults": "{model} has its default parameters.",
    "change.early-stopping": (
        "{model} takes small steps, until a tenth of the rows shows no progress."
    ),
    "change.fills-constant": "A constant stands in place of what {step} fills in.",
    "change.fills-zero": "0 stands in place of a statistic: {where}.",
    "change.log-target": "{model} learns the logarithm of the target, for a metric of ratios.",
    "change.medians-for-constants": "Missing numbers are filled with the medians of `{table}`.",
    "change.medians-for-means": "SimpleImputer fills in medians in place of means.",
    "change.model": "{new} in place of {old}.",
    "change.more-trees": "{new} trees in place of {old}.",
    "change.no-feature": "{column} is no feature.",
    "change.no-member": "{member} has no part in the blend.",
    "change.others-for-member": "{member} has no part in the blend; the others stand in its place.",
    "change.passes-through": "{step} lets its input through.",
    "change.plain-target": "The model learns the target as it is.",
    "change.scaling": "Features are scaled before {model}, by the training rows.",
    "change.seeds": "The average of {number} {model} with other seeds.",
    "change.threshold": "The threshold between the classes is chosen for {metric}.",
    "improve.asking": "Asking the model for a change",
    "improve.asking-leaks": "Asking the model for leaks",
    "improve.no-opinion": "{model} gave no usable answer",
    "improve.reads-elsewhere": (
        "It reads {path}, outside the notebook's own folders, where rows that a fold holds out may "
        "lie."
    ),
    "improve.tried-before": "It leads to a version that was tried before.",
    "improve.other-family": (
        "A repair must keep the kind of model, and it takes out the one there ({families})."
    ),
    "improve.review": (
        'Review the version "{version}": it was better on {folds} validation folds. It '
        "changes the experiment."
    ),
    "improve.review-weak": (
        'Review the version "{version}": it scored better on a single hold-out set, which is weak '
        "evidence. It changes the experiment."
    ),
    "improve.unknown": "There is no such version that was better than the notebook.",
    "writing.asking": "Stage {stage}, round {round}: asking {model}",
    "writing.clean-run": "A clean run on the full data",
    "writing.sample-run": "Stage {stage}: a run on a sample",
    "writing.reading": "Reading the paper",
    "writing.review": (
        "The notebook is written, and a clean run of it on the full data completed. Review "
        "it; nothing enters the notebook before you accept it."
    ),
    "writing.not-run": (
        "Stage {stage} was not completed ({ending}), so there is no working notebook to "
        "review. What was written is kept: write again to continue there."
    ),
    "writing.kept": "What was written is kept: write again to continue there.",
    "improve.kept": "The notebook is unchanged.",
    "conflict.no-version": (
        "Only a version that was compared with the notebook on validation folds can be "
        "proposed as an improvement."
    ),
    "conflict.undecided": "Decide on the proposed changes first.",
    "label.leak-labels": "Looking for leaks (shuffled labels)",
    "label.leak-half": "Looking for leaks (half of the test rows)",
    "label.leak-again": "Looking for leaks (a second plain run)",
    "label.proof": "Proof, run 1 of 3",
    "label.proof-labels": "Proof, run 2 of 3 (shuffled labels)",
    "label.proof-rows": "Proof, run 3 of 3 (shuffled rows)",
    "label.proof-again": "Proof, the data as they are once more",
    "study.cancelled": "Cancelled; the measurements made so far are kept.",
    "study.cancelled-after": "Cancelled after {runs} of {of} runs.",
    "study.failed-after": "Stopped after {runs} of {of} runs: {why}",
    "study.stopped": "The measurement stopped early; the result from before it stands.",
    "study.ended-early": "Ended after {runs} of {of} runs: {why}.",
    "ended-early.no-score": "one had no score",
    "ended-early.steady": "their scores are all the same",
    "ended-early.sure": "p is already below {p}",
    "band.within": "within {threshold:percent}",
    "band.better": "outside the band, on the better side",
    "band.worse": "outside the band, on the worse side",
    "verification.no-submission": "It wrote no submission.",
    "verification.no-score": "Not reproducible: run {run} has no score. {reason}",
    "verification.no-target": "There is no target score to compare with.",
    "verification.reproducible": "Reproducible: {why}",
    "verification.not-reproducible": "Not reproducible: {why}",
    "verification.single": "the score of a clean run is {band}.",
    "verification.steady": (
        "{runs} runs gave the same score, so its spread cannot be tested and the band "
        "decides: it is {band}."
    ),
    "verification.consistent": (
        "{scores} scores are consistent with the target (t-test, p = {p} ≥ {limit}); their mean "
        "is {band}."
    ),
    "verification.inconsistent": (
        "{scores} scores are not consistent with the target (t-test, p = {p} < {limit}); their "
        "mean is {band}."
    ),
    "verification.inconsistent-better": (
        "{scores} scores are not consistent with the target (t-test, p = {p} < {limit}) but "
        "better than it; their mean is {band}."
    ),
    "verification.score": "The score is {score:precise}.",
    "verification.scores": "{count} scores: {mean:precise} ± {deviation:short}.",
    "noise.measuring": "Measuring the noise: {runs} runs of about {seconds:duration} each",
    "noise.skipped": (
        "The noise was not measured: a run takes {seconds:duration}, {runs} runs about "
        "{total:duration}. Start the measurement yourself, or set it to always."
    ),
    "noise.no-score": "The noise cannot be measured: there is no score.",
    "noise.run-without-score": "The noise cannot be measured: run {run} has no score.",
    "noise.steady": (
        "The score is the same in {runs} runs: randomness does not explain its distance from "
        "the target."
    ),
    "noise.steady-other-seeds": (
        "The score is the same in {runs} runs, even with other seeds: randomness does not "
        "explain its distance from the target."
    ),
    "noise.other-seeds": "with other seeds",
    "noise.as-it-is": "unchanged",
    "noise.repeats": "The unchanged notebook repeats its score.",
    "noise.within": (
        "Within noise: {of_what}, one more score would lie from {low:precise} to {high:precise} "
        "(95 %, from {scores} scores), and so does the target."
    ),
    "noise.no-fix-needed": "No fix is needed to explain the distance.",
    "noise.beyond": (
        "The distance is {multiple} times the notebook's own spread ({of_what}, {scores} scores; "
        "one more would lie from {low:precise} to {high:precise})."
    ),
    "noise.look-for-cause": "Randomness does not explain it: look for a cause.",
    "cause.looking": "Looking for the cause among the libraries' silent changes",
    "cause.cancelled": "Cancelled before a cause was found.",
    "cause.nothing-changed": "No changed default or behaviour was found in this notebook.",
    "cause.no-score": "A repeated run had no score: the cause cannot be determined.",
    "cause.none": (
        "With the old behaviour restored, the score does not change: the libraries' known "
        "silent changes are not the cause.",
        "With all {count} old behaviours restored, the score does not change: the libraries' "
        "known silent changes are not the cause.",
    ),
    "cause.none-and-no-score": (
        "With the old behaviour restored, the run has no score: the libraries' known silent "
        "changes are not the cause.",
        "With all {count} old behaviours restored, the run has no score: the libraries' known"
        " silent changes are not the cause.",
    ),
    "cause.found": (
        "{what} That moved the score from {before:precise} to {after:precise}: this is the cause."
    ),
    "cause.part": (
        "{what} That moved the score from {before:precise} to {after:precise}: this is part "
        "of the cause."
    ),
    "cause.away": (
        "{what} That moved the score from {before:precise} to {after:precise}, away from the "
        "target."
    ),
    "label.own-time": "With the original libraries",
    "own-time.stops": "It stops first in {failure}",
    "own-time.outputs": (
        "{agreeing} of {count} output that can be compared matches.",
        "{agreeing} of {count} outputs that can be compared match.",
    ),
    "own-time.outputs-with": (
        "With {libraries}, {agreeing} of {count} output that can be compared matches.",
        "With {libraries}, {agreeing} of {count} outputs that can be compared match.",
    ),
    "own-time.score": "With {libraries} the score is {score:precise}.",
    "own-time.is-target": "It is now the target.",
    "own-time.runs-without-score": "With {libraries} it runs but gives no score.",
    "own-time.fails": "With {libraries} it does not run either.",
    "backport.made": "The kernel {kernel} is now in the menu; the notebook runs there unchanged.",
    "backport.not-made": "No kernel was added to the menu.",
    "backport.removed": (
        "The kernel was removed from the menu; its environment stays until you remove it."
    ),
    "conflict.kernel-in-menu": (
        "A kernel in Jupyter's menu uses this environment; remove the kernel first (`jupyter "
        "modernize backport NOTEBOOK --remove`)."
    ),
    "conflict.no-rules-folder": (
        "The server has no folder for your own rules: set `ModernizerExtension.rules_path` or"
        " `MLE_MODERNIZER_RULES`, or download the rule."
    ),
    "not-found.learned-rule": "There is no such rule among those learned in this session.",
    "conflict.no-backport": "No kernel was added to the menu for this notebook.",
    "label.today": "With today's libraries",
    "contrast.nothing": "No cell could be compared with the run with {libraries}.",
    "contrast.same": (
        "The {count} cell that could be compared gives the same today as with {libraries}.",
        "All {count} cells that could be compared give the same today as with {libraries}.",
    ),
    "contrast.settings": (
        "Only estimator settings differ, first in cell {cell}: defaults that a library changed."
    ),
    "contrast.first": (
        "{agreeing} of {count} cell gives the same today as with {libraries}; the first that "
        "differs is cell {cell}.",
        "{agreeing} of {count} cells give the same today as with {libraries}; the first that "
        "differs is cell {cell}.",
    ),
    "contrast.value": "Its {name} was {then} and is {now}.",
    "contrast.printed": "It printed {then} and prints {now}.",
    "contrast.fails": "It fails: {error}.",
    "contrast.unsteady": (
        "{count} value varies from run to run and was not compared.",
        "{count} values vary from run to run and were not compared.",
    ),
    "contrast.cancelled": "The comparison with the original libraries was cancelled.",
    "comparison.bad-limits": "The rows and the time limit of a comparison must be above 0.",
    "comparison.no-such-change": (
        "'{rule}' is not a silent change that concerns this notebook; `jupyter modernize "
        "preflight` lists those that do."
    ),
    "comparison.not-tried": "Not tried, to save time; select one with --rule: {rules}.",
    "comparison.without-data": "There is no competition, so the cells ran without its data.",
    "comparison.rows": "Compared on the first {rows} rows of every CSV.",
    "comparison.copying": "Copying the first {rows} rows of the data",
    "comparison.old": "Running with the old libraries",
    "comparison.new": "Running with today's libraries, all known fixes applied",
    "comparison.without": "Running without the fix of {rule} ({number} of {of})",
    "comparison.impossible": "The comparison was not possible: {reason}",
    "comparison.cancelled": "The comparison was cancelled.",
    "comparison.old-fails": "With the old libraries cell {cell} fails: {problem}",
    "data-head.files": "Only the first {files} files of the competition were used.",
    "data-head.packed": "{file} was left out: it cannot be unpacked.",
    "data-head.large": "{file} was left out: it is large, and not a CSV that could be shortened.",
    "proof.against": "The result is not proven.",
    "proof.unfinished": (
        "The proof was not completed: the origin of the result is not shown. What was shown "
        "so far is kept."
    ),
    "proof.for": "The result comes from training: with shuffled labels the score is lost.",
    "proof.neither": "The experiments neither contradict the result nor prove it.",
    "proof.cells-failed": "Cells that the submission depends on fail ({cells}).",
    "proof.copy": "The submission is a copy of {file}.",
    "proof.labels-unused": "Trained on shuffled labels, it submits the same predictions.",
    "proof.score-kept": "Trained on shuffled labels, it scores just as well.",
    "proof.score-not-computed": "Trained on shuffled labels, it prints the same score.",
    "proof.follows-ids": "Its predictions follow the ids, not the rows.",
    "proof.follows-places": "Its predictions follow the rows' positions.",
    "proof.order-matters": (
        "With the test rows in another order it predicts otherwise, though it repeats itself."
    ),
    "proof.rows-cost-score": "With the test rows in another order its score is lost.",
    "proof.all-the-same": "It predicts the same for every row.",
    "proof.other": "{kind}: {finding}.",
    # Refusals
    "conflict.at-work": (
        "This notebook is being worked on; cancel that, or wait until it is finished."
    ),
    "conflict.nothing-ran": "No run has completed yet; run the notebook first.",
    "conflict.cut-off": (
        "The last run was cut off; run the notebook again before you ask for a fix."
    ),
    "conflict.nothing-to-look-for": (
        "There is no score that is compared with a target, so there is no cause to look for."
    ),
    # Refusals of batch
    "batch.no-result": "The batch has no result {key} that can be read.",
    "batch.no-proposal": "The batch proposes nothing for {name}.",
    "batch.notebook-elsewhere": (
        "{name} is not among the files this server shows. Start JupyterLab in a folder above it."
    ),
    "batch.notebook-changed": (
        "{name} has changed since the batch read it. Modernize it here, or start the batch again."
    ),
    "batch.file-too-large": "{name} of the batch cannot be read: it is missing or too large.",
    "batch.session-unreadable": "{name} of the batch cannot be read.",
    "batch.too-many": "The batch has more than {most:thousands} results.",
    "batch.no-folder": "{root} is not a batch folder.",
    "batch.only-ran": "The batch in {root} only ran its notebooks; it changed none.",
    "batch.scheduler-silent": "The scheduler {where} does not answer: {error}",
    "batch.scheduler-other": (
        "The scheduler {where} answers, but not as this command needs it ({error}). It is most "
        "often of another version of Dask; here it is distributed {version}. Use the same "
        "environment for all."
    ),
    "batch.other-package": (
        "{name} of {where} has {package} {other}, this command {mine}; use the same "
        "environment for all."
    ),
    "batch.worker-without": (
        "MLE Modernizer cannot be used on all of {where}: {error}; install "
        "mle-modernizer[batch]=={version} there."
    ),
    "batch.scheduler-version": (
        "{name} of {where} has MLE Modernizer {version}, this command {version2}."
    ),
    "batch.worker-version": "{worker} has MLE Modernizer {version}, the batch {version2}.",
    "batch.no-slot": (
        "No worker offers a slot; start them with --resources '{slot}=1' (docs/batch.md)."
    ),
    "batch.scheduler-gone": (
        "The scheduler is gone. The results so far are kept; the same command continues with "
        "the rest."
    ),
    "batch.folder-taken": "{root} is neither empty nor a batch folder; choose another.",
    "file.not-writable": "{path} cannot be written ({why}).",
    "batch.other-settings": (
        "{root} holds a batch with different settings ({changed}): its results would not be "
        "comparable. Choose another folder, or use the settings it was started with "
        "(study.json)."
    ),
    "batch.study-unreadable": "{path} cannot be read as the study of a batch: {why}",
    "manifest.none": "{what} is neither a folder nor a manifest ({formats}), and matches no file.",
    "manifest.no-notebook": "There is no notebook (.ipynb) in {what}.",
    "manifest.too-large": "{path} is larger than {most_bytes:thousands} bytes.",
    "file.not-readable": "{path} cannot be read ({why}).",
    "manifest.no-column": "{path} has no column `notebook`.",
    "manifest.line": "{path}, line {line_num}: {error}.",
    "manifest.no-yaml": "{path} is not valid YAML ({error}).",
    "manifest.no-list": "{path} must be a list of mappings, one per notebook.",
    "manifest.unknown-fields": "It has unknown fields: {fields}.",
    "manifest.names-none": "It names no notebook.",
    "file.missing": "There is no file {path}.",
    "manifest.no-number": "{name} must be a number of at least 0, not {value}.",
    "setting.wrong": "{name}: {why}.",
    "batch.report-not-written": "The report cannot be written ({why}).",
    # Refusals of cli
    "cli.no-terminal": (
        "Reviewing every fix needs a terminal; add --auto to fix without asking, or use "
        "`jupyter modernize run` to only run and diagnose."
    ),
    "cli.setting-wrong": "The {name} is wrong: {why}.",
    "cli.no-cell": "There is no code cell {score_cell}; the notebook has {count}.",
    "cli.package-elsewhere": (
        "--package adds to an environment made for the notebook, but {environment} is left "
        "unchanged: omit --environment, or choose `{own}` or `{own_time}`."
    ),
    "file.exists": "{path} exists; choose another file.",
    "cli.no-dask": (
        "A batch needs Dask: pip install 'mle-modernizer[batch]' (here, and wherever its "
        "workers run)."
    ),
    "mcp.no-cell": "No cell has the id or number {cell}.",
    "mcp.no-root": "{path} is no folder.",
    "mcp.not-installed": (
        "Tools for agents need a further package: pip install 'mle-modernizer[mcp]'."
    ),
    "mcp.outside": "{path} is not below the folder of this server's notebooks.",
    "cli.price-unknown": (
        "The price of {model} is not known, so --total-cost cannot be enforced. Set "
        "MLE_MODERNIZER_PRICE, or limit the tokens (--total-tokens)."
    ),
    "cli.no-metric-fits": "No common metric fits these targets; choose one with --metric.",
    "cli.no-ipynb": "{output} does not end in .ipynb.",
    "cli.output-exists": "{path} exists; add --force to overwrite it, or choose another file.",
    "cli.no-submission": "{path} is not a file; name a submission (.csv).",
    "cli.name-competition": "Choose the competition with --competition; {root} has: {names}.",
    "cli.score-without-target": "--score needs --target-score to compare with.",
    "cli.score-not-graded": (
        "--score is not graded, so it cannot be combined with --grader or a floor."
    ),
    "cli.grader-competition": "MLE-bench's grader needs --competition.",
    "cli.sends-to-kaggle": "This sends {path} to Kaggle; confirm with --yes.",
    "cli.same-file": "--output and --report name the same file.",
    "cli.no-database": (
        "There are no sessions yet: {database} does not exist. Sessions are kept by the "
        "Jupyter server; name its file with --database."
    ),
    "cli.no-rule": "There is no rule {rule}; `jupyter modernize rules` lists all.",
    "cli.no-such-sessions": "No session's path begins with {path}.",
    # Refusals of environments
    "environment.not-made-here": (
        "That environment was not made here; `environments` lists those that were."
    ),
    "environment.missing": "There is no environment {environment_id}.",
    "environment.in-use": "The environment {environment_id} is in use.",
    "environment.being-made": "The environment {environment_id} is being made.",
    "environment.changed": (
        "The environment {environment_id} has been changed since it was made; remove it "
        "(`jupyter modernize environments --remove {environment_id}`), and it will be made "
        "again."
    ),
    "environment.disk-full": (
        "The disk of {root} is full; remove environments (`jupyter modernize environments`) "
        "or free some space."
    ),
    "environment.too-large": (
        "These packages need a download of {size} GB, more than the limit of {most_download} "
        "GB; the largest are {largest}."
    ),
    "environment.not-locked": "The installed packages are not those that were locked.",
    "environment.no-requirement": "{given} is not a plain requirement (a name and versions).",
    "environment.no-version": "{python} is not a version of Python.",
    "environment.cancelled": "Cancelled.",
    "environment.not-made": "The environment could not be made. {words}",
    "environment.no-python": "No Python 3.6 or newer was found to make an environment with.",
    "environment.no-uv": "The package `uv`, which makes the environments, is not installed.",
    "environment.uv-broken": "The program of the package `uv` is missing; reinstall it.",
    "program.not-started": "{program} cannot be started ({why}).",
    "program.too-much-output": "The program wrote more than {megabytes} MB.",
    "environment.too-long": "It took longer than {limit:duration}.",
    "environment.uv-says": "{words} uv: {detail}",
    # Refusals of execution
    "given.no-path": "--file {path}={file}: {path2} is not the path of a file.",
    "given.no-file": "--file {path}={file}: there is no file {file}.",
    "given.unusable": "--file {path}={file}: {why}.",
    "given.no-place": (
        "--file {path}={file}: no file can be placed there in this sandbox; the path belongs "
        "to the system or to the competition's data."
    ),
    "interpreter.missing": (
        "There is no Python at {path}; choose the interpreter of the old libraries."
    ),
    "interpreter.silent": "{path} does not answer like a Python 3.6 or newer.",
    "interpreter.too-old": "{path} is an older Python; a comparison needs 3.6 or newer.",
    "interpreter.too-much": (
        "The files of {path} are in a directory all of which a sandbox would have to expose."
        " Make a virtual environment of that Python elsewhere, and choose that one."
    ),
    "interpreter.not-listed": (
        "{path} is not started: it may have come with a download, for it is no Python that this "
        "machine lists. If you trust it, put it on PATH, or add it as a kernel."
    ),
    "interpreter.not-in-sandbox": (
        "An old Python of this machine cannot run in the sandbox `{name}`; choose "
        "`bubblewrap`, or `process` if you trust the notebook."
    ),
    "notebook.language": (
        "{name} is a notebook in {language}; only Python notebooks can be modernized."
    ),
    "notebook.no-code": "{name} has no code to run. Open a notebook with at least one code cell.",
    "notebook.same-ids": "{name} has two cells with the same id; save it again with JupyterLab.",
    "notebook.not-readable": (
        "{path} cannot be read ({strerror}). Check the path and its permissions."
    ),
    "notebook.no-json": (
        "{path} is not a notebook: it is not valid JSON ({error}). Open a Jupyter notebook "
        "(.ipynb); a script can be converted with jupytext."
    ),
    "notebook.format": (
        "{name} has notebook format {major}; formats 3 and 4 are supported. Save it again "
        "with a current JupyterLab."
    ),
    "notebook.no-cells": (
        "{name} is JSON but not a notebook: it has no cells. Open a Jupyter notebook (.ipynb)."
    ),
    "notebook.damaged": (
        "{name} is a damaged notebook ({error}). Open it in JupyterLab and save it again."
    ),
    "notebook.name-no-text": (
        "The path {path} has bytes that are not UTF-8 text. Rename the file or folder."
    ),
    "notebook.name-one": "{path} {what}; choose a notebook (.ipynb).",
    "notebook.too-large-outputs": (
        "{path} has {size:rough} MB, more than the limit of {most_bytes:rough} MB for a "
        "notebook; clear its outputs (in JupyterLab: Clear Outputs of All Cells)."
    ),
    "notebook.metadata": "The metadata `{metadata_key}` of {path} must be an object.",
    "notebook.metadata-competition": "`{metadata_key}.competition` in {path} must be a string.",
    "notebook.metadata-number": "`{metadata_key}.{key}` in {path} must be a finite number.",
    "notebook.metadata-wrong": "`{metadata_key}` in {path}: {error}.",
    "output.is-notebook": (
        "{output} is the notebook itself, which is never changed; choose another file."
    ),
    "output.is-directory": "{output} is a directory; choose a file.",
    "output.no-directory": "The directory {parent} does not exist.",
    "sandbox.no-kernel": (
        "No kernel starts in the sandbox `{sandbox}`: {error}. Check that ipykernel works in "
        "this Python environment, or select another sandbox."
    ),
    "competition.no-data": (
        "The competition's data are missing: there is no directory {public}. Put the "
        "competition's public files there."
    ),
    "sandbox.packages-unknown": (
        "The installed packages cannot be listed, so nothing can be predicted before a run "
        "({name})."
    ),
    "sandbox.none-isolates": (
        "No sandbox that isolates the notebook works here. {reasons} The sandbox `process` "
        "runs anywhere, but the notebook's code then has your own permissions on this "
        "machine: select `process` explicitly if you trust the notebook."
    ),
    "sandbox.unknown": "There is no sandbox `{name}`. Choose one of: {every}.",
    "sandbox.provisioner": (
        "Kernels of the sandbox `{chosen}` are started by the kernel provisioner "
        "`{provisioner}`: use that one in the kernelspec."
    ),
    "docker.elsewhere": (
        "The Docker engine cannot access this machine's directories ({words}): it runs on "
        "another machine, or the server itself runs in a container. Select another sandbox."
    ),
    "docker.no-shell": (
        "The image `{image}` has no shell to start a kernel with ({words}). Choose an image "
        "with Python and ipykernel."
    ),
    "docker.no-container": "The Docker engine could not start a container: {words}.",
    "docker.refuses": "{reason}.",
    "docker.image-unknown": "The image `{name}` cannot be looked up: {error}. Check its name.",
    "docker.silent": (
        "The Docker engine at {host} no longer answers; check that it runs (`docker info`), "
        "and run the notebook again."
    ),
    "docker.no-image": (
        "There is no image `{name}` that you may pull ({words}). Check its name, log in to "
        "its registry (`docker login`), or select another image or sandbox."
    ),
    "docker.image-not-fetched": (
        "The image `{name}` could not be pulled ({words}). Try again, load it in another way "
        "(`docker load`), or select another image or sandbox."
    ),
    "docker.no-gpu": (
        "A GPU was requested, but the Docker engine has none: install the NVIDIA Container "
        "Toolkit on a machine with a GPU, or request none (`gpus`)."
    ),
    "docker.kernel-late": (
        "The kernel in the image `{image}` did not start within "
        "{start_limit:duration}; the machine may be overloaded. Try again."
    ),
    "docker.sockets-exchanged": "The kernel's sockets were replaced while it started.",
    "docker.no-kernel": "No kernel starts on the Docker engine: {error}",
    "kernelspec.not-written": "The kernel cannot be added to the menu ({why}).",
    "kernelspec.not-in-menu": "No kernel was added to the menu for this notebook.",
    "kernelspec.missing": "There is no kernelspec `{name}`.",
    "docker.packages-unknown": (
        "The image does not report its packages, so nothing can be predicted before a run ({last})."
    ),
    "docker.python-of-machine": (
        "{python} is a Python of this machine and cannot run in a container. Choose the "
        "image's own environment, or another sandbox."
    ),
    "docker.image-not-here": (
        "The image `{name}` is not on this machine: pull it with `docker pull {name}`, or run"
        " a notebook in the `docker` sandbox once, which pulls it and shows the progress."
    ),
    "docker.data-closed": (
        "The competition's data cannot be read from a container: {unreadable} has no read "
        "permission for others. Grant it with `chmod -R a+rX {public}`."
    ),
    "docker.no-size": "The {name} must be a size such as 30g or 512m, not {text}.",
    "docker.no-gpus-setting": "GPUs must be auto, none, all or a number, not {text}.",
    "docker.files-not-moved": (
        "The notebook's files could not be {way} the Docker engine ({words}). Try again, or "
        "select another sandbox."
    ),
    "scratch.not-made": (
        "The scratch directory cannot be created in {place}: {why}. Free some space there, or"
        " set another directory for temporary files (TMPDIR)."
    ),
    # Refusals of fixing
    "llm.no-reply": (
        "LLM failed: no usable reply from {model} in {count} try. The last one: {mistakes} The "
        "notebook is unchanged; ask again, change the scope or use another model.",
        "LLM failed: no usable reply from {model} in {count} tries. The last one: {mistakes} The "
        "notebook is unchanged; ask again, change the scope or use another model.",
    ),
    "prices.too-large": "The price list {file} is too large: more than a megabyte.",
    "prices.not-readable": (
        "The price list {file} cannot be read ({name}). Check MLE_MODERNIZER_PRICES and that "
        "the file may be read."
    ),
    "prices.wrong": (
        "The price list {file} cannot be used: {where}: {first}. It needs `as_of` (a date), "
        "`currency: USD`, `source`, and `models` with model, input, cached_input and output "
        "in USD per million tokens."
    ),
    "prices.no-yaml": "The price list {file} is not valid YAML: {error}.",
    "prices.twice": "The price list {file} lists the model {model} twice.",
    "llm.address": (
        "The address of the language model cannot be used: it must start with http:// or "
        "https://, name a host and contain no password. Check MLE_MODERNIZER_BASE_URL."
    ),
    "llm.api": "MLE_MODERNIZER_API must be auto, chat or responses, not {text}.",
    "llm.setting": "{name} must be {wanted}, not {text}.",
    "llm.switch": "{name} must be 1 or 0, not {text}.",
    "llm.key-unreadable": (
        "The key file {file} cannot be read ({name}). Check its path, and that the Jupyter "
        "server may read it."
    ),
    "llm.key-empty": "The key file {file} is empty. Put the key on its first line.",
    "rules.no-folder": "The rules folder {folder} does not exist. Check `rules_path`.",
    "rules.too-many": "{folder} holds more than {most_files} rule files.",
    # Refusals of grading
    "competition.file-leads-out": "{slug}/{file_name} is a link that points outside its folder.",
    "competition.path-leads-out": "{slug}: {path} is a link that points outside its folder.",
    "competition.no-public": "{slug} has no directory prepared/public with the data.",
    "competition.folder-leads-out": (
        "The folder of {slug} is a link that points outside the data root."
    ),
    "competition.too-large": "{label} is larger than 1 MB and cannot be a description.",
    "competition.no-yaml": "{label} cannot be read as YAML: {what}.",
    "competition.no-mapping": "{label} must be a mapping of fields such as `metric: rmse`.",
    "competition.wrong": "{label}: {error}",
    "competition.in-private": "{label}: `{field}` must not lie in prepared/private.",
    "competition.answers-public": (
        "{label}: `answers` must lie in prepared/private, which no notebook sees."
    ),
    "competition.other-id": "{label}: `id` is {written}, but the folder is {folder}.",
    "competition.direction": (
        "{label}: `higher_is_better` contradicts `metric`: for {metric}, {direction} is better."
    ),
    "competition.no-id-column": "{label}: `id_columns` must name at least one column.",
    "competition.both-columns": "{label}: {both} is in `id_columns` and `target_columns`.",
    "competition.column-twice": "{label}: `{field}` names a column twice.",
    "competition.path-outside": (
        "{label}: `{field}` must be a path inside the competition's folder, not {path}."
    ),
    "competition.classes-count": (
        "{label}: `classes` has {count} labels for {count2} `target_columns`; log loss needs "
        "one label for each column."
    ),
    "competition.with-confidence": (
        "{label}: {metric} takes two `target_columns`, the value and its confidence, and one "
        "of `answer_columns`."
    ),
    "competition.answer-columns": (
        "{label}: `answer_columns` has {count} columns, `target_columns` {count2}; there must"
        " be one for each."
    ),
    "competition.one-target": "{label}: {metric} takes one target column, not {count}.",
    "competition.class-twice": "{label}: `classes` names a label twice.",
    "competition.no-option": "{label}: `options`: {metric} has no option {name}; {there}.",
    "competition.no-support": (
        "{label}: {metric} needs `support` with `{role}: <column of the answers>`."
    ),
    "competition.sample-unusable": (
        "{label}: `target_columns` is missing, and cannot be read from the sample submission "
        "{sample_submission}: {message}"
    ),
    "competition.sample-ids-only": "{label}: the sample submission has no column beside the ids.",
    "holdout.share": "The held-out share must lie between 0 and 1, not {share:precise}.",
    "holdout.empty-side": (
        "With {rows:thousands} rows and a share of {share:precise}, one side of the split is empty."
    ),
    "mlebench.not-installed": (
        "The package mlebench is not installed in this Python, and there is no command "
        "`mlebench`; install it from https://github.com/openai/mle-bench or leave out "
        "`--grader mlebench`."
    ),
    "mlebench.too-long": "MLE-bench's grader took longer than {seconds:duration}.",
    "mlebench.failed": "MLE-bench's grader failed: {last}",
    "own-competition.no-directory": "{folder} is not a directory.",
    "own-competition.several-files": (
        "It is not clear which file in {folder} holds the labelled data ({names}); choose it "
        "with --train."
    ),
    "own-competition.no-column": "{chosen} has no column {name}; it has {there}.",
    "own-competition.exists": "{folder} has {names} already; add --force to replace them.",
    "own-competition.leads-out": "{name} is a link that points outside {folder}; remove it.",
    "own-competition.unusable": "{path} cannot be used: {message}",
    "own-competition.no-target": "Line {lines} has no {name}: every row needs a target.",
    "own-competition.needs-numbers": (
        "{metric} needs numbers, and {name} has other values; choose a metric for labels such"
        " as accuracy, or write the labels as 0 and 1."
    ),
    "own-competition.needs-two": (
        "{metric} needs targets of 0 and 1, and {name} has other values; metrics that fit: "
        "{fitting}."
    ),
    "own-competition.id-twice": "An id occurs more than once in column {id_column}.",
    "own-competition.row-column": "There is a column {row_id} that is not an id; rename it.",
    "own-competition.no-split-column": (
        "There is no column {column} to split by; there are {there}."
    ),
    # Refusals of kaggle
    "kaggle.unreachable": (
        "Kaggle cannot be reached for {what} ({name}). Is there a network connection?"
    ),
    "kaggle.unreadable": "Kaggle's answer for {what} cannot be read ({name}).",
    "kaggle.not-installed": (
        "This needs the package kaggle, which is not installed in this Python or cannot be "
        "used. Install it: pip install 'mle-modernizer[kaggle]' (Python 3.11 or newer)."
    ),
    "kaggle.token": (
        "Kaggle rejects your token for {what}. Create a new one: "
        "https://www.kaggle.com/settings/api"
    ),
    "kaggle.rules": (
        "Kaggle refuses {what}: usually the rules have not been accepted yet. Join the "
        "competition and accept them: https://www.kaggle.com/competitions/{slug}/rules"
    ),
    "kaggle.no-access": "Kaggle refuses {what}: your account has no access to it.",
    "kaggle.unknown": "Kaggle does not know {what}. Is the name spelled as in its address?",
    "kaggle.refuses": "Kaggle refuses {what} ({status}){words}",
    "archive.broken": "The archive cannot be unpacked ({error}).",
    "archive.too-many": "The archive holds more than {most_members:thousands} files.",
    "archive.twice": "The archive holds {member} twice.",
    "archive.link": "The archive holds {member}, which is a link or not a regular file.",
    "archive.path": "The archive holds {member}, a path that is not allowed.",
    "archive.too-large": "Unpacked, it is larger than {most_bytes:precise} GB; see --max-size.",
    "kaggle.no-slug": "{text} is not a competition's name; use the last part of its address.",
    "kaggle.own-answers": (
        "{folder} holds its own answers, made from other data than Kaggle's test set. Use "
        "another --data-root."
    ),
    "kaggle.there-already": "{public} exists already. --force downloads it again.",
    "kaggle.broke-off": (
        "The download broke off after {done:thousands} of {total:thousands} bytes. Try again."
    ),
    "kaggle.data-too-large": (
        "The data is larger than {most_bytes:precise} GB; --max-size allows more."
    ),
    "kaggle.no-room": "There is not enough space below {parent} for {size} GB.",
    "kaggle.no-notebook-name": (
        "{text} is not a notebook's name; use OWNER/SLUG, the end of its address."
    ),
    "kaggle.file-exists": "{file} exists; choose another directory with --into, or use --force.",
    "kaggle.no-notebook": "{owner}/{slug} is a {kind}, not a notebook.",
    "kaggle.notebook-too-large": "{owner}/{slug} is too large.",
    "kaggle.answer-empty": "Kaggle's answer for {what} contains no notebook.",
    "kaggle.closed": "{slug} no longer takes submissions.",
    "kaggle.notebooks-only": (
        "{slug} accepts only notebooks, no CSV: submit from a notebook on Kaggle's site."
    ),
    "kaggle.not-sent": "{csv} could not be sent to Kaggle. Nothing was submitted.",
    "kaggle.not-scored": "Kaggle could not score the submission: {why}",
    "kaggle.not-scored-yet": (
        "The submission {ref} has not been scored after {waited:duration}. You will find it on"
        " Kaggle under My submissions."
    ),
    # Refusals of papers
    "file.not-readable-why": "{path} cannot be read: {strerror}.",
    # Refusals of reproducing
    "reproduction.no-claim": (
        "No claim was found in {source}, so there is nothing to check a notebook against. "
        "Results that appear only in figures are not read."
    ),
    "reproduction.too-many": (
        "{count} claims exceed the limit of {most_claims_chosen} per notebook."
    ),
    "reproduction.unknown-claim": "There is no claim {unknown} in this paper.",
    # Refusals of web
    "request.files-elsewhere": (
        "This server does not keep its files in a directory; make the competition with "
        "`jupyter modernize competition init` in a terminal."
    ),
    "request.too-large": (
        "The request has {length} MB, more than the limit of {most_bytes:precise} MB. "
        "Notebooks are sent without their outputs; move large texts and data out of the "
        "cells, into files."
    ),
    "request.no-json": "The request's body is not valid JSON: {error}.",
    "request.format": "format must be json, markdown or html, not {wanted}.",
    "request.no-number": "{name} must be a whole number, not {text}.",
    "request.no-file": "There is no file {path} in the file browser.",
    # Refusals of wiring.py
    "sandbox.setting-unknown": "There is no sandbox {sandbox}; available: {known}.",
    # Refusals of workflow
    "own-competition.name-leads-out": (
        "{wish} below the data root is a link that points outside it."
    ),
    "own-competition.folder-exists": (
        "A folder {wish} exists already in {root}; choose another name, or confirm that it "
        "may be overwritten."
    ),
    "own-competition.not-writable": "{into} cannot be written ({why}); set a data root that can.",
    "own-competition.no-such-directory": (
        "There is no directory {directory} in the file browser's root."
    ),
    "own-competition.not-readable": "{folder} cannot be read ({strerror}).",
    "own-competition.no-such-csv": "There is no CSV {train} in {folder}.",
    "own-competition.no-csv": "There is no CSV in {folder}; name the directory of the data.",
    "decision.no-edit": "Proposal {proposal_id} has no edit {edit_id}.",
    "decision.no-proposal": "Session {session} has no proposal {proposal_id}.",
    "decision.work-goes-on": "Decisions cannot be undone while the notebook is being worked on.",
    "decision.has-run": "The notebook has been run since; ask for another fix instead.",
    "decision.accepted-already": "This change has already been accepted.",
    "decision.stale": "The cell was changed after the fix was proposed; ask for the fix again.",
    "decision.needs-yes": (
        "This edit changes the experiment (data, features, model, parameters, seed or split)."
        " Accept it individually, with your explicit confirmation."
    ),
    "conflict.nothing-run": "No run has completed yet; run the notebook first.",
    "conflict.has-score": "This run already has a score, which was {score_kind}.",
    "environment.none-made": (
        "This server does not make environments (MLE_MODERNIZER_MAKE_ENVIRONMENTS)."
    ),
    "era.unknown": (
        "Nothing in the notebook shows when it was written; enter a year (`--era 2018`)."
    ),
    "environment.unknown": (
        "There is no environment {wanted}: use a kernelspec, a conda environment, a path, "
        "`{server}`, `{own}` or `{own_time}`; `jupyter modernize environments --for NOTEBOOK`"
        " lists the available ones."
    ),
    "environment.cannot-run": (
        "The environment {wanted} cannot run the notebook: {trouble}. Choose another one, or "
        "`{own}`, which makes one for the notebook."
    ),
    "trouble.no-interpreter": "it has no Python",
    "trouble.no-answer": "its Python does not answer",
    "trouble.too-old": "its Python is older than 3.6",
    "trouble.no-kernel": "it has no ipykernel",
    "trouble.in-home": "a sandbox would show a home directory or the notebook's whole folder",
    "trouble.not-listed": (
        "its Python may have come with a download, for it is none that this machine lists (on PATH,"
        " by pyenv, uv or conda, or as a kernel)"
    ),
    "conflict.no-fix-due": "The notebook needs no fix; select a fix type to ask for one anyway.",
    "conflict.rehearsal-errors": (
        "A rehearsal only shows errors; run the notebook for anything else."
    ),
    "conflict.rules-first": (
        "Before the first run only the rules are asked; nothing is sent to a model."
    ),
    "exchange.none": "Nothing was sent to a model for {exchange}.",
    "store.newer": (
        "{where} was written by a newer version of MLE Modernizer; update this installation, "
        "or set another database file."
    ),
    "store.unusable": "The session database {where} cannot be used: {error}",
    "session.missing": "There is no session {session_id}; it may have been deleted.",
    "session.no-notebook": "Session {session_id} has no notebook {digest}.",
    "store.not-writable": "The session database cannot be written: {error}.",
    "store.closing": "The server is shutting down.",
    "conflict.no-model-chosen": (
        "The model is not among the selected fixers: nothing will be spent."
    ),
    "finish.no-run": "There is no run to finish the notebook with; run it first.",
    "finish.not-whole": (
        "Run {wanted} did not run the whole notebook on all data; run it again to finish it."
    ),
    "conflict.has-run": "The notebook has been run; ask for a fix based on that run.",
    "conflict.two-runs": "A strict verification needs at least two runs.",
    "conflict.nothing-to-calibrate": (
        "There is nothing to calibrate, because there is no score. Select a competition or an "
        "output that prints the score, and run again."
    ),
    "conflict.nothing-to-measure": (
        "There is no score that is compared with a target, so there is nothing to measure."
    ),
    "blocks.unknown": "There is no block {number}; the notebook has {most}.",
    "compare.no-version": "There is no other version to compare the notebook with.",
    "folds.no-competition": "Validation folds need a competition's data; select a competition.",
    "own-time.unknown-libraries": (
        "The server has no old libraries {old_python}; available: {known}."
    ),
    "conflict.sandbox-python": "Here, notebooks run in the sandbox's own Python.",
    "finish.outputs-gone": "The outputs of run {number} were not kept; run it again to finish it.",
    "finish.replaced-gone": "What finishing this notebook replaced is no longer kept.",
    "budget.price-unknown": (
        "The price of {model} is not known, so a cost limit cannot be enforced. Set "
        "MLE_MODERNIZER_PRICE (input,cached,output in USD per million tokens) where the "
        "server or the command starts, or remove the limit."
    ),
    "folds.cannot": "No validation folds can be made because {error}.",
    "not-folded.few-rows": (
        "{rows:thousands} rows in {folds} folds leave {least} in the smallest; a meaningful "
        "score needs {needed}"
    ),
    "not-folded.one-label": "all rows of the training data have the same label",
    "not-folded.few-values": "{column} has {values} values, too few for {folds} folds",
    "not-folded.too-long": "splitting this much data takes too long",
    "not-folded.unreadable": "the data cannot be read or written ({reason})",
    "not-folded.no-column": "the training data have no column {column}",
    "not-folded.empty-sample": "the sample submission is empty",
    "not-folded.no-csv": "{table} is not a CSV",
    "not-folded.too-large": "{table} is too large to split",
    "not-folded.two-tables": "labels and features are in two tables, {table} and another",
    "not-folded.columns-missing": "{table} has no column {columns}",
    "not-folded.other-columns": "the test data have columns that {table} lacks: {column}",
    "folds.too-long": (
        "A run takes {seconds:duration}, so {count} folds take {needed:duration} for the "
        "notebook alone, more than the budget of {budget:duration}. Raise the budget, or use "
        "fewer folds, which show less."
    ),
    "folds.one-hold-out": (
        "A single hold-out set (1 fold) fits into the budget. It is weak evidence: it shows gains, "
        "and calls nothing better."
    ),
    "own-time.sandbox": (
        "The target is found in an environment made here; choose the sandbox `bubblewrap` or "
        "`process`."
    ),
    "reproduction.settings": (
        "The number of runs must be 1 to {most_repeated}, and the tolerance a share between 0"
        " and 1."
    ),
    "reproduction.no-claims-named": (
        "{name} does not name the claims it reproduces; make the notebook with `jupyter "
        "modernize paper FILE --output NOTEBOOK`."
    ),
    "writing.rounds": "The rounds of a stage must be 1 to {most}.",
    "writing.sections": (
        "The notebook lacks sections that a model fills in; make it again from the paper."
    ),
    "claims.no-reply": (
        "LLM failed: no usable answer from {model} in {count} try. {mistake} The claims are "
        "those found by rules.",
        "LLM failed: no usable answer from {model} in {count} tries. {mistake} The claims are"
        " those found by rules.",
    ),
    "claims.over-budget": "The request would take about {tokens} tokens, which is over the limit.",
    "claims.other-file": "{path} does not hold claims read by a model; move it, and ask again.",
    "writing.no-file": "The notebook's file cannot be read; save it first.",
    "writing.no-paper": (
        "The paper {paper} is not beside the notebook, or has changed since the notebook was made."
    ),
    "conflict.not-written-so": "A paper's notebook is written with its own button.",
    "writing.no-price": "A cost limit needs the price of the model, which is not known.",
    "writing.unreadable": "{path} cannot be read; remove it to start over.",
    "writing.other-paper": (
        "{path} belongs to another paper or other claims; remove it to start over."
    ),
    "reproduction.too-large": "The metadata of {name} are too large for a reproduction.",
    "reproduction.wrong": "The claims recorded in {name} cannot be used ({where}: {first}).",
    "reproduction.names-used": "There are {most_names} notebooks of {paper} already; remove some.",
    "paper.unknown-format": (
        "{path} is not a readable paper: use LaTeX (a .tex file or an archive as from arXiv),"
        " PDF, Markdown or HTML."
    ),
    "paper.too-large": "{path} is too large for a paper.",
    "paper.bad-archive": "{path} is an archive that cannot be unpacked.",
    "paper.no-source": "{path} is an archive without a LaTeX document in it.",
    "paper.damaged": "{path} is damaged and cannot be read.",
    "paper.encrypted": "{path} needs a password; save a copy without one.",
    "paper.scanned": (
        "{path} has only images of pages and no text; use a version with text (the "
        "publisher's PDF, or the LaTeX sources)."
    ),
    "paper.empty": "{path} has no text.",
    "paper.time": "{path} takes too long to read.",
    "paper.memory": "{path} takes too much memory to read.",
    "paper.no-page": "{path} has no picture of that page: it is no PDF, or has fewer pages.",
    "paper.not-installed": (
        "Reading papers needs further packages: pip install 'mle-modernizer[papers]' (in the "
        "environment of the server), then try again."
    ),
    "paper.crashed": "{path} cannot be read: the process that reads it crashed.",
    "archive.both": "The archive holds {member} both as a file and as a directory.",
    "kaggle.rate-limit-seconds": "Kaggle's rate limit is reached. Try again in {seconds:duration}.",
    "kaggle.rate-limit": "Kaggle's rate limit is reached. Try again in a few minutes.",
    "kaggle.trouble": "Kaggle reports a server problem ({status}). Try again later.",
    "competition.unknown": "There is no competition {slug} below {root}.",
    "competition.meant": "Did you mean {names}?",
    "competition.there-are-more": (
        "Available: {names} and {more} more (`jupyter modernize competition list` lists all)."
    ),
    "competition.there-are": "Available: {names}.",
    "competition.none-there": "There are no competitions; set the data root.",
    "kaggle.not-written": "The data cannot be written below {root} ({why}).",
    "era.wrong": (
        "The era must be a year such as 2018, or versions such as 'pandas 0.23, sklearn 0.19'."
    ),
    "sandbox.unusable": "The sandbox `{name}` cannot be used: {reason}.",
    "sandbox.gives-no-network": (
        "The sandbox `{name}` cannot give runs network access; bubblewrap can. Or fetch the "
        "file once, or put it beside the notebook."
    ),
    "run.network-none": "This run had network access and reached no server.",
    "run.network": "This run had network access and reached {servers}.",
    "run.network-refused": "Blocked: {servers}.",
    "sandbox.other-works": "`{name}` works here.",
    "sandbox.other-not-isolated": (
        "`{name}` works here, but does not isolate the notebook: select it if you trust the code."
    ),
    "docker.no-ipykernel": (
        "The image `{image}` has no ipykernel, so no notebook can run in it. Install it there"
        " (`pip install ipykernel`), or select another image."
    ),
    "docker.image-cannot": (
        "The image `{image}` cannot run a kernel: {words}. Select another image."
    ),
    "docker.little-memory": "{memory} of memory are not enough to start a kernel; allow more.",
    "docker.image-no-kernel": "No kernel starts in the image `{image}` (exit code {exit}): {words}",
    "kaggle.token-refused": (
        "Kaggle rejects the token in KAGGLE_API_TOKEN. Create a new one: "
        "https://www.kaggle.com/settings/api"
    ),
    "kaggle.no-token": (
        "There is no Kaggle token. Create one at https://www.kaggle.com/settings/api and put "
        "it into KAGGLE_API_TOKEN or ~/.kaggle/access_token (an older key into "
        "KAGGLE_USERNAME and KAGGLE_KEY or ~/.kaggle/kaggle.json)."
    ),
    "docker.image-not-yet": (
        "its image {image} is not on this machine yet; select `docker` explicitly to have it pulled"
    ),
    "bubblewrap.linux-only": "bubblewrap exists on Linux only",
    "bubblewrap.not-installed": "bwrap is not installed (the package is `bubblewrap`)",
    "bubblewrap.not-started": "bwrap does not start: {error}",
    "bubblewrap.no-namespaces": (
        "bwrap is not allowed to create its namespaces on this machine ({words})"
    ),
    "docker.needs-unix": "containers are reached through Unix sockets; run JupyterLab within WSL 2",
    "docker.windows-containers": (
        "the Docker engine runs Windows containers; switch it to Linux containers"
    ),
    "docker.maps-users": (
        "the Docker engine maps user ids (userns-remap), so a container could not write to "
        "the scratch directory; use an engine without it, or a rootless one"
    ),
    "docker.no-right": (
        "you have no permission to use the Docker engine at {host}; ask to be added to the "
        "group `docker` (which is equivalent to root access), or use a rootless engine"
    ),
    "docker.host-silent": "the Docker engine at {host} does not answer ({words})",
    "docker.none-answers": (
        "no Docker engine answers at {host}; install Docker, or start it (`systemctl start docker`)"
    ),
    "sandbox.reason": "{name}: {reason}.",
}

WORDS |= label_codes()

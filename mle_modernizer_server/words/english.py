"""The words, by code.

A place `{name}` is a parameter's; `{name:how}` says how a number is written (see `render.py`). Two
texts are the singular and the plural, by the parameter `count`. What begins with `model.` is for
a language model only: the panel has no words for it.
"""

from __future__ import annotations

WORDS: dict[str, str | tuple[str, str]] = {
    "text": "{text}",
    # What a run and its score come to
    "summary.cancelled": "Cancelled{cell}.",
    "summary.timed-out": "Stopped at the time limit of {limit} s{cell}.",
    "summary.stopped": "Stopped{cell}, the first that failed.",
    "summary.in-cell": " in cell {cell} of {of}",
    "summary.kernel-died": "The kernel died{cell}.",
    "summary.out-of-memory": "The kernel was killed because the memory ran out{cell}.",
    "summary.disk-full": "The kernel was killed because the disk space ran out{cell}.",
    "summary.failed": ("{count} cell failed.", "{count} cells failed."),
    "summary.failed-and-cascades": (
        "{count} cell failed, {cascades} more only because of it.",
        "{count} cells failed, {cascades} more only because of them.",
    ),
    "summary.score-holds": "The score holds all the same.",
    "summary.perfect": "It is a perfect score: look where it comes from.",
    "doubt.copy": (
        "Not judged yet, for its predictions are those of {file}, which was there before."
    ),
    "doubt.cells": (
        "Not judged yet, for it depends on {count} cell that failed.",
        "Not judged yet, for it depends on {count} cells that failed.",
    ),
    "score.not-judged": "The score is not judged yet.",
    "summary.ran": "Every cell ran without an error.",
    "summary.no-competition": "No competition is chosen, so there is no score.",
    "summary.saved-outputs": (
        "{agreeing} of {count} cell gives what it gave.",
        "{agreeing} of {count} cells give what they gave.",
    ),
    "result.saved-outputs": "Gives its saved outputs",
    "result.other-outputs": "Runs, other outputs",
    "result.without-errors": "Runs without errors",
    "result.with-errors": "Runs with errors",
    "result.failed": "Failed",
    "summary.no-submission": "No submission CSV was written.",
    "summary.no-target": "No target score is known.",
    "summary.invalid": "The submission is not valid.",
    "summary.no-score": "There is no score.",
    "summary.not-compared": (
        "{kind} {score}; without a target score there is nothing to compare it with."
    ),
    "summary.reproduced": "Reproduced. {kind} {score} is {distance} the target {target}.",
    "summary.off": "{kind} {score} is {distance} the target {target}.",
    "summary.off-and-better": "{kind} {score} is {distance} the target {target}, and better.",
    "summary.resumed-otherwise": (
        "The run that had been resumed in the paused kernel came out otherwise ({outcome}); this "
        "clean one counts."
    ),
    "score.graded": "Score",
    "score.printed": "Printed score",
    "score.typed": "Typed score",
    "score.within-band": "The score is within the target's band.",
    "score.better": "The score is better than the target's band.",
    "score.worse": "The score is worse than the target's band.",
    "distance.other-kind": "of another kind than",
    "distance.above-floor": "{percent} % of what the target is above the floor off",
    "distance.none": "exactly",
    "distance.absolute": "{distance} off",
    "distance.tiny": "less than 0.01 % off",
    "distance.percent": "{percent} % off",
    "outcome.clean-reproducible": "without errors, reproducible",
    "outcome.clean-other": "without errors, not reproducible",
    "outcome.errors-reproducible": "with errors, reproducible",
    "outcome.errors-other": "with errors, not reproducible",
    # What a run on a sample comes to
    "rehearsal.timed-out": " within {limit} s, which did not do for all cells",
    "rehearsal.kernel-ended": " until the kernel ended",
    "rehearsal.doubtful": (
        "In a rehearsal on a sample ({size}){ended} the first error may come from the sample."
    ),
    "rehearsal.no-error": "In a rehearsal on a sample ({size}){ended} no cell failed.",
    "rehearsal.failed": (
        "In a rehearsal on a sample ({size}){ended} {count} cell failed.",
        "In a rehearsal on a sample ({size}){ended} {count} cells failed.",
    ),
    "rehearsal.failed-and": (
        "In a rehearsal on a sample ({size}){ended} {count} cell failed, and {doubted} more that "
        "may come from the sample.",
        "In a rehearsal on a sample ({size}){ended} {count} cells failed, and {doubted} more that "
        "may come from the sample.",
    ),
    "sample.rows": "{rows:thousands} rows of {of:thousands}",
    "sample.files": "all rows, {count:thousands} files left out",
    "sample.too-large": (
        "{count} file was too large to copy: {named}.",
        "{count} files were too large to copy, such as {named}.",
    ),
    "sample.ids": "How the ids of {test} and {submission} belong together was not recognised.",
    "sampled.file": "The file it asks for is in the data but not in the sample.",
    "sampled.picture": "A picture that it asks for may have been left out of the sample.",
    "sampled.too-few": "The sample may have too few rows for it.",
    "sampled.nothing-left": "Nothing may have been left of the sample's rows there.",
    "sampled.value": "The sample may lack a value that the data have.",
    "sampled.place": "The cell names place {place:thousands}; the sample has fewer rows.",
    "sampled.count": "The cell counts on {rows:thousands}; the sample has fewer rows.",
    "sampled.rows": "The notebook names a number of rows; the sample has fewer.",
    "unrehearsed.no-competition": ("No rehearsal was possible, because no competition is known."),
    "unrehearsed.small": "No rehearsal was possible, because the data are small as they are.",
    "unrehearsed.no-sample": "No rehearsal was possible, because {reason}.",
    "no-sample.too-long": "choosing it from so much data takes too long",
    "no-sample.too-many-files": "looking at so many files takes too long",
    "no-sample.unreadable": "the data cannot be read or the sample not written ({reason})",
    "no-sample.packed": "a file cannot be unpacked ({reason})",
    "no-sample.not-kept": "it cannot be kept in {root} ({reason})",
    # Why data cannot be permuted
    "not-permuted.no-competition": "there is no competition's data",
    "no-table.training": "there is no table of training data that could be found",
    "no-table.test": "there is no table of test data that could be found",
    "no-table.sample": "there is no sample submission that could be found",
    "not-permuted.labels-unknown": (
        "it is not known which columns of the training data are the labels"
    ),
    "not-permuted.one-label": "all training labels are the same",
    "not-permuted.no-ids": "the test data have no ids, and the sample has other rows",
    "not-permuted.no-submission": "the run on shuffled rows has no submission",
    "not-permuted.too-long": "permuting so much data takes too long",
    "not-permuted.too-large": "{table} has {rows:thousands} rows, too many to permute at once",
    "not-permuted.unreadable": "the data cannot be read or the copy not written ({reason})",
    # Verdicts and what to do next
    "verdict.copy": "The submission is a copy of {file}: nothing was predicted.",
    "verdict.runs-within-band": "{within} of {of} runs are within the target's band.",
    "advice.within-noise": "The notebook's own spread covers the gap: there is nothing to fix.",
    "advice.above-target": "Nothing pushes a better score down; check the target if you doubt it.",
    "advice.below-target": (
        "Repeat the run to see its spread, compare with old libraries (probe), or check the target."
    ),
    "advice.target-implausible": "Check the target score, then run again.",
    "advice.grader-mismatch": (
        "Check what the target score is of (metric, direction, scale), set it anew, and run again."
    ),
    "advice.needs-external-data": (
        "Put the file into the notebook's folder (or into the competition's), or name one with "
        "--file PATH=FILE, and run again."
    ),
    "advice.needs-network": (
        "Have the file fetched (--fetch URL), or download it, put it under its own name into the "
        "notebook's folder (or name it with --file URL=FILE), and run again. Or allow its runs the "
        "network (--network; in the panel Settings, More settings, Network)."
    ),
    "advice.server-not-reached": (
        "Public web servers can be reached, at the ports 80 and 443; see what this run reached. "
        "The address may be gone: look for the file elsewhere, and put it beside the notebook."
    ),
    "advice.library-data": (
        "What {library} downloads is no single file, so it is not fetched here. Allow the runs "
        "public web servers (--network; in the panel Settings, More settings, Network); or load it "
        "once in a kernel of yours, save it beside the notebook, and read it from there."
    ),
    "advice.torch-weights": (
        "Have the weights fetched (--fetch with the address that the cell printed, "
        "https://download.pytorch.org/models/…), and run again; they lie where torch looks."
    ),
    "advice.install-nltk": (
        "Have it fetched (--fetch URL), or install it into an environment of yours that has nltk "
        "(python -m nltk.downloader -d "
        "\"$(python -c 'import sys; print(sys.prefix)')/nltk_data\" {name}), choose that "
        "environment, and run again."
    ),
    "advice.install-spacy": (
        "Install it into an environment of yours that has spacy (python -m spacy download {name}), "
        "choose that environment, and run again."
    ),
    "advice.non-deterministic": (
        "Fix the notebook's seeds, or judge it by the mean of several runs."
    ),
    "advice.awaits-yes": (
        "Review it and say yes to it yourself, or allow changes of the experiment and run again."
    ),
    "advice.other-sandbox": "Choose another sandbox or image, and run again.",
    "advice.install-program": "Install it there, and run again.",
    "advice.by-hand": "Fix it by hand, and run again.",
    "advice.add-package": (
        "Let an environment be made for this notebook with it, or choose one that has it, and run "
        "again."
    ),
    "advice.import-own": "Write `from . import {module}` in `{file}`, and run again.",
    "advice.no-fix": "Fix the notebook by hand, or ask another fixer.",
    "advice.not-proven": "Look at the edits: what is submitted must come from the trained model.",
    "advice.no-progress": "Fix the notebook by hand, or ask another model.",
    "target.other-kind": "The score was {score}, the target was {target}.",
    "target.trap": "The target is reached without a peculiarity of the grader. {trap}",
    "target.percentage": (
        "The target {target} looks like a percentage; {metric} is at most 1. Set the target to "
        "{corrected}."
    ),
    "target.other-scale": "The target {target} fits {scale}, not the {metric} that is computed.",
    "target.unreachable": (
        "The target {target} is no value of the metric: {metric} lies between {low} and {high}."
    ),
    "target.sample-submission": "The target {target} is the score of the sample submission.",
    "target.constant": "The target {target} is the score of a constant prediction.",
    "target.out-of-reach": "No fix could bring the score there.",
    "scale.other-sign": "the score with the other sign",
    "scale.other-direction": "1 minus the score (the other direction)",
    "scale.mse": "the mean squared error",
    "scale.rmse": "the RMSE",
    "scale.gini": "the Gini coefficient",
    "scale.roc-auc": "the ROC AUC",
    "scale.percentage": "the percentage",
    "needs.server": (
        "The notebook downloads something, and the server was not reached although the run was "
        "allowed the network ({error})."
    ),
    "needs.network": "The notebook downloads something, and a run has no network ({error}).",
    "needs.resource": (
        "The notebook uses {name} of {library}, which is not installed where it runs."
    ),
    "needs.file": "The notebook reads {path}, which is not there.",
    "needs.kept-away": "The notebook reads {path}, which lies beside it but {reason}",
    "kept-away.too-large": "is too large to be copied. Choose the sandbox `bubblewrap`.",
    "kept-away.out-of-reach": ("cannot be shown in this sandbox. Choose the sandbox `bubblewrap`."),
    "kept-away.unreadable": "cannot be read with your rights. Change them, and run again.",
    "cannot-run.kernel-died": "The kernel died before a single cell had run.",
    "cannot-run.program-missing": (
        "The program `{program}` is not installed where the notebook runs; it is no Python package."
    ),
    "cannot-run.no-python": "The code is not valid Python.",
    "cannot-run.module-missing": (
        "The package that provides `{module}` is not installed where the notebook runs."
    ),
    "cannot-run.package-missing": (
        "The package that provides a module is not installed where the notebook runs."
    ),
    "cannot-run.python2-import": (
        "`{file}` imports `{module}`, which lies beside it, as only Python 2 can."
    ),
    "stops.in": "It stops in cell {cell}. {why}",
    "stops.first": "It stops first in {failure}",
    "needs-time.works": (
        "No cell failed: it works and needs longer than {limit} s. Run it with {longer} (the "
        "panel's button, or --time-limit {seconds})."
    ),
    "needs-time.works-now": (
        "No cell fails any more: it works and needs longer than {limit} s. Run it with {longer} "
        "(the panel's button, or --time-limit {seconds})."
    ),
    "time.minutes": "{minutes} minutes",
    "time.hours": "{hours} h",
    "stalled.same-patch": "What was proposed leads back to a notebook that was already run.",
    "stalled.tried-before": "What was proposed had been tried before and did not help.",
    "stalled.still-stops": "It still stops first in {failure}",
    "failure.first": "cell {cell}: {error}.",
    "stalled.same-errors": (
        "The last fix brought nothing: the notebook fails with the same errors.",
        "The last {count} fixes brought nothing: the notebook fails with the same errors.",
    ),
    "stalled.same-score": (
        "The last fix did not move the score at all.",
        "The last {count} fixes did not move the score at all.",
    ),
    "stalled.no-progress": (
        "The last fix brought no progress.",
        "The last {count} fixes brought no progress.",
    ),
    "budget.no-fix": (
        "No fix is allowed; raise the limit to go on (More settings in the panel, or --max-fixes)."
    ),
    "budget.fixes": (
        "The one fix allowed is used up; raise the limit to go on (More settings in the panel, or "
        "--max-fixes).",
        "All {count} fixes are used up; raise the limit to go on (More settings in the panel, or "
        "--max-fixes).",
    ),
    "budget.tokens": (
        "The {tokens:thousands} tokens allowed are used up; raise the limit to go on (More "
        "settings in the panel, or --max-tokens)."
    ),
    "budget.money": (
        "The {usd} USD allowed are spent; raise the limit to go on (More settings in the panel, "
        "or --max-cost)."
    ),
    "budget.time": (
        "The {minutes} minutes allowed are over; raise the limit to go on (More settings in the "
        "panel, or --max-minutes)."
    ),
    "next.run": "Run the notebook.",
    "next.run-on-all-data": "Run it on all the data.",
    "next.run-for-rest": "Run the notebook to see what is left.",
    "next.run-unchanged": "Nothing was changed; run the notebook to see what breaks.",
    "next.run-fixed": "Run the notebook again to see what the fix did.",
    "next.after-rejection": (
        "The fix was rejected; ask for another one, or run the notebook again."
    ),
    "next.review-fix": "Review the fix proposed.",
    "next.review-and-run": "Review the fix proposed, then run again.",
    "next.review-elsewhere": "Review what was proposed for it, then run it here.",
    "next.review-changes": "Review the changes.",
    "next.review-before-run": "Review what is proposed before the first run.",
    "review.decided": "All changes are decided.",
    # What goes on
    "progress.starting": "Starting",
    "progress.done": "done",
    "progress.next-in-line": "Waiting for another notebook's work to end",
    "progress.in-line": "Waiting for another notebook's work to end ({count} before you)",
    "progress.sandbox": "Preparing the sandbox",
    "progress.this-sandbox": "Preparing the {sandbox} sandbox",
    "progress.rehearsal-sandbox": "Preparing the sandbox for a rehearsal",
    "progress.resuming": "Resuming at cell {cell}",
    "progress.sampling": "Choosing a sample of the data",
    "progress.running": "Running the notebook",
    "progress.running-cell": "Running cell {cell} of {of}",
    "progress.rehearsing": "Rehearsing on a sample",
    "progress.rehearsing-cell": "Rehearsing on a sample: cell {cell} of {of}",
    "progress.grading": "Grading the submission",
    "progress.looking-ahead": "Looking for known breaking changes",
    "progress.asking-rules": "Looking for known breaking changes ({fix_type})",
    "progress.asking-model": "Asking the model ({fix_type})",
    "progress.reading-answer": "Reading the model's answer",
    "progress.alternatives": "Trying {count} fixes at the same time",
    "progress.alternative": "Alternative {number} of {of}: {step}",
    "progress.study": "{study}: {step}",
    "making.waiting": "Another process makes this environment; waiting",
    "making.python": "Looking for a Python of that time",
    "making.resolving": "Choosing versions of the packages",
    "making.installing": ("Installing {count} package", "Installing {count} packages"),
    "making.downloading": (
        "Installing {count} package, at most {megabytes:rough} MB to download",
        "Installing {count} packages, at most {megabytes:rough} MB to download",
    ),
    "making.checking": "Checking what was installed",
    "fetch.progress": "Fetching {address}: {megabytes} MB",
    "fetch.wanted": (
        "The notebook reads {address}, and a run has no network. Fetch it once with "
        "--fetch {address}"
    ),
    "fetch.refused": "{address} is not fetched: {reason}.",
    "fetch.not-public": (
        "{address} is not fetched: {server} is not a server of the public network. Put the file "
        "beside the notebook yourself."
    ),
    "fetch.redirects": "{address} is not fetched: it leads to more than {most} other addresses.",
    "fetch.bad-redirect": "{address} is not fetched: it leads to what is no web address to fetch.",
    "fetch.downgrade": "{address} is not fetched: it leads to a connection that is not encrypted.",
    "fetch.status": "{address} is not fetched: its server answers with the status {status}.",
    "fetch.packed": (
        "{address} is not fetched: its server packs it in a way that was not asked for."
    ),
    "fetch.page": (
        "{address} is not fetched: its server gives a page for people (a form or a notice) in "
        "place of the file."
    ),
    "fetch.too-large": (
        "{address} is not fetched: it is larger than {megabytes:rough} MB. Download it yourself "
        "and put it beside the notebook."
    ),
    "fetch.time": "{address} is not fetched: it took longer than {seconds:rough} seconds.",
    "fetch.silence": "{address} is not fetched: no answer for {seconds:rough} seconds.",
    "fetch.certificate": (
        "{address} is not fetched: its server's certificate is not valid ({detail})."
    ),
    "fetch.no-server": "{address} is not fetched: there is no such server, or no network here.",
    "fetch.failed": "{address} is not fetched: {detail}.",
    "fetch.cancelled": "Fetching {address} was cancelled.",
    "fetch.not-kept": "{address} is not fetched: {folder} cannot be written ({detail}).",
    "fetch.no-such": "No fetched file has the id {id}; `jupyter modernize resources` lists them.",
    "docker.next-in-line": "Waiting for a free container",
    "docker.in-line": "Waiting for a free container ({count} before you)",
    "docker.sending": "Sending the data to the Docker engine",
    "docker.fetching": "Fetching the image {image}",
    "docker.fetching-layers": "Fetching the image {image}: {layers}",
    "docker.fetching-bytes": "Fetching the image {image}: {layers}, {loaded} of {total}",
    "docker.layers": "{done} of {of} layers",
    "docker.less-memory": (
        "The machine has {there} of memory: the notebook gets {given} instead of {asked}."
    ),
    "docker.fewer-processors": (
        "The machine has {there} processors: the notebook gets all of them instead of {asked}."
    ),
    # How a run ended
    "run.decides": "A clean run decides.",
    "run.timed-out": "Stopped at the time limit of {limit} seconds.",
    "run.cancelled": "Cancelled.",
    "run.stopped": "Stopped at cell {cell}, the first that failed.",
    "beside.translated": (
        "A module beside the notebook is Python 2's, and the run got a copy of it in Python 3: "
        "{files}. Your file is as it was.",
        "Modules beside the notebook are Python 2's, and the run got copies of them in Python 3: "
        "{files}. Your files are as they were.",
    ),
    "beside.relative": (
        "{file} imports the module {modules} of its own package by its bare name, as in Python 2; "
        "the run got a copy in which that works. Your file is as it was: elsewhere it needs "
        "`from . import`.",
        "{file} imports the modules {modules} of its own package by their bare names, as in "
        "Python 2; the run got a copy in which that works. Your file is as it was: elsewhere it "
        "needs `from . import`.",
    ),
    "run.not-resumable": (
        "It {reason}, so it cannot simply be run again: the next run begins with the first cell."
    ),
    "ended.server-shut-down": ("The server was shut down in the middle of the work; run it again."),
    "ended.server-went-down": (
        "The server went down in the middle of the work, and what it had started is removed; run "
        "it again."
    ),
    "ended.cancelled": "Cancelled. The notebook is as it was.",
    "ended.review": "Review the changes made until then.",
    "ended.defect": "Something went wrong inside MLE Modernizer ({error}); see the server's log.",
    "pause.alternatives": "Alternatives run from the start.",
    "pause.another-run": "Another run of the notebook is paused now.",
    "pause.made-room": "The paused kernel made room for another notebook's.",
    "pause.server-shut-down": "The server was shut down while the kernel was paused.",
    "pause.server-went-down": "The server went down while the kernel was paused.",
    "pause.too-long": "The kernel was paused as long as it may be and was ended.",
    "pause.ended-by-itself": "The kernel ended by itself while it was paused.",
    "pause.kernel-gone": (
        "The kernel ended while it was paused, so the notebook runs from the start."
    ),
    "pause.from-start": "The notebook runs from the start.",
    "pause.whole-run": "The notebook is run as a whole.",
    "pause.work-ended": "The work came to its end.",
    "pause.settings-changed": "The settings of the run were changed.",
    "pause.cancelled": "Cancelled.",
    "restart.side-effect": "Cell {cell} {reason}, so the notebook runs from the start.",
    "restart.earlier-cell": (
        "A cell before cell {cell} was changed, added or removed, so the notebook runs from the "
        "start."
    ),
    "restart.packages": (
        "Other packages are to be installed, so the notebook runs from the start."
    ),
    "restart.cell-gone": ("There is no cell {cell} any more, so the notebook runs from the start."),
    "restart.name-read": (
        "Cell {cell} had set `{name}` before it failed, and what follows reads it, so the "
        "notebook runs from the start."
    ),
    "effect.no-answer": "left the kernel without an answer",
    "effect.no-python": "is not Python, and what it has done is not known",
    "effect.no-line": "does not tell at which line it failed",
    "effect.nested": "is nested too deeply to tell what it has changed",
    "effect.ran": "had run `{text}` before it failed",
    "effect.deleted": "had deleted `{name}` before it failed",
    "effect.imported": "had imported names that it does not say before it failed",
    "effect.waited": "had waited for something else before it failed",
    "effect.read-once": "had read from `{name}` before it failed, which can be read once",
    "effect.changed": "had changed `{name}` before it failed",
    "effect.called": "had called `{name}` before it failed",
    "effect.called-unknown": "had called `{name}` before it failed, which may change something",
    "effect.called-unread": "had called `{name}` before it failed, which is not looked at",
    "effect.called-which": "had called `{name}`, which {effect}",
    "effect.random": "had drawn random numbers before it failed",
    "effect.trained": "had trained `{name}` before it failed",
    # Fixes, and why there are none
    "fix.refused": "A proposal was refused: {findings}",
    "fix.held": (
        "What is proposed changes the experiment in {count} cell (data, features, model, "
        "parameters, seed or split) and waits for your yes.",
        "What is proposed changes the experiment in {count} cells (data, features, model, "
        "parameters, seed or split) and waits for your yes.",
    ),
    "fix.taken-back": (
        "The edit of cell {cells} was taken back: it was tried and did not help.",
        "The edits of cells {cells} were taken back: they were tried and did not help.",
    ),
    "fix.carried": (
        "No run has reached the edit of cell {cells}: its effect is not yet seen.",
        "No run has reached the edits of cells {cells}: their effect is not yet seen.",
    ),
    "fix.tried-already": "The fix proposed is the same as one that is tried already.",
    "fix.model-has-none": "The model proposes no change: {reply}",
    "rules.python-only": "The rules know Python notebooks only.",
    "rules.no-cell-fails": "No cell fails; choose the whole file as the scope of the fix.",
    "rules.not-looked": "The rules did not look into this notebook: {why}.",
    "rules.none-faster": (
        "No rule makes this notebook faster: that needs the language model or your hand."
    ),
    "rules.none-silent": (
        "No default and no behaviour that changed is found in this notebook{other}."
    ),
    "rules.none": "No rule applies to this notebook{other}.",
    "rules.none-covers": "No rule{other} covers the {error} in cell {cell}.",
    "rules.no-automatic-fix": (
        "What is known of the {error} in cell {cell} has no automatic fix for the code as it "
        "stands there."
    ),
    "rules.none-before-run": "No rule has anything to fix before the first run.",
    "rules.but-rejected": " other than those you rejected",
    "rules.but-tried": " other than those that were tried and did not help",
    "files.choose": (
        "{path} may be {candidates}: choose one (in the panel, or with --file PATH=FILE)."
    ),
    "files.nowhere": (
        "{path} is not there, and no file of that name lies in the notebook's folder or among the "
        "competition's files."
    ),
    "attempt.rejected": "The user rejected it.",
    "attempt.not-run": "It was not run to its end.",
    "attempt.outcome": "{outcome}.",
    "attempt.failed": ("{outcome}, {count} cell failed.", "{outcome}, {count} cells failed."),
    "model.python-only": "The model is asked about Python notebooks only.",
    "model.experiment-not-allowed": (
        "Not used: it changes the experiment (data, features, model, parameters, seed or split), "
        "and the user has not allowed that. Find a repair that leaves the experiment as it is."
    ),
    "model.another-way": (
        "It is tried at the same time as what you propose now: go another way, or reply that "
        "there is no other."
    ),
    # Grading
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
    "grade.answers": "The answers of {competition} cannot be used: {why}.",
    "grade.no-output": "No output fits '{pattern}'.",
    "grading.time": "Grading took longer than {seconds} s",
    "grading.memory": "Grading needed more than {gigabytes} GB of memory",
    "grading.broke-off": "Grading broke off ({words})",
    "grading.silent": "Grading broke off without a word",
    "grading.too-many-broke": "It was not graded: too many others broke the grading.",
    "answers.outside": "they lie outside the competition's folder",
    "answers.changed": "they or the description were changed while the notebook ran",
    "answers.changed-reading": "they changed while they were read",
    "answers.file": "{file}: {why}",
    "trap.binarize": (
        "MLE-bench's grader makes 0 and 1 of the predictions (from 0.5 on) before it computes the "
        "AUCs; Kaggle did not."
    ),
    "trap.round": "MLE-bench's grader rounds this score to a whole number.",
    "trap.empty-is-full": (
        "MLE-bench's grader takes an empty mask for one of the whole image where there is "
        "something to find."
    ),
    "trap.corners-as-sizes": (
        "MLE-bench's grader takes the far corner of a box for its width and height."
    ),
    "trap.zero-is-none": (
        "MLE-bench's grader numbers the boxes from 0, which the COCO tools take for no box: a hit "
        "of the first true box counts as a miss."
    ),
    "trap.position": (
        "MLE-bench's grader takes the rows as they stand and does not look at the ids."
    ),
    "trap.sorted": ("MLE-bench's grader sorts both files by id but does not compare the ids."),
    "trap.scored-by-position": (
        "MLE-bench's grader chooses the scored rows by where they stand in the file, so that rows "
        "in another order than the answers' are compared with the wrong ones."
    ),
    "trap.columns-by-position": (
        "MLE-bench's grader takes the columns as they stand, whatever their names."
    ),
    "trap.clipping": (
        "Predictions of exactly 0 or 1: scikit-learn cuts them at 2e-16, Kaggle did at 1e-15."
    ),
    "trap.refused-by-id": "Taken by id it would be refused: {why}",
    "competition.file-missing": "{slug}: {file} (`{field}`) is missing; no grading without.",
    "competition.no-root": (
        "No competition is set up: there is no folder {root}. The setting data_root, the variable "
        "MLE_MODERNIZER_DATA_ROOT or the option --data-root names another."
    ),
    "server.problem": "{part}: {error}",
    # Studies: repeated runs
    "label.run": "Run {number} of {of}",
    "label.noise": "Noise, run {number} of {of}",
    "label.control": "Run as it is, to compare",
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
        "It wrote no submission that could be graded; a printed score is not used."
    ),
    "draft.no-table": (
        "No notebook can be drafted: {what} could not be found among the competition's files."
    ),
    "draft.unreadable": "No notebook can be drafted: {table} cannot be read ({why}).",
    "draft.media": (
        "No notebook can be drafted: the competition's data are {what} ({count} files); drafts are "
        "written for tables."
    ),
    "draft.no-target": (
        "No notebook can be drafted: the training data have no column {columns}, which is to be "
        "predicted."
    ),
    "draft.no-features": (
        "No notebook can be drafted: {table} has no column that the test data have too and that "
        "something can be learned of."
    ),
    "draft.metric": (
        "No notebook can be drafted: the columns that are predicted are not what drafts are "
        "written for under {metric} (a number, or a class)."
    ),
    "draft.too-large": "No notebook can be drafted: the data are too large to be looked through.",
    "draft.ids": (
        "No notebook can be drafted: the rows of the sample submission cannot be found in the test "
        "data by their ids."
    ),
    "folds.no-score": (
        "The notebook has no score on validation fold {fold}, so nothing can be compared with it."
    ),
    "folds.no-candidate": "The code shows no change that is known to help such a notebook.",
    "folds.none-better": "No version is better than the notebook beyond chance.",
    "folds.better": "{version} is better than the notebook.",
    "improve.asking": "Asking the model for a change",
    "improve.tried-before": "It leads to a notebook that was tried before.",
    "improve.review": (
        'Review the version "{version}": it was better on {folds} validation folds. It changes '
        "the experiment."
    ),
    "improve.unknown": "No such version was better than the notebook.",
    "writing.asking": "Stage {stage}, round {round}: asking {model}",
    "writing.clean-run": "A clean run on all data",
    "writing.sample-run": "Stage {stage}: a run on a sample",
    "writing.reading": "Reading the paper",
    "writing.review": (
        "The notebook is written, and a clean run of it on all data came to its end. Review it; "
        "nothing is in the notebook before."
    ),
    "writing.not-run": (
        "Stage {stage} did not come to its end ({ending}), so there is no notebook that ran and "
        "nothing to review. What was written is kept: write again to go on there."
    ),
    "writing.kept": "What was written is kept: write again to go on there.",
    "improve.kept": "The notebook stays as it was.",
    "conflict.no-version": (
        "Only a version that was compared with the notebook on validation folds can be proposed as "
        "an improvement."
    ),
    "conflict.undecided": "Decide on the changes that are proposed first.",
    "label.proof": "Proof, run 1 of 3",
    "label.proof-labels": "Proof, run 2 of 3 (shuffled labels)",
    "label.proof-rows": "Proof, run 3 of 3 (shuffled rows)",
    "study.cancelled": "Cancelled; what was measured so far is kept.",
    "study.cancelled-after": "Cancelled after {runs} of {of} runs.",
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
        "{runs} runs gave the same score, so no test of its spread is defined and the band "
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
        "{scores} scores are not consistent with the target (t-test, p = {p} < {limit}); they are "
        "better than it; their mean is {band}."
    ),
    "verification.score": "The score is {score:precise}.",
    "verification.scores": "{count} scores: {mean:precise} ± {deviation:short}.",
    "noise.measuring": "Measuring the noise: {runs} runs of about {seconds:rough} s each",
    "noise.skipped": (
        "The noise was not measured: a run takes {seconds:rough} s, and {runs} runs about "
        "{total:rough} s. Measure it by hand, or set it to always."
    ),
    "noise.no-score": "The noise cannot be measured: there is no score.",
    "noise.run-without-score": "The noise cannot be measured: run {run} has no score.",
    "noise.steady": (
        "The score is the same in {runs} runs: randomness is not the cause of its distance from "
        "the target."
    ),
    "noise.steady-other-seeds": (
        "The score is the same in {runs} runs, with other seeds too: randomness is not the cause "
        "of its distance from the target."
    ),
    "noise.other-seeds": "with other seeds",
    "noise.as-it-is": "as it is",
    "noise.repeats": "The notebook as it is repeats its score.",
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
    "cause.nothing-changed": (
        "No default and no behaviour that changed is found in this notebook."
    ),
    "cause.no-score": "A repeated run had no score: the cause cannot be found.",
    "cause.none": (
        "The old behaviour restored, the score does not move: the libraries' known silent changes "
        "are not it.",
        "All {count} old behaviours restored, the score does not move: the libraries' known "
        "silent changes are not it.",
    ),
    "cause.none-and-no-score": (
        "The old behaviour restored, the run has no score: the libraries' known silent changes "
        "are not it.",
        "All {count} old behaviours restored, the run has no score: the libraries' known silent "
        "changes are not it.",
    ),
    "cause.found": (
        "{what} That moved the score from {before:precise} to {after:precise}: this is the cause."
    ),
    "cause.part": (
        "{what} That moved the score from {before:precise} to {after:precise}: a part of the cause."
    ),
    "cause.away": (
        "{what} That moved the score from {before:precise} to {after:precise}, away from the "
        "target."
    ),
    "label.own-time": "In the libraries of its time",
    "own-time.stops": "It stops first in {failure}",
    "own-time.outputs": (
        "{agreeing} of {count} cell gives what was saved.",
        "{agreeing} of {count} cells give what was saved.",
    ),
    "own-time.outputs-with": (
        "With {libraries}, {agreeing} of {count} cell gives what was saved.",
        "With {libraries}, {agreeing} of {count} cells give what was saved.",
    ),
    "own-time.score": "With {libraries} the score is {score:precise}.",
    "own-time.is-target": "It is the target now.",
    "own-time.runs-without-score": "With {libraries} it runs and gives no score.",
    "own-time.fails": "With {libraries} it does not run either.",
    "backport.made": "The kernel {kernel} is in the menu now; the notebook runs there unchanged.",
    "backport.not-made": "So no kernel was put into the menu.",
    "backport.removed": "The kernel is out of the menu; its environment stays until it is removed.",
    "conflict.kernel-in-menu": (
        "A kernel in Jupyter's menu runs in this environment; take it out first "
        "(`jupyter modernize backport NOTEBOOK --remove`)."
    ),
    "conflict.no-rules-folder": "The server has no folder for rules of your own: name one in its "
    "setting `ModernizerExtension.rules_path` or in `MLE_MODERNIZER_RULES`, or download the rule.",
    "not-found.learned-rule": "The session's fixes teach no such rule.",
    "conflict.no-backport": "No kernel was put into the menu for this notebook.",
    "label.today": "With today's libraries",
    "contrast.nothing": "No cell could be compared with the run with {libraries}.",
    "contrast.same": (
        "The {count} cell that could be compared gives today what it gave with {libraries}.",
        "All {count} cells that could be compared give today what they gave with {libraries}.",
    ),
    "contrast.settings": (
        "Only settings of estimators are others, first in cell {cell}: defaults that a library "
        "changed."
    ),
    "contrast.first": (
        "{agreeing} of {count} cell gives today what it gave with {libraries}; the first that "
        "gives something else is cell {cell}.",
        "{agreeing} of {count} cells give today what they gave with {libraries}; the first that "
        "gives something else is cell {cell}.",
    ),
    "contrast.value": "Its {name} was {then} and is {now}.",
    "contrast.printed": "It printed {then} and prints {now}.",
    "contrast.fails": "It fails: {error}.",
    "contrast.unsteady": (
        "{count} value differs from run to run today already and was not compared.",
        "{count} values differ from run to run today already and were not compared.",
    ),
    "contrast.cancelled": "The comparison with the libraries of its time was cancelled.",
    "comparison.bad-limits": "The rows and the time limit of a comparison must be above 0.",
    "comparison.no-such-change": (
        "'{rule}' is no silent change that concerns this notebook; `jupyter modernize preflight` "
        "lists those that do."
    ),
    "comparison.not-tried": "Not tried, to keep it short; name one with --rule: {rules}.",
    "comparison.without-data": "There is no competition, so the cells ran without its data.",
    "comparison.rows": "Compared on the first {rows} rows of every CSV.",
    "comparison.copying": "Copying the first {rows} rows of the data",
    "comparison.old": "Running with the old libraries",
    "comparison.new": "Running with today's libraries, all known fixes applied",
    "comparison.without": "Running without the fix of {rule} ({number} of {of})",
    "comparison.impossible": "The comparison was not possible: {reason}",
    "comparison.cancelled": "The comparison was cancelled.",
    "comparison.old-fails": "With the old libraries cell {cell} fails: {problem}",
    "data-head.files": "Only the first {files} of the competition's files are there.",
    "data-head.packed": "{file} was left out: it cannot be unpacked.",
    "data-head.large": "{file} was left out: it is no CSV that could be cut, and large.",
    "proof.against": "The result is not proven.",
    "proof.unfinished": (
        "The proof was not finished: where the result comes from is not shown. What was shown so "
        "far is kept."
    ),
    "proof.for": "The result comes from training: with shuffled labels the score is lost.",
    "proof.neither": (
        "The experiments show nothing that speaks against the result, and do not prove it."
    ),
    "proof.cells-failed": "Cells on the way to the submission fail ({cells}).",
    "proof.copy": "The submission is a copy of {file}.",
    "proof.labels-unused": "Trained on shuffled labels it submits the same predictions.",
    "proof.score-kept": "Trained on shuffled labels it scores as well.",
    "proof.score-not-computed": "Trained on shuffled labels it prints the same score.",
    "proof.follows-ids": "Its predictions belong to the ids and not to the rows.",
    "proof.follows-places": "Its predictions belong to the rows' places.",
    "proof.all-the-same": "It predicts the same for every row.",
    "proof.other": "{kind}: {finding}.",
    # Refusals
    "conflict.at-work": "Work on this notebook is going on; cancel it or wait for its end.",
    "conflict.nothing-ran": "Nothing has run to its end yet; run the notebook first.",
    "conflict.cut-off": (
        "The last run was cut off; run the notebook again before asking for a fix."
    ),
    "conflict.nothing-to-look-for": (
        "There is no score that is compared with a target; nothing to look for."
    ),
    # Refusals of batch
    "batch.no-result": "The batch has no result {key} that can be read.",
    "batch.no-proposal": "The batch proposes nothing for {name}.",
    "batch.notebook-elsewhere": (
        "{name} is not among the files that this server shows. Start JupyterLab in a folder above "
        "it."
    ),
    "batch.notebook-changed": (
        "{name} was changed since the batch read it. Modernize it here, or start the batch again."
    ),
    "batch.file-too-large": "{name} of the batch cannot be read: it is missing or too large.",
    "batch.session-unreadable": "{name} of the batch cannot be read.",
    "batch.too-many": "The batch has more than {most:thousands} results.",
    "batch.no-folder": "{root} is not the folder of a batch.",
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
        "The scheduler is gone. What was done is kept; the same command goes on with the rest."
    ),
    "batch.folder-taken": "{root} is neither empty nor the folder of a batch; name another.",
    "file.not-writable": "{path} cannot be written ({why}).",
    "batch.other-settings": (
        "{root} holds a batch with other settings ({changed}): its results would not be "
        "comparable. Name another folder, or give the settings it was begun with "
        "(study.json)."
    ),
    "batch.study-unreadable": "{path} cannot be read as the study of a batch: {why}",
    "manifest.none": "{what} is no folder, no manifest ({formats}) and matches no file.",
    "manifest.no-notebook": "There is no notebook (.ipynb) in {what}.",
    "manifest.too-large": "{path} is larger than {most_bytes:thousands} bytes.",
    "file.not-readable": "{path} cannot be read ({why}).",
    "manifest.no-column": "{path} has no column `notebook`.",
    "manifest.line": "{path}, line {line_num}: {error}.",
    "manifest.no-yaml": "{path} is no YAML: {error}",
    "manifest.no-list": "{path} must be a list of mappings, one a notebook.",
    "manifest.unknown-fields": "It has what is not known: {fields}.",
    "manifest.names-none": "It names no notebook.",
    "file.missing": "There is no file {path}.",
    "manifest.no-number": "{name} must be a number from 0, not {value}.",
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
        "--package adds to an environment that is made for the notebook, and {environment} stays "
        "as it is: leave --environment out, or choose `{own}` or `{own_time}`."
    ),
    "file.exists": "{path} exists; name another file.",
    "cli.no-dask": (
        "A batch needs Dask: pip install 'mle-modernizer[batch]' (here, and wherever its "
        "workers run)."
    ),
    "cli.docker-only": (
        "--image, --memory, --cpus, --gpu and --pip are for the sandbox `docker`, not for "
        "`{sandbox}`."
    ),
    "cli.price-unknown": (
        "The price of {model} is not known, so --total-cost cannot be kept. Set "
        "MLE_MODERNIZER_PRICE, or bound the tokens (--total-tokens)."
    ),
    "cli.no-metric-fits": "No everyday metric fits these targets; name one with --metric.",
    "cli.no-ipynb": "{output} does not end in .ipynb, as a notebook's name does.",
    "cli.output-exists": "{path} exists; add --force to overwrite it, or name another file.",
    "cli.no-submission": "{path} is not a file; name a submission (.csv).",
    "cli.name-competition": (
        "Name the competition with --competition; below {root} there are: {names}."
    ),
    "cli.score-without-target": "--score needs --target-score, with which it is compared.",
    "cli.score-not-graded": "--score is not graded: it goes with neither --grader nor a floor.",
    "cli.grader-competition": "MLE-bench's grader needs --competition.",
    "cli.sends-to-kaggle": "This sends {path} to Kaggle; --yes says that it may.",
    "cli.same-file": "--output and --report name the same file.",
    "cli.no-database": (
        "There are no sessions yet: {database} does not exist. Sessions are kept by the "
        "Jupyter server; name its file with --database."
    ),
    "cli.no-rule": "There is no rule {rule}; `jupyter modernize rules` lists all.",
    "cli.no-such-sessions": "No session's path begins with {path}.",
    # Refusals of environments
    "environment.not-made-here": "That is no environment made here; `environments` lists them.",
    "environment.missing": "There is no environment {environment_id}.",
    "environment.in-use": "Something runs in the environment {environment_id} now.",
    "environment.being-made": "The environment {environment_id} is being made now.",
    "environment.changed": (
        "The environment {environment_id} is not as it was made; remove it (`jupyter "
        "modernize environments --remove {environment_id}`), and it is made anew."
    ),
    "environment.disk-full": (
        "The disk of {root} is full; remove environments (`jupyter modernize environments`) "
        "or make room."
    ),
    "environment.too-large": (
        "These packages are {size} GB to download, more than the limit of {most_download} GB;"
        " the largest are {largest}."
    ),
    "environment.not-locked": "What was installed is not what was locked.",
    "environment.no-requirement": "{given} is no plain requirement: a name and versions.",
    "environment.no-version": "{python} is no version of Python.",
    "environment.cancelled": "Cancelled.",
    "environment.not-made": "The environment could not be made. {words}",
    "environment.no-python": "No Python from 3.6 on was found to make an environment from.",
    "environment.no-uv": "The package `uv` is not installed; it makes the environments.",
    "environment.uv-broken": "The program of the package `uv` is missing; install it again.",
    "program.not-started": "{program} cannot be started ({why}).",
    "environment.too-long": "It took longer than {limit:precise} seconds.",
    "environment.uv-says": "{words} uv: {detail}",
    # Refusals of execution
    "given.no-path": "--file {path}={file}: {path2} is no path of a file.",
    "given.no-file": "--file {path}={file}: there is no file {file}.",
    "given.unusable": "--file {path}={file}: {why}.",
    "given.no-place": (
        "--file {path}={file}: no file can be put there in this sandbox; the system's files "
        "or the competition's data lie there."
    ),
    "interpreter.missing": (
        "There is no Python at {path}; name the interpreter of the old libraries."
    ),
    "interpreter.silent": "{path} does not answer like a Python 3.6 or newer ({name}).",
    "interpreter.too-old": "{path} is Python {found}; a comparison needs 3.6 or newer.",
    "interpreter.too-much": (
        "The files of {path} lie in {directory}, and a sandbox would have to show all of it. "
        "Make a virtual environment of that Python elsewhere, and name that one."
    ),
    "interpreter.not-in-sandbox": (
        "An old Python of this machine cannot run in the sandbox `{name}`; choose "
        "`bubblewrap`, or `process` if you trust the notebook."
    ),
    "notebook.language": (
        "{name} is a notebook in {language}; only Python notebooks can be modernized."
    ),
    "notebook.no-code": "{name} has no code to run. Open a notebook with at least one code cell.",
    "notebook.same-ids": "{name} has two cells of the same id; save it again with JupyterLab.",
    "notebook.too-large": (
        "{path} has {size:rough} MB, more than the {largest_notebook:precise} MB that are "
        "read; clear its outputs, or move data out of its cells into files."
    ),
    "notebook.not-readable": "{path} cannot be read ({strerror}). Check the path and your rights.",
    "notebook.no-json": (
        "{path} is not a notebook: it holds no JSON ({error}). Open a Jupyter notebook "
        "(.ipynb); a script can be turned into one with jupytext."
    ),
    "notebook.format": (
        "{name} has the notebook format {major}; 3 and 4 can be read. Save it again with a "
        "current JupyterLab."
    ),
    "notebook.no-cells": (
        "{name} is JSON but not a notebook: it has no cells. Open a Jupyter notebook (.ipynb)."
    ),
    "notebook.damaged": (
        "{name} is a damaged notebook ({error}). Open it in JupyterLab and save it again."
    ),
    "notebook.name-one": "{path} {what}; name a notebook (.ipynb).",
    "notebook.too-large-outputs": (
        "{path} has {size:rough} MB, more than the {most_bytes:rough} MB that are read of a "
        "notebook; clear its outputs (in JupyterLab: Clear Outputs of All Cells)."
    ),
    "notebook.metadata": "The metadata `{metadata_key}` of {path} must be an object.",
    "notebook.metadata-competition": "`{metadata_key}.competition` in {path} must be a text.",
    "notebook.metadata-number": "`{metadata_key}.{key}` in {path} must be a finite number.",
    "notebook.metadata-wrong": "`{metadata_key}` in {path}: {error}.",
    "output.is-notebook": "{output} is the notebook itself, which is never changed; name another.",
    "output.is-directory": "{output} is a directory; name a file.",
    "output.no-directory": "The directory {parent} does not exist.",
    "sandbox.no-kernel": (
        "No kernel starts in the sandbox `{sandbox}`: {error}. Check that ipykernel works in "
        "this Python environment, or choose another sandbox."
    ),
    "competition.no-data": (
        "The data of the competition are missing: there is no directory {public}. Put the "
        "competition's public files there."
    ),
    "sandbox.packages-unknown": (
        "The installed packages cannot be listed; what will break cannot be told before a run"
        " ({name})."
    ),
    "sandbox.none-isolates": (
        "No sandbox that isolates the notebook works here. {reasons} The sandbox `process` "
        "runs anywhere, but notebook code then has your own rights on this machine: choose "
        "`process` by name if you trust the notebook."
    ),
    "sandbox.unknown": "There is no sandbox `{name}`. Choose one of: {every}.",
    "sandbox.provisioner": (
        "Kernels of the sandbox `{chosen}` are started by the kernel provisioner "
        "`{provisioner}`: name that one in the kernelspec."
    ),
    "docker.elsewhere": (
        "The Docker engine does not see this machine's directories ({words}): it runs on "
        "another machine, or the server itself runs in a container. Choose another sandbox."
    ),
    "docker.no-shell": (
        "The image `{image}` has no shell to start a kernel with ({words}). Choose an image "
        "with Python and ipykernel."
    ),
    "docker.no-container": "The Docker engine does not start a container: {words}.",
    "docker.refuses": "{reason}.",
    "docker.image-unknown": "The image `{name}` cannot be looked up: {error}. Check its name.",
    "docker.silent": (
        "The Docker engine at {host} does not answer any more; see whether it runs (`docker "
        "info`), and run the notebook again."
    ),
    "docker.no-image": (
        "There is no image `{name}` that you may read ({words}). Check its name, log in to "
        "its registry (`docker login`), or choose another image or sandbox."
    ),
    "docker.image-not-fetched": (
        "The image `{name}` could not be fetched ({words}). Try again, bring it to this "
        "machine in another way (`docker load`), or choose another image or sandbox."
    ),
    "docker.no-gpu": (
        "A GPU was asked for, but the Docker engine has none to give: install the NVIDIA "
        "Container Toolkit on a machine with a GPU, or ask for none (`gpus`)."
    ),
    "docker.kernel-late": (
        "The kernel in the image `{image}` did not start within {start_limit:precise} "
        "seconds; the machine may have too much to do. Try again."
    ),
    "docker.sockets-exchanged": "The kernel's sockets were exchanged while it started.",
    "docker.no-kernel": "No kernel starts on the Docker engine: {error}",
    "kernelspec.not-written": "The kernel cannot be put into the menu ({why}).",
    "kernelspec.not-in-menu": "No kernel was put into the menu for this notebook.",
    "kernelspec.missing": "There is no kernelspec `{name}`.",
    "docker.packages-unknown": (
        "The image does not tell which packages it has; what will break cannot be told before"
        " a run ({last})."
    ),
    "docker.python-of-machine": (
        "{python} is a Python of this machine and cannot run in a container. Choose the "
        "image's own environment, or another sandbox."
    ),
    "docker.image-not-here": (
        "The image `{name}` is not on this machine: fetch it with `docker pull {name}`, or "
        "run a notebook in the `docker` sandbox once, which fetches it with progress."
    ),
    "docker.data-closed": (
        "The data of the competition cannot be read from a container: {unreadable} is closed "
        "to others. Open it with `chmod -R a+rX {public}`."
    ),
    "docker.no-size": "The {name} is a size such as 30g or 512m, not {text}.",
    "docker.no-gpus-setting": "GPUs are auto, none, all or a number, not {text}.",
    "docker.files-not-moved": (
        "The notebook's files could not be {way} the Docker engine ({words}). Try again, or "
        "choose another sandbox."
    ),
    "scratch.not-made": (
        "The scratch directory cannot be made in {place}: {why}. Free some space there, or "
        "set another directory for temporary files (TMPDIR)."
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
    "prices.no-yaml": "The price list {file} is no YAML: {error}",
    "prices.twice": "The price list {file} names the model {model} twice.",
    "llm.address": (
        "The address of the language model cannot be used: it must start with http:// or "
        "https://, name a host and hold no password. Check MLE_MODERNIZER_BASE_URL."
    ),
    "llm.api": "MLE_MODERNIZER_API must be auto, chat or responses, not {text}.",
    "llm.setting": "{name} must be {wanted}, not {text}.",
    "llm.switch": "{name} must be 1 or 0, not {text}.",
    "llm.key-unreadable": (
        "The key file {file} cannot be read ({name}). Check its path, and that the Jupyter "
        "server may read it."
    ),
    "llm.key-empty": "The key file {file} is empty. Put the key on its first line.",
    "rules.no-folder": "There is no folder {folder} with rules. Check `rules_path`.",
    "rules.too-many": "{folder} holds more than {most_files} files of rules.",
    # Refusals of grading
    "competition.file-leads-out": "{slug}/{file_name} is a link that leads out of its folder.",
    "competition.path-leads-out": "{slug}: {path} is a link that leads out of its folder.",
    "competition.no-public": "{slug} has no directory prepared/public with the data.",
    "competition.folder-leads-out": (
        "The folder of {slug} is a link that leads out of the data root."
    ),
    "competition.too-large": "{label} is larger than 1 MB; that is no description.",
    "competition.no-yaml": "{label} cannot be read as YAML: {what}",
    "competition.no-mapping": "{label} must be a mapping of fields such as `metric: rmse`.",
    "competition.wrong": "{label}: {error}",
    "competition.in-private": "{label}: `{field}` must not lie in prepared/private.",
    "competition.answers-public": (
        "{label}: `answers` must lie in prepared/private, which no notebook sees."
    ),
    "competition.other-id": "{label}: `id` is {written}, the folder {folder}.",
    "competition.direction": (
        "{label}: `higher_is_better` contradicts `metric`: of {metric}, {direction} is better."
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
        "{label}: `target_columns` is left out, and the sample submission {sample_submission}"
        " that would tell them is no use: {message}"
    ),
    "competition.sample-ids-only": "{label}: the sample submission has no column beside the ids.",
    "holdout.share": "The share held out must lie between 0 and 1, not {share:precise}.",
    "holdout.empty-side": (
        "With {rows:thousands} rows and a share of {share:precise} one side of the split is empty."
    ),
    "mlebench.not-installed": (
        "The package mlebench is not installed in this Python, and there is no command "
        "`mlebench`; install it from https://github.com/openai/mle-bench or leave out "
        "`--grader mlebench`."
    ),
    "mlebench.too-long": "MLE-bench's grader took longer than {seconds:precise} s.",
    "mlebench.failed": "MLE-bench's grader failed: {last}",
    "own-competition.no-directory": "{folder} is no directory.",
    "own-competition.several-files": (
        "The labelled data is not to be told in {folder} ({names}); name it with --train."
    ),
    "own-competition.no-column": "{chosen} has no column {name}; it has {there}.",
    "own-competition.exists": "{folder} has {names} already; add --force to write them anew.",
    "own-competition.leads-out": "{name} is a link that leads out of {folder}; remove it.",
    "own-competition.unusable": "{path} cannot be used: {message}",
    "own-competition.no-target": "Line {lines} has no {name}: every row needs a target.",
    "own-competition.needs-numbers": (
        "{metric} takes numbers, and {name} has others; choose a metric of labels such as "
        "accuracy, or write the labels as 0 and 1."
    ),
    "own-competition.needs-two": (
        "{metric} needs targets of 0 and 1, and {name} has others; metrics that fit: {fitting}."
    ),
    "own-competition.id-twice": "An id occurs more than once in column {id_column}.",
    "own-competition.row-column": "There is a column {row_id} that is no id; rename it.",
    "own-competition.no-split-column": (
        "There is no column {column} to split by; there are {there}."
    ),
    # Refusals of kaggle
    "kaggle.unreachable": "Kaggle cannot be reached for {what} ({name}). Is there a network?",
    "kaggle.unreadable": "Kaggle's answer for {what} cannot be read ({name}).",
    "kaggle.not-installed": (
        "This needs the package kaggle, which is not installed in this Python (or not "
        "usable). Install it: pip install 'mle-modernizer[kaggle]' (Python 3.11 or newer)."
    ),
    "kaggle.token": (
        "Kaggle does not accept your token for {what}. Make a new one: "
        "https://www.kaggle.com/settings/api"
    ),
    "kaggle.rules": (
        "Kaggle refuses {what}: most often the rules are not accepted yet. Join the "
        "competition and accept them: https://www.kaggle.com/competitions/{slug}/rules"
    ),
    "kaggle.no-access": "Kaggle refuses {what}: your account may not see it.",
    "kaggle.unknown": "Kaggle does not know {what}. Is the name spelled as in its address?",
    "kaggle.refuses": "Kaggle refuses {what} ({status}){words}",
    "archive.broken": "The archive cannot be unpacked ({error}).",
    "archive.too-many": "The archive holds more than {most_members:thousands} files.",
    "archive.twice": "The archive holds {member} twice.",
    "archive.link": "The archive holds {member}, which is a link or no plain file.",
    "archive.path": "The archive holds {member}, a path that must not be in it.",
    "archive.too-large": "Unpacked, it is larger than {most_bytes:precise} GB; see --max-size.",
    "kaggle.no-slug": "{text} is no competition's name; it is the end of its address.",
    "kaggle.own-answers": (
        "{folder} holds answers of its own, made from other data than Kaggle's test set. Use "
        "another --data-root."
    ),
    "kaggle.there-already": "{public} is there already. --force fetches it anew.",
    "kaggle.broke-off": (
        "The download broke off after {done:thousands} of {total:thousands} bytes. Try again."
    ),
    "kaggle.data-too-large": (
        "The data is larger than {most_bytes:precise} GB; --max-size allows more."
    ),
    "kaggle.no-room": "There is no room below {parent} for {size} GB.",
    "kaggle.no-notebook-name": (
        "{text} is no notebook's name; it is OWNER/SLUG, the end of its address."
    ),
    "kaggle.file-exists": "{file} exists; name another directory with --into, or --force.",
    "kaggle.no-notebook": "{owner}/{slug} is a {kind}, not a notebook.",
    "kaggle.notebook-too-large": "{owner}/{slug} is too large.",
    "kaggle.answer-empty": "Kaggle's answer for {what} holds no notebook.",
    "kaggle.closed": "{slug} takes no submissions any more.",
    "kaggle.notebooks-only": (
        "{slug} takes notebooks only, no CSV: it has to be submitted from a notebook on "
        "Kaggle's own site."
    ),
    "kaggle.not-sent": "{csv} could not be sent to Kaggle. Nothing was submitted.",
    "kaggle.not-scored": "Kaggle could not score the submission: {why}",
    "kaggle.not-scored-yet": (
        "The submission {ref} is not scored after {waited:rough} s. It stays at Kaggle, under"
        " My submissions."
    ),
    # Refusals of papers
    "file.not-readable-why": "{path} cannot be read: {strerror}.",
    # Refusals of reproducing
    "reproduction.no-claim": (
        "{source} has no claim that was found, so there is nothing to check a notebook with. "
        "Results that stand in figures alone are not read."
    ),
    "reproduction.too-many": "{count} claims are more than the {most_claims_chosen} of a notebook.",
    "reproduction.unknown-claim": "There is no claim {unknown} in this paper.",
    # Refusals of web
    "request.files-elsewhere": (
        "This server keeps its files elsewhere than in a directory; make the competition with"
        " `jupyter modernize competition init` in a terminal."
    ),
    "request.too-large": (
        "The request has {length} MB, more than the {most_bytes:precise} MB that are taken "
        "here. A notebook is sent without its outputs; move large texts and data out of its "
        "cells, into files."
    ),
    "request.no-json": "The request's body is no JSON: {error}",
    "request.too-deep": "The request's body is no JSON of ours: it is nested too deeply.",
    "request.format": "format is json, markdown or html, not {wanted}.",
    "request.no-number": "{name} is a whole number, not {text}.",
    "request.no-file": "There is no file {path} in the file browser.",
    # Refusals of wiring.py
    "sandbox.setting-unknown": "There is no sandbox {sandbox}; there are {known}.",
    # Refusals of workflow
    "own-competition.name-leads-out": "{wish} below the data root is a link that leads out of it.",
    "own-competition.folder-exists": (
        "There is a folder {wish} in {root} already; choose another name, or say that it may "
        "be overwritten."
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
    "decision.work-goes-on": "Decisions cannot be taken back while work goes on.",
    "decision.has-run": "The notebook has run since; ask for another fix instead.",
    "decision.accepted-already": "This change has been accepted already.",
    "decision.stale": "The cell was changed after the fix was proposed; ask for the fix again.",
    "decision.needs-yes": (
        "This edit changes the experiment (data, features, model, parameters, seed or split)."
        " Accept it by itself, with your explicit yes."
    ),
    "conflict.nothing-run": "Nothing has run to its end yet; run the notebook first.",
    "conflict.has-score": "This run has a score that was {score_kind}.",
    "environment.none-made": (
        "This server makes no environments (MLE_MODERNIZER_MAKE_ENVIRONMENTS)."
    ),
    "era.unknown": "Nothing in the notebook tells when it was written; name a year (`--era 2018`).",
    "environment.unknown": (
        "There is no environment {wanted}: name a kernelspec, a conda environment, a path, "
        "`{server}`, `{own}` or `{own_time}`; `jupyter modernize environments --for NOTEBOOK`"
        " lists what is there."
    ),
    "environment.cannot-run": "The environment {wanted} cannot run a notebook ({trouble}).",
    "conflict.no-fix-due": "The notebook needs no fix; choose a fix type to ask for one anyway.",
    "conflict.rehearsal-errors": (
        "A rehearsal shows errors only; run the notebook for anything else."
    ),
    "conflict.rules-first": (
        "Before the first run only the rules are asked; no model is sent anything."
    ),
    "exchange.none": "Nothing was sent to a model for {exchange}.",
    "store.newer": (
        "{where} was written by a newer version of MLE Modernizer; update this one, or set "
        "another database file."
    ),
    "store.unusable": "The session database {where} cannot be used: {error}",
    "session.missing": "There is no session {session_id}; it may have been deleted.",
    "session.no-notebook": "Session {session_id} has no notebook {digest}.",
    "store.not-writable": "The session database cannot be written: {error}.",
    "store.closing": "The server is shutting down.",
    "conflict.no-model-chosen": "The model is not among the fixers chosen: nothing will be spent.",
    "finish.no-run": "There is no run to finish the notebook with; run it first.",
    "finish.not-whole": (
        "Run {wanted} did not run the whole notebook on all data; run it again to finish it."
    ),
    "conflict.has-run": "The notebook has run; ask for a fix of what the run showed.",
    "conflict.two-runs": "A strict verification needs at least two runs.",
    "conflict.nothing-to-measure": (
        "There is no score that is compared with a target; nothing to measure."
    ),
    "compare.no-version": "There is no other version to compare the notebook with.",
    "folds.no-competition": "Validation folds need a competition's data; choose a competition.",
    "own-time.unknown-libraries": (
        "The server knows no old libraries {old_python}; it knows {known}."
    ),
    "conflict.sandbox-python": "Notebooks run in the sandbox's own Python here.",
    "finish.outputs-gone": "The outputs of run {number} are not kept; run it again to finish it.",
    "finish.replaced-gone": "What finishing this notebook replaced is not kept any more.",
    "budget.price-unknown": (
        "The price of {model} is not known, so a limit on its cost cannot be kept. Set "
        "MLE_MODERNIZER_PRICE (input,cached,output in USD per million tokens) where the "
        "server or the command starts, or take the limit away."
    ),
    "folds.cannot": "No validation folds can be made because {error}.",
    "not-folded.few-rows": (
        "{rows:thousands} rows in {folds} folds leave {least} in the smallest; {needed} are "
        "needed for a score that says something"
    ),
    "not-folded.one-label": "all rows of the training data have the same label",
    "not-folded.few-values": "{column} has {values} values, too few for {folds} folds",
    "not-folded.too-long": "cutting so much data takes too long",
    "not-folded.unreadable": "the data cannot be read or written ({reason})",
    "not-folded.no-column": "the training data have no column {column}",
    "not-folded.empty-sample": "the sample submission is empty",
    "not-folded.no-csv": "{table} is no CSV",
    "not-folded.too-large": "{table} is too large to cut",
    "not-folded.two-tables": "labels and features lie in two tables, {table} and another",
    "not-folded.columns-missing": "{table} has no column {columns}",
    "not-folded.other-columns": "the test data have columns that {table} has not: {column}",
    "folds.too-long": (
        "A run takes {seconds:rough} seconds, so {count} folds take {needed:rough} for the "
        "notebook alone, more than the budget of {budget:rough}. Give it more time, or fewer "
        "folds, which show less."
    ),
    "own-time.sandbox": (
        "The target is found in an environment made here; choose the sandbox `bubblewrap` or "
        "`process`."
    ),
    "reproduction.settings": (
        "The runs must be 1 to {most_repeated}, and the tolerance a share between 0 and 1."
    ),
    "reproduction.no-claims-named": (
        "{name} does not say which claims it is to reproduce; make the notebook with `jupyter"
        " modernize paper FILE --output NOTEBOOK`."
    ),
    "writing.rounds": "The rounds of a stage must be 1 to {most}.",
    "writing.sections": (
        "The notebook lacks sections that a model fills in; make it again from the paper."
    ),
    "claims.no-reply": (
        "LLM failed: no usable answer from {model} in {count} try. {mistake} The claims are those "
        "that rules found.",
        "LLM failed: no usable answer from {model} in {count} tries. {mistake} The claims are "
        "those that rules found.",
    ),
    "claims.over-budget": (
        "The question would take about {tokens} tokens, which is more than the bound allows."
    ),
    "claims.other-file": (
        "{path} is not a file with claims that a model read; move it, and ask again."
    ),
    "writing.no-file": "The notebook's file cannot be read; save it first.",
    "writing.no-paper": (
        "The paper {paper} does not lie beside the notebook as it was when the notebook was made."
    ),
    "conflict.not-written-so": "A paper's notebook is written by its own button.",
    "writing.no-price": "A bound on money needs the price of the model, which is not known.",
    "writing.unreadable": "{path} cannot be read; remove it to begin anew.",
    "writing.other-paper": "{path} is of another paper or other claims; remove it to begin anew.",
    "reproduction.too-large": "The metadata of {name} are larger than those of a reproduction.",
    "reproduction.wrong": "What {name} says of its claims cannot be used ({where}: {first}).",
    "reproduction.names-used": "There are {most_names} notebooks of {paper} already; remove some.",
    "paper.unknown-format": (
        "{path} is no paper that can be read: give LaTeX (a .tex file or an archive as arXiv "
        "has it), PDF, Markdown or HTML."
    ),
    "paper.too-large": "{path} is too large, or holds more than a paper does.",
    "paper.bad-archive": "{path} is an archive that cannot be unpacked.",
    "paper.no-source": "{path} is an archive without a LaTeX document in it.",
    "paper.damaged": "{path} is damaged and cannot be read.",
    "paper.encrypted": "{path} needs a password; save a copy without one.",
    "paper.scanned": (
        "{path} has pictures of pages and no text; a version with text is needed (the "
        "publisher's PDF, or the LaTeX sources)."
    ),
    "paper.empty": "{path} has no text.",
    "paper.time": "{path} takes too long to read.",
    "paper.memory": "{path} takes too much memory to read.",
    "paper.crashed": "{path} cannot be read: the process that reads it broke down.",
    "archive.both": "The archive holds {member} both as a file and as a directory.",
    "kaggle.rate-limit-seconds": (
        "Kaggle takes no more requests for now (rate limit). Try again in {seconds} seconds."
    ),
    "kaggle.rate-limit": (
        "Kaggle takes no more requests for now (rate limit). Try again in some minutes."
    ),
    "kaggle.trouble": "Kaggle has trouble of its own ({status}). Try again later.",
    "competition.unknown": "There is no competition {slug} below {root}.",
    "competition.meant": "Did you mean {names}?",
    "competition.there-are-more": (
        "There are: {names} and {more} more (`jupyter modernize competition list` names all)."
    ),
    "competition.there-are": "There are: {names}.",
    "competition.none-there": "No competition lies there; set the data root.",
    "kaggle.not-written": "The data cannot be written below {root} ({why}).",
    "era.wrong": (
        "The era must be a year such as 2018, or versions such as 'pandas 0.23, sklearn 0.19'."
    ),
    "sandbox.unusable": "The sandbox `{name}` cannot be used: {reason}.",
    "sandbox.gives-no-network": (
        "The sandbox `{name}` gives a run no way to the network; bubblewrap does. Or have the file "
        "fetched once, or put it beside the notebook."
    ),
    "run.network-none": "This run was allowed the network, and reached no server.",
    "run.network": "This run was allowed the network, and reached {servers}.",
    "run.network-refused": "Not let through: {servers}.",
    "sandbox.other-works": "`{name}` works here.",
    "sandbox.other-not-isolated": (
        "`{name}` works here, but gives no isolation: choose it if you trust the code."
    ),
    "docker.no-ipykernel": (
        "The image `{image}` has no ipykernel, so no notebook can run in it. Install it there"
        " (`pip install ipykernel`), or choose another image."
    ),
    "docker.image-cannot": (
        "The image `{image}` cannot run a kernel: {words}. Choose another image."
    ),
    "docker.little-memory": "The memory of {memory} is not enough to start a kernel; give it more.",
    "docker.image-no-kernel": "No kernel starts in the image `{image}` (exit code {exit}): {words}",
    "kaggle.token-refused": (
        "Kaggle does not accept the token in KAGGLE_API_TOKEN. Make a new one: "
        "https://www.kaggle.com/settings/api"
    ),
    "kaggle.no-token": (
        "There is no Kaggle token. Make one at https://www.kaggle.com/settings/api and put it"
        " into KAGGLE_API_TOKEN or ~/.kaggle/access_token (an older key into KAGGLE_USERNAME "
        "and KAGGLE_KEY or ~/.kaggle/kaggle.json)."
    ),
    "docker.image-not-yet": (
        "its image {image} is not on this machine yet; choose `docker` by name to have it fetched"
    ),
    "bubblewrap.linux-only": "bubblewrap exists on Linux only",
    "bubblewrap.not-installed": "bwrap is not installed (the package is `bubblewrap`)",
    "bubblewrap.not-started": "bwrap does not start: {error}",
    "bubblewrap.no-namespaces": "bwrap may not make its namespaces on this machine ({words})",
    "docker.needs-unix": "containers are reached through Unix sockets; run JupyterLab within WSL 2",
    "docker.windows-containers": (
        "the Docker engine runs Windows containers; switch it to Linux containers"
    ),
    "docker.maps-users": (
        "the Docker engine maps user ids (userns-remap), so that a container could not write "
        "the scratch directory; use an engine without it, or a rootless one"
    ),
    "docker.no-right": (
        "you have no right to use the Docker engine at {host}; ask to be added to the group "
        "`docker` (that right is as good as root's), or use a rootless engine"
    ),
    "docker.host-silent": "the Docker engine at {host} does not answer ({words})",
    "docker.none-answers": (
        "no Docker engine answers at {host}; install Docker, or start it (`systemctl start docker`)"
    ),
    "sandbox.reason": "{name}: {reason}.",
}

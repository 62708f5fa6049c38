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
        "notebook's folder (or name it with --file URL=FILE), and run again."
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
    "improve.review": (
        'Review the version "{version}": it was better on {folds} validation folds. It changes '
        "the experiment."
    ),
    "improve.unknown": "No such version was better than the notebook.",
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
    "own-time.score": "With {libraries} the score is {score:precise}.",
    "own-time.is-target": "It is the target now.",
    "own-time.no-score": "With {libraries} it gives no score.",
    "own-time.runs-without-score": "With {libraries} it runs and gives no score.",
    "own-time.fails": "With {libraries} it does not run either.",
    "backport.made": "The kernel {kernel} is in the menu now; the notebook runs there unchanged.",
    "backport.not-made": "So no kernel was put into the menu.",
    "backport.removed": "The kernel is out of the menu; its environment stays until it is removed.",
    "conflict.kernel-in-menu": (
        "A kernel in Jupyter's menu runs in this environment; take it out first "
        "(`jupyter modernize backport NOTEBOOK --remove`)."
    ),
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
}

"""Output of a batch: a live table on a terminal, plain lines elsewhere, a final message."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.batch.engine import Progress
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.result import Receipt, Status
from mle_modernizer_server.batch.study import Job, Problem
from mle_modernizer_server.cli.terminal.money import usage_text
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.screen import clock
from mle_modernizer_server.domain.statistics import State

_SECONDS_BETWEEN_LINES = 30.0
_OLD = 15.0
"""Seconds until a batch's status is stale."""
_MOST_ROWS = 12
_WORDS = {
    State.ERROR_FREE_REPRODUCIBLE: "error-free, reproducible",
    State.ERROR_REPRODUCIBLE: "with errors, reproducible",
    State.ERROR_FREE_NON_REPRODUCIBLE: "error-free, not reproducible",
    State.ERROR_NON_REPRODUCIBLE: "with errors, not reproducible",
    State.TIMEOUT: "out of time",
    State.FAILED: "failed",
    State.NOT_RUN: "not run",
}
_WORDS_WITHOUT_TARGET = _WORDS | {
    State.ERROR_FREE_NON_REPRODUCIBLE: "error-free",
    State.ERROR_NON_REPRODUCIBLE: "with errors",
}


class BatchScreen:
    """Shows the progress of a batch."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._said_at = 0.0

    def show(self, progress: Progress) -> None:
        """Take the current progress."""
        self._progress = progress
        now = time.monotonic()
        if not self._console.is_terminal and now - self._said_at > _SECONDS_BETWEEN_LINES:
            self._said_at = now
            self.say(progress_line(progress))

    def ended(self, job: Job, receipt: Receipt) -> None:
        """Print a job that has a result now."""
        name = job.line.name if job.arm == "modernized" else f"{job.line.name} ({job.arm})"
        self.say(f"{one_line(name, 80)}: {outcome_text(receipt)}, {clock(receipt.seconds)}")

    def say(self, text: str) -> None:
        """Print a line, above the live part."""
        self._console.print(Text(harmless(text)), soft_wrap=True)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Display progress during the work."""
        if not self._console.is_terminal:
            yield
            return
        with Live(
            console=self._console,
            get_renderable=self._renderable,
            refresh_per_second=2,
            transient=True,
        ):
            yield

    def _renderable(self) -> RenderableType:
        progress = self._progress
        if progress is None:
            return Text("Starting the workers")
        bar = ProgressBar(total=max(progress.total, 1), completed=progress.done, width=50)
        table = Table.grid(padding=(0, 2))
        now = time.monotonic()
        for job, since in list(progress.running.values())[:_MOST_ROWS]:
            worker = progress.places.get(job.key, "")
            name = Text(one_line(job.line.name, 60))
            table.add_row(Text(one_line(worker, 30)), name, job.arm, clock(now - since))
        return Group(Text(progress_line(progress)), bar, table)


def outcome_text(receipt: Receipt) -> str:
    """Return the outcome of a job, in a few words."""
    if receipt.status in (Status.REFUSED, Status.SET_ASIDE):
        return one_line(receipt.message, 200)
    return (_WORDS if receipt.has_target else _WORDS_WITHOUT_TARGET)[receipt.state]


def progress_line(progress: Progress) -> str:
    """Return the progress of a batch, on one line."""
    parts = [f"{progress.done} of {progress.total} done", f"{len(progress.running)} at work"]
    if progress.done:
        parts[0] += f" ({_outcomes(progress)})"
    if progress.stopping and progress.running:
        parts.append("stopping")
    if progress.rate:
        parts.append(f"{progress.rate * 3600:.0f} an hour")
    if progress.seconds_left and not progress.stopping:
        parts.append(f"about {clock(progress.seconds_left)} left")
    if spent := usage_text(progress.usage):
        parts.append(spent)
    return ", ".join(parts)


def _outcomes(progress: Progress) -> str:
    words = _WORDS if progress.has_targets else _WORDS_WITHOUT_TARGET
    states = progress.states
    found = [f"{states[state]} {words[state]}" for state in words if states[state]]
    return ", ".join(found)


def running_lines(progress: Progress) -> list[str]:
    """Return the work of each worker, and its duration so far."""
    now = time.monotonic()
    lines = []
    for job, since in list(progress.running.values()):
        worker = one_line(progress.places.get(job.key, ""), 30)
        where = f"{worker}: " if worker else ""
        lines.append(f"{where}{one_line(job.line.name, 60)} ({job.arm}), {clock(now - since)}")
    return lines


def standing_lines(folder: StudyFolder) -> list[str]:
    """Return the progress of a batch by its status or, if stale, by its folder's workers."""
    standing = folder.standing()
    age = None if standing is None else (datetime.now(timezone.utc) - standing.at).total_seconds()
    if standing is not None and age is not None and age < _OLD:
        return [standing.line, *(f"  {line}" for line in standing.running)]
    owners = folder.owners()
    at_work = [f"  {one.worker or 'somebody'} on {one.host}: {key}" for key, one in owners.items()]
    if standing is None or age is None:
        return at_work
    ended = not owners and bool(standing.running)
    cut_off = ["It was interrupted; run the same command again to continue."] if ended else []
    return [f"{standing.line} ({clock(age)} ago)", *cut_off, *at_work]


def learned_line(folder: StudyFolder) -> str:
    """Return the rules learned from a model's fixes; empty if none."""
    rules = folder.learned()
    if not rules:
        return ""
    many = "1 rule was" if len(rules) == 1 else f"{len(rules)} rules were"
    return f"{many} learned from the model's fixes: {folder.rules}"


def outcomes_table(
    states: Mapping[State, int], statuses: Mapping[Status, int], has_targets: bool
) -> Table:
    """Return the numbers of outcomes; `has_targets`: whether any had a score to reach."""
    table = Table("outcome", "notebooks", show_header=True)
    for state, words in (_WORDS if has_targets else _WORDS_WITHOUT_TARGET).items():
        if states.get(state):
            table.add_row(words, f"{states[state]:,}")
    for status in (Status.REFUSED, Status.SET_ASIDE):
        if statuses.get(status):
            table.add_row(f"of these {status.value}", f"{statuses[status]:,}")
    return table


def problem_line(problem: Problem) -> str:
    """Return a problem with its line."""
    name = f" ({one_line(problem.name, 80)})" if problem.name else ""
    return f"line {problem.line}{name}: {one_line(problem.message, 400)}"

"""Progress display: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.terminal.environment_text import choice_line, remark_line
from mle_modernizer_server.cli.terminal.improvement import guards_text
from mle_modernizer_server.cli.terminal.proofs import experiment_line
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.verification import run_line
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.improvement import Improvement
from mle_modernizer_server.domain.session import Phase, Progress, RunKind, Session
from mle_modernizer_server.domain.text import counted
from mle_modernizer_server.words import CellNames, text
from mle_modernizer_server.workflow.service import Event, era_of, events

_WIDTH_OF_PLAIN_OUTPUT = 120
_REFRESHES_PER_SECOND = 4
_MOST_ERRORS = 10
"""Errors of a run that are printed as they happen."""
_SECONDS_BETWEEN_PLAN_LINES = 5


def new_console(*, stderr: bool = False) -> Console:
    """Return standard output or error; if it is no terminal, wide enough for tables."""
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_PLAIN_OUTPUT
    return console


class Screen:
    """Follows a session's events and shows them.

    Attributes:
        console: Where to print.
        names: Returns the names of a session's cells; None leaves positions.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.names: Callable[[Session], CellNames] | None = None
        self._named: dict[str, CellNames] = {}
        self._live: Live | None = None
        self._session: Session | None = None
        self._last_line = ""
        self._said_at = -math.inf
        self._experiments = 0
        self._errors = 0

    def __call__(self, session: Session, event: Event) -> None:
        """Show an event; a listener of the journal."""
        self._session = session
        if isinstance(event, events.Progressed):
            if event.error is not None:
                self._show_error(event.error, event.ordinal, self._cells(session))
            elif self._live is None:
                self._say_plainly(event, self._cells(session))
        elif isinstance(event, events.Created):
            return  # the prompts that name the cells are stored after it
        elif isinstance(event, events.RunStarted):
            self._errors = 0
            kind = ", a rehearsal" if event.run is RunKind.REHEARSAL else ""
            self.say(f"Run {len(session.iterations)}{kind}", style="bold")
        else:
            for line in _lines(session, event, self._cells(session)):
                self.say(line)
            if isinstance(event, events.Improved):
                self._say_experiments(event.improvement)

    def _cells(self, session: Session) -> CellNames | None:
        """Return the names of a session's cells; each version of a notebook is read once."""
        if self.names is None:
            return None
        current = session.current
        digest = session.notebook_hash if current is None else current.notebook_hash
        if digest not in self._named:
            self._named[digest] = self.names(session)
        return self._named[digest]

    def say(self, text: str, style: str = "") -> None:
        """Print a line (above the live one)."""
        self.console.print(Text(harmless(text), style=style), soft_wrap=True)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Display progress during the work; on a terminal one line, updated four times a second."""
        if not self.console.is_terminal:
            yield
            return
        live = Live(
            console=self.console,
            get_renderable=self._status,
            refresh_per_second=_REFRESHES_PER_SECOND,
            transient=True,
        )
        with live:
            self._live = live
            try:
                yield
            finally:
                self._live = None

    def _say_plainly(self, event: events.Progressed, cells: CellNames | None) -> None:
        """Print a plain progress line; do not repeat unchanged parts, or a plan as it grows."""
        line = one_line(event.message, cells=cells)
        now = time.monotonic()
        growing = event.phase is Phase.FIXING and now - self._said_at < _SECONDS_BETWEEN_PLAN_LINES
        if line and line != self._last_line and not growing:
            self._last_line = line
            self._said_at = now
            self.say(line)

    def _say_experiments(self, found: Improvement) -> None:
        """Print the results of the experiments since the last event."""
        for proof in found.experiments[self._experiments :]:
            self.say(experiment_line(proof))
        self._experiments = len(found.experiments)

    def _show_error(self, error: CellError, ordinal: int | None, cells: CellNames | None) -> None:
        """Print an error of a run, up to a number: most of many follow from the first ones."""
        self._errors += 1
        if self._errors > _MOST_ERRORS:
            if self._errors == _MOST_ERRORS + 1:
                self.say("  More errors: the summary has their causes.", style="dim")
            return
        where = "the notebook" if ordinal is None else f"cell {ordinal}"
        if ordinal is not None and cells is not None:
            where = f"cell {cells.of(error.cell_id) or ordinal}"
        if error.line is not None:
            where += f", line {error.line}"
        word = "Error" if error.raised else "Error output (the cell continued)"
        word = "Expected error (raises-exception)" if error.expected else word
        style = "red" if error.raised else "dim"
        self.say(f"  {word} in {where}: {one_line(f'{error.ename}: {error.evalue}')}", style=style)

    def _status(self) -> RenderableType:
        session = self._session
        progress = None if session is None else session.progress
        if session is None or progress is None:
            return Text("")
        grid = Table.grid(padding=(0, 2))
        row: list[RenderableType] = [Spinner("dots"), Text(one_line(progress.message, 60))]
        if session.phase is Phase.RUNNING:
            row += _elapsed(progress, progress.time_limit or session.settings.time_limit)
        grid.add_row(*row)
        return grid


def _lines(session: Session, event: Event, cells: CellNames | None) -> Iterator[str]:
    """Yield the lines of an event that is not progress."""
    if isinstance(event, events.Dated) and (summary := era_of(session).summary):
        yield f"Written for {text(summary)}"
    elif isinstance(event, events.EnvironmentSettled):
        yield f"Environment: {choice_line(event.choice)}"
        yield from (f"  - {remark_line(remark)}" for remark in event.choice.remarks)
    elif isinstance(event, events.Proposed) and event.adopted:
        proposal = event.proposal
        edited = counted(len(proposal.edits), "cell")
        yield f"Fix by {proposal.fixer.value} ({proposal.fix_type.value}), {edited}:"
        for step in proposal.plan:
            yield f"  - {one_line((step,), 500, cells)}"
    elif isinstance(event, events.Unrehearsed):
        yield one_line(event.reason, 500, cells)
    elif isinstance(event, events.Diagnosed | events.Rehearsed):
        yield one_line(event.diagnosis.summary, 500, cells)
    else:
        yield from _measured(event, cells)


def _measured(event: Event, cells: CellNames | None) -> Iterator[str]:
    """Yield the results of a study so far."""
    if isinstance(event, events.Verified) and event.verification.runs:
        found = event.verification
        if not (found.cancelled or found.failed):
            yield run_line(found.runs[-1], found.asked)
    elif isinstance(event, events.NoiseMeasured) and (not event.noise.runs or event.noise.done):
        yield one_line(event.noise.message, 500, cells)
    elif isinstance(event, events.CauseSought) and event.calibration.done:
        yield one_line(event.calibration.message, 1000, cells)
    elif isinstance(event, events.Improved):
        improvement = event.improvement
        if not improvement.runs and not improvement.done:
            yield from guards_text(improvement, cells).splitlines()


def _elapsed(progress: Progress, limit: float) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if progress.total:
        done = (progress.ordinal or 1) - 1
        parts.append(ProgressBar(total=progress.total, completed=done, width=24))
    if progress.cells_started_at is not None:
        elapsed = (datetime.now(timezone.utc) - progress.cells_started_at).total_seconds()
        parts.append(Text(f"{clock(elapsed)} of {clock(limit)}"))
    if progress.errors:
        raised = sum(error.raised for error in progress.errors)
        parts.append(Text(counted(raised, "error"), style="red"))
    return parts


def clock(seconds: float) -> str:
    """Return minutes and seconds, from an hour on with hours: `1:12`, `2:01:12`."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"

"""Overview of a batch: one row for each notebook, and the batch's progress."""

from __future__ import annotations

from datetime import datetime

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.statistics import State


class BatchRow(Value):
    """Result of one notebook in one arm.

    Attributes:
        key: Base name of its files in the batch's folder.
        name: Name of the notebook in the batch.
        path: Path below the server's root; None if the notebook is outside of it.
        arm: Configuration in which it was processed.
        repetition: From 1.
        status: Final state of the work: `done`, `refused`, `set-aside`.
        has_target: Whether there was a target score.
        first: Result of its first run.
        last: Result of its best run.
        runs: Number of runs.
        fixes: Number of proposals applied.
        by_model: Whether a language model wrote one of them, or the rule that wrote it.
        score: Score of the best run; None if absent.
        deviation: Deviation of that score from the target, as a fraction of the target.
        seconds: Seconds from the first file read to the last written.
        cost: Cost of the model calls in dollars; None if a price is unknown.
        changed: Whether the batch stores a changed notebook to review.
        message: State of the work, or the reason why nothing was done.
    """

    key: str
    name: str
    path: str | None
    arm: str
    repetition: int
    status: str
    has_target: bool
    first: State
    last: State
    runs: int
    fixes: int
    by_model: bool
    score: float | None
    deviation: float | None
    seconds: float
    cost: float | None
    changed: bool
    message: str


class BatchStanding(Value):
    """Latest progress report of a batch, written by its own command.

    Attributes:
        at: Time of the report.
        line: Count done, speed, remaining work and cost so far.
        running: Notebooks in progress, a line each.
    """

    at: datetime
    line: str
    running: tuple[str, ...]


class BatchOverview(Value):
    """Contents of a batch's folder.

    Attributes:
        path: The folder, below the server's root.
        what: Folder, glob or manifest that the batch was started with.
        arms: Configurations in which each notebook is processed.
        rows: Rows that are new since the request's stamp; all if it had none.
        done: Number of results in total.
        unreadable: Number of these that cannot be read.
        stamp: Stamp for the next request.
        standing: Latest progress; None if the command never reported any.
        report: Path of the report's page below the server's root; None before it is written.
    """

    path: str
    what: str
    arms: tuple[str, ...]
    rows: tuple[BatchRow, ...]
    done: int
    unreadable: int
    stamp: int
    standing: BatchStanding | None
    report: str | None

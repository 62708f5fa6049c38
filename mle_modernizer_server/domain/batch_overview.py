"""A batch as it is looked at: a line a notebook, and where it stands."""

from __future__ import annotations

from datetime import datetime

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.statistics import State


class BatchRow(Value):
    """What came of one notebook in one arm.

    Attributes:
        key: Names its files in the batch's folder.
        name: What the notebook is called in the batch.
        path: Where it is below the server's root; None where it lies elsewhere.
        arm: The way in which it was worked on.
        repetition: From 1.
        status: How the work ended: `done`, `refused`, `set-aside`.
        has_target: Whether there was a score to reach.
        first: Where its first run left it.
        last: Where its best run left it.
        runs: How many runs there were.
        fixes: How many proposals went into it.
        by_model: Whether a language model wrote one of them, or taught a rule that did.
        score: Of the best run; None where there is none.
        deviation: Of that score from the target, as a share of it.
        seconds: From the first file read to the last written.
        cost: What the model cost in dollars; None where no price is known.
        changed: Whether the batch keeps a changed notebook to review.
        message: Where it stands, or why nothing was done.
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
    """Where a batch stood last, as its own command said it.

    Attributes:
        at: When that was.
        line: How many are done, how fast, what is left, what it has cost.
        running: What is worked on, a line each.
    """

    at: datetime
    line: str
    running: tuple[str, ...]


class BatchOverview(Value):
    """A batch's folder.

    Attributes:
        path: The folder, below the server's root.
        what: The folder, glob or manifest that it was started with.
        arms: The ways in which each notebook is worked on.
        rows: What is new since the stamp that was asked with; all where there was none.
        done: How many results there are in all.
        unreadable: How many of these cannot be read.
        stamp: To ask with next time.
        standing: Where it stood last; None where its command never said so.
        report: The report's page below the server's root; None before it is written.
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

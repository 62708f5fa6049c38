"""Result of one notebook in one arm: the value that is written to the folder, one file each."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from pydantic import Field

from mle_modernizer_server.batch.study import Line
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.statistics import SessionFacts, State


class Status(str, Enum):
    """How a job ended for good."""

    DONE = "done"
    """It was worked on to its end, with any outcome."""
    REFUSED = "refused"
    """It cannot be worked on: no notebook, a competition that is not there, a wrong setting."""
    SET_ASIDE = "set-aside"
    """Its workers died."""


class RunScore(Value):
    """Grade of one run."""

    number: int
    output: OutputStatus
    score: float | None = None
    deviation: float | None = None
    """From the target, as a share of it."""
    within: bool = False
    """Whether the deviation is inside the threshold."""
    timeout: bool = False


class Result(Value):
    """Result of a job."""

    key: str
    line: Line
    arm: str
    repetition: int
    status: Status
    message: str
    """A sentence or two: the outcome, or why there is none."""
    started: datetime
    seconds: float
    """From the first file read to the last written."""
    worker: str
    version: str
    """Of MLE Modernizer."""
    notebook_hash: str = ""
    competition: str | None = None
    target: float | None = None
    first_year: int | None = None
    """Earliest year of its writing; None if unknown."""
    last_year: int | None = None
    sandbox: str = ""
    python: str = ""
    packages: dict[str, str] = Field(default_factory=dict)
    """Of its imports, by import name: the versions of its best run."""
    scores: tuple[RunScore, ...] = ()
    """Of the runs on all data that were graded."""
    best: int | None = None
    """Number of the best run."""
    facts: SessionFacts | None = None
    """Runs, fixes and their cost; None if nothing ran."""
    modernized: bool = False
    """Whether the batch keeps a changed notebook."""
    out_of_budget: bool = False
    """The batch's budget ended before its work did: it is repeated if there is more."""

    @property
    def first_state(self) -> State:
        """Return the state after its first run."""
        return State.NOT_RUN if self.facts is None else self.facts.first

    @property
    def last_state(self) -> State:
        """Return the state after its best run."""
        return State.NOT_RUN if self.facts is None else self.facts.best

    @property
    def usage(self) -> Usage:
        """Return the cost of the model."""
        return Usage() if self.facts is None else self.facts.usage


class Receipt(Value):
    """A worker's short message once a job's files are written, or could not be."""

    key: str
    state: State = State.NOT_RUN
    has_target: bool = False
    """Whether there was a score to reach."""
    status: Status | None = None
    """None: there is no result, and the next start of the batch tries again."""
    message: str = ""
    seconds: float = 0.0
    usage: Usage = Usage()
    out_of_budget: bool = False
    stopped: bool = False
    """It was stopped from outside, which is not an error."""

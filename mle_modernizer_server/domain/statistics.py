"""Effects, costs and extent of fixes: of one session, of many, and of a batch."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, Verdict
from mle_modernizer_server.domain.settings import Mode


class State(str, Enum):
    """State of a notebook after a run: the columns of the paper's Table 4, and two more."""

    TIMEOUT = "timeout"
    ERROR_NON_REPRODUCIBLE = "error-non-reproducible"
    ERROR_FREE_NON_REPRODUCIBLE = "error-free-non-reproducible"
    ERROR_REPRODUCIBLE = "error-reproducible"
    ERROR_FREE_REPRODUCIBLE = "error-free-reproducible"
    FAILED = "failed"
    """It failed, but not by the time limit."""
    NOT_RUN = "not-run"
    """No run on all data has completed."""

    @property
    def reproducible(self) -> bool:
        """Return whether the score is inside the band."""
        return self in (State.ERROR_REPRODUCIBLE, State.ERROR_FREE_REPRODUCIBLE)

    @property
    def error_free(self) -> bool:
        """Return whether every cell ran without an error."""
        return self in (State.ERROR_FREE_REPRODUCIBLE, State.ERROR_FREE_NON_REPRODUCIBLE)


class Spread(Value):
    """Distribution of numbers; quartiles by linear interpolation."""

    count: int
    mean: float
    least: float
    lower: float
    """First quartile."""
    median: float
    upper: float
    """Third quartile."""
    most: float


class RunFacts(Value):
    """One run of a session."""

    number: int
    fixes: int
    """Number of fixes made before it."""
    state: State
    seconds: float | None = None
    """Wall-clock time of the cells; None if none was run."""
    similarity_to_original: float
    """1 − edit distance of the code cells / their length: 1 is equal, 0 is nothing in common."""
    similarity_to_previous: float | None = None
    """Similarity to the previous run; None for the first."""
    errors: dict[str, int]
    """Root errors by type; cascades and harmless ones do not count."""


class FixFacts(Value):
    """One fix and its effect."""

    proposal: str
    iteration: int
    """The run after which it was proposed; 0 is before the first."""
    fixer: FixerName
    model: str = ""
    fix_type: FixType
    scope: FixScope
    edits: int
    accepted: int
    """Number of edits applied to the notebook that ran next."""
    before: State
    """State after the run it was made for."""
    after: State
    """State after the following run; `not-run` if the fix was rejected or nothing ran."""
    similarity: float | None = None
    """Similarity of the notebook that ran next to the one the fix was made for."""
    usage: Usage = Usage()
    learned: bool = False
    """Whether a rule learned from a model's fix contributed."""

    @property
    def applied(self) -> bool:
        """Return whether any of it was applied to the notebook."""
        return self.accepted > 0


class SpentFacts(Value):
    """Cost of a run's fixers that returned no proposal."""

    fix_type: FixType
    """The fix type that was due."""
    scope: FixScope
    usage: Usage


class SessionFacts(Value):
    """Data for a session's statistics."""

    session: str
    path: str
    created_at: datetime
    seq: int
    """Number of the last event included."""
    phase: Phase
    verdict: Verdict | None = None
    mode: Mode
    runs: tuple[RunFacts, ...]
    fixes: tuple[FixFacts, ...]
    """Every proposal, applied or not, in order; an auto session's final review is none."""
    spent: tuple[SpentFacts, ...] = ()
    first: State
    """State after the first run."""
    best: State
    """State after the best run."""
    similarity: float | None = None
    """Similarity of the best run's notebook to the original; None before any run."""
    fixes_made: int
    usage: Usage


class FixRow(Value):
    """The fixes of one kind and their effects (a row of the paper's Table 4)."""

    name: str
    """The fix type, the scope or the fixer."""
    proposed: int
    applied: int
    led_to: dict[State, int]
    """Number of applied fixes by resulting state; a missing state has none."""
    reproducible: int
    """Number of applied fixes that made a notebook reproducible that was not so before."""
    asked: int
    """Number of model calls, also without result."""
    usage: Usage
    similarity: Spread | None = None
    """Similarity to the notebook that each applied fix was made for."""


class Transition(Value):
    """Number of transitions from one state to another by fixes of one kind."""

    fix_type: FixType
    scope: FixScope
    fixer: FixerName
    before: State
    after: State
    fixes: int


class ErrorRow(Value):
    """One type of error: how long it persists."""

    name: str
    sessions: int
    """Number of sessions with it as a root error."""
    by_fixes: tuple[int, ...]
    """Root errors of this type after 0, 1, 2, … fixes, over all sessions with that many."""
    took: tuple[int, ...]
    """Number of sessions in which it disappeared after 0, 1, 2, … fixes from its first
    occurrence."""
    left: int
    """Number of sessions that end with it."""


class FixCount(Value):
    """Sessions that made this many fixes."""

    fixes: int
    sessions: int
    reproducible: int
    """Number of these whose best run is reproducible."""


class OutcomeCount(Value):
    """Number of sessions that went from one state to another."""

    first: State
    best: State
    sessions: int


class SimilarityCount(Value):
    """Similarity of notebooks to the original after this many fixes."""

    fixes: int
    similarity: Spread


class Statistics(Value):
    """Statistics of some sessions."""

    sessions: int
    runs: int
    outcomes: tuple[OutcomeCount, ...]
    fixes_made: tuple[FixCount, ...]
    """By number of fixes, from the fewest."""
    mean_fixes: float | None = None
    """Mean over all sessions; None without sessions."""
    mean_fixes_reproducible: float | None = None
    """Mean over sessions whose best run is reproducible."""
    by_type: tuple[FixRow, ...]
    by_scope: tuple[FixRow, ...]
    by_fixer: tuple[FixRow, ...]
    transitions: tuple[Transition, ...]
    errors: tuple[ErrorRow, ...]
    """The most frequent type first."""
    seconds: Spread | None = None
    """Wall-clock time of a run."""
    similarity_to_original: tuple[SimilarityCount, ...]
    similarity_to_previous: Spread | None = None
    """Similarity of every run's notebook that a fix changed to the previous run's."""
    usage: Usage


class SessionStatistics(Value):
    """Answer of `GET /sessions/{id}/statistics`."""

    facts: SessionFacts
    statistics: Statistics
    """Statistics of this session alone."""


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

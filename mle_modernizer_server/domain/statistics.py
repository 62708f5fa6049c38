"""What fixes led to, what they cost and how far they went: of one session and of many."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.proposal import FixerName, Usage
from mle_modernizer_server.domain.session import Mode, Phase, Verdict


class State(str, Enum):
    """Where a run left a notebook: the columns of the paper's Table 4, and two more."""

    TIMEOUT = "timeout"
    ERROR_NON_REPRODUCIBLE = "error-non-reproducible"
    ERROR_FREE_NON_REPRODUCIBLE = "error-free-non-reproducible"
    ERROR_REPRODUCIBLE = "error-reproducible"
    ERROR_FREE_REPRODUCIBLE = "error-free-reproducible"
    FAILED = "failed"
    """It failed, but not by the time limit."""
    NOT_RUN = "not-run"
    """No run on all data has come to its end."""

    @property
    def reproducible(self) -> bool:
        """Whether the score is inside the band."""
        return self in (State.ERROR_REPRODUCIBLE, State.ERROR_FREE_REPRODUCIBLE)

    @property
    def error_free(self) -> bool:
        """Whether every cell ran without an error."""
        return self in (State.ERROR_FREE_REPRODUCIBLE, State.ERROR_FREE_NON_REPRODUCIBLE)


class Spread(Value):
    """How numbers are spread; quartiles by linear interpolation."""

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
    """How many fixes were made before it."""
    state: State
    seconds: float | None = None
    """Wall-clock time of the cells; None where it never got so far."""
    similarity_to_original: float
    """1 − edit distance of the code cells / their length: 1 is the same, 0 nothing in common."""
    similarity_to_previous: float | None = None
    """The same to the run before; None for the first."""
    errors: dict[str, int]
    """Root errors by type; cascades and harmless ones do not count."""


class FixFacts(Value):
    """One fix and what it led to."""

    proposal: str
    iteration: int
    """The run after which it was proposed; 0 is before the first."""
    fixer: FixerName
    model: str = ""
    fix_type: FixType
    scope: FixScope
    edits: int
    accepted: int
    """How many of the edits went into the notebook that ran next."""
    before: State
    """Of the run it was made for."""
    after: State
    """Of the run that followed; `not-run` where the fix was rejected or nothing ran."""
    similarity: float | None = None
    """Of the notebook that ran next to the one the fix was made for."""
    usage: Usage = Usage()
    learned: bool = False
    """Whether a rule had a part in it that a model's fix taught."""

    @property
    def applied(self) -> bool:
        """Whether any of it went into the notebook."""
        return self.accepted > 0


class SpentFacts(Value):
    """What a run's fixers cost that came back with nothing."""

    fix_type: FixType
    """The one that was due."""
    scope: FixScope
    usage: Usage


class SessionFacts(Value):
    """What a session's statistics are made of."""

    session: str
    path: str
    created_at: datetime
    seq: int
    """The event up to which they hold."""
    phase: Phase
    verdict: Verdict | None = None
    mode: Mode
    runs: tuple[RunFacts, ...]
    fixes: tuple[FixFacts, ...]
    """Every proposal, taken or not, in order; an auto session's final review is none."""
    spent: tuple[SpentFacts, ...] = ()
    first: State
    """Of the first run."""
    best: State
    """Of the best run."""
    similarity: float | None = None
    """Of the best run's notebook to the original; None before any run."""
    fixes_made: int
    usage: Usage


class FixRow(Value):
    """The fixes of one kind and what they led to (a row of the paper's Table 4)."""

    name: str
    """The fix type, the scope or the fixer."""
    proposed: int
    applied: int
    led_to: dict[State, int]
    """How many of the applied ones led there; what is not listed, none."""
    reproducible: int
    """How many of the applied ones made the notebook reproducible: not so before, so after."""
    asked: int
    """How often a model was asked, also in vain."""
    usage: Usage
    similarity: Spread | None = None
    """To the notebook that each applied fix was made for."""


class Transition(Value):
    """How often fixes of one kind led from one state to another."""

    fix_type: FixType
    scope: FixScope
    fixer: FixerName
    before: State
    after: State
    fixes: int


class ErrorRow(Value):
    """One type of error: how long it stays."""

    name: str
    sessions: int
    """Sessions that met it as a root error."""
    by_fixes: tuple[int, ...]
    """Root errors of this type after 0, 1, 2, … fixes, of all sessions that came so far."""
    took: tuple[int, ...]
    """In how many sessions it was gone after 0, 1, 2, … fixes, counted from where it was met."""
    left: int
    """Sessions that end with it."""


class FixCount(Value):
    """Sessions that made this many fixes."""

    fixes: int
    sessions: int
    reproducible: int
    """Those whose best run is reproducible."""


class OutcomeCount(Value):
    """Sessions that went from one state to another."""

    first: State
    best: State
    sessions: int


class SimilarityCount(Value):
    """How similar notebooks still are to the original after this many fixes."""

    fixes: int
    similarity: Spread


class Statistics(Value):
    """Of some sessions."""

    sessions: int
    runs: int
    outcomes: tuple[OutcomeCount, ...]
    fixes_made: tuple[FixCount, ...]
    """By number of fixes, from the fewest."""
    mean_fixes: float | None = None
    """A session; None without sessions."""
    mean_fixes_reproducible: float | None = None
    """A session whose best run is reproducible."""
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
    """Of every run's notebook that a fix changed to the one of the run before."""
    usage: Usage


class SessionStatistics(Value):
    """Answer of `GET /sessions/{id}/statistics`."""

    facts: SessionFacts
    statistics: Statistics
    """Of this session alone."""

"""What repeated clean runs say of a notebook: its scores, their spread, and whether they fit."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import Outcome
from mle_modernizer_server.domain.message import Messages

MOST_RUNS = 10
"""As many runs as the paper's verification makes at most."""
STEADY_RUNS = 3
"""Equal scores of so many runs are enough: the notebook is taken to be deterministic."""
SIGNIFICANCE = 0.05
"""Scores and target are consistent from this p on."""
SURE = 0.001
"""Below this p the runs end early: the target is not among such scores."""


class VerificationKind(str, Enum):
    """How much it takes to believe an outcome."""

    QUICK = "quick"
    """One clean run inside the band."""
    STRICT = "strict"
    """Repeated clean runs whose scores are consistent with the target."""


class RepeatedRun(Value):
    """One clean run that was made to measure, not to fix: it is no iteration."""

    number: int
    """From 1."""
    outcome: Outcome
    score: float | None
    within_threshold: bool
    seconds: float
    """Wall-clock time of the notebook."""
    reseeded: bool = False
    """Of a copy with other seeds."""
    reason: Messages = ()
    """Why there is no score."""


class Spread(Value):
    """A sample of scores in figures."""

    count: int
    mean: float
    deviation: float | None
    """Standard deviation of the sample (n - 1); None for a single score."""
    least: float
    greatest: float
    low: float | None
    """Lower end of the 95 % confidence interval of the mean (Student's t)."""
    high: float | None
    steady: bool
    """All scores are the same, but for rounding."""


class Answer(str, Enum):
    """What a verification says."""

    REPRODUCIBLE = "reproducible"
    NOT_REPRODUCIBLE = "not-reproducible"
    OPEN = "open"
    """It goes on, was cancelled too early, or has no target to compare with."""


class Verification(Value):
    """Repeated clean runs of one notebook, each in a fresh kernel, and what they say."""

    kind: VerificationKind
    notebook_hash: str
    """The notebook that ran."""
    iteration: int | None
    """The iteration it is the notebook of; None where none ran it."""
    asked: int
    """How many runs were asked for."""
    runs: tuple[RepeatedRun, ...] = ()
    target: float | None = None
    threshold: float = 0.1
    spread: Spread | None = None
    """Of the scores so far."""
    p_value: float | None = None
    """One-sample t-test, two-sided, of the scores against the target; None where it is not
    defined: fewer than two scores, or all the same."""
    deviation: float | None = None
    """Of the mean score from the target, as a grade's."""
    within_threshold: bool = False
    """Whether the mean score is inside the band."""
    runs_within: int = 0
    """How many of the runs are."""
    answer: Answer = Answer.OPEN
    message: Messages = ()
    """What it says and by which rule."""
    ended: Messages = ()
    """Why there are fewer runs than asked for; empty where there are not, or it goes on."""
    cancelled: bool = False
    done: bool = False
    """No more runs come."""

"""Repeated clean runs of a notebook: scores, spread, and consistency with the target."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import Outcome
from mle_modernizer_server.domain.message import Messages

MOST_RUNS = 10
"""Largest number of runs, as in the paper's verification."""
STEADY_RUNS = 3
"""Number of runs with equal scores after which a notebook is considered deterministic."""
SIGNIFICANCE = 0.05
"""p-value from which scores and target are consistent."""
SURE = 0.001
"""p-value below which the runs end early: the target is inconsistent with the scores."""


class VerificationKind(str, Enum):
    """Evidence required to accept an outcome."""

    QUICK = "quick"
    """One clean run inside the band."""
    STRICT = "strict"
    """Repeated clean runs whose scores are consistent with the target."""


class RepeatedRun(Value):
    """One clean run for measurement, not for fixing: it is no iteration."""

    number: int
    """From 1."""
    outcome: Outcome
    score: float | None
    within_threshold: bool
    seconds: float
    """Wall-clock time of the notebook."""
    reseeded: bool = False
    """Whether it ran a copy with other seeds."""
    reason: Messages = ()
    """Reason why there is no score."""


class Spread(Value):
    """Statistics of a sample of scores."""

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
    """All scores are equal, except for rounding."""


class Answer(str, Enum):
    """Result of a verification."""

    REPRODUCIBLE = "reproducible"
    NOT_REPRODUCIBLE = "not-reproducible"
    OPEN = "open"
    """Still running, cancelled early, or without a target to compare with."""


class Verification(Value):
    """Repeated clean runs of one notebook, each in a fresh kernel, and their result."""

    kind: VerificationKind
    notebook_hash: str
    """Hash of the notebook that ran."""
    iteration: int | None
    """The iteration with that notebook; None if none ran it."""
    asked: int
    """Number of runs requested."""
    runs: tuple[RepeatedRun, ...] = ()
    target: float | None = None
    threshold: float = 0.1
    spread: Spread | None = None
    """Spread of the scores so far."""
    p_value: float | None = None
    """p-value of a two-sided one-sample t-test of the scores against the target; None if undefined:
    fewer than two scores, or all equal."""
    deviation: float | None = None
    """Deviation of the mean score from the target, computed as for a grade."""
    within_threshold: bool = False
    """Whether the mean score is inside the band."""
    runs_within: int = 0
    """Number of runs inside the band."""
    answer: Answer = Answer.OPEN
    message: Messages = ()
    """The result and the rule behind it."""
    ended: Messages = ()
    """Reason why there are fewer runs than requested; empty if there are not, or while running."""
    cancelled: bool = False
    done: bool = False
    """Whether the verification has ended."""

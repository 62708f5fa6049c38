"""Random variation of a notebook's score, and whether it explains the distance to the target."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.verification import RepeatedRun, Spread


class NoiseWish(str, Enum):
    """When auto mode measures the noise before it calibrates a score."""

    WHEN_CHEAP = "when-cheap"
    """If a run takes less than a minute."""
    ALWAYS = "always"
    NEVER = "never"


class NoiseAnswer(str, Enum):
    """Result of comparing the noise with the distance between score and target."""

    WITHIN = "within-noise"
    """The target is within the range of another run's score: no explanation is needed."""
    BEYOND = "beyond-noise"
    """The distance is larger than the notebook's own spread: there is another cause."""
    STEADY = "steady"
    """The score does not depend on randomness, which is not the cause."""
    OPEN = "open"
    """Still running, cancelled early, over budget, or inconclusive."""


class Noise(Value):
    """Repeated runs of one notebook, unchanged and with other seeds, and their spread."""

    notebook_hash: str
    iteration: int
    """The iteration whose notebook is measured; its score is part of the sample."""
    asked: int
    runs: tuple[RepeatedRun, ...] = ()
    seeds: tuple[str, ...] = ()
    """The fixed seeds in the notebook's code; other values were tried."""
    repeats: bool | None = None
    """Whether the unchanged notebook reproduces its score; None: not tried."""
    target: float | None = None
    score: float | None = None
    spread: Spread | None = None
    low: float | None = None
    """Lower end of the range, up to `high`, of one more score with 95 % probability."""
    high: float | None = None
    multiple: float | None = None
    """Distance of the target from the mean score in standard deviations."""
    answer: NoiseAnswer = NoiseAnswer.OPEN
    message: Messages = ()
    """The result and the rule behind it."""
    done: bool = False

"""How far a notebook's score moves by itself, and whether that explains its distance."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.verification import RepeatedRun, Spread


class NoiseWish(str, Enum):
    """When auto mode measures on its own, before a score is calibrated."""

    WHEN_CHEAP = "when-cheap"
    """Where a run takes less than a minute."""
    ALWAYS = "always"
    NEVER = "never"


class NoiseAnswer(str, Enum):
    """What the measurement says of the distance between score and target."""

    WITHIN = "within-noise"
    """The target is where another run's score could well lie: nothing needs an explanation."""
    BEYOND = "beyond-noise"
    """The distance is larger than the notebook's own spread: there is another cause."""
    STEADY = "steady"
    """The score is the same whatever is random: randomness is not the cause."""
    OPEN = "open"
    """It goes on, was cancelled too early, was too long, or cannot tell."""


class Noise(Value):
    """Repeated runs of one notebook, as it is and with other seeds, and their spread."""

    notebook_hash: str
    iteration: int
    """The iteration it is the notebook of; its score belongs to the sample."""
    asked: int
    runs: tuple[RepeatedRun, ...] = ()
    seeds: tuple[str, ...] = ()
    """The seeds the notebook fixes, as they stand in its code: other values were tried."""
    repeats: bool | None = None
    """Whether the notebook as it is gives the same score again; None: not tried."""
    target: float | None = None
    score: float | None = None
    spread: Spread | None = None
    low: float | None = None
    """From here to `high` one more score would lie with 95 % probability."""
    high: float | None = None
    multiple: float | None = None
    """How many standard deviations the target is from the mean score."""
    answer: NoiseAnswer = NoiseAnswer.OPEN
    message: Messages = ()
    """What it says and by which rule."""
    done: bool = False

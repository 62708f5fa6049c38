"""A notebook's run, unchanged, in the libraries of its own time."""

from __future__ import annotations

from datetime import date
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environments import EnvironmentRemark
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.message import Messages


class OwnTimeEnd(str, Enum):
    """What came of it."""

    SCORE = "score"
    """A score, which is a target."""
    OUTPUTS = "outputs"
    """No score, but outputs that can be compared with the saved ones."""
    NO_SCORE = "no-score"
    """It ran, and gave nothing that a later run could be compared with."""
    FAILED = "failed"
    """It does not run there either."""


class OwnTimeRun(Value):
    """What a notebook gave in the libraries of its own time."""

    end: OwnTimeEnd
    notebook_hash: str
    environment: str
    """Id of the environment made for it, which keeps the lock."""
    lock: str
    """SHA-256 of the lock."""
    python: str
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by distribution of what the notebook needs."""
    until: date | None = None
    """No package is newer than this day."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    score: float | None = None
    score_kind: ScoreKind = ScoreKind.GRADED
    reason: Messages = ()
    """Why there is no score, or what fails first."""
    failing: tuple[str, ...] = ()
    """Ids of the cells that fail by themselves."""
    compared: int = 0
    """How many cells' outputs could be compared with the saved ones."""
    agreeing: int = 0
    """How many of them were the same."""
    seconds: float = 0.0
    """Of the run."""

    @property
    def libraries(self) -> str:
        """The libraries and their time: `pandas 0.24.2, scikit-learn 0.20.4 (2019-06)`."""
        named = [f"{name} {version}" for name, version in self.packages.items()]
        shown = ", ".join(named[:_MOST_NAMED]) or f"Python {self.python}"
        return shown if self.until is None else f"{shown} ({self.until:%Y-%m})"


_MOST_NAMED = 4

"""What a run's submission is worth."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric


class OutputStatus(str, Enum):
    """The paper's output status (Table 1), with the invalid CSV told apart."""

    WITH_CSV = "with-csv"
    WITHOUT_CSV = "without-csv"
    INVALID_CSV = "invalid-csv"


class Candidate(Value):
    """A CSV of the run that was looked at as a submission."""

    path: str
    valid: bool
    reason: str = ""
    """Why it is no valid submission, as a sentence."""
    score: float | None = None
    note: str = ""
    """What was overlooked in a valid one, e.g. columns nobody asked for."""


class Grade(Value):
    """The score of a run and its distance to the target."""

    output_status: OutputStatus
    metric: Metric | None = None
    higher_is_better: bool = True
    submission: str | None = None
    """The CSV that was graded, relative to the working directory."""
    score: float | None = None
    """The reproduced score s_r."""
    reason: str = ""
    """Why there is no score, as a sentence."""
    candidates: tuple[Candidate, ...] = ()
    baseline: float | None = None
    """Score of the sample submission: what doing nothing is worth."""
    target: float | None = None
    """The target score s_t."""
    threshold: float = 0.1
    """The replication threshold tau."""
    deviation: float | None = None
    """|s_r - s_t| / |s_t|; the absolute difference where the target is 0."""
    deviation_is_absolute: bool = False
    within_threshold: bool = False
    better_than_target: bool = False

    @property
    def standing(self) -> str:
        """Where the score stands against the target's band, as a sentence without the score.

        Empty where there is nothing to compare.
        """
        if self.score is None or self.target is None:
            return ""
        if self.within_threshold:
            return "The score is within the target's band."
        side = "better" if self.better_than_target else "worse"
        return f"The score is {side} than the target's band."

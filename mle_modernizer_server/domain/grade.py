"""What a run's submission is worth."""

from __future__ import annotations

import math
from enum import Enum

from pydantic import field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import Messages, coded


class OutputStatus(str, Enum):
    """The paper's output status (Table 1), with the invalid CSV told apart."""

    WITH_CSV = "with-csv"
    WITHOUT_CSV = "without-csv"
    INVALID_CSV = "invalid-csv"


class ScoreKind(str, Enum):
    """Where a score comes from; scores of different kinds are not compared unasked."""

    GRADED = "graded"
    """A submission against a competition's answers, here or on a leaderboard."""
    PRINTED = "printed"
    """Read from a cell's output, e.g. a validation score."""
    TYPED = "typed"
    """A figure somebody typed."""


class Which(str, Enum):
    """Which of several scores in a cell's output counts."""

    LAST = "last"
    BEST = "best"


class ScoreReading(Value):
    """How a score is read from what a run printed."""

    cell_id: str | None = None
    """The cell; None: all code cells."""
    pattern: str = "{}"
    """The text around the number, with `{}` in its place, e.g. `Validation AUC: {}`."""
    which: Which = Which.LAST

    @field_validator("pattern")
    @classmethod
    def _one_place(cls, value: str) -> str:
        if value.count("{}") != 1:
            raise ValueError("the pattern needs {} once, where the number stands")
        return value


class TargetSource(str, Enum):
    """Where a suggestion for the target score comes from."""

    METADATA = "metadata"
    TITLE = "title"
    KAGGLE = "kaggle"
    MARKDOWN = "markdown"


class TargetSuggestion(Value):
    """A score the notebook speaks of; the user decides whether it is the target."""

    score: float
    source: TargetSource
    quote: str
    """The line it was found in."""
    cell_id: str | None = None


class DistanceMeasure(str, Enum):
    """Which distance the replication threshold is put on."""

    TARGET = "target"
    """The paper's: relative to the target score."""
    FLOOR = "floor"
    """Relative to what the target is above the floor."""


class FloorKind(str, Enum):
    """What the floor is the score of."""

    SAMPLE = "sample-submission"
    CONSTANT = "constant-prediction"


class Trap(Value):
    """A peculiarity of the grader that decided about a score."""

    what: Messages
    corrected: float | None = None
    """The score without it, where there is one."""


class Candidate(Value):
    """A CSV of the run that was looked at as a submission."""

    path: str
    valid: bool
    reason: Messages = ()
    """Why it is no valid submission."""
    score: float | None = None
    note: Messages = ()
    """What was overlooked in a valid one, e.g. columns nobody asked for."""
    traps: tuple[Trap, ...] = ()


class Doubt(Value):
    """Why a score is not judged yet, whatever it is."""

    copy_of: str = ""
    """The file that the code may have read and that has the same predictions."""
    cells: tuple[str, ...] = ()
    """Ids of the failing cells that the submission depends on."""
    in_band: bool = False
    """Whether the score would be within the threshold."""


class Grade(Value):
    """The score of a run and its distance to the target."""

    output_status: OutputStatus
    metric: Metric | None = None
    higher_is_better: bool = True
    submission: str | None = None
    """The CSV that was graded, relative to the working directory."""
    score: float | None = None
    """The reproduced score s_r."""
    score_kind: ScoreKind = ScoreKind.GRADED
    reason: Messages = ()
    """Why there is no score, or none that is compared."""
    candidates: tuple[Candidate, ...] = ()
    traps: tuple[Trap, ...] = ()
    """Those of the CSV that was graded."""
    baseline: float | None = None
    """Score of the sample submission: what doing nothing is worth."""
    target: float | None = None
    """The target score s_t."""
    target_kind: ScoreKind = ScoreKind.GRADED
    threshold: float = 0.1
    """The replication threshold tau."""
    deviation: float | None = None
    """|s_r - s_t| / |s_t|; the absolute difference where the target is 0."""
    deviation_is_absolute: bool = False
    floor: float | None = None
    """Score of a prediction without knowledge: the best constant, else the sample submission."""
    floor_kind: FloorKind = FloorKind.SAMPLE
    floor_deviation: float | None = None
    """|s_r - s_t| / |s_t - floor|; None where there is no floor or the target is not above it."""
    measure: DistanceMeasure = DistanceMeasure.TARGET
    """Which of the two the threshold was put on."""
    within_threshold: bool = False
    better_than_target: bool = False
    doubt: Doubt | None = None
    """Why the score is not judged yet: then it is neither within the threshold nor better."""
    same_as: str = ""
    """Result of an earlier run, which the code only writes, with the same predictions."""
    perfect: bool = False
    """Whether it is the best score the metric has."""

    @property
    def no_better_than_floor(self) -> bool:
        """Return whether always predicting the same would score as well."""
        if self.score is None or self.floor is None or self.score_kind is not ScoreKind.GRADED:
            return False
        if self.floor_kind is not FloorKind.CONSTANT:
            return False  # a sample submission may hold a model's predictions
        better = self.score > self.floor if self.higher_is_better else self.score < self.floor
        return not better or math.isclose(self.score, self.floor, rel_tol=1e-9, abs_tol=1e-12)

    @property
    def floor_told(self) -> Messages:
        """Return what a prediction without knowledge scores; empty if unknown or no score."""
        if self.score is None or self.floor is None:
            return ()
        if self.floor_kind is FloorKind.CONSTANT:
            return coded("floor.constant", score=self.floor)
        return coded("floor.sample", score=self.floor)

    @property
    def lacks_submission(self) -> bool:
        """Return whether a competition could not grade a run for want of a valid submission."""
        invalid = self.output_status is not OutputStatus.WITH_CSV
        graded = self.target_kind is ScoreKind.GRADED and self.metric is not None
        return self.score is None and invalid and graded

    @property
    def standing(self) -> Messages:
        """Where the score stands against the target's band, without the score.

        Empty where there is nothing to compare.
        """
        if self.score is None or self.target is None:
            return ()
        if self.doubt is not None:
            return coded("score.not-judged")
        if self.within_threshold:
            return coded("score.within-band")
        return coded("score.better" if self.better_than_target else "score.worse")

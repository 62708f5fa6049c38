"""Grade of a run's submission."""

from __future__ import annotations

import math
from enum import Enum

from pydantic import field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import Messages, coded


class OutputStatus(str, Enum):
    """The paper's output status (Table 1), with the invalid CSV as a separate case."""

    WITH_CSV = "with-csv"
    WITHOUT_CSV = "without-csv"
    INVALID_CSV = "invalid-csv"


class ScoreKind(str, Enum):
    """Origin of a score; scores of different kinds are compared on request only."""

    GRADED = "graded"
    """A submission against a competition's answers, here or on a leaderboard."""
    PRINTED = "printed"
    """Read from a cell's output, e.g. a validation score."""
    TYPED = "typed"
    """A number that somebody typed."""


class Which(str, Enum):
    """Which of several scores in a cell's output counts."""

    LAST = "last"
    BEST = "best"


class ScoreReading(Value):
    """How to extract a score from a run's printed output."""

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
    """Origin of a suggested target score."""

    METADATA = "metadata"
    TITLE = "title"
    KAGGLE = "kaggle"
    MARKDOWN = "markdown"


class TargetSuggestion(Value):
    """A score that the notebook mentions; the user decides whether it is the target."""

    score: float
    source: TargetSource
    quote: str
    """The line that contains it."""
    cell_id: str | None = None


class DetectAnswer(Value):
    """The competition that a notebook's paths mention, and the scores that its texts mention."""

    competition: str | None
    """Its slug; None if nothing indicates one."""
    reason: Messages
    """Reason for this result."""
    targets: tuple[TargetSuggestion, ...] = ()
    """The surest first; none is taken without the user's word."""


class DistanceMeasure(str, Enum):
    """Distance to which the replication threshold applies."""

    TARGET = "target"
    """The paper's: relative to the target score."""
    FLOOR = "floor"
    """Relative to the target's distance from the floor."""


class FloorKind(str, Enum):
    """Prediction whose score is the floor."""

    SAMPLE = "sample-submission"
    CONSTANT = "constant-prediction"


class Trap(Value):
    """A peculiarity of the grader that affected a score."""

    what: Messages
    corrected: float | None = None
    """The score without the peculiarity, if any."""


class Candidate(Value):
    """A CSV of the run that was checked as a submission."""

    path: str
    valid: bool
    reason: Messages = ()
    """Reason why it is no valid submission."""
    score: float | None = None
    note: Messages = ()
    """Ignored parts of a valid submission, e.g. unnecessary columns."""
    traps: tuple[Trap, ...] = ()


class Doubt(Value):
    """Reason why a score is not judged yet, whatever its value."""

    copy_of: str = ""
    """The file with the same predictions that the code may have read."""
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
    """Reason why there is no score, or none to compare."""
    candidates: tuple[Candidate, ...] = ()
    traps: tuple[Trap, ...] = ()
    """Traps of the graded CSV."""
    baseline: float | None = None
    """Score of the unchanged sample submission."""
    target: float | None = None
    """The target score s_t."""
    target_kind: ScoreKind = ScoreKind.GRADED
    threshold: float = 0.1
    """The replication threshold tau."""
    deviation: float | None = None
    """|s_r - s_t| / |s_t|; the absolute difference if the target is 0."""
    deviation_is_absolute: bool = False
    floor: float | None = None
    """Score of a prediction without knowledge: the best constant, else the sample submission."""
    floor_kind: FloorKind = FloorKind.SAMPLE
    floor_deviation: float | None = None
    """|s_r - s_t| / |s_t - floor|; None if there is no floor or the target is not above it."""
    measure: DistanceMeasure = DistanceMeasure.TARGET
    """Which of the two distances was compared with the threshold."""
    within_threshold: bool = False
    better_than_target: bool = False
    doubt: Doubt | None = None
    """Reason why the score is not judged yet; if set, the score is neither within the threshold nor
    better."""
    same_as: str = ""
    """Result of an earlier run with the same predictions; the code only writes that file."""
    perfect: bool = False
    """Whether it is the best possible score of the metric."""

    @property
    def no_better_than_floor(self) -> bool:
        """Return whether a constant prediction would score as well."""
        if self.score is None or self.floor is None or self.score_kind is not ScoreKind.GRADED:
            return False
        if self.floor_kind is not FloorKind.CONSTANT:
            return False  # a sample submission may contain a model's predictions
        better = self.score > self.floor if self.higher_is_better else self.score < self.floor
        return not better or math.isclose(self.score, self.floor, rel_tol=1e-9, abs_tol=1e-12)

    @property
    def floor_told(self) -> Messages:
        """Return the score of a prediction without knowledge; empty if unknown or no score."""
        if self.score is None or self.floor is None:
            return ()
        if self.floor_kind is FloorKind.CONSTANT:
            return coded("floor.constant", score=self.floor)
        return coded("floor.sample", score=self.floor)

    @property
    def lacks_submission(self) -> bool:
        """Return whether a competition could not grade a run for lack of a valid submission."""
        invalid = self.output_status is not OutputStatus.WITH_CSV
        graded = self.target_kind is ScoreKind.GRADED and self.metric is not None
        return self.score is None and invalid and graded

    @property
    def standing(self) -> Messages:
        """Return the score's position relative to the target's band, without the score.

        Empty if there is nothing to compare.
        """
        if self.score is None or self.target is None:
            return ()
        if self.doubt is not None:
            return coded("score.not-judged")
        if self.within_threshold:
            return coded("score.within-band")
        return coded("score.better" if self.better_than_target else "score.worse")

"""The modernization of one notebook: settings, iterations, where it stands."""

from __future__ import annotations

import math
from datetime import datetime
from enum import Enum

from pydantic import Field, computed_field, field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import Diagnosis, FixScope
from mle_modernizer_server.domain.era import Era, Evidence, chosen_versions
from mle_modernizer_server.domain.execution import CellError, Execution
from mle_modernizer_server.domain.grade import DistanceMeasure, Grade, ScoreKind, ScoreReading
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal, Usage


class Mode(str, Enum):
    """Who decides between two runs."""

    STEP = "step"
    """The user reviews every fix."""
    AUTO = "auto"
    """Fixes go into a scratch copy; one review of the whole difference at the end."""


class Phase(str, Enum):
    """Where a session stands."""

    READY = "ready"
    """Made, or between two runs: the user's turn."""
    PREPARING = "preparing"
    RUNNING = "running"
    GRADING = "grading"
    FIXING = "fixing"
    REVIEWING = "reviewing"
    """A proposal waits for the user's decisions."""
    FINISHED = "finished"
    """Reproducible, or nothing more can be proposed: `verdict` says which."""
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The server went down in mid-work; the run can be started again."""
    FAILED = "failed"
    """Something went wrong that is not the notebook's fault: `message` says what."""

    @property
    def working(self) -> bool:
        """Whether the server is at work (a run or a fix is going on)."""
        return self in (Phase.PREPARING, Phase.RUNNING, Phase.GRADING, Phase.FIXING)


class Verdict(str, Enum):
    """How a session came out."""

    REPRODUCED = "reproduced"
    NO_FIX = "no-fix"
    """No fixer has anything to propose."""
    BUDGET_SPENT = "budget-spent"
    """The number of fixes allowed is used up."""
    NO_PROGRESS = "no-progress"
    """The same state came back: fixing again would go round in circles."""
    ABOVE_TARGET = "above-target"
    """The score is better than the target's band; nothing pushes it down."""


class RunKind(str, Enum):
    """What a run can decide."""

    CLEAN = "clean"
    """A fresh kernel, the whole notebook, all data: only such a run decides an outcome."""
    RESUMED = "resumed"
    """Went on in the kernel that waited at the first root error."""
    REHEARSAL = "rehearsal"
    """On a sample of the data: what it finds is a hint."""


class SessionSettings(Value):
    """What the user chose; every field has the paper's default."""

    competition: str | None = None
    """Slug; None while unknown: then the notebook is only run and its errors repaired."""
    target_score: float | None = None
    threshold: float = Field(default=0.1, gt=0, le=10)
    distance: DistanceMeasure = DistanceMeasure.TARGET
    """What the threshold is a share of."""
    score_reading: ScoreReading | None = None
    """Where a run without a graded submission prints its score; None: nowhere."""
    target_kind: ScoreKind = ScoreKind.GRADED
    """What the target score is of: only a score of the same kind is compared with it."""
    time_limit: float = Field(default=600.0, gt=0, le=7 * 24 * 3600)
    """Seconds of wall-clock time for the notebook."""
    sandbox: str | None = None
    """None: the best one this machine has."""
    mode: Mode = Mode.STEP
    fixers: tuple[FixerName, ...] = (FixerName.RULES, FixerName.LLM)
    """In this order; the LLM is left out where none is configured."""
    scope: FixScope = FixScope.FILE
    max_fixes: int = Field(default=16, ge=0, le=1000)
    era: str | None = Field(default=None, max_length=200)
    """When the notebook was written, where the user knows: a year (`2018`), or versions
    (`pandas 0.23, sklearn 0.19`). None: it is told from the notebook."""

    @field_validator("target_score")
    @classmethod
    def _finite(cls, value: float | None) -> float | None:
        if value is not None and not math.isfinite(value):
            raise ValueError("the target score must be a finite number")
        return value

    @field_validator("era")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        era = (value or "").strip() or None
        if era is not None:
            chosen_versions(era)
        return era


class EditState(str, Enum):
    """What became of a proposed edit; every edit ends in one of the last four."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    STALE = "stale"
    FAILED = "failed"


class Decision(Value):
    """The user's word on one edit."""

    state: EditState
    partial: bool = False
    """Only some of its hunks were accepted."""


class Review(Value):
    """A proposal and what was decided on its edits."""

    proposal: Proposal
    decisions: dict[str, Decision] = Field(default_factory=dict)
    """By edit id; an edit that is missing is pending."""
    final: bool = False
    """The whole difference of an auto-mode session."""
    adopted: bool = False
    """Went into the scratch copy of an auto-mode session; the user's document knows nothing."""

    def state(self, edit: CellEdit) -> EditState:
        """State of one of the proposal's edits."""
        decision = self.decisions.get(edit.id)
        return EditState.PENDING if decision is None else decision.state

    @property
    def open(self) -> bool:
        """Whether an edit still waits for a decision."""
        return not self.adopted and any(
            self.state(edit) is EditState.PENDING for edit in self.proposal.edits
        )

    @property
    def applied(self) -> bool:
        """Whether any of it went into the notebook that runs next."""
        return self.adopted or any(
            decision.state is EditState.ACCEPTED for decision in self.decisions.values()
        )


class Iteration(Value):
    """One execution with its feedback and the fixes proposed for it."""

    number: int
    """From 1."""
    started_at: datetime
    notebook_hash: str
    """Which notebook ran; the sources are kept beside the log."""
    kind: RunKind = RunKind.CLEAN
    execution: Execution | None = None
    grade: Grade | None = None
    diagnosis: Diagnosis | None = None
    reviews: tuple[Review, ...] = ()
    spent: Usage = Usage()
    """What fixers cost that came back with nothing."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def usage(self) -> Usage:
        """What all fixers cost in this iteration."""
        total = self.spent
        for review in self.reviews:
            total = total + review.proposal.usage
        return total


class Progress(Value):
    """What the server is doing right now."""

    message: str
    cell_id: str | None = None
    ordinal: int | None = None
    """Which code cell is at work, from 1."""
    total: int | None = None
    cells_started_at: datetime | None = None
    """When the first cell started: the clock of the time limit."""
    errors: tuple[CellError, ...] = ()
    """Errors of the run so far, as they came up."""


class Session(Value):
    """The whole modernization of one notebook, as of event `seq`."""

    id: str
    path: str
    """Path of the notebook, relative to the server's root (or the file the CLI was given)."""
    created_at: datetime
    updated_at: datetime
    seq: int
    """Number of the last event of the log that is folded in here."""
    phase: Phase
    settings: SessionSettings
    notebook_hash: str
    """The notebook as it was when the session began."""
    evidence: tuple[Evidence, ...] = ()
    """What its file tells of its era, beside the sources."""
    era: Era | None = None
    """When it was written, told from the notebook as it was when work began; the user's own word
    is in the settings."""
    reviews: tuple[Review, ...] = ()
    """Of fixes that were proposed before the first run; the others are with their iterations."""
    progress: Progress | None = None
    iterations: tuple[Iteration, ...] = ()
    best: int | None = None
    """Number of the best iteration so far: outcome first, then deviation, then fewest fixes."""
    verdict: Verdict | None = None
    message: str = ""
    """One sentence on where it stands, with the next step."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def usage(self) -> Usage:
        """What the session cost so far."""
        total = Usage()
        for iteration in self.iterations:
            total = total + iteration.usage
        return total

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def fixes(self) -> int:
        """Number of proposals that went into the notebook; the final review does not count."""
        return sum(review.applied and not review.final for review in self.all_reviews)

    @property
    def all_reviews(self) -> tuple[Review, ...]:
        """All reviews in their order: those before the first run, then each iteration's."""
        later = (review for iteration in self.iterations for review in iteration.reviews)
        return (*self.reviews, *later)

    @property
    def current(self) -> Iteration | None:
        """The latest iteration."""
        return self.iterations[-1] if self.iterations else None

"""The modernization of one notebook: settings, iterations, where it stands."""

from __future__ import annotations

import math
from datetime import datetime
from enum import Enum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, computed_field, field_validator
from typing_extensions import TypeAliasType

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.budget import Budget, Spending
from mle_modernizer_server.domain.calibration import Calibration
from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorDiagnosis,
    Finding,
    FixScope,
    run_result,
)
from mle_modernizer_server.domain.environments import EnvironmentChoice, MissingPackage
from mle_modernizer_server.domain.era import Era, Evidence, chosen_versions
from mle_modernizer_server.domain.execution import CellError, Ending, Execution, FilesBeside
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.grade import DistanceMeasure, Grade, ScoreKind, ScoreReading
from mle_modernizer_server.domain.improvement import Improvement
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.noise import Noise, NoiseWish
from mle_modernizer_server.domain.origin import Origin
from mle_modernizer_server.domain.own_time import Backport, OwnTimeContrast, OwnTimeRun
from mle_modernizer_server.domain.probe import Probe
from mle_modernizer_server.domain.proof import Proof
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal, Usage
from mle_modernizer_server.domain.rehearsal import Rehearsal, RehearsalSettings, own_errors
from mle_modernizer_server.domain.resources import MOST_RESOURCES, WebAddress
from mle_modernizer_server.domain.saved_outputs import OutputAgreement, PrintedScore
from mle_modernizer_server.domain.verification import Verification
from mle_modernizer_server.domain.waiting import Waiting
from mle_modernizer_server.domain.writing import SessionWriting


class Verdict(str, Enum):
    """How a session came out."""

    REPRODUCED = "reproduced"
    WITHIN_NOISE = "within-noise"
    """Outside the band, but no further from the target than the notebook's own spread."""
    ABOVE_TARGET = "above-target"
    """The score is better than the target's band; nothing pushes it down."""
    BELOW_TARGET = "below-target"
    """It runs without errors, its score is worse than the band, and no cause is left to mend."""
    TARGET_IMPLAUSIBLE = "target-implausible"
    """No run could be expected to score that: a constant's score, or none the metric can have."""
    GRADER_MISMATCH = "grader-mismatch"
    """Target and score are of another kind, direction or scale."""
    NEEDS_EXTERNAL_DATA = "needs-external-data"
    """It reads a file the competition does not have, or downloads one."""
    NON_DETERMINISTIC = "non-deterministic"
    """Repeated runs fall inside the band and outside of it."""
    CANNOT_RUN = "cannot-run"
    """No kernel, code that is no Python, or a package that cannot be had."""
    NEEDS_TIME = "needs-time"
    """No cell failed on its own as far as it came; it needs longer than its time limit."""
    AWAITS_YES = "awaits-yes"
    """What is proposed changes the experiment: a person has to say yes."""
    NO_FIX = "no-fix"
    """No fixer has anything to propose."""
    NOT_EXAMINED = "not-examined"
    """The rules could not examine all of it within their processor time or memory, and have
    nothing to propose for the rest."""
    AS_SAVED = "as-saved"
    """The errors that are left are those of its saved outputs."""
    BUDGET_SPENT = "budget-spent"
    """The fixes, tokens, money or time allowed are used up."""
    REACHED = "reached"
    """The score is there, but a model's or a typed edit led to it and no experiment has shown yet
    that it comes from training."""
    NOT_PROVEN = "not-proven"
    """The score is there, but an experiment shows that no trained model made it."""
    NO_PROGRESS = "no-progress"
    """The fixes changed nothing, or led back to where the session had been."""

    @property
    def success(self) -> bool:
        """Return whether the score is as good as the target asks."""
        return self in (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)

    @property
    def unproven(self) -> bool:
        """Return whether the score is there but not shown to come from training."""
        return self in (Verdict.REACHED, Verdict.NOT_PROVEN)


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


class RunKind(str, Enum):
    """What a run can decide."""

    CLEAN = "clean"
    """A fresh kernel, the whole notebook, all data: only such a run decides an outcome."""
    RESUMED = "resumed"
    """Went on in the kernel that waited at the first root error."""
    REHEARSAL = "rehearsal"
    """On a sample of the data: what it finds is a hint."""


PackageName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$")
]
"""A distribution's name: no path, no address, no option."""
_MOST_PACKAGES = 20


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
    rules_seconds: float = Field(default=30.0, ge=1, le=3600)
    """Processor time for the rules each time they examine the notebook, in seconds."""
    extend_time_limit: bool = False
    """In auto mode, where no cell fails and no fixer can shorten the notebook: run it once more
    with a longer limit, up to an hour. For people who named no limit."""
    sandbox: str | None = None
    """None: the best one this machine has."""
    mode: Mode = Mode.STEP
    fixers: tuple[FixerName, ...] = (FixerName.RULES, FixerName.LLM)
    """In this order; the LLM is left out where none is configured."""
    scope: FixScope = FixScope.FILE
    max_fixes: int = Field(default=16, ge=0, le=1000)
    max_tokens: int | None = Field(default=None, ge=1)
    """Input and output tokens of all fixes together; None: no bound."""
    max_usd: float | None = Field(default=None, gt=0)
    """What the model may cost; None: no bound."""
    max_seconds: float | None = Field(default=None, gt=0)
    """How long may be worked, waiting in line not counted; None: no bound."""
    patience: int = Field(default=3, ge=1, le=1000)
    """After how many fixes in a row that bring nothing auto mode gives up."""
    alternatives: int = Field(default=1, ge=1, le=4)
    """How many fixes auto mode asks the model for and tries at the same time."""
    allow_experiment_changes: bool = False
    """The person's yes, ahead of time, to edits that change data, features, model, parameters,
    seeds or splits."""
    measure_noise: NoiseWish = NoiseWish.WHEN_CHEAP
    """Whether auto mode looks for causes by repeated runs before it asks for a calibration."""
    noise_runs: int = Field(default=5, ge=3, le=10)
    """How many runs a measurement of the noise takes."""
    era: str | None = Field(default=None, max_length=200)
    """When the notebook was written, where the user knows: a year (`2018`), or versions
    (`pandas 0.23, sklearn 0.19`). None: it is told from the notebook."""
    rehearsal: RehearsalSettings | None = None
    """Meet errors on a sample of the data before the whole notebook runs; None: do not."""
    environment: str | None = Field(default=None, min_length=1, max_length=1000)
    """Which Python and packages it runs with: `server`, a kernelspec, a conda environment, a path,
    the id of a made one, `own` (made for it) or `own-time` (of its own time). None: chosen."""
    packages: tuple[PackageName, ...] = ()
    """Distributions that the person named, to add to an environment that is made for it."""
    resources: tuple[WebAddress, ...] = ()
    """Addresses that the person agreed to have fetched, once, for the notebook's runs."""
    network: bool = False
    """The person's word that runs may reach web servers of the public network, and no others."""
    files_beside: FilesBeside = FilesBeside.NAMED
    """What of the notebook's folder a run is shown."""
    file_choices: dict[str, str] = Field(default_factory=dict, max_length=200)
    """By path as the code has it, the file that is meant, where several have its name."""

    @property
    def budget(self) -> Budget:
        """What the session may cost."""
        return Budget(
            fixes=self.max_fixes,
            tokens=self.max_tokens,
            usd=self.max_usd,
            seconds=self.max_seconds,
        )

    @field_validator("target_score")
    @classmethod
    def _finite(cls, value: float | None) -> float | None:
        if value is not None and not math.isfinite(value):
            raise ValueError("the target score must be a finite number")
        return value

    @field_validator("packages")
    @classmethod
    def _few(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) > _MOST_PACKAGES:
            raise ValueError(f"at most {_MOST_PACKAGES} packages can be named")
        return value

    @field_validator("resources")
    @classmethod
    def _few_resources(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) > MOST_RESOURCES:
            raise ValueError(f"at most {MOST_RESOURCES} addresses can be fetched for a notebook")
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
    confirmed: bool = False
    """The person said yes to what the edit changes in the experiment."""


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


class BaseRun(Value):
    """What every iteration has: one execution with its errors and the fixes proposed for it."""

    number: int
    """From 1."""
    started_at: datetime
    notebook_hash: str
    """Which notebook ran; the sources are kept beside the log."""
    origin: Origin | None = None
    """Which proposal made the notebook; None where the user did."""
    changed_lines: int = 0
    """Lines added and removed against the notebook as it was when the session began."""
    needs_proof: bool = False
    """Whether its code holds an edit by a model or by hand since the session began."""
    execution: Execution | None = None
    diagnosis: ErrorDiagnosis | None = None
    reviews: tuple[Review, ...] = ()
    spent: Usage = Usage()
    """What fixers cost that came back with nothing."""
    cut_off: bool = False
    """The work ended before its diagnosis: it was cancelled or interrupted, or broke down."""

    @property
    def unfinished(self) -> bool:
        """Whether it has no diagnosis yet and may still get one."""
        return self.diagnosis is None and not self.cut_off

    @property
    def whole(self) -> bool:
        """Whether its run can decide the outcome: a clean one that did not stop at an error."""
        return False

    @property
    def hints(self) -> tuple[Finding, ...]:
        """The notebook's own root errors that a rehearsal met; of any other run none."""
        return ()

    @property
    def unseen_cells(self) -> frozenset[str]:
        """Ids of the cells it did not come to, or that failed only because of another one."""
        if self.execution is None or self.diagnosis is None:
            return frozenset()
        return self.execution.not_run | self.diagnosis.cascades

    def require_diagnosis(self) -> ErrorDiagnosis:
        """The diagnosis of an iteration that was carried through.

        Raises:
            ValueError: It was cut off.
        """
        if self.diagnosis is None:
            raise ValueError(f"iteration {self.number} was cut off before its diagnosis")
        return self.diagnosis

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def usage(self) -> Usage:
        """What all fixers cost in this iteration."""
        total = self.spent
        for review in self.reviews:
            total = total + review.proposal.usage
        return total


class GradedRun(BaseRun):
    """A run on all data: it has a score, or should have one."""

    grade: Grade | None = None
    """None until it has been graded."""
    diagnosis: Diagnosis | None = None
    agreement: OutputAgreement | None = None
    """How its outputs compare with those saved in the notebook's file; None where none were."""


class CleanRun(GradedRun):
    """A fresh kernel, the whole notebook, all data."""

    kind: Literal[RunKind.CLEAN] = RunKind.CLEAN

    @property
    def whole(self) -> bool:
        """Whether it did not stop at an error."""
        return self.execution is None or self.execution.ending is not Ending.STOPPED


class ResumedRun(GradedRun):
    """A run that continued in the kernel that waited at the first root error."""

    kind: Literal[RunKind.RESUMED] = RunKind.RESUMED


class RehearsalRun(BaseRun):
    """A run on a sample of the data: it is not graded and has no outcome."""

    kind: Literal[RunKind.REHEARSAL] = RunKind.REHEARSAL
    rehearsal: Rehearsal | None = None
    """What it ran on; None until it has been diagnosed."""

    @property
    def hints(self) -> tuple[Finding, ...]:
        """The notebook's own root errors."""
        if self.rehearsal is None or self.diagnosis is None:
            return ()
        return own_errors(self.diagnosis.findings, self.rehearsal.doubtful)


Iteration = TypeAliasType(
    "Iteration",
    Annotated[CleanRun | ResumedRun | RehearsalRun, Field(discriminator="kind")],
)
"""A run of the session, by what it can decide."""


def grade_of(iteration: Iteration) -> Grade | None:
    """The grade of an iteration; None where it has none (yet): rehearsals are not graded."""
    return iteration.grade if isinstance(iteration, GradedRun) else None


class Progress(Value):
    """What the server is doing right now."""

    message: Messages
    waiting: bool = False
    """Nothing is done yet: other work comes first."""
    label: Messages = ()
    """Which of several runs of a measurement this is; empty for an iteration's."""
    cell_id: str | None = None
    ordinal: int | None = None
    """Which code cell is at work, from 1."""
    total: int | None = None
    cells_started_at: datetime | None = None
    """When the first cell started: the clock of the time limit."""
    time_limit: float | None = None
    """Seconds of this run, where it is a rehearsal; None: those of the settings."""
    errors: tuple[CellError, ...] = ()
    """Errors of the run so far, as they came up."""
    usage: Usage = Usage()
    """What the fix that is being asked for has cost so far."""


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
    printed_scores: tuple[PrintedScore, ...] = ()
    """Scores that the outputs saved in its file show, the last of the notebook first."""
    environment: EnvironmentChoice | None = None
    """Which Python and packages it runs with, and why; None until work begins, and where the
    sandbox has a Python of its own."""
    missing_packages: tuple[MissingPackage, ...] = ()
    """Modules that the latest run did not find and whose packages it was not given."""
    wanted_resources: tuple[str, ...] = ()
    """Addresses that the latest run could not reach and that can be fetched for it."""
    lost_files: tuple[FileFinding, ...] = ()
    """Paths that the notebook's latest run did not find, and the files that may be meant."""
    era: Era | None = None
    """When it was written, told from the notebook as it was when work began; the user's own word
    is in the settings."""
    reviews: tuple[Review, ...] = ()
    """Of fixes that were proposed before the first run; the others are with their iterations."""
    progress: Progress | None = None
    iterations: tuple[Iteration, ...] = ()
    unrehearsed: Messages = ()
    """Why the latest work went without a rehearsal although one was asked for."""
    best: int | None = None
    """Number of the best iteration so far: outcome first, then deviation, then fewest changes."""
    own_time: OwnTimeRun | None = None
    """What it gave, unchanged, in the libraries of its own time; the latest."""
    backport: Backport | None = None
    """The kernel of its own time that was put into Jupyter's menu."""
    contrast: OwnTimeContrast | None = None
    """What the latest run of today that was compared with it gives otherwise."""
    probe: Probe | None = None
    """The latest comparison of silent changes with old libraries."""
    verdict: Verdict | None = None
    worked_seconds: float = 0.0
    """How long was worked on it, waiting in line and the user's turns not counted."""
    message: Messages = ()
    """Where it stands, with the next step."""
    details: Messages = ()
    """What else there is to say of that; mostly why there is no fix."""
    verification: Verification | None = None
    """Repeated runs, where they were asked for; the latest."""
    noise: Noise | None = None
    """How far the score moves by itself, where that was measured; the latest."""
    proofs: tuple[Proof, ...] = ()
    """What experiments showed of where a notebook's result comes from; the latest."""
    proven: str = ""
    """Hash of the notebook that `proofs` are about."""
    proof_done: bool = False
    """Whether every experiment on it was made; a proof that was cancelled proves nothing."""
    improvement: Improvement | None = None
    """The latest search for a better score on validation folds."""
    spent: Usage = Usage()
    """What a model cost before anything had run."""
    writing: SessionWriting | None = None
    """How far a model has written the notebook of a paper's experiment; the latest."""
    calibrations: tuple[Calibration, ...] = ()
    """Searches for the cause of a score's distance, one a notebook that was looked into."""
    waiting: Waiting | None = None
    """Where a run waits to go on; None where the next run begins with the first cell."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def usage(self) -> Usage:
        """What the session cost so far, a fix that is being asked for included."""
        total = self.spent if self.progress is None else self.spent + self.progress.usage
        for iteration in self.iterations:
            total = total + iteration.usage
        return total if self.writing is None else total + self.writing.usage

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def fixes(self) -> int:
        """Number of proposals that went into the notebook; the final review does not count."""
        return sum(review.applied and not review.final for review in self.all_reviews)

    @property
    def spending(self) -> Spending:
        """What the session has spent of its budget."""
        return Spending(
            fixes=self.fixes,
            tokens=self.usage.input_tokens + self.usage.output_tokens,
            usd=self.usage.cost_usd if self.usage.calls else 0.0,
            seconds=self.worked_seconds,
        )

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def scored(self) -> bool:
        """Whether runs have a score or should have one; else their saved outputs are all there is.

        A competition, a target, or a score that a run has.
        """
        if self.settings.competition is not None or self.settings.target_score is not None:
            return True
        grades = map(grade_of, self.iterations)
        return any(grade is not None and grade.score is not None for grade in grades)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def result(self) -> Messages:
        """What came of the run that `message` is about, where no target says so.

        In auto mode that is the best one, in step mode the latest. Empty where it has no outcome.
        """
        run = self.current
        if self.settings.mode is Mode.AUTO and self.best is not None:
            run = self.iterations[self.best - 1]
        if not isinstance(run, GradedRun) or run.diagnosis is None:
            return ()
        return run_result(run.diagnosis, run.agreement)

    def lacks_proof(self, run: BaseRun) -> bool:
        """Return whether a run's result has to be proven and was not yet put to the proof."""
        return run.needs_proof and not (self.proof_done and self.proven == run.notebook_hash)

    @property
    def all_reviews(self) -> tuple[Review, ...]:
        """All reviews in their order: those before the first run, then each iteration's."""
        later = (review for iteration in self.iterations for review in iteration.reviews)
        return (*self.reviews, *later)

    @property
    def current(self) -> Iteration | None:
        """The latest iteration."""
        return self.iterations[-1] if self.iterations else None

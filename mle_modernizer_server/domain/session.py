"""The modernization of one notebook: iterations, state."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Annotated, Literal

from pydantic import Field, computed_field
from typing_extensions import TypeAliasType

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorDiagnosis,
    Finding,
    run_result,
)
from mle_modernizer_server.domain.environment import EnvironmentChoice, MissingPackage
from mle_modernizer_server.domain.era import (
    Backport,
    Era,
    Evidence,
    OwnTimeContrast,
    OwnTimeRun,
)
from mle_modernizer_server.domain.execution import CellError, CellRun, Ending, Execution
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.forecast import Probe
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.improvement import Improvement
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.model_calls import Spending, Usage
from mle_modernizer_server.domain.notebook import OutputAgreement, PrintedScore
from mle_modernizer_server.domain.proposal import CellEdit, Origin, Proposal
from mle_modernizer_server.domain.reproduction import SessionWriting
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.domain.verification import (
    Calibration,
    Noise,
    Proof,
    Rehearsal,
    Verification,
    own_errors,
)


class Waiting(Value):
    """Place at which a session's run waits; the next run resumes there if no earlier code
    changed."""

    cell_id: str
    """The cell that failed."""
    ordinal: int
    """Number of the code cell, from 1."""
    notebook_hash: str
    """Hash of the notebook that ran; a notebook with the same code before that cell can resume."""
    since: datetime
    until: datetime
    """Latest time at which the kernel is ended."""


class Verdict(str, Enum):
    """Final result of a session."""

    REPRODUCED = "reproduced"
    WITHIN_NOISE = "within-noise"
    """Outside the band, but no further from the target than the notebook's own spread."""
    ABOVE_TARGET = "above-target"
    """The score is better than the target's band; no known change lowers it."""
    BELOW_TARGET = "below-target"
    """It runs without errors, its score is worse than the band, and no fixable cause is left."""
    TARGET_IMPLAUSIBLE = "target-implausible"
    """No run can be expected to reach the target: a constant's score, or one impossible for the
    metric."""
    GRADER_MISMATCH = "grader-mismatch"
    """Target and score differ in kind, direction or scale."""
    NEEDS_EXTERNAL_DATA = "needs-external-data"
    """It reads a file the competition does not have, or downloads one."""
    NON_DETERMINISTIC = "non-deterministic"
    """Repeated runs fall inside the band and outside of it."""
    CANNOT_RUN = "cannot-run"
    """No kernel, code that is no Python, or an unavailable package."""
    NEEDS_TIME = "needs-time"
    """No cell failed on its own until the time limit; the notebook needs longer."""
    AWAITS_YES = "awaits-yes"
    """The proposal changes the experiment and needs a person's consent."""
    NO_FIX = "no-fix"
    """No fixer has a proposal."""
    NOT_EXAMINED = "not-examined"
    """The rules could not examine all of it within their processor time or memory, and propose
    nothing for the rest."""
    AS_SAVED = "as-saved"
    """The remaining errors are those of its saved outputs."""
    BUDGET_SPENT = "budget-spent"
    """The budget of fixes, tokens, money or time is used up."""
    REACHED = "reached"
    """The score is in the band, but a model's or a typed edit led to it and no experiment has shown
    yet that it comes from training."""
    NOT_PROVEN = "not-proven"
    """The score is in the band, but an experiment shows that no trained model produced it."""
    NO_PROGRESS = "no-progress"
    """The fixes had no effect, or led back to an earlier state of the session."""

    @property
    def success(self) -> bool:
        """Return whether the score is as good as the target requires."""
        return self in (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)

    @property
    def unproven(self) -> bool:
        """Return whether the score is in the band, without proof that it comes from training."""
        return self in (Verdict.REACHED, Verdict.NOT_PROVEN)


class Phase(str, Enum):
    """State of a session."""

    READY = "ready"
    """Created, or between two runs: the user's turn."""
    PREPARING = "preparing"
    RUNNING = "running"
    GRADING = "grading"
    FIXING = "fixing"
    REVIEWING = "reviewing"
    """A proposal waits for the user's decisions."""
    FINISHED = "finished"
    """Reproducible, or there is nothing more to propose: see `verdict`."""
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The server stopped during the work; the run can be started again."""
    FAILED = "failed"
    """An error that is not the notebook's fault: see `message`."""

    @property
    def working(self) -> bool:
        """Return whether the server is running the notebook or looking for a fix."""
        return self in (Phase.PREPARING, Phase.RUNNING, Phase.GRADING, Phase.FIXING)


class RunKind(str, Enum):
    """Kind of a run, which determines the decisions it allows."""

    CLEAN = "clean"
    """A fresh kernel, the whole notebook, all data: only such a run decides an outcome."""
    RESUMED = "resumed"
    """Continued in the kernel that waited at the first root error."""
    REHEARSAL = "rehearsal"
    """On a sample of the data: its findings are hints."""


class EditState(str, Enum):
    """State of a proposed edit; every edit ends in one of the last four."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    STALE = "stale"
    FAILED = "failed"


class Decision(Value):
    """The user's decision on one edit."""

    state: EditState
    partial: bool = False
    """Only some of its hunks were accepted."""
    confirmed: bool = False
    """The person agreed to the edit's changes of the experiment."""


class Review(Value):
    """A proposal and the decisions on its edits."""

    proposal: Proposal
    decisions: dict[str, Decision] = Field(default_factory=dict)
    """By edit id; a missing edit is pending."""
    final: bool = False
    """Whether it is the whole difference of an auto-mode session."""
    adopted: bool = False
    """Applied to the scratch copy of an auto-mode session; the user's document is unchanged."""

    def state(self, edit: CellEdit) -> EditState:
        """Return the state of one of the proposal's edits."""
        decision = self.decisions.get(edit.id)
        return EditState.PENDING if decision is None else decision.state

    @property
    def open(self) -> bool:
        """Return whether an edit still waits for a decision."""
        return not self.adopted and any(
            self.state(edit) is EditState.PENDING for edit in self.proposal.edits
        )

    @property
    def applied(self) -> bool:
        """Return whether any of it was applied to the notebook that runs next."""
        return self.adopted or any(
            decision.state is EditState.ACCEPTED for decision in self.decisions.values()
        )


class BaseRun(Value):
    """Common fields of iterations: one execution with its errors and the proposed fixes."""

    number: int
    """From 1."""
    started_at: datetime
    notebook_hash: str
    """Hash of the notebook that ran; the sources are stored next to the log."""
    origin: Origin | None = None
    """Proposal that produced the notebook; None if the user did."""
    changed_lines: int = 0
    """Lines added and removed since the session began."""
    needs_proof: bool = False
    """Whether its code contains a model's or a typed edit made since the session began."""
    execution: Execution | None = None
    diagnosis: ErrorDiagnosis | None = None
    reviews: tuple[Review, ...] = ()
    spent: Usage = Usage()
    """Cost of fixers that returned no proposal."""
    cut_off: bool = False
    """The work ended before its diagnosis: it was cancelled or interrupted, or failed."""

    @property
    def unfinished(self) -> bool:
        """Return whether it has no diagnosis yet and may still get one."""
        return self.diagnosis is None and not self.cut_off

    @property
    def whole(self) -> bool:
        """Return whether its run can decide the outcome: a clean one that did not stop at an
        error."""
        return False

    @property
    def cells(self) -> tuple[CellRun, ...]:
        """Return the outcomes of its cells; empty if it has not ended."""
        return () if self.execution is None else self.execution.cells

    @property
    def ending(self) -> Ending | None:
        """Return how it ended; None if it has not."""
        return None if self.execution is None else self.execution.ending

    @property
    def seconds(self) -> float:
        """Return how long its cells took; 0 if it has not ended."""
        return 0.0 if self.execution is None else self.execution.seconds

    @property
    def roots(self) -> tuple[Finding, ...]:
        """Return its root errors, in notebook order; empty without a diagnosis."""
        return () if self.diagnosis is None else self.diagnosis.roots

    @property
    def hints(self) -> tuple[Finding, ...]:
        """Return the notebook's own root errors that a rehearsal met; empty for other runs."""
        return ()

    @property
    def unseen_cells(self) -> frozenset[str]:
        """Return the ids of the cells it did not reach, or that failed only because of another
        one."""
        if self.execution is None or self.diagnosis is None:
            return frozenset()
        return self.execution.not_run | self.diagnosis.cascades

    def require_diagnosis(self) -> ErrorDiagnosis:
        """Return the diagnosis of a completed iteration.

        Raises:
            ValueError: It was cut off.
        """
        if self.diagnosis is None:
            raise ValueError(f"iteration {self.number} was cut off before its diagnosis")
        return self.diagnosis

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def usage(self) -> Usage:
        """Cost of all fixers in this iteration."""
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
    """Comparison of its outputs with those saved in the notebook's file; None if none were."""


class CleanRun(GradedRun):
    """A fresh kernel, the whole notebook, all data."""

    kind: Literal[RunKind.CLEAN] = RunKind.CLEAN

    @property
    def whole(self) -> bool:
        """Return whether it did not stop at an error."""
        return self.ending is not Ending.STOPPED


class ResumedRun(GradedRun):
    """A run that continued in the kernel that waited at the first root error."""

    kind: Literal[RunKind.RESUMED] = RunKind.RESUMED


class RehearsalRun(BaseRun):
    """A run on a sample of the data: it is not graded and has no outcome."""

    kind: Literal[RunKind.REHEARSAL] = RunKind.REHEARSAL
    rehearsal: Rehearsal | None = None
    """Details of its sample; None until it has been diagnosed."""

    @property
    def hints(self) -> tuple[Finding, ...]:
        """Return the notebook's own root errors."""
        if self.rehearsal is None or self.diagnosis is None:
            return ()
        return own_errors(self.diagnosis.findings, self.rehearsal.doubtful)


Iteration = TypeAliasType(
    "Iteration",
    Annotated[CleanRun | ResumedRun | RehearsalRun, Field(discriminator="kind")],
)
"""A run of the session, by its kind."""


def grade_of(iteration: Iteration) -> Grade | None:
    """Return the grade of an iteration; None if absent (yet): rehearsals are not graded."""
    return iteration.grade if isinstance(iteration, GradedRun) else None


class Progress(Value):
    """Current work of the server."""

    message: Messages
    since: datetime | None = None
    """When the current phase began."""
    waiting: bool = False
    """Waiting in a queue for other work."""
    waits_for: str | None = None
    """Path of the notebook whose work holds the place."""
    label: Messages = ()
    """Which of several runs of a measurement this is; empty for an iteration's."""
    cell_id: str | None = None
    ordinal: int | None = None
    """Number of the running code cell, from 1."""
    total: int | None = None
    cells_started_at: datetime | None = None
    """When the first cell started: the clock of the time limit."""
    time_limit: float | None = None
    """Time limit of this run in seconds, if it is a rehearsal; None: that of the settings."""
    errors: tuple[CellError, ...] = ()
    """Errors of the run so far, as they occurred."""
    usage: Usage = Usage()
    """Cost so far of the fix in progress."""


class Session(Value):
    """The whole modernization of one notebook, as of event `seq`."""

    id: str
    path: str
    """Path of the notebook, relative to the server's root (or the command line's file)."""
    created_at: datetime
    updated_at: datetime
    seq: int
    """Number of the last event of the log that this state includes."""
    phase: Phase
    settings: SessionSettings
    notebook_hash: str
    """Hash of the notebook at the start of the session."""
    evidence: tuple[Evidence, ...] = ()
    """Evidence of its era in the file, apart from the sources."""
    printed_scores: tuple[PrintedScore, ...] = ()
    """Scores in the outputs saved in its file, the last of the notebook first."""
    environment: EnvironmentChoice | None = None
    """Python and packages it runs with, and the reason; None until work begins, or if the sandbox
    has a Python of its own."""
    missing_packages: tuple[MissingPackage, ...] = ()
    """Modules that the latest run did not find and whose packages were not added."""
    wanted_resources: tuple[str, ...] = ()
    """Addresses that the latest run could not reach and whose files can be downloaded for it."""
    lost_files: tuple[FileFinding, ...] = ()
    """Paths that the latest run did not find, and possible replacements."""
    era: Era | None = None
    """Era inferred from the notebook as it was when work began; the user's own entry is in the
    settings."""
    reviews: tuple[Review, ...] = ()
    """Reviews of fixes proposed before the first run; the others are with their iterations."""
    progress: Progress | None = None
    iterations: tuple[Iteration, ...] = ()
    unrehearsed: Messages = ()
    """Reason why the latest work skipped a requested rehearsal."""
    best: int | None = None
    """Number of the best iteration so far: outcome first, then deviation, then fewest changes."""
    own_time: OwnTimeRun | None = None
    """Latest result of the unchanged notebook with its original library versions."""
    backport: Backport | None = None
    """The kernel with original library versions that was added to Jupyter's menu."""
    contrast: OwnTimeContrast | None = None
    """Differences between the latest compared run of today and `own_time`."""
    probe: Probe | None = None
    """The latest comparison of silent changes with old libraries."""
    verdict: Verdict | None = None
    worked_seconds: float = 0.0
    """Seconds of work on it, without waiting in a queue and the user's turns."""
    message: Messages = ()
    """State of the session, with the next step."""
    details: Messages = ()
    """Further details; mostly the reason why there is no fix."""
    verification: Verification | None = None
    """Latest repeated runs; None if never requested."""
    noise: Noise | None = None
    """Latest measurement of the score's random variation; None if never measured."""
    proofs: tuple[Proof, ...] = ()
    """Latest experiments on the origin of a notebook's result."""
    proven: str = ""
    """Hash of the notebook of `proofs`."""
    proof_done: bool = False
    """Whether every experiment on it was completed; a cancelled proof proves nothing."""
    improvement: Improvement | None = None
    """The latest search for a better score on validation folds."""
    spent: Usage = Usage()
    """Cost of model calls before the first run."""
    writing: SessionWriting | None = None
    """Latest progress of a model that writes the notebook of a paper's experiment."""
    calibrations: tuple[Calibration, ...] = ()
    """Searches for the cause of a score's distance, one for each notebook examined."""
    waiting: Waiting | None = None
    """Place at which a paused run waits; None if the next run begins with the first cell."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def usage(self) -> Usage:
        """Cost of the session so far, including a fix in progress."""
        total = self.spent if self.progress is None else self.spent + self.progress.usage
        for iteration in self.iterations:
            total = total + iteration.usage
        return total if self.writing is None else total + self.writing.usage

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def fixes(self) -> int:
        """Number of applied proposals; the final review does not count."""
        return sum(review.applied and not review.final for review in self.all_reviews)

    @property
    def spending(self) -> Spending:
        """Return the part of the budget that is spent."""
        return Spending(
            fixes=self.fixes,
            tokens=self.usage.input_tokens + self.usage.output_tokens,
            usd=self.usage.cost_usd if self.usage.calls else 0.0,
            seconds=self.worked_seconds,
        )

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def scored(self) -> bool:
        """True if runs have a score or should have one; else only saved outputs count.

        True with a competition, a target, or a run with a score.
        """
        if self.settings.competition is not None or self.settings.target_score is not None:
            return True
        grades = map(grade_of, self.iterations)
        return any(grade is not None and grade.score is not None for grade in grades)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def result(self) -> Messages:
        """Outcome of the run that `message` is about, if no target defines it.

        In auto mode that is the best run, in step mode the latest. Empty if it has no outcome.
        """
        run = self.current
        if self.settings.mode is Mode.AUTO and self.best is not None:
            run = self.best_run
        if not isinstance(run, GradedRun) or run.diagnosis is None:
            return ()
        return run_result(run.diagnosis, run.agreement)

    def lacks_proof(self, run: BaseRun) -> bool:
        """Return whether a run's result needs a proof that was not attempted yet."""
        return run.needs_proof and not (self.proof_done and self.proven == run.notebook_hash)

    @property
    def all_reviews(self) -> tuple[Review, ...]:
        """Return all reviews in order: those before the first run, then each iteration's."""
        later = (review for iteration in self.iterations for review in iteration.reviews)
        return (*self.reviews, *later)

    @property
    def current(self) -> Iteration | None:
        """Return the latest iteration."""
        return self.iterations[-1] if self.iterations else None

    @property
    def best_run(self) -> Iteration | None:
        """Return the iteration that represents the notebook; None before a completed run."""
        return None if self.best is None else self.iterations[self.best - 1]

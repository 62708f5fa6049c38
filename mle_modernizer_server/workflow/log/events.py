"""The events a session is made of, and what each changes: the only place that changes a session.

Its log, and nothing but its log, is the truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorDiagnosis, FixType
from mle_modernizer_server.domain.environment import EnvironmentChoice, MissingPackage
from mle_modernizer_server.domain.era import (
    Backport,
    Era,
    Evidence,
    OwnTimeContrast,
    OwnTimeRun,
    Traces,
)
from mle_modernizer_server.domain.execution import CellError, Execution
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.forecast import Probe
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.improvement import Improvement
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import OutputAgreement, PrintedScore
from mle_modernizer_server.domain.proposal import Origin, Proposal
from mle_modernizer_server.domain.reproduction import SessionWriting
from mle_modernizer_server.domain.session import (
    CleanRun,
    Decision,
    EditState,
    GradedRun,
    Iteration,
    Phase,
    Progress,
    RehearsalRun,
    ResumedRun,
    Review,
    RunKind,
    Session,
    Verdict,
    Waiting,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import (
    Calibration,
    Noise,
    Proof,
    Rehearsal,
    Verification,
)
from mle_modernizer_server.workflow.log.owner import Owner

Changes = dict[str, object]
"""Values of a session's fields, by name."""


class _Event(Value):
    """Base of all events."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        """Return the fields of the session that the event changes.

        Without a rule of its own, the event's fields replace those of the session.

        Args:
            session: Before the event.
            at: Time of the event.

        Raises:
            ValueError: The event does not suit the session.
        """
        named = {name: getattr(self, name) for name in type(self).model_fields if name != "kind"}
        return {_FIELDS.get(name, name): value for name, value in named.items()}


_FIELDS = {
    "choice": "environment",
    "packages": "missing_packages",
    "addresses": "wanted_resources",
    "findings": "lost_files",
    "reason": "unrehearsed",
}
"""Fields of the session by those of the events that replace them, if named otherwise."""


class Created(_Event):
    """The session began."""

    kind: Literal["created"] = "created"
    path: str
    notebook_hash: str
    settings: SessionSettings
    evidence: tuple[Evidence, ...] = ()
    """Evidence of its era in the notebook's file, beyond the sources."""
    printed_scores: tuple[PrintedScore, ...] = ()
    """Scores that its saved outputs show."""
    folder: str = ""
    """The notebook's folder on this machine; empty if it is unsaved or its user must not read
    files."""
    traces: Traces = Traces()
    """Evidence in its file beyond the sources, without the outputs."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        raise ValueError("a session is created once")


class EnvironmentSettled(_Event):
    """It is known which Python and packages the notebook runs with."""

    kind: Literal["environment-settled"] = "environment-settled"
    choice: EnvironmentChoice


class OwnTimeRan(_Event):
    """The notebook ran, unchanged, with its original libraries."""

    kind: Literal["own-time-ran"] = "own-time-ran"
    run: OwnTimeRun

    def _changes(self, session: Session, at: datetime) -> Changes:
        return {"own_time": self.run, "contrast": None}


class Contrasted(_Event):
    """A run of today was compared, cell by cell, with the one with its original libraries."""

    kind: Literal["contrasted"] = "contrasted"
    contrast: OwnTimeContrast


class Backported(_Event):
    """A kernel of the notebook's own time was put into Jupyter's menu, or taken out of it."""

    kind: Literal["backported"] = "backported"
    backport: Backport | None


class PackagesMissed(_Event):
    """The latest run did not find modules, and no environment with their packages was made."""

    kind: Literal["packages-missed"] = "packages-missed"
    packages: tuple[MissingPackage, ...]


class ResourcesWanted(_Event):
    """The latest run could not reach addresses that can be fetched for it."""

    kind: Literal["resources-wanted"] = "resources-wanted"
    addresses: tuple[str, ...]


class FilesLookedUp(_Event):
    """Search for the files that the latest run did not find."""

    kind: Literal["files-looked-up"] = "files-looked-up"
    findings: tuple[FileFinding, ...]


class Dated(_Event):
    """The notebook's era was inferred from its sources, before any work on them."""

    kind: Literal["dated"] = "dated"
    era: Era


class SettingsChanged(_Event):
    """The user changed the settings."""

    kind: Literal["settings-changed"] = "settings-changed"
    settings: SessionSettings


class WorkStarted(_Event):
    """The server took up work on the session."""

    kind: Literal["work-started"] = "work-started"
    owner: Owner
    message: Messages

    def _changes(self, session: Session, at: datetime) -> Changes:
        return {
            "phase": Phase.PREPARING,
            "progress": Progress(message=self.message, since=at),
            "verdict": None,
            "unrehearsed": (),
            "message": self.message,
        }


class RunStarted(_Event):
    """An iteration began; the open review, if any, is closed."""

    kind: Literal["run-started"] = "run-started"
    notebook_hash: str
    run: RunKind = RunKind.CLEAN
    message: Messages
    origin: Origin | None = None
    changed_lines: int = 0
    needs_proof: bool = False
    began: datetime | None = None
    """Start time if it differs from the event's: alternatives run at the same time and are
    written one after the other."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        iteration = _VARIANTS[self.run](
            number=len(session.iterations) + 1,
            started_at=self.began or at,
            notebook_hash=self.notebook_hash,
            origin=self.origin,
            changed_lines=self.changed_lines,
            needs_proof=self.needs_proof,
        )
        return {
            "phase": Phase.PREPARING,
            "progress": Progress(message=self.message, since=at),
            "reviews": tuple(map(_closed_review, session.reviews)),
            "iterations": (*map(_closed, session.iterations), iteration),
            "lost_files": (),
            "missing_packages": (),
            "wanted_resources": (),
        }


class Progressed(_Event):
    """A step of the work: the clock, the cell at work, an error that came up."""

    kind: Literal["progressed"] = "progressed"
    phase: Phase
    message: Messages
    waiting: bool = False
    """Nothing is done yet: other work comes first."""
    waits_for: str | None = None
    """Path of the notebook whose work comes first."""
    cell_id: str | None = None
    ordinal: int | None = None
    total: int | None = None
    label: Messages = ()
    """Which of several runs of a measurement this is."""
    clock_started: bool = False
    """The first cell starts now."""
    time_limit: float | None = None
    """Of a rehearsal: seconds it may take."""
    clock_shows: float = 0.0
    """Seconds of the time limit that are over when it starts."""
    error: CellError | None = None
    usage: Usage | None = None
    """Cost so far of the fix in progress, if changed."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        # With the clock, everything else of a run before it starts anew.
        before = (None if self.clock_started else session.progress) or Progress(message=())
        errors = before.errors if self.error is None else (*before.errors, self.error)
        progress = Progress(
            message=self.message,
            since=before.since if self.phase is session.phase else at,
            waiting=self.waiting,
            waits_for=self.waits_for,
            label=self.label,
            cell_id=self.cell_id,
            ordinal=self.ordinal if self.ordinal is not None else before.ordinal,
            total=self.total if self.total is not None else before.total,
            cells_started_at=(
                at - timedelta(seconds=self.clock_shows)
                if self.clock_started
                else before.cells_started_at
            ),
            time_limit=self.time_limit if self.time_limit is not None else before.time_limit,
            errors=errors,
            usage=before.usage if self.usage is None else self.usage,
        )
        return {"phase": self.phase, "progress": progress}


class Executed(_Event):
    """The run of the latest iteration ended."""

    kind: Literal["executed"] = "executed"
    execution: Execution

    def _changes(self, session: Session, at: datetime) -> Changes:
        return _change_current(session, execution=self.execution)


class WaitBegan(_Event):
    """The run stopped at a failing cell, and its kernel waits for the fix."""

    kind: Literal["wait-began"] = "wait-began"
    waiting: Waiting
    owner: Owner
    """Whose child the kernel is."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        return {"waiting": self.waiting}


class WaitEnded(_Event):
    """The kernel no longer waits: the run continues, or it was ended."""

    kind: Literal["wait-ended"] = "wait-ended"
    reason: Messages = ()
    """Why it was ended; empty if the run continues."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        return {"waiting": None}


class Diagnosed(_Event):
    """Its score and its meaning are known."""

    kind: Literal["diagnosed"] = "diagnosed"
    grade: Grade
    diagnosis: Diagnosis
    best: int
    """Number of the best iteration so far."""
    agreement: OutputAgreement | None = None
    """Comparison of its outputs with the saved ones."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        if not isinstance(session.current, GradedRun):
            raise ValueError("a grade belongs to a run on all data")
        changed: dict[str, object] = {"grade": self.grade, "diagnosis": self.diagnosis}
        if self.agreement is not None:  # a score typed later does not affect the outputs
            changed["agreement"] = self.agreement
        changes = _change_current(session, **changed)
        return {**changes, "best": self.best, "message": self.diagnosis.summary}


_OF_GRADED_RUNS = ("outcome", "output_status")


class Rehearsed(_Event):
    """A rehearsal was diagnosed; it has no grade and is never the best run."""

    kind: Literal["rehearsed"] = "rehearsed"
    rehearsal: Rehearsal
    diagnosis: ErrorDiagnosis

    @field_validator("diagnosis", mode="before")
    @classmethod
    def _without_outcome(cls, value: object) -> object:
        """Earlier versions stored an outcome and a CSV's status with it, always the same."""
        if not isinstance(value, dict):
            return value
        return {name: one for name, one in value.items() if name not in _OF_GRADED_RUNS}

    def _changes(self, session: Session, at: datetime) -> Changes:
        if not isinstance(session.current, RehearsalRun):
            raise ValueError("what a rehearsal showed belongs to a rehearsal")
        changes = _change_current(session, rehearsal=self.rehearsal, diagnosis=self.diagnosis)
        return {**changes, "message": self.diagnosis.summary}


class Unrehearsed(_Event):
    """A requested rehearsal is impossible."""

    kind: Literal["unrehearsed"] = "unrehearsed"
    reason: Messages


class Proposed(_Event):
    """A fixer answered with a patch."""

    kind: Literal["proposed"] = "proposed"
    proposal: Proposal
    adopted: bool = False
    final: bool = False

    def _changes(self, session: Session, at: datetime) -> Changes:
        review = Review(proposal=self.proposal, final=self.final, adopted=self.adopted)
        after_run = self.adopted or self.final
        ahead = self.proposal.fix_type is FixType.BEFORE_RUN and not after_run
        if ahead or not session.iterations:
            return {"reviews": (*map(_closed_review, session.reviews), review)}
        current = session.iterations[-1]
        changes = _change_current(session, reviews=(*_closed(current).reviews, review))
        return {**changes, "progress": _settled(session)}


class Spent(_Event):
    """A fixer cost something and came back with nothing."""

    kind: Literal["spent"] = "spent"
    usage: Usage

    def _changes(self, session: Session, at: datetime) -> Changes:
        if not session.iterations:
            return {"spent": session.spent + self.usage, "progress": _settled(session)}
        changes = _change_current(session, spent=session.iterations[-1].spent + self.usage)
        return {**changes, "progress": _settled(session)}


class Compared(_Event):
    """Silent changes were tried with old libraries."""

    kind: Literal["compared"] = "compared"
    probe: Probe


class Decided(_Event):
    """The user decided on edits."""

    kind: Literal["decided"] = "decided"
    proposal: str
    decisions: dict[str, Decision]

    def _changes(self, session: Session, at: datetime) -> Changes:
        def decided(reviews: tuple[Review, ...]) -> tuple[Review, ...]:
            return tuple(
                review.model_copy(update={"decisions": {**review.decisions, **self.decisions}})
                if review.proposal.id == self.proposal
                else review
                for review in reviews
            )

        iterations = tuple(
            iteration.model_copy(update={"reviews": decided(iteration.reviews)})
            if any(review.proposal.id == self.proposal for review in iteration.reviews)
            else iteration
            for iteration in session.iterations
        )
        return {"reviews": decided(session.reviews), "iterations": iterations}


class Rested(_Event):
    """The work ended, one way or another: it is the user's turn."""

    kind: Literal["rested"] = "rested"
    phase: Phase
    message: Messages
    """The outcome, and the next step."""
    details: Messages = ()
    """Further details."""
    verdict: Verdict | None = None

    def _changes(self, session: Session, at: datetime) -> Changes:
        changes: Changes = {}
        progress = session.progress
        if progress is not None and progress.usage.asked and session.iterations:
            # Work that was cut off in the middle of a fix: its calls were paid for all the same.
            spent = session.iterations[-1].spent + progress.usage
            changes = _change_current(session, spent=spent)
        iterations = changes.get("iterations", session.iterations)
        if isinstance(iterations, tuple) and any(item.unfinished for item in iterations):
            changes["iterations"] = tuple(
                item.model_copy(update={"cut_off": True}) if item.unfinished else item
                for item in iterations
            )
        return {
            **changes,
            "phase": self.phase,
            "message": self.message,
            "details": self.details,
            "verdict": self.verdict,
            "progress": None,
        }


class Verified(_Event):
    """A run of a verification ended, or it began: the verification as it is now."""

    kind: Literal["verified"] = "verified"
    verification: Verification


class NoiseMeasured(_Event):
    """A run of a measurement of the noise ended, or it began: the measurement as it is now."""

    kind: Literal["noise-measured"] = "noise-measured"
    noise: Noise


class CauseSought(_Event):
    """An experiment of a search for the cause ended, or it began: the search as it is now."""

    kind: Literal["cause-sought"] = "cause-sought"
    calibration: Calibration

    def _changes(self, session: Session, at: datetime) -> Changes:
        digest = self.calibration.notebook_hash
        others = [one for one in session.calibrations if one.notebook_hash != digest]
        return {"calibrations": (*others, self.calibration)}


class Proved(_Event):
    """An experiment on the origin of a result has ended: all of them so far."""

    kind: Literal["proved"] = "proved"
    proofs: tuple[Proof, ...]
    notebook_hash: str = ""
    done: bool = False
    """Whether no more experiments follow."""

    def _changes(self, session: Session, at: datetime) -> Changes:
        return {"proofs": self.proofs, "proven": self.notebook_hash, "proof_done": self.done}


class Improved(_Event):
    """A run of a search for a better score ended, or it began: the search as it is now."""

    kind: Literal["improved"] = "improved"
    improvement: Improvement


class Written(_Event):
    """A model began to write a paper's notebook, or a stage of it ended: its progress."""

    kind: Literal["written"] = "written"
    writing: SessionWriting


_VARIANTS: Mapping[RunKind, type[CleanRun | ResumedRun | RehearsalRun]] = {
    RunKind.CLEAN: CleanRun,
    RunKind.RESUMED: ResumedRun,
    RunKind.REHEARSAL: RehearsalRun,
}


def _settled(session: Session) -> Progress | None:
    """Return the progress without the cost of a fix so far: the iteration has it now."""
    progress = session.progress
    return None if progress is None else progress.model_copy(update={"usage": Usage()})


def _change_current(session: Session, **update: object) -> Changes:
    current = session.iterations[-1].model_copy(update=update)
    return {"iterations": (*session.iterations[:-1], current)}


def _closed(iteration: Iteration) -> Iteration:
    """Return the iteration with every undecided edit marked stale."""
    if not any(review.open for review in iteration.reviews):
        return iteration
    return iteration.model_copy(update={"reviews": tuple(map(_closed_review, iteration.reviews))})


def _closed_review(review: Review) -> Review:
    """Return the review with every undecided edit marked stale."""
    if not review.open:
        return review
    undecided = {
        edit.id: Decision(state=EditState.STALE)
        for edit in review.proposal.edits
        if review.state(edit) is EditState.PENDING
    }
    return review.model_copy(update={"decisions": {**review.decisions, **undecided}})


Event = Annotated[
    Created
    | EnvironmentSettled
    | FilesLookedUp
    | ResourcesWanted
    | OwnTimeRan
    | Contrasted
    | Backported
    | Dated
    | PackagesMissed
    | SettingsChanged
    | WorkStarted
    | RunStarted
    | Progressed
    | Executed
    | WaitBegan
    | WaitEnded
    | Diagnosed
    | Rehearsed
    | Unrehearsed
    | Proposed
    | Spent
    | Compared
    | Decided
    | Rested
    | Verified
    | NoiseMeasured
    | CauseSought
    | Proved
    | Improved
    | Written,
    Field(discriminator="kind"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))


class LogEntry(Value):
    """An event with its place in the log."""

    seq: int
    """From 1, without gaps."""
    at: datetime
    event: Event

    def after(self, session: Session) -> Session:
        """Return the session after the event.

        Raises:
            ValueError: The event is not the next one.
        """
        if self.seq != session.seq + 1:
            raise ValueError(f"event {self.seq} does not follow event {session.seq}")
        changes = self.event._changes(session, self.at)
        changes["worked_seconds"] = session.worked_seconds + self._worked(session)
        return session.model_copy(update={**changes, "seq": self.seq, "updated_at": self.at})

    def _worked(self, session: Session) -> float:
        """Return the seconds of work since the last event; those before a crash are unknown."""
        waits = session.progress is not None and session.progress.waiting
        crashed = isinstance(self.event, Rested) and self.event.phase is Phase.INTERRUPTED
        if waits or crashed or not session.phase.working:
            return 0.0
        return max((self.at - session.updated_at).total_seconds(), 0.0)

"""The events a session is made of: its log, and nothing but its log, is the truth."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorDiagnosis
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
from mle_modernizer_server.domain.session import Decision, Phase, RunKind, Verdict, Waiting
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import (
    Calibration,
    Noise,
    Proof,
    Rehearsal,
    Verification,
)
from mle_modernizer_server.workflow.log.owner import Owner


class Created(Value):
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


class EnvironmentSettled(Value):
    """It is known which Python and packages the notebook runs with."""

    kind: Literal["environment-settled"] = "environment-settled"
    choice: EnvironmentChoice


class OwnTimeRan(Value):
    """The notebook ran, unchanged, with its original libraries."""

    kind: Literal["own-time-ran"] = "own-time-ran"
    run: OwnTimeRun


class Contrasted(Value):
    """A run of today was compared, cell by cell, with the one with its original libraries."""

    kind: Literal["contrasted"] = "contrasted"
    contrast: OwnTimeContrast


class Backported(Value):
    """A kernel of the notebook's own time was put into Jupyter's menu, or taken out of it."""

    kind: Literal["backported"] = "backported"
    backport: Backport | None


class PackagesMissed(Value):
    """The latest run did not find modules, and no environment with their packages was made."""

    kind: Literal["packages-missed"] = "packages-missed"
    packages: tuple[MissingPackage, ...]


class ResourcesWanted(Value):
    """The latest run could not reach addresses that can be fetched for it."""

    kind: Literal["resources-wanted"] = "resources-wanted"
    addresses: tuple[str, ...]


class FilesLookedUp(Value):
    """Search for the files that the latest run did not find."""

    kind: Literal["files-looked-up"] = "files-looked-up"
    findings: tuple[FileFinding, ...]


class Dated(Value):
    """The notebook's era was inferred from its sources, before any work on them."""

    kind: Literal["dated"] = "dated"
    era: Era


class SettingsChanged(Value):
    """The user changed the settings."""

    kind: Literal["settings-changed"] = "settings-changed"
    settings: SessionSettings


class WorkStarted(Value):
    """The server took up work on the session."""

    kind: Literal["work-started"] = "work-started"
    owner: Owner
    message: Messages


class RunStarted(Value):
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


class Progressed(Value):
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


class Executed(Value):
    """The run of the latest iteration ended."""

    kind: Literal["executed"] = "executed"
    execution: Execution


class WaitBegan(Value):
    """The run stopped at a failing cell, and its kernel waits for the fix."""

    kind: Literal["wait-began"] = "wait-began"
    waiting: Waiting
    owner: Owner
    """Whose child the kernel is."""


class WaitEnded(Value):
    """The kernel no longer waits: the run continues, or it was ended."""

    kind: Literal["wait-ended"] = "wait-ended"
    reason: Messages = ()
    """Why it was ended; empty if the run continues."""


class Diagnosed(Value):
    """Its score and its meaning are known."""

    kind: Literal["diagnosed"] = "diagnosed"
    grade: Grade
    diagnosis: Diagnosis
    best: int
    """Number of the best iteration so far."""
    agreement: OutputAgreement | None = None
    """Comparison of its outputs with the saved ones."""


_OF_GRADED_RUNS = ("outcome", "output_status")


class Rehearsed(Value):
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


class Unrehearsed(Value):
    """A requested rehearsal is impossible."""

    kind: Literal["unrehearsed"] = "unrehearsed"
    reason: Messages


class Proposed(Value):
    """A fixer answered with a patch."""

    kind: Literal["proposed"] = "proposed"
    proposal: Proposal
    adopted: bool = False
    final: bool = False


class Spent(Value):
    """A fixer cost something and came back with nothing."""

    kind: Literal["spent"] = "spent"
    usage: Usage


class Compared(Value):
    """Silent changes were tried with old libraries."""

    kind: Literal["compared"] = "compared"
    probe: Probe


class Decided(Value):
    """The user decided on edits."""

    kind: Literal["decided"] = "decided"
    proposal: str
    decisions: dict[str, Decision]


class Rested(Value):
    """The work ended, one way or another: it is the user's turn."""

    kind: Literal["rested"] = "rested"
    phase: Phase
    message: Messages
    """The outcome, and the next step."""
    details: Messages = ()
    """Further details."""
    verdict: Verdict | None = None


class Verified(Value):
    """A run of a verification ended, or it began: the verification as it is now."""

    kind: Literal["verified"] = "verified"
    verification: Verification


class NoiseMeasured(Value):
    """A run of a measurement of the noise ended, or it began: the measurement as it is now."""

    kind: Literal["noise-measured"] = "noise-measured"
    noise: Noise


class CauseSought(Value):
    """An experiment of a search for the cause ended, or it began: the search as it is now."""

    kind: Literal["cause-sought"] = "cause-sought"
    calibration: Calibration


class Proved(Value):
    """An experiment on the origin of a result has ended: all of them so far."""

    kind: Literal["proved"] = "proved"
    proofs: tuple[Proof, ...]
    notebook_hash: str = ""
    done: bool = False
    """Whether no more experiments follow."""


class Improved(Value):
    """A run of a search for a better score ended, or it began: the search as it is now."""

    kind: Literal["improved"] = "improved"
    improvement: Improvement


class Written(Value):
    """A model began to write a paper's notebook, or a stage of it ended: its progress."""

    kind: Literal["written"] = "written"
    writing: SessionWriting


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

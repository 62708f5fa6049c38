"""The events a session is made of: its log, and nothing but its log, is the truth."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import Diagnosis
from mle_modernizer_server.domain.era import Era, Evidence
from mle_modernizer_server.domain.execution import CellError, Execution
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.proposal import Proposal, Usage
from mle_modernizer_server.domain.session import Decision, Phase, RunKind, SessionSettings, Verdict


class Owner(Value):
    """The server process that does a session's work; tells a crash from another server's work."""

    host: str
    pid: int
    process_started: float
    """Start time of the process, seconds since the epoch: process ids are used again."""


class Created(Value):
    """The session began."""

    kind: Literal["created"] = "created"
    path: str
    notebook_hash: str
    settings: SessionSettings
    evidence: tuple[Evidence, ...] = ()
    """What the notebook's file tells of its era, beside the sources."""


class Dated(Value):
    """The notebook's era was told from its sources, before any work on them."""

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
    message: str


class RunStarted(Value):
    """An iteration began; the open review, if any, is closed."""

    kind: Literal["run-started"] = "run-started"
    notebook_hash: str
    run: RunKind = RunKind.CLEAN
    message: str


class Progressed(Value):
    """A step of the work: the clock, the cell at work, an error that came up."""

    kind: Literal["progressed"] = "progressed"
    phase: Phase
    message: str
    cell_id: str | None = None
    ordinal: int | None = None
    total: int | None = None
    clock_started: bool = False
    """The first cell starts now."""
    error: CellError | None = None


class Executed(Value):
    """The run of the latest iteration ended."""

    kind: Literal["executed"] = "executed"
    execution: Execution


class Diagnosed(Value):
    """Its score and its meaning are known."""

    kind: Literal["diagnosed"] = "diagnosed"
    grade: Grade
    diagnosis: Diagnosis
    best: int
    """Number of the best iteration so far."""


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


class Decided(Value):
    """The user decided on edits."""

    kind: Literal["decided"] = "decided"
    proposal: str
    decisions: dict[str, Decision]


class Rested(Value):
    """The work ended, one way or another: it is the user's turn."""

    kind: Literal["rested"] = "rested"
    phase: Phase
    message: str
    verdict: Verdict | None = None


Event = Annotated[
    Created
    | Dated
    | SettingsChanged
    | WorkStarted
    | RunStarted
    | Progressed
    | Executed
    | Diagnosed
    | Proposed
    | Spent
    | Decided
    | Rested,
    Field(discriminator="kind"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class Entry(Value):
    """An event with its place in the log."""

    seq: int
    """From 1, without gaps."""
    at: datetime
    event: Event

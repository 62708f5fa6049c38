"""Messages besides the domain types: request bodies and small answers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field, JsonValue

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric, SplitKind
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.grade import TargetSuggestion
from mle_modernizer_server.domain.improvement import (
    DEFAULT_FOLDS,
    DEFAULT_PARTITIONS,
    FEWEST_FOLDS,
    MOST_FOLDS,
    MOST_PARTITIONS,
    Block,
    Course,
    RoleChoice,
)
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.model_calls import Price
from mle_modernizer_server.domain.notebook import CELL_ID, Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.reproduction import MOST_CLAIMS_CHOSEN, MOST_ROUNDS
from mle_modernizer_server.domain.session import Decision, Iteration, Phase, Session, Verdict
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import MOST_RUNS, VerificationKind

if TYPE_CHECKING:
    from mle_modernizer_server.workflow.service import SessionChanges


def _with_usable_ids(notebook: Notebook) -> Notebook:
    """Return the notebook.

    Raises:
        ValueError: Jupyter's format does not allow the id of a cell.
    """
    for number, cell in enumerate(notebook.cells, start=1):
        if not CELL_ID.fullmatch(cell.id):
            raise ValueError(
                f"cell {number} has an id that Jupyter's format does not allow "
                f"({cell.id[:_LONGEST_SHOWN]!r}); duplicate the cell and delete the original"
            )
    return notebook


SentNotebook = Annotated[Notebook, AfterValidator(_with_usable_ids)]
"""A notebook of a client."""
_LONGEST_SHOWN = 80


class SandboxInfo(Value):
    """One sandbox and whether it can be used here."""

    name: str
    isolated: bool
    available: bool
    reason: Messages = ()
    """If not: why, and the next step."""


class LlmInfo(Value):
    """Whether a language model is configured; never its key."""

    configured: bool
    model: str = ""
    reason: str = ""
    """If none is: the missing setting."""
    price: Price | None = None
    """None if unknown."""


class CompetitionInfo(Value):
    """A competition as displayed in the panel."""

    id: str
    name: str
    metric: Metric
    higher_is_better: bool
    target_columns: tuple[str, ...]


class ServerInfo(Value):
    """Answer of `GET /info`."""

    version: str
    sandboxes: tuple[SandboxInfo, ...]
    default_sandbox: str | None
    llm: LlmInfo
    data_root: str
    competitions: tuple[CompetitionInfo, ...]
    no_data: Messages = ()
    """Message that the data root is missing, with how to name another; empty if it exists."""
    problems: Messages = ()
    """Failures at the server's start, and competitions that could not be read: a sentence each."""
    defaults: SessionSettings
    old_pythons: tuple[str, ...] = ()
    """Names of old libraries that silent changes can be compared with."""


class DetectRequest(Value):
    """Body of `POST /detect`."""

    notebook: SentNotebook
    path: str = ""
    """Of the notebook; its name may contain a score, as may Kaggle's file next to it."""


class DetectAnswer(Value):
    """The competition that the notebook's paths mention, and the scores that its texts mention."""

    competition: str | None
    reason: Messages
    targets: tuple[TargetSuggestion, ...] = ()
    """The surest first; none is taken without the user's word."""


class PreflightRequest(Value):
    """Body of `POST /preflight`: predict errors. Nothing runs and nothing is stored."""

    notebook: SentNotebook
    traces: Traces = Traces()
    path: str = Field(default="", max_length=4096)
    """Of the notebook: the files next to it count. Empty: it has no folder."""
    settings: SessionSettings = SessionSettings()
    """Sandbox and environment, and the date of the notebook if the user set one."""


class ReadPaper(Value):
    """Body of `POST /papers`: read the claims of a paper. Nothing is stored."""

    path: str = Field(max_length=4_096)
    """The paper's file, as the file browser names it."""


class ShowPage(Value):
    """Body of `POST /papers/page`: a page of a PDF as a picture. Nothing is stored."""

    path: str = Field(max_length=4_096)
    """The paper's file, as the file browser names it."""
    page: int = Field(ge=1, le=100_000)
    mark: str = Field(default="", max_length=100)
    """Text to mark on it, such as a number that was read from it."""


class CompleteClaims(Value):
    """Body of `POST /papers/claims`: a model completes the claims of a paper."""

    path: str = Field(max_length=4_096)
    """The paper's file, as the file browser names it."""
    max_tokens: int | None = Field(default=None, ge=0)
    """Of question and answer together; None is no bound."""
    max_usd: float | None = Field(default=None, ge=0)


class DraftRequest(Value):
    """Body of `POST /drafts`: a first notebook for a competition; nothing is written."""

    competition: str = Field(min_length=1, max_length=200)


class Draft(Value):
    """Answer to `POST /drafts`."""

    title: str
    """The competition's."""
    notebook: Notebook


class MakeReproduction(Value):
    """Body of `POST /papers/notebook`: a new notebook next to a paper, to reproduce its claims."""

    path: str = Field(max_length=4_096)
    """The paper's file, as the file browser names it."""
    claims: tuple[Annotated[str, Field(max_length=64)], ...] = Field(
        default=(), max_length=MOST_CLAIMS_CHOSEN
    )
    """Ids of the claims; empty: those of the paper's best table."""


class MadeReproduction(Value):
    """Answer to `POST /papers/notebook`."""

    path: str
    """The notebook, as the file browser names it."""


class WriteReproduction(Value):
    """Body of `POST /sessions/{id}/writing`: a model writes the notebook of a paper."""

    notebook: SentNotebook
    rounds: int = Field(default=MOST_ROUNDS, ge=1, le=MOST_ROUNDS)
    """Questions of one stage at most."""


class EnvironmentsRequest(Value):
    """Body of `POST /environments`: with which Pythons can it run? Nothing is made."""

    notebook: SentNotebook
    path: str = Field(default="", max_length=4096)
    """Of the notebook: environments next to it count. Empty: it has no folder."""
    traces: Traces = Traces()


class EstimateRequest(Value):
    """Body of `POST /estimate`: the cost of an auto run. Nothing runs and nothing is stored."""

    notebook: SentNotebook
    settings: SessionSettings = SessionSettings()


class CreateSession(Value):
    """Body of `POST /sessions`."""

    path: str
    notebook: SentNotebook
    settings: SessionSettings = SessionSettings()
    traces: Traces = Traces()


class ChangeSettings(Value):
    """Body of `PATCH /sessions/{id}`."""

    settings: SessionSettings


class StartRun(Value):
    """Body of `POST /sessions/{id}/runs`: run the notebook that the user sees."""

    notebook: SentNotebook
    fresh: bool = False
    """Begin with the first cell, even if a waiting run could continue."""


class TypeScore(Value):
    """Body of `POST /sessions/{id}/scores`: a score of the latest run, read elsewhere."""

    score: float = Field(allow_inf_nan=False)


class Verify(Value):
    """Body of `POST /sessions/{id}/verify`: run a notebook again, and again."""

    kind: VerificationKind = VerificationKind.STRICT
    runs: int = Field(default=MOST_RUNS, ge=2, le=MOST_RUNS)
    """At most so many runs, for a strict one; a quick one is a single run."""
    notebook: SentNotebook | None = None
    """None: that of the best iteration."""


class CompareToday(Value):
    """Body of `POST /sessions/{id}/contrast`: compare today with the original libraries."""

    notebook: SentNotebook | None = None
    """Notebook to run today; None: the notebook of the best iteration."""


class MeasureNoise(Value):
    """Body of `POST /sessions/{id}/noise`: how far does the score move by itself?"""

    runs: int | None = Field(default=None, ge=3, le=MOST_RUNS)
    """How many runs; None: as in the settings."""


class ReviewBatchResult(Value):
    """Body of `POST /batches/review`: review a batch's proposal for one of its notebooks."""

    path: str = Field(min_length=1, max_length=2000)
    """The batch's folder, as the file browser names it."""
    key: str = Field(min_length=1, max_length=200)
    """Of the result."""


class Improve(Value):
    """Body of `POST /sessions/{id}/improve`: is a changed version better on validation folds?"""

    folds: int = Field(default=DEFAULT_FOLDS, ge=FEWEST_FOLDS, le=MOST_FOLDS)
    partitions: int = Field(default=DEFAULT_PARTITIONS, ge=1, le=MOST_PARTITIONS)
    """Most partitions of the rows into folds, for versions whose gain is inconclusive."""
    split: SplitKind | None = None
    """How rows are assigned to folds; None: as the competition itself seems split."""
    column: str | None = Field(default=None, min_length=1, max_length=200)
    """The group's or the time's column, if rows are assigned by one."""
    budget: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Seconds that all runs together may take; None is no bound."""
    ablate: bool = False
    """Measure first the worth of each part of the notebook."""
    refine: Course | None = None
    """Continue with the most important parts, step by step from the best version so far."""
    roles: tuple[RoleChoice, ...] = Field(default=(), max_length=1_000)
    """The user's corrections of the blocks' inferred roles."""


class Blocks(Value):
    """Answer of `GET /sessions/{id}/blocks`: the parts of the notebook that would be improved."""

    blocks: tuple[Block, ...]


class ProposeVersion(Value):
    """Body of `POST /sessions/{id}/improve/proposal`."""

    notebook_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    """The version's, which was better."""


class KeepRule(Value):
    """Body of `POST /sessions/{id}/rules`."""

    id: str = Field(max_length=300)
    """Of a rule that the session's fixes teach."""


class AskFix(Value):
    """Body of `POST /sessions/{id}/fixes`; absent fields are the diagnosis' or the settings'."""

    fix_type: FixType | None = None
    scope: FixScope | None = None
    fixers: tuple[FixerName, ...] | None = None
    notebook: SentNotebook | None = None
    """The notebook as it is now, if it is no longer the one that ran."""


class StartProbe(Value):
    """Body of `POST /sessions/{id}/probe`: test the effect of silent changes by experiment."""

    notebook: SentNotebook
    traces: Traces = Traces()
    old_python: str
    """Name of the old libraries, from `ServerInfo`."""
    rule: str | None = None
    """Id of the one change to try; None tries all."""


class Decide(Value):
    """Body of `POST /sessions/{id}/reviews/{proposal_id}/decisions`."""

    decisions: dict[str, Decision] = Field(min_length=1)
    """By edit id."""
    source_hashes: dict[str, str] = Field(default_factory=dict)
    """By edit id: SHA-256 (hex, UTF-8) of the source that the accepted part was checked against.
    Needed for every `accepted` modification or deletion."""


class SessionSummary(Value):
    """A session in a list."""

    id: str
    path: str
    created_at: datetime
    updated_at: datetime
    seq: int
    phase: Phase
    verdict: Verdict | None
    result: Messages
    """Outcome of the last completed run if no verdict states it; empty if none completed."""
    runs: int
    fixes: int
    """Proposals that went into the notebook."""
    score: float | None
    """Of the best run."""


class SessionList(Value):
    """Answer of `GET /sessions`, newest first, at most 100 at once."""

    sessions: tuple[SessionSummary, ...]
    total: int
    """How many there are on all pages, also those that cannot be read."""
    older: int | None
    """Value of `before` for the next page; null if these are the last."""


class LogEntry(Value):
    """One event of a session's log."""

    seq: int
    at: datetime
    kind: str
    data: dict[str, JsonValue]


class Log(Value):
    """Answer of `GET /sessions/{id}/events`."""

    events: tuple[LogEntry, ...]


class SessionUpdate(Value):
    """Answer of `GET /sessions/{id}?since=n`: the changes since event `n`."""

    id: str
    since: int
    seq: int
    """Number of the session's last event."""
    changed: dict[str, JsonValue]
    """Its fields that changed, but for the iterations."""
    iterations: tuple[Iteration, ...] = ()
    """Those that changed or are new, whole; by their numbers they take the places of the old."""


def session_update(changes: SessionChanges, since: int) -> SessionUpdate:
    """Return the message of the changes since an event."""
    session = changes.session
    named = {*changes.fields, *Session.model_computed_fields}
    return SessionUpdate(
        id=session.id,
        since=since,
        seq=session.seq,
        changed=session.model_dump(mode="json", include=named),
        iterations=changes.iterations,
    )


class ErrorAnswer(Value):
    """Body of every 4xx and 5xx."""

    code: str
    """Stable, for programs."""
    message: str
    """In English, for people who read answers themselves."""
    reason: Messages = ()
    """The same in codes, for clients with words of their own."""
    cell_id: str | None = None


class SessionHint(Value):
    """The event on Jupyter's bus: only that something changed, without content."""

    session_id: str
    seq: int
    phase: Phase
    cell_id: str | None = None

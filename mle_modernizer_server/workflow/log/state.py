"""Events to a session: pure, and the only place that changes a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import singledispatch

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.model_calls import Usage
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
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import LogEntry

Changes = dict[str, object]


@dataclass(frozen=True)
class Tracked:
    """A session with the events that changed it last.

    Attributes:
        session: As of its last event.
        fields: By name of a field, the number of the event that changed it last.
        iterations: The same for each of its iterations.
    """

    session: Session
    fields: Mapping[str, int]
    iterations: tuple[int, ...] = ()

    def since(self, seq: int) -> SessionChanges:
        """Return the changes after an event."""
        fields = {name for name, at in self.fields.items() if at > seq}
        return SessionChanges(
            session=self.session,
            fields=frozenset(fields - {"iterations"}),
            iterations=tuple(
                iteration
                for iteration, at in zip(self.session.iterations, self.iterations, strict=True)
                if at > seq
            ),
        )


@dataclass(frozen=True)
class SessionChanges:
    """Changes of a session.

    Attributes:
        session: Its current state.
        fields: Names of its changed fields, except the iterations.
        iterations: The changed or new ones.
    """

    session: Session
    fields: frozenset[str]
    iterations: tuple[Iteration, ...]


def fold(session_id: str, entries: Sequence[LogEntry]) -> Tracked:
    """Return the session of a whole log.

    Raises:
        ValueError: The log does not begin with `created`, or has a gap.
    """
    session = begin(session_id, entries[0])
    tracked = Tracked(session, dict.fromkeys(Session.model_fields, entries[0].seq))
    for entry in entries[1:]:
        tracked = follow(tracked, entry)
    return tracked


def follow(tracked: Tracked, entry: LogEntry) -> Tracked:
    """Return the session after one more event.

    Raises:
        ValueError: The event is not the next one.
    """
    before, after = tracked.session, apply(tracked.session, entry)
    changed = {
        name: entry.seq
        for name in Session.model_fields
        if getattr(after, name) is not getattr(before, name)
    }
    stamps = tuple(
        tracked.iterations[place]
        if place < len(before.iterations) and iteration is before.iterations[place]
        else entry.seq
        for place, iteration in enumerate(after.iterations)
    )
    return Tracked(after, {**tracked.fields, **changed}, stamps)


def begin(session_id: str, entry: LogEntry) -> Session:
    """Return the session of its first event.

    Raises:
        ValueError: The log does not begin with `created`.
    """
    if not isinstance(entry.event, events.Created):
        raise ValueError(f"the log of session {session_id} begins with {entry.event.kind}")
    return Session(
        id=session_id,
        path=entry.event.path,
        created_at=entry.at,
        updated_at=entry.at,
        seq=entry.seq,
        phase=Phase.READY,
        settings=entry.event.settings,
        notebook_hash=entry.event.notebook_hash,
        evidence=entry.event.evidence,
        printed_scores=entry.event.printed_scores,
    )


def apply(session: Session, entry: LogEntry) -> Session:
    """Return the session after one more event.

    Raises:
        ValueError: The event is not the next one.
    """
    if entry.seq != session.seq + 1:
        raise ValueError(f"event {entry.seq} does not follow event {session.seq}")
    changes = _changes(entry.event, session, entry)
    changes["worked_seconds"] = session.worked_seconds + _worked(session, entry)
    return session.model_copy(update={**changes, "seq": entry.seq, "updated_at": entry.at})


def _worked(session: Session, entry: LogEntry) -> float:
    """Return the seconds of work since the last event; those before a crash are unknown."""
    waits = session.progress is not None and session.progress.waiting
    crashed = isinstance(entry.event, events.Rested) and entry.event.phase is Phase.INTERRUPTED
    if waits or crashed or not session.phase.working:
        return 0.0
    return max((entry.at - session.updated_at).total_seconds(), 0.0)


_STORED: Mapping[type[Value], tuple[str, str]] = {
    events.Dated: ("era", "era"),
    events.EnvironmentSettled: ("choice", "environment"),
    events.Contrasted: ("contrast", "contrast"),
    events.Backported: ("backport", "backport"),
    events.PackagesMissed: ("packages", "missing_packages"),
    events.ResourcesWanted: ("addresses", "wanted_resources"),
    events.FilesLookedUp: ("findings", "lost_files"),
    events.SettingsChanged: ("settings", "settings"),
    events.WaitBegan: ("waiting", "waiting"),
    events.Unrehearsed: ("reason", "unrehearsed"),
    events.Compared: ("probe", "probe"),
    events.Verified: ("verification", "verification"),
    events.NoiseMeasured: ("noise", "noise"),
    events.Improved: ("improvement", "improvement"),
    events.Written: ("writing", "writing"),
}
"""Events that replace one field of the session: the event's field and the session's."""


@singledispatch
def _changes(event: Value, session: Session, entry: LogEntry) -> Changes:
    source, target = _STORED[type(event)]
    return {target: getattr(event, source)}


@_changes.register
def _(event: events.Created, session: Session, entry: LogEntry) -> Changes:
    raise ValueError("a session is created once")


@_changes.register
def _(event: events.OwnTimeRan, session: Session, entry: LogEntry) -> Changes:
    return {"own_time": event.run, "contrast": None}


@_changes.register
def _(event: events.WorkStarted, session: Session, entry: LogEntry) -> Changes:
    return {
        "phase": Phase.PREPARING,
        "progress": Progress(message=event.message, since=entry.at),
        "verdict": None,
        "unrehearsed": (),
        "message": event.message,
    }


_VARIANTS: Mapping[RunKind, type[CleanRun | ResumedRun | RehearsalRun]] = {
    RunKind.CLEAN: CleanRun,
    RunKind.RESUMED: ResumedRun,
    RunKind.REHEARSAL: RehearsalRun,
}


@_changes.register
def _(event: events.RunStarted, session: Session, entry: LogEntry) -> Changes:
    iteration = _VARIANTS[event.run](
        number=len(session.iterations) + 1,
        started_at=event.began or entry.at,
        notebook_hash=event.notebook_hash,
        origin=event.origin,
        changed_lines=event.changed_lines,
        needs_proof=event.needs_proof,
    )
    return {
        "phase": Phase.PREPARING,
        "progress": Progress(message=event.message, since=entry.at),
        "reviews": tuple(map(_closed_review, session.reviews)),
        "iterations": (*map(_closed, session.iterations), iteration),
        "lost_files": (),
        "missing_packages": (),
        "wanted_resources": (),
    }


@_changes.register
def _(event: events.Progressed, session: Session, entry: LogEntry) -> Changes:
    # With the clock, everything else of a run before it starts anew.
    before = (None if event.clock_started else session.progress) or Progress(message=())
    errors = before.errors if event.error is None else (*before.errors, event.error)
    progress = Progress(
        message=event.message,
        since=before.since if event.phase is session.phase else entry.at,
        waiting=event.waiting,
        waits_for=event.waits_for,
        label=event.label,
        cell_id=event.cell_id,
        ordinal=event.ordinal if event.ordinal is not None else before.ordinal,
        total=event.total if event.total is not None else before.total,
        cells_started_at=(
            entry.at - timedelta(seconds=event.clock_shows)
            if event.clock_started
            else before.cells_started_at
        ),
        time_limit=event.time_limit if event.time_limit is not None else before.time_limit,
        errors=errors,
        usage=before.usage if event.usage is None else event.usage,
    )
    return {"phase": event.phase, "progress": progress}


@_changes.register
def _(event: events.Executed, session: Session, entry: LogEntry) -> Changes:
    return _change_current(session, execution=event.execution)


@_changes.register
def _(event: events.WaitEnded, session: Session, entry: LogEntry) -> Changes:
    return {"waiting": None}


@_changes.register
def _(event: events.Diagnosed, session: Session, entry: LogEntry) -> Changes:
    if not isinstance(session.current, GradedRun):
        raise ValueError("a grade belongs to a run on all data")
    changed: dict[str, object] = {"grade": event.grade, "diagnosis": event.diagnosis}
    if event.agreement is not None:  # a score typed later does not affect the outputs
        changed["agreement"] = event.agreement
    changes = _change_current(session, **changed)
    return {**changes, "best": event.best, "message": event.diagnosis.summary}


@_changes.register
def _(event: events.Rehearsed, session: Session, entry: LogEntry) -> Changes:
    if not isinstance(session.current, RehearsalRun):
        raise ValueError("what a rehearsal showed belongs to a rehearsal")
    changes = _change_current(session, rehearsal=event.rehearsal, diagnosis=event.diagnosis)
    return {**changes, "message": event.diagnosis.summary}


@_changes.register
def _(event: events.Proposed, session: Session, entry: LogEntry) -> Changes:
    review = Review(proposal=event.proposal, final=event.final, adopted=event.adopted)
    after_run = event.adopted or event.final
    ahead = event.proposal.fix_type is FixType.BEFORE_RUN and not after_run
    if ahead or not session.iterations:
        return {"reviews": (*map(_closed_review, session.reviews), review)}
    current = session.iterations[-1]
    changes = _change_current(session, reviews=(*_closed(current).reviews, review))
    return {**changes, "progress": _settled(session)}


@_changes.register
def _(event: events.Spent, session: Session, entry: LogEntry) -> Changes:
    if not session.iterations:
        return {"spent": session.spent + event.usage, "progress": _settled(session)}
    changes = _change_current(session, spent=session.iterations[-1].spent + event.usage)
    return {**changes, "progress": _settled(session)}


@_changes.register
def _(event: events.Decided, session: Session, entry: LogEntry) -> Changes:
    def decided(reviews: tuple[Review, ...]) -> tuple[Review, ...]:
        return tuple(
            review.model_copy(update={"decisions": {**review.decisions, **event.decisions}})
            if review.proposal.id == event.proposal
            else review
            for review in reviews
        )

    iterations = tuple(
        iteration.model_copy(update={"reviews": decided(iteration.reviews)})
        if any(review.proposal.id == event.proposal for review in iteration.reviews)
        else iteration
        for iteration in session.iterations
    )
    return {"reviews": decided(session.reviews), "iterations": iterations}


@_changes.register
def _(event: events.Rested, session: Session, entry: LogEntry) -> Changes:
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
        "phase": event.phase,
        "message": event.message,
        "details": event.details,
        "verdict": event.verdict,
        "progress": None,
    }


@_changes.register
def _(event: events.Proved, session: Session, entry: LogEntry) -> Changes:
    return {"proofs": event.proofs, "proven": event.notebook_hash, "proof_done": event.done}


@_changes.register
def _(event: events.CauseSought, session: Session, entry: LogEntry) -> Changes:
    digest = event.calibration.notebook_hash
    others = [one for one in session.calibrations if one.notebook_hash != digest]
    return {"calibrations": (*others, event.calibration)}


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

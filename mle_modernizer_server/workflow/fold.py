"""Events to a session: pure, and the only place where a session changes."""

from __future__ import annotations

from functools import singledispatch

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    Iteration,
    Phase,
    Progress,
    Review,
    Session,
)
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.events import Entry

Changes = dict[str, object]


def begin(session_id: str, entry: Entry) -> Session:
    """The session its first event makes.

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
    )


def apply(session: Session, entry: Entry) -> Session:
    """The session after one more event.

    Raises:
        ValueError: The event is not the next one.
    """
    if entry.seq != session.seq + 1:
        raise ValueError(f"event {entry.seq} does not follow event {session.seq}")
    changes = _changes(entry.event, session, entry)
    return session.model_copy(update={**changes, "seq": entry.seq, "updated_at": entry.at})


@singledispatch
def _changes(event: object, session: Session, entry: Entry) -> Changes:
    raise TypeError(f"unknown event {event!r}")


@_changes.register
def _(event: events.Created, session: Session, entry: Entry) -> Changes:
    raise ValueError("a session is created once")


@_changes.register
def _(event: events.Dated, session: Session, entry: Entry) -> Changes:
    return {"era": event.era}


@_changes.register
def _(event: events.SettingsChanged, session: Session, entry: Entry) -> Changes:
    return {"settings": event.settings}


@_changes.register
def _(event: events.WorkStarted, session: Session, entry: Entry) -> Changes:
    return {
        "phase": Phase.PREPARING,
        "progress": Progress(message=event.message),
        "verdict": None,
        "message": event.message,
    }


@_changes.register
def _(event: events.RunStarted, session: Session, entry: Entry) -> Changes:
    iteration = Iteration(
        number=len(session.iterations) + 1,
        started_at=entry.at,
        notebook_hash=event.notebook_hash,
        kind=event.run,
    )
    return {
        "phase": Phase.PREPARING,
        "progress": Progress(message=event.message),
        "reviews": tuple(map(_closed_review, session.reviews)),
        "iterations": (*map(_closed, session.iterations), iteration),
    }


@_changes.register
def _(event: events.Progressed, session: Session, entry: Entry) -> Changes:
    before = session.progress or Progress(message="")
    errors = before.errors if event.error is None else (*before.errors, event.error)
    progress = Progress(
        message=event.message,
        cell_id=event.cell_id,
        ordinal=event.ordinal if event.ordinal is not None else before.ordinal,
        total=event.total if event.total is not None else before.total,
        cells_started_at=entry.at if event.clock_started else before.cells_started_at,
        errors=errors,
    )
    return {"phase": event.phase, "progress": progress}


@_changes.register
def _(event: events.Executed, session: Session, entry: Entry) -> Changes:
    return _change_current(session, execution=event.execution)


@_changes.register
def _(event: events.Diagnosed, session: Session, entry: Entry) -> Changes:
    changes = _change_current(session, grade=event.grade, diagnosis=event.diagnosis)
    return {**changes, "best": event.best, "message": event.diagnosis.summary}


@_changes.register
def _(event: events.Proposed, session: Session, entry: Entry) -> Changes:
    review = Review(proposal=event.proposal, final=event.final, adopted=event.adopted)
    if event.proposal.fix_type is FixType.BEFORE_RUN:
        return {"reviews": (*map(_closed_review, session.reviews), review)}
    current = session.iterations[-1]
    return _change_current(session, reviews=(*_closed(current).reviews, review))


@_changes.register
def _(event: events.Spent, session: Session, entry: Entry) -> Changes:
    return _change_current(session, spent=session.iterations[-1].spent + event.usage)


@_changes.register
def _(event: events.Decided, session: Session, entry: Entry) -> Changes:
    def decided(reviews: tuple[Review, ...]) -> tuple[Review, ...]:
        return tuple(
            review.model_copy(update={"decisions": {**review.decisions, **event.decisions}})
            if review.proposal.id == event.proposal
            else review
            for review in reviews
        )

    iterations = tuple(
        iteration.model_copy(update={"reviews": decided(iteration.reviews)})
        for iteration in session.iterations
    )
    return {"reviews": decided(session.reviews), "iterations": iterations}


@_changes.register
def _(event: events.Rested, session: Session, entry: Entry) -> Changes:
    return {
        "phase": event.phase,
        "message": event.message,
        "verdict": event.verdict,
        "progress": None,
    }


def _change_current(session: Session, **update: object) -> Changes:
    current = session.iterations[-1].model_copy(update=update)
    return {"iterations": (*session.iterations[:-1], current)}


def _closed(iteration: Iteration) -> Iteration:
    """The iteration with every edit that was not decided marked stale."""
    return iteration.model_copy(update={"reviews": tuple(map(_closed_review, iteration.reviews))})


def _closed_review(review: Review) -> Review:
    """The review with every edit that was not decided marked stale."""
    if not review.open:
        return review
    undecided = {
        edit.id: Decision(state=EditState.STALE)
        for edit in review.proposal.edits
        if review.state(edit) is EditState.PENDING
    }
    return review.model_copy(update={"decisions": {**review.decisions, **undecided}})

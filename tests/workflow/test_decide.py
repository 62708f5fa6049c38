from __future__ import annotations

from collections.abc import Callable

import pytest

from mle_modernizer_server.domain.errors import AlreadyAccepted, Conflict
from mle_modernizer_server.domain.session import Decision, EditState, Phase, Session
from tests.workflow.test_auto import BROKEN, INSISTS, LOAD, SPLIT, SUBMIT, Play, play

__all__ = ["play"]

Decide = Callable[[EditState], Session]


@pytest.fixture
def decided(play: Play) -> tuple[Session, Decide]:
    """A session that waits for a yes, and what decides all of its edits."""
    session, _, work = play([INSISTS] * 2, (LOAD, SPLIT, BROKEN, SUBMIT))
    review = session.iterations[-1].reviews[-1]
    hashes = {edit.id: edit.base_hash for edit in review.proposal.edits}

    def all_of(state: EditState) -> Session:
        decisions = {name: Decision(state=state, confirmed=True) for name in hashes}
        return work.runs.decide(session.id, review.proposal.id, decisions, hashes)

    return session, all_of


def test_a_decision_that_is_taken_back_waits_again(decided: tuple[Session, Decide]) -> None:
    session, decide_all = decided
    ends = ((EditState.REJECTED, Phase.FINISHED), (EditState.ACCEPTED, Phase.READY))
    for state, phase in (*ends, *ends):
        assert decide_all(state).phase is phase
        again = decide_all(EditState.PENDING)
        assert (again.phase, again.verdict) == (Phase.REVIEWING, session.verdict)
        assert again.iterations[-1].reviews[-1].open
    assert again.iterations[-1].number == session.iterations[-1].number


def test_an_edit_is_accepted_once(decided: tuple[Session, Decide]) -> None:
    _, decide_all = decided
    decide_all(EditState.ACCEPTED)
    with pytest.raises(AlreadyAccepted) as refusal:
        decide_all(EditState.ACCEPTED)
    assert refusal.value.code == "already_accepted"
    decide_all(EditState.FAILED)
    assert decide_all(EditState.ACCEPTED).phase is Phase.READY
    assert issubclass(AlreadyAccepted, Conflict)

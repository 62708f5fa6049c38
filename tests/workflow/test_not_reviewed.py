"""A fix that a run overtook was not reviewed; only a person's no is a rejection."""

from __future__ import annotations

from pathlib import Path

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.session import Decision, EditState, Session
from mle_modernizer_server.workflow.fix.propose import attempts
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow.scenes import modernizer, ran, scene, settings

OLD = "import numpy as np\nrows = np.float(1)"


def plans(session: Session) -> list[Messages]:
    return [review.proposal.plan for item in session.iterations for review in item.reviews]


def test_unreviewed_fix_returns_with_the_next_run(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        made = work.sessions.create(
            "old.ipynb", values.notebook(OLD), settings(scope=FixScope.FILE)
        )
        await ran(work, made.id, OLD)
        session = await ran(work, made.id, OLD)
        first, second = plans(session)
        assert first == second
        assert attempts(session) == ()

    scene(body, modernizer(tmp_path))


def test_a_fix_that_was_rejected_does_not(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        made = work.sessions.create(
            "old.ipynb", values.notebook(OLD), settings(scope=FixScope.FILE)
        )
        session = await ran(work, made.id, OLD)
        proposal = session.iterations[-1].reviews[-1].proposal
        decisions = {edit.id: Decision(state=EditState.REJECTED) for edit in proposal.edits}
        work.runs.decide(made.id, proposal.id, decisions, {})
        session = await ran(work, made.id, OLD)
        assert len(plans(session)) == 1
        assert [attempt.accepted for attempt in attempts(session)] == [False]

    scene(body, modernizer(tmp_path))

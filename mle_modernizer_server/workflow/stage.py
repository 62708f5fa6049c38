"""A stage of auto mode: from a notebook to the best one that fixes make of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import CellEdit, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration, RunKind, Session
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.best import best, rank
from mle_modernizer_server.workflow.difference import joined
from mle_modernizer_server.workflow.iterate import iterate, latest_diagnosis
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.propose import Ask, propose
from mle_modernizer_server.workflow.rooms import Rooms
from mle_modernizer_server.workflow.verdicts import (
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)


@dataclass
class Course:
    """The work of auto mode on a session: what all its stages share.

    Attributes:
        journal: Where sessions live.
        rooms: The rooms of the house.
        session_id: The session.
        original: The notebook as the user has it.
        cancel: Set when the user stops the work.
        edits: By the hash of each notebook that was made, the edits that lead from the original
            to it: by cell id, joined.
        first: Number of the session's iterations before this work.
    """

    journal: Journal
    rooms: Rooms
    session_id: str
    original: Notebook
    cancel: asyncio.Event
    edits: dict[str, dict[str, CellEdit]] = field(default_factory=dict)
    first: int = field(init=False)

    def __post_init__(self) -> None:
        self.edits.setdefault(notebook_hash(self.original), {})
        self.first = len(self.session.iterations)

    @property
    def session(self) -> Session:
        """The session as it is now."""
        return self.journal.session(self.session_id)

    @property
    def done(self) -> tuple[Iteration, ...]:
        """The iterations of this work, of all stages."""
        return self.session.iterations[self.first :]

    def notebook(self, iteration: Iteration) -> Notebook:
        """The notebook that ran."""
        return self.journal.store.notebook(self.session_id, iteration.notebook_hash)


@dataclass(frozen=True)
class StageEnd:
    """How a stage came out.

    Attributes:
        notebook: The best notebook it reached.
        iterations: Its iterations, in their order.
        rested: How the work ends if no other stage follows.
    """

    notebook: Notebook
    iterations: tuple[Iteration, ...]
    rested: events.Rested


async def run_stage(course: Course, kind: RunKind, start: Notebook) -> StageEnd:
    """Run and fix until nothing needs a fix, nothing can be proposed or the budget is spent.

    Args:
        course: The work it is a stage of; `start` must be a notebook that `course.edits` knows.
        kind: What its runs can decide.
        start: The notebook to begin with.

    Raises:
        Cancelled, ModernizerError: As `iterate` and `propose`.
    """
    first = len(course.session.iterations)
    current = start
    while True:
        await iterate(course.journal, course.rooms, course.session_id, current, course.cancel, kind)
        done = course.session.iterations[first:]
        base = _base(done)
        rested = ending_without_need(done[-1])
        if rested is None and len(course.done) > course.session.settings.max_fixes:
            rested = ending_without_budget(base, len(course.done) - 1)
        if rested is not None:
            break
        before = course.notebook(base)
        ask = _ask(course, base, before)
        answer = await propose(
            course.journal, course.rooms, course.session_id, base, ask, course.cancel
        )
        if not isinstance(answer, Proposal):
            rested = ending_without_fix(base, answer)
            break
        current = apply_edits(before, answer.edits)
        course.edits[notebook_hash(current)] = joined(
            course.edits[base.notebook_hash], answer.edits
        )
        course.journal.write(course.session_id, events.Proposed(proposal=answer, adopted=True))
    return StageEnd(course.notebook(best(done)), done, rested)


def _base(done: tuple[Iteration, ...]) -> Iteration:
    """Where to go on from: the latest iteration, unless an earlier one was better."""
    leader = best(done)
    return done[-1] if rank(done[-1]) <= rank(leader) else leader


def _ask(course: Course, base: Iteration, notebook: Notebook) -> Ask:
    settings = course.session.settings
    fix_type = latest_diagnosis(base).fix_type or FixType.ERROR_REPAIR

    def refusal(outcome: Notebook) -> str | None:
        if notebook_hash(outcome) in course.edits:
            return "The fix proposed leads back to a notebook that was already run."
        return None

    return Ask(
        notebook=notebook,
        fix_type=fix_type,
        scope=settings.scope,
        fixers=settings.fixers,
        refusal=refusal,
    )

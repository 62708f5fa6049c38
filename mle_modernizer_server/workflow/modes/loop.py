"""A stage of auto mode: from a notebook to the best one that fixes make of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mle_modernizer_server.domain.budget import Bound
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.origin import Origin
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration, RunKind, Session
from mle_modernizer_server.fixing.fixer import Attempt
from mle_modernizer_server.workflow.fix.difference import joined
from mle_modernizer_server.workflow.fix.propose import Ask, NoProposal
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.modes.alternatives import propose_several, try_out
from mle_modernizer_server.workflow.modes.best import best, furthest
from mle_modernizer_server.workflow.modes.progress import (
    Circle,
    circle,
    idle_fixes,
    rounds,
    sentence,
)
from mle_modernizer_server.workflow.run.resume import advance
from mle_modernizer_server.workflow.run.run_once import iterate, latest_diagnosis
from mle_modernizer_server.workflow.services import Rooms
from mle_modernizer_server.workflow.study.cause import look_for_cause
from mle_modernizer_server.workflow.verdict.endings import (
    ending_in_circles,
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)
from mle_modernizer_server.workflow.verdict.final_verdict import out_of_reach


@dataclass(frozen=True)
class Trail:
    """How a notebook came from the original one.

    Attributes:
        edits: By cell id, all edits of a cell joined.
        proposals: The proposals they are of, in their order.
    """

    edits: Mapping[str, CellEdit] = field(default_factory=dict)
    proposals: tuple[Proposal, ...] = ()

    def with_(self, proposal: Proposal) -> Trail:
        """The trail that goes on with a proposal."""
        return Trail(joined(self.edits, proposal.edits), (*self.proposals, proposal))


@dataclass
class Course:
    """The work of auto mode on a session: what all its stages share.

    Attributes:
        journal: Where sessions live.
        rooms: The rooms of the house.
        session_id: The session.
        original: The notebook as the user has it.
        cancel: Set when the user stops the work.
        trails: By the hash of each notebook that was made, how it came from the original.
    """

    journal: Journal
    rooms: Rooms
    session_id: str
    original: Notebook
    cancel: asyncio.Event
    trails: dict[str, Trail] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.trails.setdefault(notebook_hash(self.original), Trail())

    @property
    def session(self) -> Session:
        """The session as it is now."""
        return self.journal.session(self.session_id)

    def take_over(
        self,
        notebook: Notebook,
        edits: Mapping[str, CellEdit],
        proposals: tuple[Proposal, ...] = (),
        tried: Iterable[str] = (),
    ) -> None:
        """Let the next stage go on from a notebook that was not made by `run_stage`.

        Args:
            notebook: What is gone on from.
            edits: How it came from the original: by cell id, joined.
            proposals: What they are of.
            tried: Hashes of other notebooks that are not to be made again.
        """
        for digest in tried:
            self.trails.setdefault(digest, Trail())
        self.trails[notebook_hash(notebook)] = Trail(edits, proposals)

    async def run(self, notebook: Notebook, kind: RunKind, origin: Origin | None = None) -> None:
        """Run a notebook as the next iteration: every run of a stage but alternatives'.

        Raises:
            Cancelled, ModernizerError: As `iterate`.
        """
        if kind is RunKind.CLEAN:  # in cell scope it may go on where it stopped
            await advance(
                self.journal, self.rooms, self.session_id, notebook, self.cancel, origin=origin
            )
            return
        await iterate(
            self.journal, self.rooms, self.session_id, notebook, self.cancel, kind, origin
        )

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
    """Run and fix until nothing needs a fix, nothing more helps or the budget is spent.

    Every fix goes on from the best run so far. Where fixes bring nothing, the fixers are told so
    and look at the other scope (cell instead of file, or the reverse), once; then it is over.

    Args:
        course: The work it is a stage of; `start` must be a notebook that `course.trails` knows.
        kind: What its runs can decide.
        start: The notebook to begin with.

    Raises:
        Cancelled, ModernizerError: As `iterate` and `propose`.
    """
    stage = _Stage(course, kind)
    await course.run(start, kind)
    while True:
        rested = stage.ending() or await stage.explain() or await stage.fix()
        if rested is not None:
            return StageEnd(stage.result, stage.done, rested)


class _Stage:
    """What a stage knows while it lasts."""

    def __init__(self, course: Course, kind: RunKind) -> None:
        self._course = course
        self._kind = kind
        self._first = len(course.session.iterations)
        self._scope = course.session.settings.scope
        self._told: tuple[Attempt, ...] = ()
        self._turned_at: int | None = None
        """After how many rounds the other way was taken; None: not yet."""
        self._held: Notebook | None = None
        self._latest: tuple[FixerName, ...] = ()
        """Who made the fixes of the latest round."""

    @property
    def done(self) -> tuple[Iteration, ...]:
        """Its iterations."""
        return self._course.session.iterations[self._first :]

    @property
    def result(self) -> Notebook:
        """The best notebook, or what waits for a yes."""
        return self._held or self._course.notebook(best(self.done))

    @property
    def _can_think(self) -> bool:
        """Whether there is a model to ask."""
        course = self._course
        chosen = course.session.settings.fixers
        return FixerName.LLM in chosen and FixerName.LLM in course.rooms.fixers

    async def explain(self) -> events.Rested | None:
        """Look for the cause of a score's distance; how the work ends where noise explains it."""
        course = self._course
        return await look_for_cause(
            course.journal, course.rooms, course.session_id, best(self.done), course.cancel
        )

    def ending(self) -> events.Rested | None:
        """How the work ends after the latest round; None where it goes on."""
        settings = self._course.session.settings
        found = rounds(self.done)
        rested = ending_without_need(found[-1], settings.competition)
        if rested is not None:
            return rested
        if out_of_reach(best(self.done)):
            why = "No fix could bring the score there."
            return ending_in_circles(self.done, settings.competition, why)
        bound = settings.budget.spent(self._course.session.spending)
        if bound is not None:
            return self._ending_by(bound)
        if self._can_think and FixerName.LLM not in self._latest:
            return None  # what the rules could not do the model may
        idle = min(idle_fixes(found), len(found) - 1 - (self._turned_at or 0))
        sign = circle(found, idle, settings.patience)
        if sign is None or self._turn(sign, idle) or idle < settings.patience:
            return None
        return ending_in_circles(self.done, settings.competition, sentence(sign, idle))

    async def fix(self) -> events.Rested | None:
        """Ask for fixes of the best run and try them out; how it ends where there is none."""
        course = self._course
        base = furthest(self.done)
        before = course.notebook(base)
        answer = await self._propose(base, before)
        if isinstance(answer, NoProposal) and self._turn_from(answer):
            answer = await self._propose(base, before)
        if isinstance(answer, NoProposal):
            if answer.held is not None:
                self._held = self._made(base, before, answer.held)
            competition = course.session.settings.competition
            return ending_without_fix(self.done, competition, answer)
        if course.session.settings.budget.spent(course.session.spending) is Bound.TIME:
            for item in answer:
                course.journal.write(course.session_id, events.Spent(usage=item.usage))
            return self._ending_by(Bound.TIME)
        self._latest = tuple(item.fixer for item in answer)
        made = [(item, self._made(base, before, item)) for item in answer]
        for item in answer:
            course.journal.write(course.session_id, events.Proposed(proposal=item, adopted=True))
        if len(made) == 1:
            await course.run(made[0][1], self._kind, Origin(proposal=made[0][0].id))
        else:
            await course.rooms.waiting.end(course.session_id, "Alternatives run from the start.")
            await try_out(
                course.journal, course.rooms, course.session_id, made, course.cancel, self._kind
            )
        return None

    async def _propose(
        self, base: Iteration, notebook: Notebook
    ) -> tuple[Proposal, ...] | NoProposal:
        course = self._course
        settings = course.session.settings

        def refusal(outcome: Notebook) -> str | None:
            if notebook_hash(outcome) in course.trails:
                return sentence(Circle.SAME_PATCH, 1)
            return None

        ask = Ask(
            notebook=notebook,
            fix_type=latest_diagnosis(base).fix_type or FixType.ERROR_REPAIR,
            scope=self._scope,
            fixers=settings.fixers,
            refusal=refusal,
            told=self._told,
            allow_experiment=settings.allow_experiment_changes,
        )
        return await propose_several(
            course.journal, course.rooms, course.session_id, base, ask, course.cancel
        )

    def _made(self, base: Iteration, before: Notebook, proposal: Proposal) -> Notebook:
        """The notebook a proposal makes, and from now on known how."""
        course = self._course
        after = apply_edits(before, proposal.edits)
        course.trails[notebook_hash(after)] = course.trails[base.notebook_hash].with_(proposal)
        return after

    def _turn(self, sign: Circle, idle: int) -> bool:
        """Take the other way, where it is not taken yet and there is a model to tell."""
        if self._turned_at is not None or not self._can_think:
            return False
        self._turned_at = len(rounds(self.done)) - 1
        base = furthest(self.done)
        self._told = (
            *self._told,
            Attempt(
                iteration=base.number,
                fixer=FixerName.LLM,
                plan=(f"The fixes so far, made in {self._scope.value} scope.",),
                accepted=True,
                result=sentence(sign, max(idle, 1)),
                verdict=sentence(sign, max(idle, 1)),
            ),
        )
        if latest_diagnosis(base).first_root() is not None:  # cell scope is about a cell that fails
            self._scope = FixScope.CELL if self._scope is FixScope.FILE else FixScope.FILE
        return True

    def _turn_from(self, answer: NoProposal) -> bool:
        """Take the other way, where the model had only what leads back."""
        own = tuple(item for item in answer.refused if item.fixer is FixerName.LLM)
        if answer.held is not None or not own or not self._turn(Circle.SAME_PATCH, 1):
            return False
        self._told = (*self._told, *own)
        return True

    def _ending_by(self, bound: Bound) -> events.Rested:
        settings = self._course.session.settings
        return ending_without_budget(self.done, settings.competition, bound, settings.budget)

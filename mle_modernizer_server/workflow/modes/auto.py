"""Auto mode: fix and run on a scratch copy, keep the best, leave one review for the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.model_calls import Bound
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Origin, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration, Phase, Verdict
from mle_modernizer_server.fixing.fixer import Attempt
from mle_modernizer_server.workflow.fix.beyond_edits import longer_limit
from mle_modernizer_server.workflow.fix.difference import difference, joined
from mle_modernizer_server.workflow.fix.propose import Ask, NoProposal, propose
from mle_modernizer_server.workflow.fix.restoring import (
    cells_to_restore,
    differing_cells,
    lost_cells,
    predicted_changes,
    propose_foreseen,
    propose_restoring,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.modes.alternatives import propose_several, try_out
from mle_modernizer_server.workflow.modes.keep_helpful_edits import (
    carried,
    harmful_edits,
    taken_back,
)
from mle_modernizer_server.workflow.modes.unverified_edits import comes_to_none, marked, remark
from mle_modernizer_server.workflow.run.rehearse import rehearse
from mle_modernizer_server.workflow.run.resume import advance, settle
from mle_modernizer_server.workflow.study.cause import look_for_cause
from mle_modernizer_server.workflow.study.prove import settle_proof
from mle_modernizer_server.workflow.verdict.endings import (
    ending_in_circles,
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)
from mle_modernizer_server.workflow.verdict.final_verdict import out_of_reach
from mle_modernizer_server.workflow.verdict.progress import (
    Stalled,
    best,
    described,
    furthest,
    has_errors,
    idle_fixes,
    rounds,
    stalled,
)
from mle_modernizer_server.workflow.work import Cancelled, Work

_Item = TypeVar("_Item")
_LONGEST_BY_ITSELF = 3_600.0
"""Seconds: the longest time limit that is taken without being named."""


async def modernize(work: Work, original: Notebook) -> None:
    """Run and fix until reproducible, nothing more helps or the budget is spent; stage the review.

    If a rehearsal comes first, its errors are fixed before the first run on all data. A fix that
    made things worse is dropped: the next one starts from the best run. Edits that change the
    experiment are not applied unless the settings allow it: they await the user's confirmation. If
    the user cancels, or an error ends the work, the result so far is staged for review.

    Raises:
        Cancelled, ModernizerError: As `advance` and `propose`.
    """
    made = Made({notebook_hash(original): Lineage()})
    first = len(work.session.iterations)
    offered = False
    try:
        rehearsed = await _Loop(work, made, rehearsal=True).run(original)
        end = await _Loop(work, made).run(rehearsed.notebook)
        if end.rested is None:
            raise ValueError("a loop on all data ends with a verdict")
        rested = await settle(work, best(end.iterations), end.rested)
        lineage = made.lineages[notebook_hash(end.notebook)]
        offered = await _propose_all(work, original, end.notebook, lineage)
        rested = await settle_proof(work, best(work.session.iterations), rested)
    except (Cancelled, ModernizerError):
        done = [item for item in work.session.iterations[first:] if item.diagnosis is not None]
        if done and not offered:
            reached = made.reached(work, best(done))
            await _propose_all(work, original, reached, made.lineages[notebook_hash(reached)])
        raise
    if offered:
        awaits = rested.verdict is Verdict.AWAITS_YES
        message = rested.message if awaits else rested.message + coded("next.review-changes")
        rested = rested.model_copy(update={"phase": Phase.REVIEWING, "message": message})
    work.write(rested)


@dataclass(frozen=True)
class Lineage:
    """The edits that led from the original notebook to another one.

    Attributes:
        edits: By cell id, all edits of a cell joined.
        proposals: The proposals of these edits, in their order.
    """

    edits: Mapping[str, CellEdit] = field(default_factory=dict)
    proposals: tuple[Proposal, ...] = ()

    def with_(self, proposal: Proposal) -> Lineage:
        """Return the lineage extended by a proposal."""
        return Lineage(joined(self.edits, proposal.edits), (*self.proposals, proposal))


@dataclass(frozen=True)
class Made:
    """The notebooks of the work.

    Attributes:
        lineages: By its hash, each notebook's lineage.
        carried: By the hash of a notebook that ran, the base of its next fix: it includes the
            helpful edits of fixes that got no further.
    """

    lineages: dict[str, Lineage]
    carried: dict[str, Notebook] = field(default_factory=dict)

    def going_on(self, work: Work, base: Iteration) -> Notebook:
        """Return the base of the next fix, after the notebook that got furthest."""
        found = self.carried.get(base.notebook_hash)
        return work.notebook(base.notebook_hash) if found is None else found

    def tried(self, work: Work, digest: str) -> bool:
        """Return whether a notebook ran; a base that was only carried forward did not."""
        if digest not in self.lineages:
            return False
        if digest not in map(notebook_hash, self.carried.values()):
            return True
        return digest in {run.notebook_hash for run in work.session.iterations}

    def keep(self, work: Work, base: Iteration, run: Iteration) -> None:
        """Carry forward the helpful edits of the fixes of a run that got no further."""
        before = self.lineages[base.notebook_hash]
        since = self.lineages[run.notebook_hash].proposals[len(before.proposals) :]
        notebook, kept = carried(work.notebook(base.notebook_hash), since, base, run)
        digest = notebook_hash(notebook)
        self.carried.pop(base.notebook_hash, None)
        if digest == base.notebook_hash:
            return
        self.carried[base.notebook_hash] = notebook
        if digest not in self.lineages:
            lineage = before
            for proposal in kept:
                lineage = lineage.with_(proposal)
            self.lineages[digest] = lineage

    def reached(self, work: Work, leader: Iteration) -> Notebook:
        """Return the notebook to review for the run that represents it.

        A result is offered exactly as it ran. Without one, edits carried forward are included.
        """
        offered = self.carried.get(leader.notebook_hash)
        if offered is None or leader.require_diagnosis().fix_type is None:
            return work.notebook(leader.notebook_hash)
        return offered


@dataclass(frozen=True)
class LoopEnd:
    """Result of a loop.

    Attributes:
        notebook: The best notebook it reached.
        iterations: Its iterations, in their order.
        rested: The end of the work; None if a run on all data follows.
    """

    notebook: Notebook
    iterations: tuple[Iteration, ...]
    rested: events.Rested | None


class _Loop:
    """Runs and fixes until nothing needs a fix, nothing more helps or the budget is spent.

    Every fix starts from the best run so far. If fixes make no progress, the fixers are informed
    and examine the other scope (cell instead of file, or the reverse), once; then the loop ends.

    Args:
        made: The notebooks of the work; grows.
        rehearsal: Run on a sample. It ends as soon as the sample shows no error of the notebook's
            own, and after a number of fixes: then a run on all data decides.
    """

    def __init__(self, work: Work, made: Made, *, rehearsal: bool = False) -> None:
        self._work = work
        self._notebooks = made
        self._rehearsal = rehearsal
        session = work.session
        self._first = len(session.iterations)
        self._scope = session.settings.scope
        self._told: tuple[Attempt, ...] = ()
        self._turned_at: int | None = None
        """After how many rounds the other way was taken; None: not yet."""
        self._result: Notebook | None = None
        self._latest: tuple[FixerName, ...] = ()
        """Fixers of the latest round."""
        self._fixes = 0
        self._foreseen = False
        """Whether a fix for failures without an error was requested."""
        self._asked_of: int | None = None
        """Number of the run for which a restoration of saved outputs was requested."""

    async def run(self, start: Notebook) -> LoopEnd:
        """Go on until it ends.

        Args:
            start: A notebook whose lineage is known.

        Raises:
            Cancelled, ModernizerError: As `run_once` and `propose`.
        """
        end = await self._run(start)
        while end is None:
            end = self._ending() or await self._explain() or await self._fix()
            if end is not None and self._may_extend(end):
                end = await self._run(end.notebook, best(self._done).origin)
        return end

    @property
    def _done(self) -> tuple[Iteration, ...]:
        """Return its iterations."""
        return self._work.session.iterations[self._first :]

    @property
    def _can_think(self) -> bool:
        """Return whether a model is available."""
        return (
            FixerName.LLM in self._work.settings.fixers
            and FixerName.LLM in self._work.services.fixers
        )

    def _end(self, rested: events.Rested | None) -> LoopEnd:
        """Return its end, with the best notebook or the one that was decided on."""
        done = self._done
        result = self._result or self._notebooks.reached(self._work, best(done))
        return LoopEnd(result, done, rested)

    async def _run(self, notebook: Notebook, origin: Origin | None = None) -> LoopEnd | None:
        """Run a notebook as the next iteration; return the end if a run on all data is due."""
        if not self._rehearsal:  # in cell scope it may be resumed at the failed cell
            await advance(self._work, notebook, origin=origin)
            return None
        if await rehearse(self._work, notebook, origin) is not None:
            return None
        self._result = notebook
        return self._end(None)

    async def _explain(self) -> LoopEnd | None:
        """Look for the cause of a score's distance; return the end if noise explains it."""
        if self._rehearsal:
            return None
        rested = await look_for_cause(self._work, best(self._done))
        return None if rested is None else self._end(rested)

    def _ending(self) -> LoopEnd | None:
        """Return the end after the latest round; None if the loop continues."""
        session = self._work.session
        settings = session.settings
        bound = settings.budget.spent(session.spending)
        if self._rehearsal:
            over = bound is not None or self._fixes >= settings.rehearsed_fixes
            return self._end(None) if over else None
        found = rounds(self._done)
        leader = best(self._done)
        latest = found[-1] if leader.require_diagnosis().fix_type else leader
        rested = ending_without_need(latest, settings.competition)
        if rested is not None:
            goes_on = self._may_clean(latest, found[-1]) or self._may_restore(latest)
            goes_on = goes_on or self._may_foresee()
            if goes_on and bound is None:
                return None
            if self._asked_of == latest.number < found[-1].number:
                late = found[-1].ending is Ending.TIMED_OUT
                tried = coded("restoring.cut-off" if late else "restoring.none-helped")
                rested = rested.model_copy(update={"details": rested.details + tried})
            return self._end(rested)
        if out_of_reach(best(self._done)):
            why = coded("target.out-of-reach")
            return self._end(ending_in_circles(self._done, settings.competition, why))
        if bound is not None:
            return self._end(self._ending_by(bound))
        if self._can_think and FixerName.LLM not in self._latest:
            return None  # the model may fix it if the rules could not
        idle = min(idle_fixes(found), len(found) - 1 - (self._turned_at or 0))
        sign = stalled(found, idle, settings.patience)
        if sign is None or self._turn(sign, idle) or idle < settings.patience:
            return None
        return self._end(ending_in_circles(self._done, settings.competition, described(sign, idle)))

    async def _fix(self) -> LoopEnd | None:
        """Request fixes of the best run and try them; return the end if there is none."""
        work = self._work
        base = furthest(self._done)
        before = self._notebooks.going_on(work, base)
        base = self._run_of(before) or base
        answer = await self._propose(base, before)
        needed = base.require_diagnosis().fix_type is not None
        if isinstance(answer, NoProposal) and needed and self._turn_from(answer):
            answer = await self._propose(base, before)
        if isinstance(answer, NoProposal) and needed and not answer.held:
            answer = await self._restore_beside_errors(base, before) or answer
        if isinstance(answer, NoProposal):
            return await self._end_without_fix(base, before, answer)
        if work.settings.budget.spent(work.session.spending) is Bound.TIME:
            for item in answer:
                work.write(events.Spent(usage=item.usage))
            if needed:  # no time is left to run it: it is offered as it is
                self._result = self._made(before, answer[0])
            return self._end(self._ending_by(Bound.TIME))
        if len(answer) == 1 and not self._can_think:
            after = self._made(before, answer[0])
            if await pools.code.run(comes_to_none, base, answer[0].edits, after):
                self._result = after
                nothing_else = NoProposal(reasons=(), failed=False, circular=False)
                return await self._end_without_fix(base, before, nothing_else)
        self._latest = tuple(item.fixer for item in answer)
        self._fixes += 1
        made = [(item, self._made(before, item)) for item in answer]
        for item in answer:
            work.write(events.Proposed(proposal=item, adopted=True))
        if len(made) == 1:
            end = await self._run(made[0][1], Origin(proposal=made[0][0].id))
            if end is None:
                end = await self._run_without_harm(base, before, made[0][0])
        else:
            await work.end_pause(coded("pause.alternatives"))
            await try_out(work, made)
            end = None
        self._keep([notebook_hash(after) for _, after in made])
        return end

    async def _run_without_harm(
        self, base: Iteration, before: Notebook, tried: Proposal
    ) -> LoopEnd | None:
        """Run once more without the edits that made their own cells worse in the latest run.

        A cell is worse if it fails differently, or no longer reproduces its saved output.
        """
        latest = self._done[-1]
        gone = harmful_edits(tried, base, latest)
        if self._asked_of == base.number or differing_cells(base):
            lost = lost_cells(base, latest)
            gone += [edit for edit in tried.edits if edit.cell_id in lost and edit not in gone]
        if not gone:
            return None
        rest = taken_back(tried, gone).model_copy(update={"id": f"{tried.id}-rest"})
        if not rest.edits:
            return None
        self._work.write(events.Proposed(proposal=rest, adopted=True))
        return await self._run(self._made(before, rest), Origin(proposal=rest.id))

    def _keep(self, tried: Sequence[str]) -> None:
        """Carry forward the helpful edits of notebooks that got no further."""
        leader = furthest(self._done)
        runs = [run for run in self._done if run.notebook_hash in tried and run.diagnosis]
        if runs and leader.notebook_hash not in tried:
            self._notebooks.keep(self._work, leader, furthest(runs))

    def _run_of(self, notebook: Notebook) -> Iteration | None:
        """Return its run of a notebook that got furthest; None if absent."""
        digest = notebook_hash(notebook)
        runs = [run for run in self._done if run.notebook_hash == digest and run.diagnosis]
        return furthest(runs) if runs else None

    def _may_clean(self, leader: Iteration, latest: Iteration) -> bool:
        """Return whether the rules may fix more errors of a notebook whose score is right.

        They continue as long as each of their fixes makes progress and the score stays the same; a
        model is not called for errors that do not affect the score.
        """
        asked = FixerName.RULES in self._work.settings.fixers
        return asked and has_errors(leader) and latest.number == leader.number

    def _may_restore(self, leader: Iteration) -> bool:
        """Return whether the rules may restore old behaviour if outputs differ; once."""
        asked = FixerName.RULES in self._work.settings.fixers
        return asked and self._asked_of is None and bool(differing_cells(leader))

    def _may_foresee(self) -> bool:
        """Return whether the rules may repair failures without an error; once."""
        return FixerName.RULES in self._work.settings.fixers and not self._foreseen

    def _may_extend(self, end: LoopEnd) -> bool:
        """Return whether a timeout alone ends it and it may run longer; extend its limit if so."""
        settings = self._work.session.settings
        wants = end.rested is not None and end.rested.verdict is Verdict.NEEDS_TIME
        if not (wants and settings.extend_time_limit):
            return False
        longer = longer_limit(settings.time_limit)
        left = (settings.max_seconds or math.inf) - self._work.session.spending.seconds
        if longer > min(left, _LONGEST_BY_ITSELF):
            return False
        changed = settings.model_copy(update={"time_limit": longer})
        self._work.write(events.SettingsChanged(settings=changed))
        return True

    async def _end_without_fix(
        self, base: Iteration, before: Notebook, answer: NoProposal
    ) -> LoopEnd:
        if self._rehearsal:
            return self._end(None)
        needless = ending_without_need(base, self._work.settings.competition)
        if needless is not None:
            known: Messages = ()
            if differing_cells(base) and answer.unexamined:
                known = answer.reasons
            elif differing_cells(base):
                changes = await predicted_changes(self._work, base)
                known = coded("restoring.none")
                if changes:
                    known = coded("restoring.predicted", changes=changes)
            details = needless.details + known
            return self._end(needless.model_copy(update={"details": details}))
        if answer.held is not None:
            self._result = self._made(before, answer.held)
        competition = self._work.settings.competition
        return self._end(ending_without_fix(self._done, competition, answer))

    async def _propose(
        self, base: Iteration, notebook: Notebook
    ) -> tuple[Proposal, ...] | NoProposal:
        settings = self._work.settings

        def refusal(outcome: Notebook) -> Messages:
            known = self._notebooks.tried(self._work, notebook_hash(outcome))
            return described(Stalled.SAME_PATCH, 1) if known else ()

        needed = base.require_diagnosis().fix_type
        ask = Ask(
            notebook=notebook,
            fix_type=needed or FixType.ERROR_REPAIR,
            scope=self._scope,
            # A reproducible result is not worth a model's price.
            fixers=settings.fixers if needed or self._rehearsal else (FixerName.RULES,),
            refusal=refusal,
            told=self._told,
            allow_experiment=settings.allow_experiment_changes,
        )
        if not self._rehearsal and needed:
            return await propose_several(self._work, base, ask)
        if not self._rehearsal and self._may_foresee():
            self._foreseen = True
            foreseen = await propose_foreseen(self._work, base, ask)
            if isinstance(foreseen, Proposal):
                return (foreseen,)
        if not self._rehearsal and self._may_restore(base):
            self._asked_of = base.number
            answer = await propose_restoring(self._work, base, ask)
        else:
            answer = await propose(self._work, base, ask)
        return answer if isinstance(answer, NoProposal) else (answer,)

    async def _restore_beside_errors(
        self, base: Iteration, notebook: Notebook
    ) -> tuple[Proposal] | None:
        """Propose, once, to restore differing outputs that do not depend on the failed cells."""
        asked = FixerName.RULES in self._work.settings.fixers
        if self._rehearsal or not asked or self._asked_of is not None:
            return None
        if not await cells_to_restore(base, notebook):
            return None
        self._asked_of = base.number
        ask = Ask(notebook, FixType.SCORE_CALIBRATION, FixScope.FILE, (FixerName.RULES,))
        answer = await propose_restoring(self._work, base, ask)
        return None if isinstance(answer, NoProposal) else (answer,)

    def _made(self, before: Notebook, proposal: Proposal) -> Notebook:
        """Return the notebook of a proposal; register its lineage."""
        after = apply_edits(before, proposal.edits)
        lineages = self._notebooks.lineages
        lineages[notebook_hash(after)] = lineages[notebook_hash(before)].with_(proposal)
        return after

    def _turn(self, sign: Stalled, idle: int) -> bool:
        """Switch to the other scope, if it is unused and there is a model to inform."""
        if self._rehearsal or self._turned_at is not None or not self._can_think:
            return False
        self._turned_at = len(rounds(self._done)) - 1
        base = furthest(self._done)
        said = described(sign, max(idle, 1))
        attempt = Attempt(
            iteration=base.number,
            fixer=FixerName.LLM,
            plan=coded("plan.so-far", scope=self._scope.value),
            accepted=True,
            result=said,
            verdict=said,
        )
        self._told = (*self._told, attempt)
        # Cell scope is about a cell that fails.
        if base.require_diagnosis().first_root() is not None:
            self._scope = FixScope.CELL if self._scope is FixScope.FILE else FixScope.FILE
        return True

    def _turn_from(self, answer: NoProposal) -> bool:
        """Switch to the other scope, if the model only returned to earlier states."""
        own = tuple(item for item in answer.refused if item.fixer is FixerName.LLM)
        if answer.held is not None or not own or not self._turn(Stalled.SAME_PATCH, 1):
            return False
        self._told = (*self._told, *own)
        return True

    def _ending_by(self, bound: Bound) -> events.Rested:
        settings = self._work.settings
        return ending_without_budget(self._done, settings.competition, bound, settings.budget)


async def _propose_all(work: Work, original: Notebook, reached: Notebook, lineage: Lineage) -> bool:
    """Propose the difference between the user's notebook and the best one; whether there is any."""
    runs = work.session.iterations
    edits = difference(original, reached, lineage.edits)
    if not edits:
        return False
    ran = {run.notebook_hash: work.notebook(run.notebook_hash) for run in runs if run.diagnosis}
    edits = await pools.code.run(marked, edits, runs, lambda run: ran[run.notebook_hash])
    adopted = lineage.proposals
    remarks = tuple(mark for item in adopted for mark in item.remarks)
    # It is a model's if any of it is: who reads it later must not take it for the rules'.
    latest = next((item for item in reversed(adopted) if item.by_model), adopted[-1])
    proposal = latest.model_copy(
        update={
            "id": f"final-{len(runs)}",
            "plan": _unique(step for item in adopted for step in item.plan),
            "edits": edits,
            "notes": _unique(note for item in adopted for note in item.notes),
            "remarks": _unique(remarks + remark(edits, best(runs))),
            "usage": Proposal.model_fields["usage"].default,
        }
    )
    work.write(events.Proposed(proposal=proposal, final=True))
    return True


def _unique(items: Iterable[_Item]) -> tuple[_Item, ...]:
    """Return each item once, in their order; they need not be hashable."""
    found: list[_Item] = []
    for item in items:
        if item not in found:
            found.append(item)
    return tuple(found)

"""Refine the most important part, step by step: each step is a version of the best one so far.

MLE-STAR's loops (https://arxiv.org/abs/2506.15692, Algorithms 1 to 3), with our grader in place of
printed scores: models of the catalogue as candidates, one after the other merged into the best,
then rounds on the most valuable block, then ensembles. Without a model the steps come from known
changes and the catalogue; with one, each is a patch of cells from the model, which sees the earlier
attempts and their effects.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mle_modernizer_server import pools
from mle_modernizer_server.code.opened_paths import opened_paths
from mle_modernizer_server.code.pipeline.blocks import blocks, chosen_roles, corrected
from mle_modernizer_server.code.pipeline.families import lost_families
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.improvement import (
    MOST_REPAIRS,
    BlockRole,
    Comparison,
    Course,
    EarlierResult,
    Improvement,
    PlanSource,
    TriedVersion,
    UnusedPlan,
)
from mle_modernizer_server.domain.message import Messages, coded, verbatim
from mle_modernizer_server.domain.notebook import CellType, Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix
from mle_modernizer_server.fixing.integrity import sound_part
from mle_modernizer_server.fixing.llm.prompt import traceback_text
from mle_modernizer_server.fixing.llm.refining import RefiningBrief
from mle_modernizer_server.grading.data_preview import data_preview
from mle_modernizer_server.improving.candidates import from_catalogue
from mle_modernizer_server.improving.candidates.offers import offers
from mle_modernizer_server.improving.candidates.variant import Facts
from mle_modernizer_server.improving.candidates.version import Version
from mle_modernizer_server.improving.catalogue.entry import Entry
from mle_modernizer_server.improving.catalogue.shelf import search
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.model_progress import ModelCalls, answer_of
from mle_modernizer_server.workflow.run.run_once import Run
from mle_modernizer_server.workflow.study.search_memory import promise
from mle_modernizer_server.workflow.work import Work

_LONGEST_WHAT = 300
_RECIPES = 3


@dataclass(frozen=True)
class Step:
    """A version to try.

    Attributes:
        version: The version; its kind is a codemod's name, or the step of the course.
        parent: Name of the version it changes.
        round: The round, from 1; 0 outside of rounds.
        source: Author of the plan.
    """

    version: Version
    parent: str
    round: int
    source: PlanSource


@dataclass(frozen=True)
class _Change:
    """Request for a change by a model.

    Attributes:
        kind: The step of the course.
        task: The task in words.
        round: As `Step.round`.
        recipes: As `RefiningBrief.recipes`.
        failure: Error of the version to repair; empty if none.
    """

    kind: str
    task: str
    round: int
    recipes: Sequence[tuple[str, str]]
    failure: str = ""


class Search(Protocol):
    """Interface of the surrounding search for a course."""

    now: Improvement
    runs: dict[str, Run]
    notebooks: dict[str, Notebook]

    def write(self, **changes: object) -> None:
        """Change fields of the search's state, and log it."""

    async def take(self, step: Step) -> None:
        """Race one more version."""

    def is_full(self) -> bool:
        """Return whether one more version might exceed the remaining runs or time."""

    def is_cut_short(self) -> bool:
        """Return whether no budget is left for another version, and note that."""


class Refinement:
    """The course of one search.

    Args:
        course: Extent of the refinement.
    """

    def __init__(self, work: Work, search: Search, facts: Facts, course: Course) -> None:
        self._work = work
        self._search = search
        self._facts = facts
        self._course = course
        self._seen: set[str] = set()
        self._counts: Counter[str] = Counter()

    async def run(self) -> None:
        """Take all steps.

        Raises:
            Cancelled: The user stopped it; the measurements so far are in the log.
        """
        now = self._search.now
        self._seen = {one.notebook_hash for one in (now.baseline, *now.candidates, *now.ablations)}
        asks = asks_model(self._work, self._course)
        if asks:
            await self._try_candidates()
            await self._merge()
        await self._refine(asks=asks)
        if asks:
            for _ in range(self._course.ensembles):
                await self._asked(_best(self._search.now), _TASKS["ensemble"], "ensemble", 0, ())

    async def _try_candidates(self) -> None:
        """Race a version for each of the catalogue's models that fits best (Eq. 2)."""
        baseline = self._search.now.baseline
        for entry in await pools.code.run(self._models, baseline):
            task = _TASKS["candidate"].format(title=entry.title)
            recipes = [(entry.title, entry.example)]
            await self._asked(baseline, task, "candidate", 0, recipes)

    def _models(self, baseline: TriedVersion) -> list[Entry]:
        found = [
            entry
            for model in Pipeline(self._notebook(baseline)).models[:1]
            for entry in from_catalogue.fitting(self._facts, model)
            if f".{model.estimator.name}(" not in entry.in_place
        ]
        if not found:
            found = search(self._facts.metric.value, metric=self._facts.metric, has=self._facts.has)
        return found[: self._course.models]

    async def _merge(self) -> None:
        """Merge the next candidates into the best one until one does not help (Alg. 1)."""
        folds = self._search.now.folds.count
        whole = [
            one
            for one in self._search.now.candidates
            if one.kind == "candidate" and _mean(one) is not None and len(one.scores) == folds
        ]
        whole.sort(key=lambda one: -(_mean(one) or 0.0))
        for other in whole[1:]:
            tried = self._search.now.candidates
            best = max(
                (one for one in tried if one.kind in ("candidate", "merge")),
                key=lambda one: (len(one.scores) == folds, _mean(one) or 0.0),
            )
            recipes = [(other.name, _code(self._notebook(other)))]
            await self._asked(best, _TASKS["merge"], "merge", 0, recipes)
            made = self._search.now.candidates[len(tried) :]
            if not made or (_mean(made[-1]) or 0.0) < (_mean(best) or 0.0):
                break

    async def _refine(self, *, asks: bool) -> None:
        """Run rounds of steps, each on the most valuable part that is not refined yet."""
        done: list[BlockRole] = []
        for number in range(1, self._course.rounds + 1):
            parent = _best(self._search.now)
            role = _next_role(self._search.now, done)
            done.append(role)
            for _ in range(self._course.steps):
                before = self._search.now
                if asks:
                    task = _TASKS["refine"].format(role=role.value)
                    recipes = await pools.code.run(self._recipes, parent, role)
                    await self._asked(parent, task, "refine", number, recipes)
                else:
                    await self._take_known(parent, role, number)
                if self._search.now is before:
                    break

    def _recipes(self, parent: TriedVersion, role: BlockRole) -> list[tuple[str, str]]:
        query = f"{role.value} {self._facts.metric.value.replace('_', ' ')}"
        models = Pipeline(self._notebook(parent)).models
        found = search(
            query,
            tasks=[from_catalogue.task_of(self._facts, model) for model in models[:1]],
            metric=self._facts.metric,
            has=self._facts.has,
            most=_RECIPES,
        )
        return [(entry.title, f"{entry.about}\n{entry.example}") for entry in found]

    async def _take_known(self, parent: TriedVersion, role: BlockRole, number: int) -> None:
        """Race the next known change of a version, those of the part first."""
        if self._search.is_cut_short():
            return
        offer = await pools.code.run(self._next_offer, self._notebook(parent), role)
        if offer is None:
            return
        source = PlanSource.CATALOGUE if offer.kind == from_catalogue.KIND else PlanSource.RULES
        await self._take(Step(offer, parent.name, number, source))

    def _next_offer(self, notebook: Notebook, role: BlockRole) -> Version | None:
        now = self._search.now
        known = corrected(blocks(Pipeline(notebook)), chosen_roles(now.blocks))
        roles = {one.number: one.role for one in known}
        found = offers(notebook, self._facts, catalogue=True)
        new = [one for one in found if notebook_hash(one.notebook) not in self._seen]
        new.sort(
            key=lambda one: (
                one.block is None or roles.get(one.block) is not role,
                -promise(now.earlier, one.kind, one.name),
            )
        )
        return new[0] if new else None

    async def _asked(
        self,
        parent: TriedVersion,
        task: str,
        kind: str,
        number: int,
        recipes: Sequence[tuple[str, str]],
    ) -> None:
        """Race a model's change of a version, and repair failures (Eq. 10)."""
        before = len(self._search.now.candidates)
        change = _Change(kind, task, number, recipes)
        await self._take_changed(parent, parent, change)
        for _ in range(MOST_REPAIRS):
            made = self._search.now.candidates[before:]
            if not made or made[-1].comparison is not Comparison.FAILED or self._search.is_full():
                break
            failed = made[-1]
            failure = _failure(failed, self._search.runs[failed.name])
            repair = replace(change, task=_TASKS["repair"], failure=failure)
            await self._take_changed(parent, failed, repair)

    async def _take_changed(
        self, parent: TriedVersion, patched: TriedVersion, change: _Change
    ) -> None:
        """Race a model's change of a version; record unusable ones with the reason.

        Args:
            parent: The version to compare with.
            patched: The version to change: the parent, or a version of it that failed.
        """
        if self._search.is_cut_short():
            return
        now, notebook = self._search.now, self._notebook(patched)
        brief = RefiningBrief(
            task=change.task,
            worth=[f"{one.name}: {-one.gain.mean:.4g}" for one in now.effects() if one.gain],
            tried=[
                *map(_elsewhere, now.earlier),
                *map(_history, now.candidates),
                *map(_unused, now.unused),
            ],
            recipes=change.recipes,
            failure=change.failure,
            unopened=now.unopened,
        )
        answer, why = await self._answer(brief, patched, notebook)
        made = notebook if answer is None else apply_edits(notebook, answer.edits)
        if answer is not None:
            why = await pools.code.run(self._refusal, notebook, made, change)
        if answer is None or why:
            unused = UnusedPlan(kind=change.kind, round=change.round, reason=why)
            self._search.write(unused=(*now.unused, unused))
            return
        what = verbatim(text(answer.plan)[:_LONGEST_WHAT])
        name = f"{patched.name}, repaired"
        if not change.failure:
            self._counts[change.kind] += 1
            name = f"{change.kind} {self._counts[change.kind]}"
        version = Version(name, made, change.kind, what)
        await self._take(Step(version, parent.name, change.round, PlanSource.MODEL))

    def _notebook(self, version: TriedVersion) -> Notebook:
        return self._search.notebooks[version.notebook_hash]

    def _refusal(self, notebook: Notebook, made: Notebook, change: _Change) -> Messages:
        """Return why a sound patch is not tried; empty if it is."""
        if notebook_hash(made) in self._seen:
            return coded("improve.tried-before")
        lost = lost_families(notebook, made) if change.failure else ()
        return coded("improve.other-family", families=", ".join(lost)) if lost else ()

    async def _answer(
        self, brief: RefiningBrief, parent: TriedVersion, notebook: Notebook
    ) -> tuple[Proposal | None, Messages]:
        """Return the sound part of the model's patch; None with the reason if there is none."""
        work = self._work
        assert work.services.refiner is not None  # `asks_model` has looked
        run = self._search.runs[parent.name]
        slug = work.settings.competition or ""
        competitions = work.services.competitions
        competition = competitions.get(slug)
        request = FixRequest(
            notebook=notebook,
            execution=run.execution,
            diagnosis=run.diagnosis,
            fix_type=FixType.IMPROVEMENT,
            scope=FixScope.FILE,
            competition=competition,
            description=competitions.description(slug),
            data=await pools.files.run(data_preview, competitions.public_dir(slug)),
        )
        work.progress(Phase.FIXING, coded("improve.asking"))
        calls = ModelCalls(work)
        try:
            answer = await answer_of(work, work.services.refiner(brief), request, calls)
        except FixerFailed as error:
            return None, error.message
        calls.spend(answer.usage if answer.usage.asked else calls.usage)
        if isinstance(answer, NoFix):
            return None, answer.reason
        answer = await pools.code.run(
            sound_part, answer, notebook, competition=competition, fewer_models=True
        )
        if answer.blockers:
            return None, answer.blockers
        elsewhere = path_elsewhere(notebook, answer)
        if elsewhere:
            return None, coded("improve.reads-elsewhere", path=elsewhere)
        return answer, ()

    async def _take(self, step: Step) -> None:
        """Race a version under an unused name."""
        version, now = step.version, self._search.now
        self._seen.add(notebook_hash(version.notebook))
        taken = {one.name for one in (now.baseline, *now.candidates, *now.ablations)}
        name, number = version.name, 1
        while name in taken:
            number += 1
            name = f"{version.name} {number}"
        await self._search.take(replace(step, version=replace(version, name=name)))


def path_elsewhere(notebook: Notebook, answer: Proposal) -> str:
    """Return a path in a patch that leads out of the run's own folders; empty if none.

    A sandbox without isolation would let it read the rows that a fold holds out.
    """
    made = apply_edits(notebook, answer.edits)
    known, named = (
        opened_paths(cell.source for cell in one.code_cells()) for one in (notebook, made)
    )
    return next((path for path in sorted(named - known) if _leads_out(path)), "")


def _leads_out(path: str) -> bool:
    plain = posixpath.normpath(path.replace("\\", "/"))
    inside = plain.startswith(("../input/", "/kaggle/input/", "/kaggle/working/"))
    return not inside and (plain.startswith(("..", "/", "~")) or plain[1:3] == ":/")


def asks_model(work: Work, course: Course) -> bool:
    """Return whether a model is configured, and session and course allow its use."""
    return (
        course.asks_model
        and work.services.refiner is not None
        and FixerName.LLM in work.settings.fixers
    )


_TASKS = {
    "candidate": (
        "Put another model in the place of the notebook's: {title}, as the recipe shows it. Adapt "
        "it to this task, these features and this metric. No search for parameters and no ensemble."
    ),
    "merge": (
        "The recipe is another version of this notebook. Bring what is better there into the "
        "current notebook: train both models in one pass and average what they predict."
    ),
    "refine": (
        "Improve the part of the notebook that does this: {role}. It is where the score reacts "
        "most. Make one change there that was not tried yet, the one you expect most of."
    ),
    "ensemble": (
        "Make an ensemble of what the earlier versions showed to be good: write one plan that was "
        "not tried yet for combining several models' predictions, and carry it out."
    ),
    "repair": (
        "The current notebook is a change that failed. Repair what fails and change nothing "
        "else. Keep the kind of model: another one would be another change."
    ),
}
"""Requests to a model, by step of the course."""


def _failure(failed: TriedVersion, run: Run) -> str:
    """Return the first failure of its last run: the traceback, else why it has no score."""
    if run.execution.raised:
        return traceback_text(run.execution.raised[0].traceback)
    return text(failed.scores[-1].reason) if failed.scores else ""


def _best(now: Improvement) -> TriedVersion:
    return now.best() or now.baseline


def _mean(one: TriedVersion) -> float | None:
    return None if one.gain is None or one.comparison is Comparison.FAILED else one.gain.mean


def _next_role(now: Improvement, done: Sequence[BlockRole]) -> BlockRole:
    """Return the role of the most valuable part not yet refined; the model if none is left."""
    roles = {one.number: one.role for one in now.blocks}
    for one in now.effects():
        role = roles.get(one.block) if one.block is not None else None
        if role is not None and role not in done:
            return role
    left = (BlockRole.MODEL, BlockRole.FEATURES, BlockRole.CLEANING, BlockRole.TRAINING)
    return next((role for role in left if role not in done), BlockRole.MODEL)


def _history(one: TriedVersion) -> str:
    gain = one.step or one.gain
    made = one.parent or "the baseline"
    effect = "no score" if gain is None else f"gain {gain.mean:+.4g} over {made}"
    reason = (
        text(one.scores[-1].reason) if one.scores and one.comparison is Comparison.FAILED else ""
    )
    verdict = "" if one.comparison is None else f", beside the baseline {one.comparison.value}"
    return f"{one.name}: {effect}{verdict}; {one.seconds:.1f} s. {text(one.what)} {reason}".rstrip()


def _elsewhere(one: EarlierResult) -> str:
    verdicts = f"better in {one.better}, worse in {one.worse} of {one.tried} searches"
    return f"On similar tasks, {one.name}: {verdicts}."


def _unused(one: UnusedPlan) -> str:
    return f"{one.kind}: not used, because {text(one.reason)}"


def _code(notebook: Notebook) -> str:
    cells = [cell.source for cell in notebook.cells if cell.type is CellType.CODE]
    return "\n\n".join(cells)

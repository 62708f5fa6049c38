"""Compare versions of a notebook on validation folds: which are better, beyond chance.

The versions are passed in, or written by codemods if the code shows that they apply; the ones that
were better alone are then tried together once.

With an ablation the notebook first runs without one of its parts each: the loss shows the parts
with the most potential, and candidates for these are tried first.

The notebook runs unchanged on each fold and our grader scores its submission; the competition's own
answers take no part. The first fold eliminates the clearly worse ones, the others decide.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import stdev

from mle_modernizer_server import pools
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.errors import BadInput, BadNotebook
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.improvement import (
    Block,
    Comparison,
    FoldPlan,
    FoldScore,
    Gain,
    Improvement,
    RoleChoice,
    TriedVersion,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.verification import Proof
from mle_modernizer_server.execution.sampling.cache import default_directory
from mle_modernizer_server.execution.sampling.watch import Stopped, TookTooLong, Watch
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.proofs import Predictions
from mle_modernizer_server.improving.ablation import knockouts
from mle_modernizer_server.improving.blending import (
    KIND as BLEND,
)
from mle_modernizer_server.improving.blending import (
    FoldAnswers,
    blended,
    chosen_weights,
    may_be_blended,
)
from mle_modernizer_server.improving.blocks import blocks, corrected
from mle_modernizer_server.improving.candidates.offers import Offer, combined, offers
from mle_modernizer_server.improving.candidates.variant import Facts
from mle_modernizer_server.improving.compare import gain_over, is_clearly_worse, verdict
from mle_modernizer_server.improving.draft import DraftTask, survey_task, write_draft
from mle_modernizer_server.improving.fold_split import CannotFold, Choice
from mle_modernizer_server.improving.folds import Fold, make_folds
from mle_modernizer_server.improving.guards.files import unopened
from mle_modernizer_server.improving.guards.leakage import leaks
from mle_modernizer_server.untrusted.files import is_file
from mle_modernizer_server.workflow.fix.before_run import Ahead, foreseen_environment
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Run, run_once, run_options
from mle_modernizer_server.workflow.study.leak_search import (
    FoldTrial,
    fold_experiments,
    leak_opinion,
)
from mle_modernizer_server.workflow.study.refine import Refinement, Step, asks_model
from mle_modernizer_server.workflow.study.search_memory import (
    SearchedTask,
    earlier_results,
    promise,
    remember,
)
from mle_modernizer_server.workflow.study.versions import FoldSettings, Version
from mle_modernizer_server.workflow.work import Cancelled, Work

_LONGEST = 300.0
"""Seconds the folds may take to be made."""
_MOST_FILES = 1_000
_MOST_UNOPENED = 20
_LOOKED_AT_AGAIN = 2
"""Versions that are run on another partition of the rows, in each round of that."""
_ABLATED_BEFORE_REFINING = 2
_ABLATED_ON_ALL = 4
"""Parts whose worth is measured on all folds; of the others the first is enough."""


async def improve(
    work: Work, baseline: Version, candidates: Sequence[Version] | None, settings: FoldSettings
) -> Improvement:
    """Compare candidates with a baseline; log the comparison after every run.

    Args:
        work: The session, whose settings apply.
        baseline: The version to compare with.
        candidates: In the order they are tried; None has them written by codemods.
        settings: Settings of the folds.

    Raises:
        BadInput: No competition, no folds are possible for its data, the baseline has no score on
            one of them, or takes more than the budget.
        Cancelled, ModernizerError: As `run_once`; the runs so far are in the log.
    """
    slug = work.settings.competition
    if slug is None:
        raise BadInput(coded("folds.no-competition"))
    root = default_directory()
    await pools.files.run(partial(root.mkdir, parents=True, exist_ok=True))
    with tempfile.TemporaryDirectory(prefix=".folds-", dir=root) as scratch:
        folder = Path(scratch)
        await pools.files.run(folder.chmod, 0o755)  # a container's user is another one
        plan, folds = await _folds(work, slug, folder, settings)
        guards = await pools.files.run(
            _look, work.services.competitions, slug, plan, baseline.notebook, settings.roles
        )
        more = partial(_another_partition, work, slug, folder, settings, plan)
        if candidates is not None:
            search = _Search(work, plan, folds, more, settings, guards)
            return await search.run(baseline, candidates)
        facts = await _facts(work, plan, baseline)
        offered = await pools.code.run(offers, baseline.notebook, facts)
        without: list[Offer] = []
        if settings.ablate or settings.course is not None:
            targets = work.services.competitions.get(slug).answer_columns
            without = await pools.code.run(knockouts, baseline.notebook, targets)
        search = _Search(work, plan, folds, more, settings, guards, facts)
        versions = [] if settings.course is not None else [_version(one) for one in offered]
        return await search.run(baseline, versions, [_version(offer) for offer in without])


def _version(offer: Offer) -> Version:
    return Version(offer.name, offer.notebook, offer.kind, offer.what, offer.block)


def offer_of_one(seconds: float, folds: int, budget: float) -> Messages:
    """Return the offer of one hold-out set, for a budget that is too small for folds.

    Args:
        seconds: Of a run.
        folds: Number of folds that do not fit.
        budget: Seconds that all runs together may take.
    """
    return coded("folds.one-hold-out") if folds > 1 and 2 * seconds <= budget else ()


def blocks_of(notebook: Notebook, roles: Sequence[RoleChoice] = ()) -> tuple[Block, ...]:
    """Return the parts of a notebook and their roles, from its code and the user; run nothing."""
    return tuple(corrected(blocks(Pipeline(notebook)), roles))


def draft_notebook(competitions: Competitions, slug: str) -> tuple[DraftTask, Notebook]:
    """Return a first notebook for a competition, and the facts behind it; run nothing.

    Raises:
        BadInput: No notebook can be drafted for such a task; the message has the reason.
        ModernizerError: The competition is not usable.
    """
    try:
        task = survey_task(competitions, slug, Watch(_LONGEST))
    except TookTooLong as error:
        raise BadInput(coded("draft.too-large")) from error
    return task, write_draft(task)


def _look(
    competitions: Competitions,
    slug: str,
    plan: FoldPlan,
    notebook: Notebook,
    roles: Sequence[RoleChoice],
) -> dict[str, object]:
    """Return findings in the code before any run, by field of the improvement.

    Its blocks, possible leaks, and public files that it does not name.
    """
    competition = competitions.get(slug)
    pipeline = Pipeline(notebook)
    sample = competition.sample_submission.rpartition("/")[2]
    description = competition.description.rpartition("/")[2]
    names = sorted(
        file.name
        for file in islice(competitions.public_dir(slug).iterdir(), _MOST_FILES)
        if is_file(file) and file.name not in (sample, description)
    )
    found = leaks(pipeline, competition.answer_columns, plan.split, plan.column)
    return {
        "blocks": tuple(corrected(blocks(pipeline), roles)),
        "leaks": tuple(found),
        "unopened": unopened(pipeline, names)[:_MOST_UNOPENED],
    }


async def _facts(work: Work, plan: FoldPlan, baseline: Version) -> Facts:
    """Return the facts for codemods beyond the code.

    Raises:
        SandboxUnavailable: It cannot list its packages.
    """
    services, settings = work.services, work.settings
    sandbox = services.choose_sandbox(settings.sandbox)
    ahead = Ahead(baseline.notebook, settings, work.created.traces, work.folder)
    environment, _ = await foreseen_environment(services, ahead, sandbox)
    metric = services.competitions.get(settings.competition or "").metric
    return Facts(metric, plan.classes, environment.packages)


async def _folds(
    work: Work, slug: str, folder: Path, settings: FoldSettings
) -> tuple[FoldPlan, list[Fold]]:
    work.write(
        events.Progressed(
            phase=Phase.PREPARING, message=coded("folds.making"), label=coded("label.folds")
        )
    )
    choice = None
    if settings.split is not None:
        choice = Choice(settings.split, settings.column, "asked")
    make = partial(
        make_folds,
        count=settings.count,
        choice=choice,
        seed=settings.seed,
    )
    watch = Watch(_LONGEST, work.cancel.is_set)
    try:
        return await pools.files.run(make, work.services.competitions, slug, folder, watch)
    except CannotFold as error:
        raise BadInput(coded("folds.cannot", error=error.message)) from error
    except Stopped as error:
        raise Cancelled from error


async def _another_partition(
    work: Work, slug: str, folder: Path, settings: FoldSettings, plan: FoldPlan, number: int
) -> list[Fold]:
    """Return the folds of a partition of the rows by number, from 1; made as the first one."""
    target = folder / f"partition{number}"
    await pools.files.run(target.mkdir)
    await pools.files.run(target.chmod, 0o755)
    alike = replace(
        settings, split=plan.split, column=plan.column, seed=settings.seed + 1_000 * number
    )
    return (await _folds(work, slug, target, alike))[1]


class _Search:
    """A comparison, from the baseline's first run to the last candidate's.

    Args:
        work: The session.
        plan: Settings of the folds.
        folds: The folds.
        more: Creates those of another partition of the rows, by its number.
        settings: Extent of the search.
        guards: Findings before the search, by field of the improvement.
        facts: Facts for the candidates; None if they were passed in.
    """

    def __init__(
        self,
        work: Work,
        plan: FoldPlan,
        folds: Sequence[Fold],
        more: Callable[[int], Awaitable[list[Fold]]],
        settings: FoldSettings,
        guards: Mapping[str, object],
        facts: Facts | None = None,
    ) -> None:
        self._course = None if facts is None else settings.course
        may_repeat = self._course is None and plan.count > 1 and plan.split is not SplitKind.TIME
        self._partitions = settings.partitions if may_repeat else 1
        self._looks = 1
        self._more = more
        self._versions: dict[str, Version] = {}
        self._runs: dict[str, Run] = {}
        self._notebooks: dict[str, Notebook] = {}
        self._work = work
        self._plan = plan
        self._folds = list(folds)
        self._budget = settings.budget
        self._guards = guards
        self._facts = facts
        self._tried = 0
        self._predictions: dict[str, list[Predictions]] = {}
        self._submission = ""
        self._beside = 0
        self._now: Improvement | None = None
        slug = work.settings.competition or ""
        self._higher = work.services.competitions.get(slug).higher_is_better

    async def run(
        self,
        baseline: Version,
        candidates: Sequence[Version],
        without: Sequence[Version] = (),
    ) -> Improvement:
        """Run the comparison; return its result.

        Args:
            baseline: The version to compare with.
            candidates: Possible improvements.
            without: The baseline without one part each.

        Raises:
            BadInput: The baseline has no score on a fold, or takes more than the budget.
            Cancelled: The user stopped it.
        """
        # All of a search's versions together count as one more: the origin of the best.
        course = self._course
        together = course is None and len(candidates) + len(without) > 1
        together = together and self._facts is not None
        blends = self._may_blend and bool(candidates or without or course)
        self._tried = len(candidates) + len(without) + together + blends
        if course is not None:
            self._tried += course.most_steps(asks_model=asks_model(self._work, course))
        for version in (baseline, *candidates, *without):
            self._notebooks[version.name] = version.notebook
        now = self._write(
            Improvement(
                folds=self._plan,
                higher_is_better=self._higher,
                baseline=_begun(baseline),
                candidates=tuple(map(_begun, candidates)),
                ablations=tuple(map(_begun, without)),
                searched=self._facts is not None,
                budget=self._budget,
                tried=self._tried,
                refined=course is not None,
                most_runs=None if course is None else course.most_runs,
            ).model_copy(update=self._guards)
        )
        try:
            if candidates or without or course is not None:
                now = await self._measure_baseline(now, baseline)
                now = await self._experiment(now, baseline)
            if course is not None and asks_model(self._work, course):
                opinion = await leak_opinion(self._work, baseline.notebook, now)
                now = self._write(now.model_copy(update={"opinion": opinion}))
            now = await self._ablate(now, without)
            task = None
            if self._facts is not None:
                task = await pools.code.run(SearchedTask.of, now, baseline.notebook, self._facts)
                earlier = await pools.files.run(earlier_results, task)
                now = self._write(now.model_copy(update={"earlier": earlier}))
            candidates, now = _by_worth(candidates, now)
            for place, version in enumerate(candidates):
                now = await self._race_within_budget(now, place, version)
            if together:
                now = await self._try_together(now, baseline, (*candidates, *without))
            if course is not None and self._facts is not None:
                now = await Refinement(self._work, self, self._facts, course).run(now)
            if blends:
                now = await self._try_blend(now)
            now = await self._look_again(now, baseline)
        except Cancelled:
            self._write((self._now or now).model_copy(update={"cancelled": True, "done": True}))
            raise
        if task is not None and not now.is_weak:
            await pools.files.run(remember, task, now)
        return self._write(now.model_copy(update={"done": True}))

    @property
    def runs(self) -> Mapping[str, Run]:
        """Return the last run of each version, by name."""
        return self._runs

    @property
    def notebooks(self) -> Mapping[str, Notebook]:
        """Return the versions, by name."""
        return self._notebooks

    def write(self, now: Improvement) -> Improvement:
        """Keep how far the search is."""
        return self._write(now)

    def is_full(self, now: Improvement) -> bool:
        """Return whether one more version might exceed the remaining runs or time."""
        return self._is_over_budget(now)

    async def take(self, now: Improvement, step: Step) -> Improvement:
        """Race one more version, and compare it with its parent."""
        self._notebooks[step.name] = step.notebook
        version = Version(step.name, step.notebook, step.kind, step.what, step.block)
        begun = _begun(version).model_copy(
            update={
                "parent": "" if step.parent == now.baseline.name else step.parent,
                "round": step.round,
                "source": step.source,
            }
        )
        now = now.model_copy(update={"candidates": (*now.candidates, begun)})
        place = len(now.candidates) - 1
        now = await self._race(now, place, version)
        known = {one.name: one for one in (now.baseline, *now.ablations, *now.candidates)}
        gain = self._gain_over(now.candidates[place], known[step.parent])
        changed = now.candidates[place].model_copy(update={"step": gain})
        return self._write(
            now.model_copy(update={"candidates": (*now.candidates[:place], changed)})
        )

    def _gain_over(self, candidate: TriedVersion, parent: TriedVersion) -> Gain | None:
        """Return its gain over its parent; None if they share no fold with two scores."""
        pairs = [
            (new.score, old.score)
            for new, old in zip(candidate.scores, parent.scores, strict=False)
            if new.score is not None and old.score is not None
        ]
        if not pairs:
            return None
        held = sum(fold.held_out for fold in self._folds)
        return gain_over(
            [new for new, _ in pairs],
            [old for _, old in pairs],
            higher_is_better=self._higher,
            held_out_ratio=held / sum(fold.trained_on for fold in self._folds),
            tried=self._comparisons,
        )

    async def _measure_baseline(self, now: Improvement, baseline: Version) -> Improvement:
        for number in range(1, len(self._folds) + 1):
            score = await self._score(baseline, number, predictions=True)
            now = self._write(_with_baseline(now, score))
            if score.score is None:
                raise BadNotebook(coded("folds.no-score", fold=number) + score.reason)
            needed = score.seconds * len(self._folds)
            if number == 1 and self._budget is not None and needed > self._budget:
                self._write(now.model_copy(update={"over_budget": True, "done": True}))
                raise BadInput(
                    coded(
                        "folds.too-long",
                        seconds=score.seconds,
                        count=len(self._folds),
                        needed=needed,
                        budget=self._budget,
                    )
                    + offer_of_one(score.seconds, len(self._folds), self._budget)
                )
        return now

    async def _experiment(self, now: Improvement, baseline: Version) -> Improvement:
        """Run the baseline on changed data of the last fold, which shows whether it leaks."""

        def keep(proof: Proof) -> None:
            nonlocal now
            now = self._write(now.model_copy(update={"experiments": (*now.experiments, proof)}))

        def affords(runs: int) -> bool:
            if self._course is not None and now.runs + runs > self._course.most_runs:
                return False
            needed = runs * now.baseline.scores[-1].seconds
            return self._budget is None or now.seconds + needed <= self._budget

        async def run(label: Messages, fold: Fold, public: Path | None = None) -> Run:
            ended = await self._run(baseline.notebook, label, fold, public, predictions=True)
            self._beside += 1
            return ended

        scores = [one.score for one in now.baseline.scores if one.score is not None]
        trial = FoldTrial(
            baseline.notebook,
            self._work.settings.competition or "",
            self._folds[-1],
            self._runs[baseline.name],
            stdev(scores) if len(scores) > 1 else 0.0,
        )
        await fold_experiments(self._work, trial, run, keep, affords)
        return now

    @property
    def _comparisons(self) -> int:
        """Return the number of comparisons, for which intervals are widened.

        If versions may be examined again, half of the error is reserved for that.
        """
        if self._partitions == 1:
            return self._tried
        return self._tried * (2 if self._looks == 1 else 2 * (self._partitions - 1))

    async def _look_again(self, now: Improvement, baseline: Version) -> Improvement:
        """Run apparent but inconclusive improvements on other partitions of the rows."""
        while self._looks < self._partitions:
            places = self._promising(now)
            if not places:
                return now
            if self._is_over_budget(now):
                return self._write(now.model_copy(update={"cut_short": True}))
            first = len(self._folds) + 1
            self._folds += await self._more(self._looks)
            self._looks += 1
            for number in range(first, len(self._folds) + 1):
                score = await self._score(baseline, number)
                now = self._write(_with_baseline(now, score))
                if score.score is None:
                    return now
            for place in places:
                version = self._versions[now.candidates[place].name]
                for number in range(first, len(self._folds) + 1):
                    score = await self._score(version, number)
                    now = self._scored(now, "candidates", place, score)
                    if now.candidates[place].comparison is Comparison.FAILED:
                        break
        return now

    def _promising(self, now: Improvement) -> list[int]:
        """Return the indexes of the inconclusive candidates that are most likely better."""
        found = [
            (1.0 if one.gain.p is None else one.gain.p, place)
            for place, one in enumerate(now.candidates)
            if one.comparison is Comparison.UNDECIDED
            and len(one.scores) == len(self._folds)
            and one.gain is not None
            and one.gain.mean > 0
        ]
        return [place for _, place in sorted(found)[:_LOOKED_AT_AGAIN]]

    async def _race_within_budget(
        self, now: Improvement, place: int, version: Version
    ) -> Improvement:
        """Race a candidate, unless at the cost of the others it would exceed the budget."""
        if self._is_over_budget(now):
            return self._write(now.model_copy(update={"cut_short": True}))
        return await self._race(now, place, version)

    async def _ablate(self, now: Improvement, without: Sequence[Version]) -> Improvement:
        """Run every ablation on the first fold, those that made most of a difference on all."""
        for place, version in enumerate(without):
            if self._is_over_budget(now):
                return self._write(now.model_copy(update={"cut_short": True}))
            self._work.keep(version.notebook)
            score = await self._score(version, 1)
            now = self._scored(now, "ablations", place, score)
        known = {one.name for one in now.effects()}
        places = [place for place, one in enumerate(now.ablations) if one.name in known]
        places.sort(key=lambda place: -_size(now.ablations[place]))
        most = _ABLATED_ON_ALL if self._course is None else _ABLATED_BEFORE_REFINING
        for place in places[:most]:
            if self._is_over_budget(now):
                return self._write(now.model_copy(update={"cut_short": True}))
            for number in range(2, len(self._folds) + 1):
                score = await self._score(without[place], number)
                now = self._scored(now, "ablations", place, score)
                if now.ablations[place].comparison is not None:
                    break
        return now

    def _scored(
        self, now: Improvement, field: str, place: int, score: FoldScore, *, races: bool = False
    ) -> Improvement:
        """Return the improvement with a further score of a candidate or ablation, judged."""
        tried: tuple[TriedVersion, ...] = getattr(now, field)
        known = [one.score for one in now.baseline.scores if one.score is not None]
        candidate = tried[place]
        candidate = candidate.model_copy(update={"scores": (*candidate.scores, score)})
        raced_out = (
            races
            and score.fold == 1
            and score.score is not None
            and is_clearly_worse(score.score, known, 0, higher_is_better=self._higher)
        )
        candidate = self._judged(candidate, known, raced_out=raced_out)
        changed = (*tried[:place], candidate, *tried[place + 1 :])
        return self._write(now.model_copy(update={field: changed}))

    def _is_over_budget(self, now: Improvement) -> bool:
        """Return whether one more version would exceed the budget, at the cost of the others."""
        if self._course is not None and now.runs + len(self._folds) > self._course.most_runs:
            return True
        return self._budget is not None and now.seconds + now.baseline.seconds > self._budget

    async def _try_together(
        self, now: Improvement, baseline: Version, candidates: Sequence[Version]
    ) -> Improvement:
        """Race the versions that were better alone as one version, the best first."""
        assert self._facts is not None
        better = [
            (one.gain.mean, version)
            for one, version in zip((*now.candidates, *now.ablations), candidates, strict=True)
            if one.comparison is Comparison.BETTER and one.gain is not None
        ]
        better.sort(key=lambda pair: -pair[0])
        chosen = [Offer(one.kind, one.name, one.what, one.notebook) for _, one in better]
        facts, slug = self._facts, self._work.settings.competition or ""
        targets = self._work.services.competitions.get(slug).answer_columns

        def offered(notebook: Notebook) -> list[Offer]:
            return [*offers(notebook, facts), *knockouts(notebook, targets)]

        make = partial(combined, baseline.notebook, chosen, offered)
        offer = await pools.files.run(make)
        if offer is None:
            return now
        version = _version(offer)
        self._notebooks[version.name] = version.notebook
        now = now.model_copy(update={"candidates": (*now.candidates, _begun(version))})
        return await self._race_within_budget(now, len(now.candidates) - 1, version)

    @property
    def _may_blend(self) -> bool:
        """Return whether versions are written here and their predictions can be averaged."""
        slug = self._work.settings.competition or ""
        competition = self._work.services.competitions.get(slug)
        return self._facts is not None and not self._is_weak and may_be_blended(competition)

    @property
    def _is_weak(self) -> bool:
        return len(self._folds) == 1

    async def _try_blend(self, now: Improvement) -> Improvement:
        """Race the blend of the baseline and versions no worse, if it is worth its runs."""
        no_worse = {now.baseline.name}
        for one in (*now.candidates, *now.ablations):
            if one.comparison in (Comparison.BETTER, Comparison.UNDECIDED):
                no_worse.add(one.name)
        members = {
            name: predictions
            for name, predictions in self._predictions.items()
            if name in no_worse and len(predictions) == len(self._folds)
        }
        slug = self._work.settings.competition or ""
        choose = partial(_weights, members, self._folds, slug, higher_is_better=self._higher)
        weights = await pools.files.run(choose)
        parts = [
            (name, self._notebooks[name], weight)
            for name, weight in weights.items()
            if name in self._notebooks
        ]
        if len(parts) < 2:
            return now
        competition = self._work.services.competitions.get(slug)
        shares = ", ".join(f"{weight:.0%} {name}" for name, _, weight in parts)
        version = Version(
            f"blend of {len(parts)}",
            blended(parts, competition, self._submission),
            BLEND,
            coded("change.blend", shares=shares),
        )
        now = now.model_copy(update={"candidates": (*now.candidates, _begun(version))})
        return await self._race_within_budget(now, len(now.candidates) - 1, version)

    async def _race(self, now: Improvement, place: int, version: Version) -> Improvement:
        """Run a candidate on one fold after the other, until its verdict is settled."""
        self._work.keep(version.notebook)
        self._versions[version.name] = version
        for number in range(1, len(self._folds) + 1):
            score = await self._score(version, number)
            now = self._scored(now, "candidates", place, score, races=True)
            if now.candidates[place].comparison is not None:
                break
        return now

    def _judged(
        self, candidate: TriedVersion, baseline: Sequence[float], *, raced_out: bool
    ) -> TriedVersion:
        scores = [one.score for one in candidate.scores]
        found = [score for score in scores if score is not None]
        if len(found) < len(scores):
            return candidate.model_copy(update={"comparison": Comparison.FAILED})
        held = sum(fold.held_out for fold in self._folds)
        gain = gain_over(
            found,
            baseline[: len(found)],
            higher_is_better=self._higher,
            held_out_ratio=held / sum(fold.trained_on for fold in self._folds),
            tried=self._comparisons,
        )
        comparison = None
        if raced_out:
            comparison = Comparison.WORSE
        elif len(found) == len(self._folds):
            comparison = verdict(gain)
        return candidate.model_copy(
            update={"gain": gain, "comparison": comparison, "raced_out": raced_out}
        )

    async def _score(
        self, version: Version, number: int, *, predictions: bool = False
    ) -> FoldScore:
        label = coded("label.fold", version=version.name, number=number, of=len(self._folds))
        wanted = predictions or self._may_blend
        run = await self._run(version.notebook, label, self._folds[number - 1], predictions=wanted)
        grade = run.grade
        self._runs[version.name] = run
        if run.predictions is not None and self._may_blend:
            self._predictions.setdefault(version.name, []).append(run.predictions)
            self._submission = grade.submission or ""
        score, reason = None, run.diagnosis.summary
        if grade.score is not None:
            if grade.score_kind is ScoreKind.GRADED:
                score, reason = grade.score, ()
            else:
                reason = coded("folds.no-submission")
        elif grade.reason and not run.diagnosis.findings:
            reason = grade.reason
        return FoldScore(fold=number, score=score, seconds=run.execution.seconds, reason=reason)

    async def _run(
        self,
        notebook: Notebook,
        label: Messages,
        fold: Fold,
        public: Path | None = None,
        *,
        predictions: bool,
    ) -> Run:
        work = self._work

        def tell(event: events.Progressed | events.Executed) -> None:
            if isinstance(event, events.Progressed):
                message = coded("progress.study", study=label, step=event.message)
                shown = {"message": message, "label": label, "error": None}
                work.write(event.model_copy(update=shown))

        work.write(events.Progressed(phase=Phase.PREPARING, message=label, label=label))
        # Files next to the notebook may contain the rows that a fold holds out.
        options = replace(run_options(work), folder=None, public=public, predictions=predictions)
        services = replace(work.services, competitions=fold.competitions)
        return await run_once(notebook, options, services, on_event=tell, cancel=work.cancel)

    def _write(self, improvement: Improvement) -> Improvement:
        runs = self._beside + len(improvement.baseline.scores)
        tried = (*improvement.candidates, *improvement.ablations)
        runs += sum(len(candidate.scores) for candidate in tried)
        improvement = improvement.model_copy(update={"runs": runs})
        self._now = improvement
        self._work.write(events.Improved(improvement=improvement))
        return improvement


def _begun(version: Version) -> TriedVersion:
    return TriedVersion(
        name=version.name,
        notebook_hash=notebook_hash(version.notebook),
        kind=version.kind,
        what=version.what,
        block=version.block,
    )


def _weights(
    members: Mapping[str, Sequence[Predictions]],
    folds: Sequence[Fold],
    slug: str,
    *,
    higher_is_better: bool,
) -> dict[str, float]:
    answers = [FoldAnswers.of(fold.competitions, slug) for fold in folds]
    return chosen_weights(members, answers, higher_is_better=higher_is_better)


def _size(candidate: TriedVersion) -> float:
    return 0.0 if candidate.gain is None else abs(candidate.gain.mean)


def _by_worth(
    candidates: Sequence[Version], now: Improvement
) -> tuple[Sequence[Version], Improvement]:
    """Return the candidates in the order to be tried.

    First those that change the most valuable block; within a block, those that helped most often on
    similar tasks.
    """
    blocks_by_worth = list(dict.fromkeys(one.block for one in now.effects()))

    def worth(version: Version) -> tuple[int, float]:
        known = version.block is not None and version.block in blocks_by_worth
        at = blocks_by_worth.index(version.block) if known else len(blocks_by_worth)
        return at, -promise(now.earlier, version.kind, version.name)

    ordered = sorted(candidates, key=worth)
    return ordered, now.model_copy(update={"candidates": tuple(map(_begun, ordered))})


def _with_baseline(now: Improvement, score: FoldScore) -> Improvement:
    scores = (*now.baseline.scores, score)
    return now.model_copy(update={"baseline": now.baseline.model_copy(update={"scores": scores})})

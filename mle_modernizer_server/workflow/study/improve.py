"""Compare versions of a notebook on validation folds: which are better, beyond chance.

The versions are passed in, or written by codemods if the code shows that they apply; the ones that
were better alone are then tried together once.

With an ablation the notebook first runs without one of its parts each: the loss shows the parts
with the most potential, and candidates for these are tried first.

The notebook runs unchanged on each fold and our grader scores its submission; the competition's own
answers take no part. The first fold eliminates the clearly worse ones, the others decide.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import stdev

from mle_modernizer_server import pools
from mle_modernizer_server.code.pipeline.blocks import blocks, corrected
from mle_modernizer_server.code.pipeline.leaks import leaks
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.competition import Competition, Metric, SplitKind
from mle_modernizer_server.domain.errors import BadInput, BadNotebook
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.improvement import (
    Comparison,
    FoldPlan,
    FoldScore,
    FoldSettings,
    Gain,
    Improvement,
    RoleChoice,
    TriedVersion,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.verification import ProofKind
from mle_modernizer_server.execution.sampling.cache import scratch_directory
from mle_modernizer_server.execution.sampling.watch import Stopped, Watch
from mle_modernizer_server.grading.proofs import Predictions
from mle_modernizer_server.improving.ablation import knockouts
from mle_modernizer_server.improving.blending import KIND as BLEND
from mle_modernizer_server.improving.blending import (
    FoldAnswers,
    blended,
    chosen_weights,
    may_be_blended,
)
from mle_modernizer_server.improving.candidates.offers import combined, offers
from mle_modernizer_server.improving.candidates.variant import Facts
from mle_modernizer_server.improving.candidates.version import Version
from mle_modernizer_server.improving.compare import gain_over, is_clearly_worse, verdict
from mle_modernizer_server.improving.fold_split import CannotFold, Choice
from mle_modernizer_server.improving.folds import Fold, make_folds
from mle_modernizer_server.improving.unopened import unopened
from mle_modernizer_server.untrusted.files import is_file
from mle_modernizer_server.workflow.fix.absent_names import Ahead
from mle_modernizer_server.workflow.fix.before_run import foreseen_environment
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Run, run_request
from mle_modernizer_server.workflow.study.label_shuffle import impossible
from mle_modernizer_server.workflow.study.leak_search import FoldTrial, leak_opinion
from mle_modernizer_server.workflow.study.refine import Refinement, Step, asks_model
from mle_modernizer_server.workflow.study.repeat import measure
from mle_modernizer_server.workflow.study.search_memory import (
    SearchedTask,
    earlier_results,
    promise,
    remember,
)
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
    competition = work.services.competitions.get(slug)
    with scratch_directory() as folder:
        plan, folds = await _folds(work, slug, folder, settings)
        public = work.services.competitions.public_dir(slug)
        guards = await pools.files.run(
            _look, competition, public, plan, baseline.notebook, settings.roles
        )
        more = partial(_another_partition, work, slug, folder, settings, plan)
        facts: Facts | None = None
        offered: list[Version] = []
        without: list[Version] = []
        if candidates is None:
            facts = await _facts(work, plan, baseline, competition.metric)
            if settings.refine is None:
                offered = await pools.code.run(offers, baseline.notebook, facts)
            if settings.ablate or settings.refine is not None:
                targets = competition.answer_columns
                without = await pools.code.run(knockouts, baseline.notebook, targets)
            candidates = offered
        search = _Search(work, competition, plan, folds, more, settings, facts)
        return await search.run(baseline, candidates, without, guards)


def offer_of_one(seconds: float, folds: int, budget: float) -> Messages:
    """Return the offer of one hold-out set, for a budget that is too small for folds.

    Args:
        folds: Number of folds that do not fit.
        budget: Seconds that all runs together may take.
    """
    return coded("folds.one-hold-out") if folds > 1 and 2 * seconds <= budget else ()


def _look(
    competition: Competition,
    public: Path,
    plan: FoldPlan,
    notebook: Notebook,
    roles: Sequence[RoleChoice],
) -> dict[str, object]:
    """Return findings in the code before any run, by field of the improvement.

    Its blocks, possible leaks, and public files that it does not name.
    """
    pipeline = Pipeline(notebook)
    sample = competition.sample_submission.rpartition("/")[2]
    description = competition.description.rpartition("/")[2]
    names = sorted(
        file.name
        for file in islice(public.iterdir(), _MOST_FILES)
        if is_file(file) and file.name not in (sample, description)
    )
    found = leaks(pipeline, competition.answer_columns, plan.split, plan.column)
    return {
        "blocks": tuple(corrected(blocks(pipeline), roles)),
        "leaks": tuple(found),
        "unopened": unopened(pipeline, names)[:_MOST_UNOPENED],
    }


async def _facts(work: Work, plan: FoldPlan, baseline: Version, metric: Metric) -> Facts:
    """Return the facts for codemods beyond the code.

    Raises:
        SandboxUnavailable: It cannot list its packages.
    """
    services, settings = work.services, work.settings
    sandbox = services.choose_sandbox(settings.sandbox)
    ahead = Ahead(baseline.notebook, settings, work.created.traces, work.folder)
    environment, _ = await foreseen_environment(services, ahead, sandbox)
    return Facts(metric, plan.classes, environment.packages)


async def _folds(
    work: Work, slug: str, folder: Path, settings: FoldSettings
) -> tuple[FoldPlan, list[Fold]]:
    message, label = coded("folds.making"), coded("label.folds")
    work.write(events.Progressed(phase=Phase.PREPARING, message=message, label=label))
    choice = None
    if settings.split is not None:
        choice = Choice(settings.split, settings.column, "asked")
    make = partial(make_folds, count=settings.folds, choice=choice, seed=settings.seed)
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
    seed = settings.seed + 1_000 * number
    alike = {"split": plan.split, "column": plan.column, "seed": seed}
    return (await _folds(work, slug, target, settings.model_copy(update=alike)))[1]


class _Search:
    """A comparison, from the baseline's first run to the last candidate's.

    Args:
        plan: Settings of the folds.
        more: Creates those of another partition of the rows, by its number.
        settings: Extent of the search.
        facts: Facts for the candidates; None if they were passed in.

    Attributes:
        now: State of the search.
        runs: The last run of each version, by name.
        notebooks: The versions, by their hash.
    """

    now: Improvement

    def __init__(
        self,
        work: Work,
        competition: Competition,
        plan: FoldPlan,
        folds: Sequence[Fold],
        more: Callable[[int], Awaitable[list[Fold]]],
        settings: FoldSettings,
        facts: Facts | None,
    ) -> None:
        self.runs: dict[str, Run] = {}
        self.notebooks: dict[str, Notebook] = {}
        self._work = work
        self._competition = competition
        self._higher = competition.higher_is_better
        self._plan = plan
        self._folds = list(folds)
        self._more = more
        self._budget = settings.budget
        self._facts = facts
        self._course = None if facts is None else settings.refine
        may_repeat = self._course is None and plan.count > 1 and plan.split is not SplitKind.TIME
        self._partitions = settings.partitions if may_repeat else 1
        self._looks = 1
        self._tried = 0
        self._predictions: dict[str, list[Predictions]] = {}
        self._submission = ""
        self._beside = 0
        # Versions are written here, and their predictions can be averaged.
        self._may_blend = facts is not None and len(folds) > 1 and may_be_blended(competition)

    async def run(
        self,
        baseline: Version,
        candidates: Sequence[Version],
        without: Sequence[Version],
        guards: Mapping[str, object],
    ) -> Improvement:
        """Run the comparison; return its result.

        Args:
            baseline: The version to compare with.
            candidates: Possible improvements.
            without: The baseline without one part each.
            guards: Findings before the search, by field of the improvement.

        Raises:
            BadInput: The baseline has no score on a fold, or takes more than the budget.
            Cancelled: The user stopped it.
        """
        course, versions = self._course, (*candidates, *without)
        asks = course is not None and asks_model(self._work, course)
        # All of a search's versions together count as one more: the origin of the best.
        together = course is None and self._facts is not None and len(versions) > 1
        blends = self._may_blend and bool(versions or course)
        steps = 0 if course is None else course.most_steps(asks_model=asks)
        self._tried = len(versions) + together + blends + steps
        for one in (baseline, *versions):
            self.notebooks[notebook_hash(one.notebook)] = one.notebook
        self.now = Improvement(
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
        )
        self.write(**guards)
        try:
            if versions or course is not None:
                await self._measure_baseline()
                await self._experiment()
            if asks:
                self.write(opinion=await leak_opinion(self._work, baseline.notebook, self.now))
            await self._ablate()
            task = None
            if self._facts is not None:
                task = await pools.code.run(
                    SearchedTask.of, self.now, baseline.notebook, self._facts
                )
                self.write(earlier=await pools.files.run(earlier_results, task))
            self._set(candidates=_by_worth(self.now))
            for place in range(len(candidates)):
                await self._race_within_budget(place)
            if together:
                await self._try_together()
            if course is not None and self._facts is not None:
                await Refinement(self._work, self, self._facts, course).run()
            if blends:
                await self._try_blend()
            await self._look_again()
        except Cancelled:
            self.write(cancelled=True, done=True)
            raise
        if task is not None and not self.now.is_weak:
            await pools.files.run(remember, task, self.now)
        self.write(done=True)
        return self.now

    def write(self, **changes: object) -> None:
        """Change fields of the search's state, and log it."""
        self._set(**changes)
        self._work.write(events.Improved(improvement=self.now))

    def is_full(self) -> bool:
        """Return whether one more version might exceed the remaining runs or time."""
        now, course = self.now, self._course
        if course is not None and now.runs + len(self._folds) > course.most_runs:
            return True
        return self._budget is not None and now.seconds + now.baseline.seconds > self._budget

    def is_cut_short(self) -> bool:
        """Return whether no budget is left for another version, and note that."""
        is_full = self.is_full()
        if is_full and not self.now.cut_short:
            self.write(cut_short=True)
        return is_full

    async def take(self, step: Step) -> None:
        """Race one more version, and compare it with its parent."""
        parent = "" if step.parent == self.now.baseline.name else step.parent
        place = self._add(step.version, parent=parent, round=step.round, source=step.source)
        await self._race(place)
        made, changed = self.now.candidates[place], self._versions()[step.parent]
        pairs = [
            (new.score, old.score)
            for new, old in zip(made.scores, changed.scores, strict=False)
            if new.score is not None and old.score is not None
        ]
        gain = self._gain([new for new, _ in pairs], [old for _, old in pairs]) if pairs else None
        self._change(place, step=gain)
        self.write()

    def _versions(self) -> dict[str, TriedVersion]:
        """Return all versions by name."""
        now = self.now
        return {one.name: one for one in (now.baseline, *now.ablations, *now.candidates)}

    def _set(self, **changes: object) -> None:
        """Change fields of the search's state, and count its runs."""
        now = self.now.model_copy(update=changes)
        tried = (now.baseline, *now.candidates, *now.ablations)
        runs = self._beside + sum(len(one.scores) for one in tried)
        self.now = now.model_copy(update={"runs": runs})

    def _add(self, version: Version, **about: object) -> int:
        """Add a candidate; return its place."""
        begun = _begun(version).model_copy(update=about)
        self.notebooks[begun.notebook_hash] = version.notebook
        self._set(candidates=(*self.now.candidates, begun))
        return len(self.now.candidates) - 1

    def _change(self, place: int, field: str = "candidates", **changes: object) -> None:
        """Change fields of a candidate or ablation."""
        tried: list[TriedVersion] = list(getattr(self.now, field))
        tried[place] = tried[place].model_copy(update=changes)
        self._set(**{field: tuple(tried)})

    def _gain(self, scores: Sequence[float], others: Sequence[float]) -> Gain:
        """Return the gain of scores over those of another version on the same folds."""
        held = sum(fold.held_out for fold in self._folds)
        return gain_over(
            scores,
            others,
            higher_is_better=self._higher,
            held_out_ratio=held / sum(fold.trained_on for fold in self._folds),
            tried=self._comparisons,
        )

    async def _measure_baseline(self) -> None:
        count, budget = len(self._folds), self._budget
        for number in range(1, count + 1):
            score = await self._score_baseline(number, predictions=True)
            if score.score is None:
                raise BadNotebook(coded("folds.no-score", fold=number) + score.reason)
            seconds, needed = score.seconds, score.seconds * count
            if number == 1 and budget is not None and needed > budget:
                self.write(over_budget=True, done=True)
                figures = {"seconds": seconds, "count": count, "needed": needed, "budget": budget}
                raise BadInput(
                    coded("folds.too-long", **figures) + offer_of_one(seconds, count, budget)
                )

    async def _score_baseline(self, number: int, *, predictions: bool = False) -> FoldScore:
        """Run the baseline on a fold, and log its score."""
        baseline = self.now.baseline
        score = await self._score(baseline, number, predictions=predictions)
        scores = (*baseline.scores, score)
        self.write(baseline=baseline.model_copy(update={"scores": scores}))
        return score

    async def _experiment(self) -> None:
        """Run the baseline on changed data of the last fold, which shows whether it leaks."""
        baseline = self.now.baseline
        notebook = self.notebooks[baseline.notebook_hash]

        async def run(label: Messages, fold: Fold, public: Path | None) -> Run:
            ended = await self._run(notebook, label, fold, public, predictions=True)
            self._beside += 1
            return ended

        scores = [one.score for one in baseline.scores if one.score is not None]
        deviation = stdev(scores) if len(scores) > 1 else 0.0
        slug, fold, normal = self._competition.id, self._folds[-1], self.runs[baseline.name]
        trial = FoldTrial(self._work, notebook, slug, fold, normal, deviation, run)
        for runs, kind, experiment in (
            (1, ProofKind.LABEL_SHUFFLE, trial.labels),
            (2, ProofKind.HALF_ROWS, trial.half),
        ):
            if self._affords(runs):
                proof = await experiment()
            else:
                proof = impossible(kind, coded("not-tried.budget"))
            self.write(experiments=(*self.now.experiments, proof))

    def _affords(self, runs: int) -> bool:
        """Return whether that many more runs of the baseline fit into the budget."""
        if self._course is not None and self.now.runs + runs > self._course.most_runs:
            return False
        needed = runs * self.now.baseline.scores[-1].seconds
        return self._budget is None or self.now.seconds + needed <= self._budget

    @property
    def _comparisons(self) -> int:
        """Return the number of comparisons, for which intervals are widened.

        If versions may be examined again, half of the error is reserved for that.
        """
        if self._partitions == 1:
            return self._tried
        return self._tried * (2 if self._looks == 1 else 2 * (self._partitions - 1))

    async def _look_again(self) -> None:
        """Run apparent but inconclusive improvements on other partitions of the rows."""
        while self._looks < self._partitions:
            places = self._promising()
            if not places:
                return
            if self.is_cut_short():
                return
            first = len(self._folds) + 1
            self._folds += await self._more(self._looks)
            self._looks += 1
            for number in range(first, len(self._folds) + 1):
                if (await self._score_baseline(number)).score is None:
                    return
            for place in places:
                for number in range(first, len(self._folds) + 1):
                    await self._score_version(place, number)
                    if self.now.candidates[place].comparison is Comparison.FAILED:
                        break

    def _promising(self) -> list[int]:
        """Return the indexes of the inconclusive candidates that are most likely better."""
        found = [
            (1.0 if one.gain.p is None else one.gain.p, place)
            for place, one in enumerate(self.now.candidates)
            if one.comparison is Comparison.UNDECIDED
            and len(one.scores) == len(self._folds)
            and one.gain is not None
            and one.gain.mean > 0
        ]
        return [place for _, place in sorted(found)[:_LOOKED_AT_AGAIN]]

    async def _ablate(self) -> None:
        """Run every ablation on the first fold, those that made most of a difference on all."""
        for place, one in enumerate(self.now.ablations):
            if self.is_cut_short():
                return
            self._work.keep(self.notebooks[one.notebook_hash])
            await self._score_version(place, 1, "ablations")
        known = {one.name for one in self.now.effects()}
        places = [place for place, one in enumerate(self.now.ablations) if one.name in known]
        places.sort(key=lambda place: -_size(self.now.ablations[place]))
        most = _ABLATED_ON_ALL if self._course is None else _ABLATED_BEFORE_REFINING
        for place in places[:most]:
            if self.is_cut_short():
                return
            for number in range(2, len(self._folds) + 1):
                await self._score_version(place, number, "ablations")
                if self.now.ablations[place].comparison is not None:
                    break

    async def _score_version(
        self, place: int, number: int, field: str = "candidates", *, races: bool = False
    ) -> None:
        """Run a candidate or ablation on a fold, judge it by its scores so far, and log it."""
        version: TriedVersion = getattr(self.now, field)[place]
        score = await self._score(version, number)
        known = [one.score for one in self.now.baseline.scores if one.score is not None]
        raced_out = (
            races
            and number == 1
            and score.score is not None
            and is_clearly_worse(score.score, known, 0, higher_is_better=self._higher)
        )
        scores = (*version.scores, score)
        found = [one.score for one in scores if one.score is not None]
        judged: dict[str, object] = {"comparison": Comparison.FAILED}
        if len(found) == len(scores):
            gain, comparison = self._gain(found, known[: len(found)]), None
            if raced_out:
                comparison = Comparison.WORSE
            elif len(found) == len(self._folds):
                comparison = verdict(gain)
            judged = {"gain": gain, "comparison": comparison, "raced_out": raced_out}
        self._change(place, field, scores=scores, **judged)
        self.write()

    async def _try_together(self) -> None:
        """Race the versions that were better alone as one version, the best first."""
        assert self._facts is not None
        better = [
            (one.gain.mean, one)
            for one in (*self.now.candidates, *self.now.ablations)
            if one.comparison is Comparison.BETTER and one.gain is not None
        ]
        better.sort(key=lambda pair: -pair[0])
        chosen = [
            Version(one.name, self.notebooks[one.notebook_hash], one.kind, one.what)
            for _, one in better
        ]
        facts, targets = self._facts, self._competition.answer_columns

        def offered(notebook: Notebook) -> list[Version]:
            return [*offers(notebook, facts), *knockouts(notebook, targets)]

        baseline = self.notebooks[self.now.baseline.notebook_hash]
        offer = await pools.files.run(combined, baseline, chosen, offered)
        if offer is not None:
            await self._race_within_budget(self._add(offer))

    async def _try_blend(self) -> None:
        """Race the blend of the baseline and versions no worse, if it is worth its runs."""
        no_worse = {self.now.baseline.name}
        for one in (*self.now.candidates, *self.now.ablations):
            if one.comparison in (Comparison.BETTER, Comparison.UNDECIDED):
                no_worse.add(one.name)
        members = {
            name: predictions
            for name, predictions in self._predictions.items()
            if name in no_worse and len(predictions) == len(self._folds)
        }

        def choose() -> dict[str, float]:
            slug = self._competition.id
            answers = [FoldAnswers.of(fold.competitions, slug) for fold in self._folds]
            return chosen_weights(members, answers, higher_is_better=self._higher)

        weights = await pools.files.run(choose)
        versions = self._versions()
        parts = [
            (name, self.notebooks[versions[name].notebook_hash], weight)
            for name, weight in weights.items()
        ]
        if len(parts) < 2:
            return
        shares = ", ".join(f"{weight:.0%} {name}" for name, _, weight in parts)
        version = Version(
            f"blend of {len(parts)}",
            blended(parts, self._competition, self._submission),
            BLEND,
            coded("change.blend", shares=shares),
        )
        await self._race_within_budget(self._add(version))

    async def _race_within_budget(self, place: int) -> None:
        """Race a candidate, unless at the cost of the others it would exceed the budget."""
        if not self.is_cut_short():
            await self._race(place)

    async def _race(self, place: int) -> None:
        """Run a candidate on one fold after the other, until its verdict is settled."""
        self._work.keep(self.notebooks[self.now.candidates[place].notebook_hash])
        for number in range(1, len(self._folds) + 1):
            await self._score_version(place, number, races=True)
            if self.now.candidates[place].comparison is not None:
                break

    async def _score(
        self, version: TriedVersion, number: int, *, predictions: bool = False
    ) -> FoldScore:
        """Return the score of a version on a fold, from a run on it."""
        label = coded("label.fold", version=version.name, number=number, of=len(self._folds))
        fold, wanted = self._folds[number - 1], predictions or self._may_blend
        notebook = self.notebooks[version.notebook_hash]
        run = await self._run(notebook, label, fold, predictions=wanted)
        grade = run.grade
        self.runs[version.name] = run
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
        # Files next to the notebook may contain the rows that a fold holds out.
        request = replace(
            run_request(self._work, notebook), folder=None, public=public, predictions=predictions
        )
        services = replace(self._work.services, competitions=fold.competitions)
        return await measure(self._work, request, label, services)


def _begun(version: Version) -> TriedVersion:
    return TriedVersion(
        name=version.name,
        notebook_hash=notebook_hash(version.notebook),
        kind=version.kind,
        what=version.what,
        block=version.block,
    )


def _size(candidate: TriedVersion) -> float:
    return 0.0 if candidate.gain is None else abs(candidate.gain.mean)


def _by_worth(now: Improvement) -> tuple[TriedVersion, ...]:
    """Return the candidates in the order to be tried.

    First those that change the most valuable block; within a block, those that helped most often on
    similar tasks.
    """
    blocks_by_worth = list(dict.fromkeys(one.block for one in now.effects()))

    def worth(version: TriedVersion) -> tuple[int, float]:
        known = version.block is not None and version.block in blocks_by_worth
        at = blocks_by_worth.index(version.block) if known else len(blocks_by_worth)
        return at, -promise(now.earlier, version.kind, version.name)

    return tuple(sorted(now.candidates, key=worth))

"""Score-calibration with a cause: which silent change of a library moved the score?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import OwnTimeContrast
from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import CleanRun, Iteration, Phase, Verdict, grade_of
from mle_modernizer_server.domain.verification import Calibration, NoiseAnswer, NoiseWish, Tried
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.grading.repeats import graded_as, same_score
from mle_modernizer_server.workflow.fix.propose import Ask, fix_request
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Run, run_request
from mle_modernizer_server.workflow.study.repeat import measure
from mle_modernizer_server.workflow.study.seed_variance import CHEAP_SECONDS, measure_noise, skipped
from mle_modernizer_server.workflow.work import Cancelled, Work

_BUDGET_SECONDS = 5 * CHEAP_SECONDS
"""Total limit of experiments that the user did not request."""
_NOISES = 4
"""A score has moved if it did by more than this multiple of the change in a mere repetition."""


async def look_for_cause(work: Work, iteration: Iteration) -> events.Rested | None:
    """Examine silent changes, then the noise, before a calibration in auto mode.

    Do nothing if no calibration is due, if the setting is never, or twice for the same notebook. If
    a run takes a minute or more, and the setting is not always, only report that nothing was
    measured.

    Returns:
        How the work ends if the noise explains the distance; None: a fix must be requested,
        together with the findings.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    session = work.session
    wish = session.settings.measure_noise
    diagnosis, execution = iteration.diagnosis, iteration.execution
    if diagnosis is None or diagnosis.fix_type is not FixType.SCORE_CALIBRATION:
        return None
    if execution is None or not is_comparable(iteration) or wish is NoiseWish.NEVER:
        return None
    if not isinstance(iteration, CleanRun):
        return None  # its score is none to be explained
    seconds = execution.seconds
    if wish is NoiseWish.WHEN_CHEAP and seconds >= CHEAP_SECONDS:
        noise = skipped(session, iteration, seconds)
        work.write(events.NoiseMeasured(noise=noise))
        return None
    digest = iteration.notebook_hash
    if FixerName.RULES in session.settings.fixers:
        budget = None if wish is NoiseWish.ALWAYS else _BUDGET_SECONDS
        known = [one for one in session.calibrations if one.notebook_hash == digest]
        if not known:
            known = [await seek_cause(work, iteration, budget)]
        if any(set(cause.rules) - set(known[-1].left_out) for cause in known[-1].causes):
            return None  # the rules have something to propose that helps
    grade = grade_of(iteration)
    if grade is not None and grade.no_better_than_floor:
        return None  # noise is no excuse for a score that a constant reaches
    measured = work.session.noise
    if measured is None or measured.notebook_hash != digest:
        asked = session.settings.noise_runs
        measured = await measure_noise(work, iteration, asked)
    if measured.answer is not NoiseAnswer.WITHIN:
        return None
    return events.Rested(
        phase=Phase.FINISHED, message=measured.message, verdict=Verdict.WITHIN_NOISE
    )


async def seek_cause(work: Work, iteration: Iteration, budget: float | None = None) -> Calibration:
    """Restore the old behaviour of silent library changes, and measure its effect on the score.

    First all of them at once; if that moves the score, halves, down to the single changes that do.
    The unchanged notebook runs once more, to measure the noise. No run is an iteration, and nothing
    is proposed here.

    Args:
        iteration: The iteration whose score must be explained.
        budget: Seconds that runs may take together; None: no limit. Changes not separated by then
            are reported together.

    Raises:
        Cancelled, ModernizerError: As `run_once`; the experiments so far are in the log.
        Conflict: The iteration has no score that is compared with a target.
    """
    grade = grade_of(iteration)
    if grade is None or grade.score is None or grade.target is None:
        raise Conflict(coded("conflict.nothing-to-look-for"))
    notebook = work.notebook(iteration.notebook_hash)
    ask = Ask(notebook, FixType.SCORE_CALIBRATION, FixScope.FILE, (FixerName.RULES,))
    search = _Search(
        work,
        await fix_request(work, iteration, ask),
        grade,
        budget,
        Calibration(
            notebook_hash=iteration.notebook_hash,
            iteration=iteration.number,
            score=grade.score,
            target=grade.target,
        ),
    )
    try:
        await search.go()
    except Cancelled:
        search.note(done=True, message=coded("cause.cancelled"))
        raise
    return search.now


@dataclass
class _Search:
    """The state of one search."""

    work: Work
    request: FixRequest
    grade: Grade
    budget: float | None
    now: Calibration
    results: dict[str, Tried] = field(default_factory=dict)
    seconds: float = 0.0
    noise: float = 0.0
    every: tuple[str, ...] = ()

    async def go(self) -> None:
        """Run all experiments."""
        whole = await self._proposal(None)
        if whole is None:
            self.note(done=True, message=coded("cause.nothing-changed"))
            return
        self.every = _likeliest_first(whole.edits, self.work.session.contrast)
        self.note(message=coded("cause.looking"))
        if not await self._control():
            return
        bundle = await self._try(self.every)
        causes: list[Tried] = []
        if bundle.moved:
            causes = await self._apart(bundle)
            causes.sort(key=lambda one: -abs((one.after or one.before) - one.before))
        self.note(causes=tuple(causes))
        left = self._left_out(bundle, causes)
        self.note(done=True, left_out=left, message=self._message(bundle, causes))

    def note(self, **update: object) -> None:
        """Write the findings so far to the log."""
        self.now = self.now.model_copy(update=update)
        self.work.write(events.CauseSought(calibration=self.now))

    async def _control(self) -> bool:
        """Run the unchanged notebook; return whether its result is informative."""
        run = await self._measured(self.request.notebook, coded("label.control"))
        score = run.grade.score
        if score is None:
            self.note(done=True, message=coded("cause.no-score"))
            return False
        self.noise = 0.0 if same_score(score, self.now.score) else abs(score - self.now.score)
        self.note(control=score)
        return True

    async def _apart(self, group: Tried) -> list[Tried]:
        """Return the smallest subsets of a group that move the score."""
        if len(group.rules) == 1 or self._is_spent():
            return [group]
        middle = (len(group.rules) + 1) // 2
        halves = (group.rules[:middle], group.rules[middle:])
        moving = [tried for tried in [await self._try(half) for half in halves] if tried.moved]
        # If neither half moves it alone, they do together.
        return [one for half in moving for one in await self._apart(half)] or [group]

    def _is_spent(self) -> bool:
        return self.budget is not None and self.seconds >= self.budget

    async def _try(self, rules: Sequence[str]) -> Tried:
        proposal = await self._proposal(rules)
        edits = () if proposal is None else proposal.edits
        notebook = apply_edits(self.request.notebook, edits)
        digest = notebook_hash(notebook)
        named = () if proposal is None else proposal.plan
        if digest in self.results:
            return self.results[digest].model_copy(update={"rules": tuple(rules)})
        score = self.now.score
        seconds = 0.0
        after: float | None = score
        if digest != self.now.notebook_hash:
            run = await self._measured(notebook, coded("label.restored", count=len(rules)))
            after = run.grade.score
            seconds = run.execution.seconds
        target = self.now.target
        moved = (
            after is not None
            and not same_score(after, score)
            and abs(after - score) > _NOISES * self.noise
        )
        changes = dict.fromkeys(change for edit in edits for change in edit.changes)
        tried = Tried(
            rules=tuple(rules),
            what=named,
            changes=tuple(changes),
            before=score,
            after=after,
            moved=moved,
            nearer=moved and after is not None and abs(after - target) < abs(score - target),
            within_threshold=after is not None and graded_as(self.grade, after).within_threshold,
            seconds=seconds,
        )
        self.results[digest] = tried
        self.note(tried=(*self.now.tried, tried))
        return tried

    async def _proposal(self, rules: Sequence[str] | None) -> Proposal | None:
        """Return the rules' edits of the notebook; None for `rules`: all of them."""
        fixer = self.work.services.fixers.get(FixerName.RULES)
        if fixer is None:
            return None
        out = self.request.left_out
        if rules is not None:
            out = (*out, *(rule for rule in self.every if rule not in rules))
        answer = await fixer.propose(
            self.request.model_copy(update={"left_out": out}), lambda text: None
        )
        return answer if isinstance(answer, Proposal) else None

    async def _measured(self, notebook: Notebook, label: Messages) -> Run:
        run = await measure(self.work, run_request(self.work, notebook), label)
        self.seconds += run.execution.seconds
        return run

    def _left_out(self, bundle: Tried, causes: Sequence[Tried]) -> tuple[str, ...]:
        """Return the rules not worth proposing.

        Edits that restore old behaviour without moving the score are clutter. If all together lead
        away from the target, only those that approach it alone remain.
        """
        useful = [one for one in causes if bundle.nearer or one.nearer]
        kept = {rule for one in useful for rule in one.rules}
        return tuple(rule for rule in self.every if rule not in kept)

    def _message(self, bundle: Tried, causes: Sequence[Tried]) -> Messages:
        if not causes:
            count = len(self.every)
            code = "cause.none-and-no-score" if bundle.after is None else "cause.none"
            return coded(code, count=count)
        return tuple(one for cause in causes[:3] for one in described(cause))


def _likeliest_first(
    edits: Sequence[CellEdit], contrast: OwnTimeContrast | None
) -> tuple[str, ...]:
    """Return the rules of edits, first those that touch cells with other results today."""
    cells = () if contrast is None else contrast.cells
    differing = {cell.cell_id: place for place, cell in enumerate(cells)}
    ordered = sorted(edits, key=lambda edit: differing.get(edit.cell_id, len(differing)))
    return tuple(dict.fromkeys(rule for edit in ordered for rule in edit.rules))


def described(cause: Tried) -> Messages:
    """Return the effect of restoring a change, with both scores."""
    if cause.within_threshold:
        code = "cause.found"
    else:
        code = "cause.part" if cause.nearer else "cause.away"
    return coded(code, what=cause.what, before=cause.before, after=cause.after or 0.0)


def is_comparable(iteration: Iteration) -> bool:
    """Return whether its score is compared with a target."""
    grade = grade_of(iteration)
    return grade is not None and grade.deviation is not None

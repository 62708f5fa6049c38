"""The one place that determines a session's verdict: pure, from the session alone."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.code.traceback import UNPARSED, line_beside
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import ErrorDiagnosis, FixType, Outcome
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.session import GradedRun, Iteration, Verdict
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.workflow.fix.beyond_edits import (
    external_data,
    needs_time,
    no_way_to_run,
    why_time,
)
from mle_modernizer_server.workflow.verdict.progress import best
from mle_modernizer_server.workflow.verdict.target_facts import (
    mismatch,
    unreachable,
    without_knowledge,
)


class Repeats(Value):
    """Scores of repeated clean runs of the best notebook."""

    scores: tuple[float, ...]
    consistent: bool | None = None
    """Whether target and scores may be of the same notebook (by a test); None: not tested."""


class Ruling(Value):
    """A verdict with its reason."""

    verdict: Verdict
    reason: Messages = ()
    """Evidence beyond the run's own summary; may be empty."""
    advice: Messages = ()
    """The next step; empty if nothing remains to do."""
    error: CellError | None = None
    """The error behind the reason; None if it is about the whole run."""

    @property
    def text(self) -> Messages:
        """Reason and advice in one."""
        return self.reason + self.advice


ADVICE: dict[Verdict, Messages] = {
    Verdict.REPRODUCED: (),
    Verdict.WITHIN_NOISE: coded("advice.within-noise"),
    Verdict.ABOVE_TARGET: coded("advice.above-target"),
    Verdict.BELOW_TARGET: coded("advice.below-target"),
    Verdict.TARGET_IMPLAUSIBLE: coded("advice.target-implausible"),
    Verdict.GRADER_MISMATCH: coded("advice.grader-mismatch"),
    Verdict.NEEDS_EXTERNAL_DATA: (),
    Verdict.NON_DETERMINISTIC: coded("advice.non-deterministic"),
    Verdict.CANNOT_RUN: (),
    Verdict.NOT_PYTHON: (),
    Verdict.NEEDS_TIME: (),
    Verdict.AWAITS_YES: coded("advice.awaits-yes"),
    Verdict.NO_FIX: coded("advice.no-fix"),
    Verdict.NOT_EXAMINED: coded("advice.not-examined"),
    Verdict.AS_SAVED: (),
    Verdict.BUDGET_SPENT: (),
    Verdict.REACHED: coded("advice.reached"),
    Verdict.NOT_PROVEN: coded("advice.not-proven"),
    Verdict.NO_PROGRESS: coded("advice.no-progress"),
}
"""The next step after each verdict, if the reason has none of its own."""


def rule(
    competition: str | None,
    iterations: Sequence[Iteration],
    *,
    stopped: Verdict | None = None,
    noise: Repeats | None = None,
) -> Ruling | None:
    """Return the verdict on runs, with its reason and the next step; None without a verdict.

    None if no fix was due because there is nothing to compare with.

    Args:
        competition: Slug of the competition, if there is one.
        iterations: The runs; the best one represents the notebook.
        stopped: Why fixing ended (no fix, no progress, budget spent, awaits consent); None if no
            fix was due.
        noise: Scores of repeated runs of the best notebook, if measured.
    """
    finished = [item for item in iterations if item.diagnosis is not None]
    if not finished:
        return None
    leader = best(finished)
    if not isinstance(leader, GradedRun):
        return None
    grade, diagnosis = leader.grade, leader.diagnosis
    if grade is None or diagnosis is None:
        return None
    found = _by_score(grade, diagnosis.outcome, noise) if grade.doubt is None else _doubted(grade)
    if found is None and stopped is Verdict.AWAITS_YES:
        found = _ruling(Verdict.AWAITS_YES)
    if found is None:
        found = _by_errors(leader, competition) if stopped is not None else None
    if found is None and stopped is not None and needs_time(leader):
        found = Ruling(verdict=Verdict.NEEDS_TIME, reason=why_time(leader))
    if found is None:
        found = _by_target(grade)
    if found is None and grade.better_than_target and _clean(diagnosis.outcome):
        found = _ruling(Verdict.ABOVE_TARGET)
    if found is not None or stopped is None:
        return found
    clean = _clean(diagnosis.outcome) and diagnosis.fix_type is not FixType.SUBMISSION
    if grade.target is None and clean:
        return None  # no fix was due
    return _naming_file(_ruling(_left(leader, grade, stopped)), diagnosis)


def _naming_file(ruling: Ruling, diagnosis: ErrorDiagnosis) -> Ruling:
    """Add the file to change manually, if the first error arises in the notebook's folder."""
    first = diagnosis.first_root()
    beside = None if first is None else line_beside(first.error)
    if ruling.verdict is not Verdict.NO_FIX or beside is None:
        return ruling
    return ruling.model_copy(update={"advice": coded("advice.no-fix-beside", file=beside.path)})


def _left(run: GradedRun, grade: Grade, stopped: Verdict) -> Verdict:
    """Return the verdict on a run that no fixer could improve; else why fixing ended."""
    if stopped not in (Verdict.NO_FIX, Verdict.NO_PROGRESS):
        return stopped
    if _failed_before(run):
        return Verdict.AS_SAVED
    missed = grade.score is not None and grade.deviation is not None
    clean = run.diagnosis is not None and _clean(run.diagnosis.outcome)
    return Verdict.BELOW_TARGET if missed and clean else stopped


def _failed_before(run: GradedRun) -> bool:
    """Return whether a run fails only as its saved outputs do."""
    if not run.roots or run.agreement is None:
        return False
    return all(run.agreement.is_same(root.error.cell_id) for root in run.roots)


def out_of_reach(iteration: Iteration) -> bool:
    """Return whether no calibration can reach the target: the metric has no such value."""
    if not isinstance(iteration, GradedRun) or iteration.grade is None:
        return False
    grade, diagnosis = iteration.grade, iteration.diagnosis
    clean = diagnosis is not None and _clean(diagnosis.outcome)
    return grade.score is not None and clean and bool(unreachable(grade))


def _by_score(grade: Grade, outcome: Outcome, noise: Repeats | None) -> Ruling | None:
    if grade.no_better_than_floor:
        return None
    scores = [] if noise is None else list(noise.scores)
    if scores and grade.score is not None:
        graded = [grade.model_copy(update={"score": score}) for score in (grade.score, *scores)]
        inside = [with_deviation(one).within_threshold for one in graded]
        consistent = noise is not None and noise.consistent is True
        if any(inside) and not all(inside) and (outcome.reproducible or not consistent):
            reason = coded("verdict.runs-within-band", within=sum(inside), of=len(inside))
            return _ruling(Verdict.NON_DETERMINISTIC, reason)
    if outcome.reproducible:
        return _ruling(Verdict.REPRODUCED)
    if noise is not None and noise.consistent and grade.score is not None:
        return _ruling(Verdict.WITHIN_NOISE)
    return None


def _doubted(grade: Grade) -> Ruling | None:
    """Return the ruling on a doubtful score if no cell failed: it will not be judged later."""
    doubt = grade.doubt
    if doubt is None or doubt.cells or not doubt.in_band:
        return None
    reason = coded("verdict.copy", file=doubt.copy_of)
    return _ruling(Verdict.NOT_PROVEN, reason)


def _by_target(grade: Grade) -> Ruling | None:
    if grade.score is None:
        return None
    reason = without_knowledge(grade)
    if reason:
        return _ruling(Verdict.TARGET_IMPLAUSIBLE, reason)
    reason = mismatch(grade)
    if reason:
        return _ruling(Verdict.GRADER_MISMATCH, reason)
    reason = unreachable(grade)
    return _ruling(Verdict.TARGET_IMPLAUSIBLE, reason) if reason else None


def _by_errors(iteration: Iteration, competition: str | None) -> Ruling | None:
    verdict, found = Verdict.NEEDS_EXTERNAL_DATA, external_data(iteration, competition)
    if found is None:
        verdict, found = Verdict.CANNOT_RUN, no_way_to_run(iteration)
    if found is None:
        return None
    if found.error is not None and found.error.ename in UNPARSED:
        verdict = Verdict.NOT_PYTHON
    return Ruling(verdict=verdict, reason=found.what, advice=found.advice, error=found.error)


def _clean(outcome: Outcome) -> bool:
    return outcome in (Outcome.ERROR_FREE_NON_REPRODUCIBLE, Outcome.ERROR_FREE_REPRODUCIBLE)


def _ruling(verdict: Verdict, reason: Messages = ()) -> Ruling:
    return Ruling(verdict=verdict, reason=reason, advice=ADVICE[verdict])

"""Verification: is the outcome still there when the notebook runs again, and again?"""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.verification import (
    SIGNIFICANCE,
    STEADY_RUNS,
    SURE,
    Answer,
    RepeatedRun,
    Verification,
    VerificationKind,
)
from mle_modernizer_server.grading.repeats import consistency, graded_as, spread_of
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.study.repeat import Stop, Trial, repeat
from mle_modernizer_server.workflow.verdict.final_verdict import Repeats, rule
from mle_modernizer_server.workflow.work import Work


def begin(session: Session, kind: VerificationKind, asked: int, notebook: Notebook) -> Verification:
    """Return a verification that has not run yet."""
    digest = notebook_hash(notebook)
    of_it = [item.number for item in session.iterations if item.notebook_hash == digest]
    return Verification(
        kind=kind,
        notebook_hash=digest,
        iteration=of_it[-1] if of_it else None,
        asked=asked,
        target=session.settings.target_score,
        threshold=session.settings.threshold,
    )


async def verify(work: Work, verification: Verification, notebook: Notebook) -> Verification:
    """Run a verification; log every run when it ends.

    The run that ended the session does not count: it was chosen because its score fitted. It ends
    early if the answer is certain: a run has no score; the scores of three runs are the same; or p
    falls below 0.001 at three runs or more, a limit so strict that looking after every run hardly
    adds to the 5 % of the test (Haybittle and Peto's rule for interim looks,
    https://doi.org/10.1038/bjc.1976.220).

    Args:
        verification: As it begins.
        notebook: The notebook to run.

    Raises:
        Cancelled, ModernizerError: As `run_once`; the runs so far are in the log.
    """

    def stopped(now: Verification, stop: Stop) -> Verification:
        cancelled, ended = stop.is_cancel, stop.message(verification.asked)
        update = {"done": True, "cancelled": cancelled, "failed": not cancelled, "ended": ended}
        return now.model_copy(update=update)

    work.keep(notebook)
    return await repeat(
        work,
        verification,
        trial=lambda number: Trial(
            notebook, coded("label.run", number=number, of=verification.asked)
        ),
        judge=lambda runs, run: judged(verification, runs, run.grade),
        stopped=stopped,
        event=lambda now: events.Verified(verification=now),
    )


def verdict_after_verifying(session: Session) -> Verdict | None:
    """Return the session's own verdict, unless the runs fall both inside and outside the band.

    If nothing had run before, the verification determines it.
    """
    said = session.verification
    if said is None or session.phase is Phase.REVIEWING:
        return session.verdict
    if not session.iterations:
        reproduced = said.answer is Answer.REPRODUCIBLE
        return Verdict.REPRODUCED if reproduced else session.verdict
    scores = tuple(run.score for run in said.runs if run.score is not None)
    consistent = None if said.p_value is None else said.p_value >= SIGNIFICANCE
    repeats = Repeats(scores=scores, consistent=consistent)
    ruling = rule(session.settings.competition, session.iterations, noise=repeats)
    varies = ruling is not None and ruling.verdict is Verdict.NON_DETERMINISTIC
    return Verdict.NON_DETERMINISTIC if said.done and varies else session.verdict


def judged(verification: Verification, runs: Sequence[RepeatedRun], grade: Grade) -> Verification:
    """Test the scores of the runs so far.

    Args:
        verification: As it began.
        runs: So far.
        grade: Of the latest one; defines the comparison of scores.
    """
    scores = [run.score for run in runs if run.score is not None]
    whole = len(runs) >= verification.asked
    update: dict[str, object] = {
        "runs": tuple(runs),
        "runs_within": sum(run.within_threshold for run in runs),
        "spread": spread_of(scores) if scores else None,
        "done": True,
    }
    silent = next((run for run in runs if run.score is None), None)
    if silent is not None:
        reason = silent.reason or coded("verification.no-submission")
        update["answer"] = Answer.NOT_REPRODUCIBLE
        update["message"] = coded("verification.no-score", run=silent.number, reason=reason)
        if not whole:
            update["ended"] = _ended(runs, verification, coded("ended-early.no-score"))
        return verification.model_copy(update=update)
    mean = graded_as(grade, spread_of(scores).mean)
    comparable = mean.deviation is not None and mean.target is not None
    p_value = consistency(scores, mean.target or 0.0) if comparable else None
    ended: Messages = ()
    if not whole and len(runs) >= STEADY_RUNS:
        if spread_of(scores).steady:
            ended = _ended(runs, verification, coded("ended-early.steady"))
        elif p_value is not None and p_value < SURE:
            ended = _ended(runs, verification, coded("ended-early.sure", p=SURE))
    update |= {
        "ended": ended,
        "done": whole or bool(ended),
        "p_value": p_value,
        "deviation": mean.deviation,
        "within_threshold": mean.within_threshold,
    }
    if not comparable:
        why = coded("verification.no-target") if mean.target is None else mean.reason
        update["message"] = _figures(scores) + why
    elif update["done"]:
        good, why = _conclusion(mean, scores, p_value)
        update["answer"] = Answer.REPRODUCIBLE if good else Answer.NOT_REPRODUCIBLE
        code = "verification.reproducible" if good else "verification.not-reproducible"
        update["message"] = coded(code, why=why)
    return verification.model_copy(update=update)


def _conclusion(mean: Grade, scores: list[float], p_value: float | None) -> tuple[bool, Messages]:
    """Return whether the scores fit the target, and the rule of this conclusion."""
    if mean.within_threshold:
        band = coded("band.within", threshold=mean.threshold)
    else:
        band = coded("band.better" if mean.better_than_target else "band.worse")
    if len(scores) == 1:
        return mean.within_threshold, coded("verification.single", band=band)
    if p_value is None:
        return mean.within_threshold, coded("verification.steady", runs=len(scores), band=band)
    figures = {"scores": len(scores), "p": float(f"{p_value:.3g}"), "limit": SIGNIFICANCE}
    if p_value >= SIGNIFICANCE:
        return mean.within_threshold, coded("verification.consistent", band=band, **figures)
    better = mean.better_than_target
    code = "verification.inconsistent-better" if better else "verification.inconsistent"
    return False, coded(code, band=band, **figures)


def _figures(scores: list[float]) -> Messages:
    spread = spread_of(scores)
    if spread.deviation is None:
        return coded("verification.score", score=spread.mean)
    return coded(
        "verification.scores", count=spread.count, mean=spread.mean, deviation=spread.deviation
    )


def _ended(runs: Sequence[RepeatedRun], verification: Verification, why: Messages) -> Messages:
    return coded("study.ended-early", runs=len(runs), of=verification.asked, why=why)

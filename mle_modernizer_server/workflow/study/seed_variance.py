"""Noise: could another run, or another seed, have had the target's score?"""

from __future__ import annotations

from mle_modernizer_server import pools
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.session import Iteration, Phase, Session, Verdict, grade_of
from mle_modernizer_server.domain.verification import Noise, NoiseAnswer, RepeatedRun
from mle_modernizer_server.grading.repeats import prediction_interval, same_score, spread_of
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.study.repeat import Stop, Trial, repeat
from mle_modernizer_server.workflow.verdict.proven import proven_verdict
from mle_modernizer_server.workflow.work import Work

CHEAP_SECONDS = 60.0
"""A run that took less is repeated without a request."""
_ENOUGH = 3
"""Equal scores of so many runs, other seeds among them, are enough."""


def skipped(session: Session, iteration: Iteration, seconds: float) -> Noise:
    """Return the answer if measuring would take too long without a request."""
    asked = session.settings.noise_runs
    return _begun(session, iteration, asked).model_copy(
        update={
            "done": True,
            "message": coded("noise.skipped", seconds=seconds, runs=asked, total=asked * seconds),
        }
    )


def _begun(session: Session, iteration: Iteration, asked: int) -> Noise:
    grade = grade_of(iteration)
    return Noise(
        notebook_hash=iteration.notebook_hash,
        iteration=iteration.number,
        asked=asked,
        target=session.settings.target_score,
        score=None if grade is None else grade.score,
    )


async def measure_noise(work: Work, iteration: Iteration, asked: int) -> Noise:
    """Run an iteration's notebook again: once as it is, then with other seeds.

    A notebook without fixed seeds runs unchanged every time, as it is random anyway. Log every run
    when it ends; runs with other seeds use temporary copies. End early if the score does not move.

    Args:
        iteration: The iteration of the notebook.

    Raises:
        Cancelled, ModernizerError: As `run_once`; the runs so far are in the log.
    """
    from mle_modernizer_server.fixing.reseeding import codes, reseeded  # which loads the parser

    session = work.session
    notebook = work.notebook(iteration.notebook_hash)
    seeds = await pools.code.run(lambda: reseeded(notebook, 1).seeds)
    begun = _begun(session, iteration, asked).model_copy(update={"seeds": codes(seeds)})

    def trial(number: int) -> Trial:
        other = bool(seeds) and number > 1
        copy = reseeded(notebook, number - 1 if other else 0).notebook
        return Trial(copy, coded("label.noise", number=number, of=asked), reseeded=other)

    def stopped(now: Noise, stop: Stop) -> Noise:
        return now.model_copy(update={"done": True, "message": stop.message(asked)})

    announced = coded("noise.measuring", runs=asked, seconds=iteration.seconds)
    return await repeat(
        work,
        begun.model_copy(update={"message": announced}),
        trial=trial,
        judge=lambda runs, run: told(begun, tuple(runs)),
        stopped=stopped,
        event=lambda now: events.NoiseMeasured(noise=now),
    )


def told(begun: Noise, runs: tuple[RepeatedRun, ...]) -> Noise:
    """Return the prediction interval of the runs so far.

    The rule: with mean m and standard deviation s of n scores, one more score is in m ± t · s · √(1
    + 1/n) with 95 % probability (t: Student's, n - 1 degrees of freedom). A target inside needs no
    explanation.

    Args:
        begun: The measurement before its first run.
        runs: So far; the first is of the unchanged notebook.
    """
    whole = len(runs) >= begun.asked
    now = begun.model_copy(update={"runs": runs, "done": whole})
    silent = next((run for run in runs if run.score is None), None)
    if begun.score is None or begun.target is None or silent is not None:
        message = coded("noise.no-score")
        if silent is not None:
            message = coded("noise.run-without-score", run=silent.number)
        return now.model_copy(update={"done": True, "message": message})
    repeats = same_score(runs[0].score or 0.0, begun.score)
    # The same notebook with the same seeds and the same score is the same run: counted once.
    drawn = runs[1:] if repeats and begun.seeds else runs
    spread = spread_of([begun.score, *(run.score for run in drawn if run.score is not None)])
    now = now.model_copy(update={"repeats": repeats, "spread": spread})
    if spread.steady:
        if not whole and len(runs) < _ENOUGH:
            return now
        other = any(run.reseeded for run in runs)
        message = coded("noise.steady-other-seeds" if other else "noise.steady", runs=len(runs) + 1)
        update = {"done": True, "answer": NoiseAnswer.STEADY, "message": message}
        return now.model_copy(update=update)
    interval = prediction_interval(spread)
    if not whole or interval is None or spread.deviation is None:
        return now
    low, high = interval
    multiple = abs(begun.target - spread.mean) / spread.deviation
    within = low <= begun.target <= high
    return now.model_copy(
        update={
            "low": low,
            "high": high,
            "multiple": multiple,
            "answer": NoiseAnswer.WITHIN if within else NoiseAnswer.BEYOND,
            "message": _message(begun, spread.count, multiple, within, repeats, (low, high)),
        }
    )


def _message(
    begun: Noise,
    count: int,
    multiple: float,
    within: bool,
    repeats: bool,
    interval: tuple[float, float],
) -> Messages:
    figures = {"low": interval[0], "high": interval[1], "scores": count}
    of_what = coded("noise.other-seeds" if begun.seeds else "noise.as-it-is")
    steady = coded("noise.repeats") if repeats else ()
    if within:
        return (
            coded("noise.within", of_what=of_what, **figures)
            + steady
            + coded("noise.no-fix-needed")
        )
    multiple = round(multiple, 1)
    beyond = coded("noise.beyond", multiple=multiple, of_what=of_what, **figures)
    return beyond + steady + coded("noise.look-for-cause")


def verdict_after_noise(session: Session) -> Verdict | None:
    """Return the verdict within noise, if it applies and the score is outside the band."""
    said, verdict = session.noise, session.verdict
    if said is None or said.answer is not NoiseAnswer.WITHIN or session.phase is Phase.REVIEWING:
        return verdict
    if verdict is not None and (verdict.success or verdict.unproven):
        return verdict
    run = next(one for one in session.iterations if one.notebook_hash == said.notebook_hash)
    grade = grade_of(run)
    if grade is not None and grade.no_better_than_floor:
        return verdict
    return proven_verdict(session, run, Verdict.WITHIN_NOISE)

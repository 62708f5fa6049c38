"""Noise: would another run, or another seed, have given the target's score?"""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.noise import Noise, NoiseAnswer
from mle_modernizer_server.domain.session import Iteration, Phase, Session, Verdict
from mle_modernizer_server.domain.verification import RepeatedRun
from mle_modernizer_server.fixing.reseeding import codes, reseeded
from mle_modernizer_server.grading.repeats import prediction_interval, same_score, spread_of
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.study.repeat import Trial, repeat
from mle_modernizer_server.workflow.work import Work

CHEAP_SECONDS = 60.0
"""A run that took less is repeated without being asked for."""
_ENOUGH = 3
"""Equal scores of so many runs, other seeds among them, are enough."""


def foretold(session: Session, iteration: Iteration, asked: int) -> str:
    """What measuring will take, to be said beforehand."""
    seconds = 0.0 if iteration.execution is None else iteration.execution.seconds
    return f"Measuring the noise: {asked} runs of about {seconds:.0f} s each"


def skipped(session: Session, iteration: Iteration, seconds: float) -> Noise:
    """The answer where measuring would take too long to be done unasked."""
    asked = session.settings.noise_runs
    return _begun(session, iteration, asked).model_copy(
        update={
            "done": True,
            "message": f"The noise was not measured: a run takes {seconds:.0f} s, and {asked} runs "
            f"about {asked * seconds:.0f} s. Measure it by hand, or set it to always.",
        }
    )


def _begun(session: Session, iteration: Iteration, asked: int) -> Noise:
    grade = iteration.grade
    return Noise(
        notebook_hash=iteration.notebook_hash,
        iteration=iteration.number,
        asked=asked,
        target=session.settings.target_score,
        score=None if grade is None else grade.score,
    )


async def measure_noise(work: Work, iteration: Iteration, asked: int) -> Noise:
    """Run an iteration's notebook again: once as it is, then with other seeds.

    A notebook that fixes no seeds runs as it is every time, and what it does not fix is random by
    itself. Every run is in the log when it ends; runs with other seeds are of copies that nobody
    sees. It ends early where the score does not move.

    Args:
        work: The session.
        iteration: Whose notebook.
        asked: How many runs.

    Raises:
        Cancelled, ModernizerError: As `run_once`; what was run is in the log.
    """
    session = work.session
    notebook = work.notebook(iteration.notebook_hash)
    seeds = await asyncio.to_thread(lambda: reseeded(notebook, 1).seeds)
    begun = _begun(session, iteration, asked).model_copy(update={"seeds": codes(seeds)})

    def trial(number: int) -> Trial:
        other = bool(seeds) and number > 1
        copy = reseeded(notebook, number - 1 if other else 0).notebook
        return Trial(copy, f"Noise, run {number} of {asked}", reseeded=other)

    def cancelled(now: Noise, runs: int) -> Noise:
        message = f"Cancelled after {runs} of {asked} runs."
        return now.model_copy(update={"done": True, "message": message})

    return await repeat(
        work,
        begun.model_copy(update={"message": foretold(session, iteration, asked)}),
        trial=trial,
        judge=lambda runs, run: told(begun, tuple(runs)),
        cancelled=cancelled,
        event=lambda now: events.NoiseMeasured(noise=now),
    )


def told(begun: Noise, runs: tuple[RepeatedRun, ...]) -> Noise:
    """What the runs made so far say.

    The rule: with mean m and standard deviation s of n scores, one more score lies in
    m ± t · s · √(1 + 1/n) with 95 % probability (t: Student's, n - 1 degrees of freedom). A target
    in there needs no explanation.

    Args:
        begun: The measurement before its first run.
        runs: So far; the first is of the notebook as it is.
    """
    whole = len(runs) >= begun.asked
    update: dict[str, object] = {"runs": runs, "done": whole}
    if begun.score is None or begun.target is None or any(run.score is None for run in runs):
        silent = next((run for run in runs if run.score is None), None)
        why = "there is no score" if silent is None else f"run {silent.number} has no score"
        update |= {"done": True, "message": f"The noise cannot be told: {why}."}
        return begun.model_copy(update=update)
    repeats = same_score(runs[0].score or 0.0, begun.score)
    # The same notebook with the same seeds and the same score is the same run: counted once.
    drawn = runs[1:] if repeats and begun.seeds else runs
    scores = [begun.score, *(run.score for run in drawn if run.score is not None)]
    spread = spread_of(scores)
    update |= {"repeats": repeats, "spread": spread}
    if spread.steady:
        update["done"] = whole or len(runs) >= _ENOUGH
        if update["done"]:
            other = ", with other seeds too" if any(run.reseeded for run in runs) else ""
            update |= {
                "answer": NoiseAnswer.STEADY,
                "message": f"The score is the same in {len(runs) + 1} runs{other}: randomness is "
                "not the cause of its distance from the target.",
            }
        return begun.model_copy(update=update)
    interval = prediction_interval(spread)
    if not whole or interval is None or spread.deviation is None:
        return begun.model_copy(update=update)
    low, high = interval
    multiple = abs(begun.target - spread.mean) / spread.deviation
    within = low <= begun.target <= high
    update |= {
        "low": low,
        "high": high,
        "multiple": multiple,
        "answer": NoiseAnswer.WITHIN if within else NoiseAnswer.BEYOND,
        "message": _message(begun, spread.count, multiple, within, repeats, (low, high)),
    }
    return begun.model_copy(update=update)


def _message(
    begun: Noise,
    count: int,
    multiple: float,
    within: bool,
    repeats: bool,
    interval: tuple[float, float],
) -> str:
    of_what = "with other seeds" if begun.seeds else "as it is"
    where = f"{interval[0]:.6g} to {interval[1]:.6g}"
    steady = " The notebook as it is repeats its score." if repeats else ""
    if within:
        return (
            f"Within noise: {of_what}, one more score would lie from {where} (95 %, from {count} "
            f"scores), and so does the target.{steady} No fix is needed to explain the distance."
        )
    return (
        f"The distance is {multiple:.1f} times the notebook's own spread ({of_what}, {count} "
        f"scores; one more would lie from {where}).{steady} Randomness does not explain it: look "
        "for a cause."
    )


def verdict_after_noise(session: Session) -> Verdict | None:
    """Within noise, where that is so and the score is outside the band."""
    said, verdict = session.noise, session.verdict
    if said is None or said.answer is not NoiseAnswer.WITHIN or session.phase is Phase.REVIEWING:
        return verdict
    keeps = (Verdict.REPRODUCED, Verdict.ABOVE_TARGET)
    return verdict if verdict in keeps else Verdict.WITHIN_NOISE

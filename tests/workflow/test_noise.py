"""Noise: how far a score moves by itself, and what that says of its distance from the target."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy import stats

from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.verification import Noise, NoiseAnswer
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.report.report import report_markdown
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow.repeating import printed, scores_in_turn, worked
from tests.workflow.test_recovery import modernizer

SEEDED = values.notebook(
    "import random\nSEED = 7  # lucky\nrandom.seed(SEED)", "0.5 + random.random() / 10"
)
"""Gives the same score again, and another one for another seed: 0.5 to 0.6."""


def only_run(notebook: Notebook) -> Callable[[Modernizer, str], Session]:
    return lambda work, name: work.runs.start_check(name, notebook)


def noise_of(session: Session) -> Noise:
    assert session.noise is not None and session.noise.done
    return session.noise


def test_varying_scores_explain_a_target_among_them(tmp_path: Path) -> None:
    scores = [0.80, 0.95, 0.85, 1.05]
    notebook = scores_in_turn(tmp_path, scores)
    session = worked(
        tmp_path,
        notebook,
        printed(1.0),
        only_run(notebook),
        lambda work, name: work.studies.start_noise(name, 3),
    )
    said = noise_of(session)
    assert said.answer is NoiseAnswer.WITHIN and said.repeats is False and said.seeds == ()
    assert [run.score for run in said.runs] == scores[1:]
    assert not any(run.reseeded for run in said.runs)
    mean, s = statistics.mean(scores), statistics.stdev(scores)
    half = stats.t.ppf(0.975, 3) * s * (1 + 1 / 4) ** 0.5
    assert said.low == pytest.approx(mean - half) and said.high == pytest.approx(mean + half)
    assert said.multiple == pytest.approx((1.0 - mean) / s)
    assert session.verdict is Verdict.WITHIN_NOISE and session.phase is Phase.FINISHED
    assert text(session.message).startswith("Within noise: ") and len(session.iterations) == 1


@pytest.mark.thorough
def test_seeds_get_other_values_in_copies_that_nobody_sees(tmp_path: Path) -> None:
    work = modernizer(tmp_path)
    session = worked(
        tmp_path,
        SEEDED,
        printed(0.9),
        only_run(SEEDED),
        lambda work, name: work.studies.start_noise(name, 4),
        work=work,
    )
    said = noise_of(session)
    assert said.seeds == ("SEED = 7",)
    assert said.repeats is True
    assert [run.reseeded for run in said.runs] == [False, True, True, True]
    assert said.runs[0].score == said.score
    assert len({run.score for run in said.runs}) == 4
    assert said.spread is not None and said.spread.count == 4, "the repeat is no new score"
    assert said.answer is NoiseAnswer.BEYOND and session.verdict is None
    assert said.multiple is not None and said.multiple > 5
    assert "times the notebook's own spread" in text(said.message)
    # No notebook but the user's is kept, and nothing is proposed.
    with sqlite3.connect(tmp_path / "s.db") as database:
        kept = database.execute("SELECT notebook FROM notebooks").fetchall()
    assert [Notebook.model_validate_json(row[0]) for row in kept] == [SEEDED]
    assert not session.all_reviews
    sent = report_markdown(session, modernizer(tmp_path).log)
    assert "## Noise" in sent and "| others |" in sent


@pytest.mark.thorough
def test_a_score_that_never_moves_is_not_random(tmp_path: Path) -> None:
    notebook = values.notebook("import random\nrandom.seed(1)", "0.5")
    session = worked(
        tmp_path,
        notebook,
        printed(0.9),
        only_run(notebook),
        lambda work, name: work.studies.start_noise(name),
    )
    said = noise_of(session)
    assert said.answer is NoiseAnswer.STEADY and said.asked == 5
    assert [run.reseeded for run in said.runs] == [False, True, True], "it ends early"
    assert "randomness does not explain" in text(said.message)
    assert session.verdict is None


@pytest.mark.thorough
def test_a_failing_run_tells_nothing(tmp_path: Path) -> None:
    notebook = scores_in_turn(tmp_path, [0.5, 0.6, "1 / 0"])
    session = worked(
        tmp_path,
        notebook,
        printed(0.9),
        only_run(notebook),
        lambda work, name: work.studies.start_noise(name),
    )
    said = noise_of(session)
    assert said.answer is NoiseAnswer.OPEN and "run 2 has no score" in text(said.message)


def test_it_needs_a_score_and_a_target(tmp_path: Path) -> None:
    notebook = values.notebook("0.5")
    for target in (None, 0.9):
        folder = tmp_path / str(target)
        with pytest.raises(Conflict):
            worked(
                folder,
                notebook,
                printed(target, score_reading=None),
                only_run(notebook),
                lambda work, name: work.studies.start_noise(name),
            )
    with pytest.raises(Conflict) as refusal:
        worked(
            tmp_path / "x",
            notebook,
            printed(0.9),
            lambda work, name: work.studies.start_noise(name),
        )
    assert "run the notebook first" in text(refusal.value.message)


def test_reproduced_notebook_stays_so_after_a_cancelled_noise(
    tmp_path: Path,
) -> None:
    notebook = scores_in_turn(tmp_path, [0.9, 0.92, "__import__('time').sleep(600)"])

    async def scene() -> None:
        work = modernizer(tmp_path)
        name = work.sessions.create("old.ipynb", notebook, printed(0.9)).id
        work.runs.start_run(name, notebook)
        await work.sessions.finished(name)
        work.studies.start_noise(name)
        while True:
            progress = work.log.get(name).progress
            if progress and text(progress.message).startswith("Noise, run 2 of 5: Running cell 2"):
                break
            await asyncio.sleep(0.02)
        session = await work.sessions.cancel(name)
        said = noise_of(session)
        assert [run.score for run in said.runs] == [0.92]
        assert text(said.message) == "Cancelled after 1 of 5 runs."
        assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.REPRODUCED)
        await work.close()

    asyncio.run(scene())

"""Repeated clean runs: what they say, when they end, and what a cancel leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy import stats

from mle_modernizer_server.domain.errors import Conflict, SandboxUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.verification import Answer, VerificationKind
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.report.report import report_json, report_markdown
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.study import repeat
from tests.refusals import refused
from tests.workflow.repeating import printed, scores_in_turn, worked
from tests.workflow.test_recovery import modernizer

Start = Callable[[Modernizer, str], Session]


def strict(runs: int = 10) -> Start:
    return lambda work, name: work.studies.start_verification(name, VerificationKind.STRICT, runs)


def run(notebook: Notebook) -> Start:
    return lambda work, name: work.runs.start_run(name, notebook)


@pytest.mark.thorough
def test_deterministic_notebook_needs_three_runs(tmp_path: Path) -> None:
    notebook = scores_in_turn(tmp_path, [0.85])
    session = worked(tmp_path, notebook, printed(0.9), run(notebook), strict())
    said = session.verification
    assert said is not None and said.answer is Answer.REPRODUCIBLE and said.done
    assert [item.score for item in said.runs] == [0.85] * 3
    assert text(said.ended) == "Ended after 3 of 10 runs: their scores are all the same."
    assert said.p_value is None and "its spread cannot be tested" in text(said.message)
    assert said.deviation == pytest.approx(0.05 / 0.9) and said.runs_within == 3
    assert said.iteration == 1
    # They are no iterations, and the session is where it was.
    assert len(session.iterations) == 1
    assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.REPRODUCED)
    assert text(session.message) == text(said.message)


@pytest.mark.process
def test_noisy_scores_around_the_target_are_consistent_with_it(tmp_path: Path) -> None:
    scores = [0.88, 0.93, 0.90, 0.86, 0.92]
    session = worked(tmp_path, scores_in_turn(tmp_path, scores), printed(0.9), strict(5))
    said = session.verification
    assert said is not None and said.answer is Answer.REPRODUCIBLE and not text(said.ended)
    assert said.p_value == pytest.approx(stats.ttest_1samp(scores, 0.9).pvalue)
    assert said.p_value >= 0.05 and "are consistent with the target" in text(said.message)
    assert said.spread is not None
    assert said.spread.mean == pytest.approx(sum(scores) / 5)
    assert said.spread.deviation == pytest.approx(stats.tstd(scores))
    assert all(item.seconds > 0 for item in said.runs)
    # Nothing had run before: now there is a verdict.
    assert not session.iterations and session.verdict is Verdict.REPRODUCED


@pytest.mark.thorough
def test_noisy_scores_off_the_target_fail_despite_the_band(tmp_path: Path) -> None:
    scores = [0.850, 0.856, 0.844, 0.848, 0.853]
    session = worked(tmp_path, scores_in_turn(tmp_path, scores), printed(0.9), strict(5))
    said = session.verification
    assert said is not None and said.answer is Answer.NOT_REPRODUCIBLE
    assert said.within_threshold and said.runs_within == len(said.runs)
    assert "are not consistent with the target" in text(said.message)
    assert "their mean is within 10%" in text(said.message)
    # p fell below 0.001 before the last run.
    assert said.p_value is not None and said.p_value < 0.001
    assert text(said.ended) == f"Ended after {len(said.runs)} of 5 runs: p is already below 0.001."
    earlier = scores[: len(said.runs) - 1]
    assert len(earlier) < 3 or stats.ttest_1samp(earlier, 0.9).pvalue >= 0.001
    assert session.verdict is None


@pytest.mark.thorough
def test_consistent_scores_outside_the_band_are_not_reproducible(
    tmp_path: Path,
) -> None:
    scores = [0.3, 1.2, 0.5]
    session = worked(tmp_path, scores_in_turn(tmp_path, scores), printed(0.9), strict(3))
    said = session.verification
    assert said is not None and said.p_value is not None and said.p_value >= 0.05
    assert said.answer is Answer.NOT_REPRODUCIBLE
    assert "outside the band, on the worse side" in text(said.message)


@pytest.mark.process
@pytest.mark.parametrize(
    ("second", "reason"),
    [("1 / 0", "The run wrote no CSV"), ("__import__('os')._exit(9)", "The kernel died")],
)
def test_a_run_without_a_score_ends_it(tmp_path: Path, second: str, reason: str) -> None:
    notebook = scores_in_turn(tmp_path, [0.9, second])
    session = worked(tmp_path, notebook, printed(0.9), strict())
    said = session.verification
    assert said is not None and said.answer is Answer.NOT_REPRODUCIBLE
    assert [item.score for item in said.runs] == [0.9, None]
    assert text(said.message).startswith("Not reproducible: run 2 has no score")
    assert reason in text(said.message)
    assert text(said.ended) == "Ended after 2 of 10 runs: one had no score."


@pytest.mark.thorough
def test_without_a_target_there_is_a_spread_and_no_answer(tmp_path: Path) -> None:
    notebook = scores_in_turn(tmp_path, [0.8, 0.9])
    session = worked(tmp_path, notebook, printed(None), strict(2))
    said = session.verification
    assert said is not None and said.answer is Answer.OPEN and said.done
    assert text(said.message) == "2 scores: 0.85 ± 0.071. There is no target score to compare with."


@pytest.mark.process
def test_a_quick_one_is_a_single_run(tmp_path: Path) -> None:
    notebook = scores_in_turn(tmp_path, [0.9, 0.2])
    session = worked(
        tmp_path,
        notebook,
        printed(0.9),
        run(notebook),
        lambda work, name: work.studies.start_verification(name, VerificationKind.QUICK),
    )
    said = session.verification
    assert said is not None and (said.kind, len(said.runs)) == (VerificationKind.QUICK, 1)
    assert said.answer is Answer.NOT_REPRODUCIBLE
    assert text(said.message).endswith(
        "the score of a clean run is outside the band, on the worse side."
    )


@pytest.mark.process
def test_a_cancel_keeps_the_runs_made_and_puts_the_session_back(tmp_path: Path) -> None:
    notebook = scores_in_turn(tmp_path, [0.9, 0.91, "__import__('time').sleep(600)"])

    async def scene() -> None:
        work = modernizer(tmp_path)
        settings = printed(0.9)
        name = work.sessions.create("old.ipynb", notebook, settings).id
        work.runs.start_run(name, notebook)
        await work.sessions.finished(name)
        started = work.studies.start_verification(name)
        assert started.phase is Phase.PREPARING
        with pytest.raises(Conflict):
            work.studies.start_verification(name)
        seen = set()
        while True:
            session = work.log.get(name)
            progress = session.progress
            if progress is not None:
                seen.add(text(progress.label))
                if text(progress.message).startswith("Run 2 of 10: Running cell 2"):
                    break
            await asyncio.sleep(0.02)
        assert "Run 1 of 10" in seen
        session = await work.sessions.cancel(name)
        said = session.verification
        assert said is not None and said.cancelled and said.done
        assert [item.score for item in said.runs] == [0.91]
        assert text(said.ended) == "Cancelled after 1 of 10 runs." and said.answer is Answer.OPEN
        assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.REPRODUCED)
        assert text(session.message) == "Cancelled; the measurements made so far are kept."
        await work.close()

    asyncio.run(scene())


@pytest.mark.process
def test_sandbox_that_stops_working_leaves_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object, **__: object) -> None:
        raise SandboxUnavailable(coded("sandbox.no-kernel"))

    monkeypatch.setattr(repeat, "run_once", unavailable)
    notebook = scores_in_turn(tmp_path, [0.9])
    session = worked(tmp_path, notebook, printed(0.9), run(notebook), strict())
    said = session.verification
    assert said is not None and said.done and said.answer is Answer.OPEN
    assert said.failed and not said.cancelled
    assert text(said.ended).startswith("Stopped after 0 of 10 runs: No kernel starts")
    assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.REPRODUCED)
    assert [one.code for one in session.message] == ["study.stopped", "sandbox.no-kernel"]


def test_a_strict_one_needs_two_runs(tmp_path: Path) -> None:
    with refused(Conflict, match="at least two"):
        worked(tmp_path, scores_in_turn(tmp_path, [0.9]), printed(0.9), strict(1))


@pytest.mark.thorough
def test_the_report_holds_it(tmp_path: Path) -> None:
    work = modernizer(tmp_path)
    notebook = scores_in_turn(tmp_path, [0.88, 0.93, 0.9])

    async def scene() -> tuple[str, str]:
        session = work.sessions.create("old.ipynb", notebook, printed(0.9))
        strict(3)(work, session.id)
        session = await work.sessions.finished(session.id)
        store = work.log
        texts = report_markdown(session, store), report_json(session, store)
        await work.close()
        return texts

    markdown, json_text = asyncio.run(scene())
    assert "## Verification (strict)" in markdown
    assert "| 2 | 0.93 | yes |" in markdown
    assert "- p: 0.8" in markdown
    assert '"p_value": 0.8' in json_text

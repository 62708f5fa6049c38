"""A score that nothing was predicted for, or that failing cells lead to, is never a success."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mle_modernizer_server.domain.diagnosis import FixType, Outcome
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Iteration, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow.test_proving import LOAD, NEAREST, WRITE, prepare

SAMPLE = """\
import shutil
shutil.copy('../input/sides/sample_submission.csv', 'submission.csv')"""
BROKEN = "import math\nsides = [math.guess(row['X']) for row in test]"
"""Fails; `sides` stays what it was."""
PLOT = "import math\nmath.draw(sides)"


def session_of(
    folder: Path, mode: Mode, target: float | None, *cells: str, beside: Path | None = None
) -> Session:
    """A session in which a notebook ran, without any fixer that knows the errors."""
    services = build_services(
        data_root=folder / "data",
        sandbox=None,
        llm=LlmSettings(),
        notebook_folder=lambda path: beside,
    )
    modernizer = Modernizer(Store(None), services)
    settings = SessionSettings(
        mode=mode,
        competition="sides",
        target_score=target,
        time_limit=120,
        fixers=(FixerName.RULES,),
    )

    async def run() -> Session:
        book = values.notebook(*cells)
        begun = modernizer.sessions.create("old.ipynb", book, settings, folder=beside)
        modernizer.runs.start_run(begun.id, book)
        return await modernizer.sessions.finished(begun.id)

    return asyncio.run(run())


def share_of_zeros(answers: dict[str, int]) -> float:
    return sum(side == 0 for side in answers.values()) / len(answers)


def latest(session: Session) -> Iteration:
    return session.iterations[-1]


@pytest.mark.parametrize("mode", [Mode.STEP, pytest.param(Mode.AUTO, marks=pytest.mark.thorough)])
def test_the_untouched_sample_is_never_a_success(tmp_path: Path, mode: Mode) -> None:
    target = share_of_zeros(prepare(tmp_path / "data"))
    session = session_of(tmp_path, mode, target, LOAD, SAMPLE)
    grade, diagnosis = latest(session).grade, latest(session).require_diagnosis()
    assert grade is not None and grade.doubt is not None
    assert grade.score == pytest.approx(target)
    assert grade.doubt.copy_of == "sample_submission.csv"
    assert grade.doubt.in_band and not grade.within_threshold
    assert diagnosis.outcome is Outcome.ERROR_FREE_NON_REPRODUCIBLE
    assert session.verdict is Verdict.NOT_PROVEN
    assert "sample_submission.csv, which existed before the run" in text(diagnosis.summary)


def test_constant_prediction_near_the_target_is_not_reproduced(tmp_path: Path) -> None:
    answers = prepare(tmp_path / "data")
    zeros = share_of_zeros(answers)
    majority = int(zeros < 0.5)
    target = 1.05 * max(zeros, 1 - zeros)
    constant = f"sides = [{majority} for row in test]"
    session = session_of(tmp_path, Mode.STEP, target, LOAD, constant, WRITE)
    run = latest(session)
    assert run.grade is not None and run.grade.score == pytest.approx(max(zeros, 1 - zeros))
    assert run.grade.deviation is not None and run.grade.deviation < 0.1
    assert session.verdict not in (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)
    assert "no better than predicting the same for every row" in text(session.message)


@pytest.mark.parametrize("mode", [pytest.param(Mode.STEP, marks=pytest.mark.thorough), Mode.AUTO])
def test_the_sample_behind_failing_cells_is_work_to_do(tmp_path: Path, mode: Mode) -> None:
    target = share_of_zeros(prepare(tmp_path / "data"))
    session = session_of(tmp_path, mode, target, LOAD, "sides = nothing_here", SAMPLE)
    diagnosis = latest(session).require_diagnosis()
    assert diagnosis.outcome is Outcome.ERROR_NON_REPRODUCIBLE
    assert diagnosis.fix_type is FixType.ERROR_REPAIR
    assert session.verdict not in (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)


@pytest.mark.parametrize("mode", [pytest.param(Mode.STEP, marks=pytest.mark.thorough), Mode.AUTO])
def test_failing_cells_on_the_way_leave_a_result_unjudged(tmp_path: Path, mode: Mode) -> None:
    prepare(tmp_path / "data")
    session = session_of(tmp_path, mode, 0.99, LOAD, NEAREST, BROKEN, WRITE)
    grade, diagnosis = latest(session).grade, latest(session).require_diagnosis()
    assert grade is not None and grade.doubt is not None
    assert (grade.doubt.cells, grade.doubt.in_band) == (("c2",), True)
    assert diagnosis.outcome is Outcome.ERROR_NON_REPRODUCIBLE
    assert diagnosis.fix_type is FixType.ERROR_REPAIR
    assert "Not judged yet: it depends on 1 cell that failed" in text(diagnosis.summary)
    assert session.verdict not in (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)


@pytest.mark.parametrize("mode", [Mode.STEP, pytest.param(Mode.AUTO, marks=pytest.mark.thorough)])
def test_a_failing_plot_is_no_reproach(tmp_path: Path, mode: Mode) -> None:
    prepare(tmp_path / "data")
    session = session_of(tmp_path, mode, 0.99, LOAD, NEAREST, PLOT, WRITE)
    grade = latest(session).grade
    assert grade is not None and grade.doubt is None
    assert latest(session).require_diagnosis().outcome is Outcome.ERROR_REPRODUCIBLE
    assert session.verdict is Verdict.REPRODUCED
    assert session.proofs == ()  # without a model no run is spent on a proof
    assert len(session.iterations) == 1


def test_a_perfect_score_gets_a_remark(tmp_path: Path) -> None:
    prepare(tmp_path / "data")
    right = "sides = [int(float(row['X']) > 0) for row in test]"
    session = session_of(tmp_path, Mode.STEP, 1.0, LOAD, right, WRITE)
    assert session.verdict is Verdict.REPRODUCED
    assert "score is perfect" in text(latest(session).require_diagnosis().summary)


@pytest.mark.parametrize(
    ("reads", "verdict"), [(False, Verdict.REPRODUCED), (True, Verdict.NOT_PROVEN)]
)
def test_only_a_file_that_is_read_can_be_copied(
    tmp_path: Path, reads: bool, verdict: Verdict
) -> None:
    answers = prepare(tmp_path / "data")
    (tmp_path / "here/data").mkdir(parents=True)
    old = tmp_path / "here/data/mine.csv"
    write = WRITE.replace("'submission.csv'", "'data/mine.csv'")
    right = "sides = [int(float(row['X']) > 0) for row in test]"
    if reads:
        right = "sides = [line.split(',')[1].strip() for line in open('data/mine.csv')][1:]"
    old.write_text("Id,Side\n" + "".join(f"{name},{side}\n" for name, side in answers.items()))
    session = session_of(tmp_path, Mode.STEP, 1.0, LOAD, right, write, beside=tmp_path / "here")
    grade = latest(session).grade
    assert grade is not None and grade.submission == "data/mine.csv"
    assert session.verdict is verdict, session.message
    if reads:
        assert grade.doubt is not None and grade.doubt.copy_of == "data/mine.csv"
    else:
        assert grade.same_as == "data/mine.csv"
        assert "predictions are those of data/mine.csv" in text(session.message)

"""A submission that is missing or not valid is a fault of its own, with a target or without."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import SecretStr

from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_session
from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import GradedRun, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.words import text
from tests import values
from tests.llm_server import Answer, LlmServer
from tests.workflow.test_proving import LOAD, NEAREST, WRITE, prepare, server

WRONG = WRITE.replace("Id,Side", "Row,Side")


def fixed(prompts: object) -> Answer:
    return Answer(
        text="=== PLAN ===\n- name the column\n=== REPLACE CELL $CELL(^with open)$ ===\n"
        f"{WRITE}\n=== END ===\n"
    )


def session_of(
    folder: Path,
    *cells: str,
    mode: Mode = Mode.AUTO,
    target: float | None = None,
    answers: tuple[Answer, ...] = (),
) -> tuple[Session, list[str]]:
    """A session with a stand-in for a model, and the prompts that reached it."""
    prepare(folder / "data")
    with LlmServer(list(answers)) as model:
        llm = LlmSettings(base_url=model.base_url, model="m", api_key=SecretStr("not-a-real-key"))
        settings = SessionSettings(
            mode=mode,
            competition="sides",
            target_score=target,
            time_limit=120,
            fixers=(FixerName.RULES, FixerName.LLM),
        )

        async def run() -> Session:
            work = server(folder, lambda session, event: None, llm)
            book = values.notebook(*cells)
            begun = work.sessions.create("old.ipynb", book, settings)
            work.runs.start_run(begun.id, book)
            return await work.sessions.finished(begun.id)

        ended = asyncio.run(run())
        return ended, [request.prompt for request in model.requests]


def run_of(session: Session) -> GradedRun:
    assert session.best is not None
    run = session.iterations[session.best - 1]
    assert isinstance(run, GradedRun)
    return run


def test_invalid_submission_without_target_is_fixed(tmp_path: Path) -> None:
    session, prompts = session_of(tmp_path, LOAD, NEAREST, WRONG, answers=(fixed(()),))
    first = session.iterations[0]
    assert first.require_diagnosis().fix_type is FixType.SUBMISSION
    assert len(prompts) == 1 and "its submission is missing or is not valid" in prompts[0]
    best = run_of(session)
    assert best.number == 2 and best.grade is not None and best.grade.score is not None
    assert code_of_session(session, best) is ExitCode.REPRODUCIBLE
    assert session.verdict is None, "no target says what would be reproduced"


def test_missing_submission_reaches_the_fixers(tmp_path: Path) -> None:
    missing = WRITE.replace("submission.csv", "submission.txt")
    nothing = Answer(text="=== NO FIX ===\nIt is beyond me.\n=== END ===\n")
    session, prompts = session_of(
        tmp_path, LOAD, NEAREST, missing, mode=Mode.STEP, answers=(nothing,)
    )
    assert run_of(session).require_diagnosis().fix_type is FixType.SUBMISSION
    assert prompts
    assert session.verdict is Verdict.NO_FIX
    assert code_of_session(session, run_of(session)) is ExitCode.NOT_REPRODUCIBLE


@pytest.mark.parametrize("mode", [Mode.STEP, pytest.param(Mode.AUTO, marks=pytest.mark.thorough)])
def test_invalid_submission_is_not_calibrated(tmp_path: Path, mode: Mode) -> None:
    session, prompts = session_of(
        tmp_path, LOAD, NEAREST, WRONG, mode=mode, target=0.99, answers=(fixed(()),)
    )
    assert session.calibrations == () and session.noise is None
    kinds = {review.proposal.fix_type for review in session.all_reviews}
    assert kinds == {FixType.SUBMISSION}
    assert "score is off its target" not in prompts[0]


def test_header_in_another_case_reproduces_with_a_note(tmp_path: Path) -> None:
    lower = WRITE.replace("Id,Side", "ID,side")
    session, prompts = session_of(tmp_path, LOAD, NEAREST, lower, mode=Mode.STEP, target=0.99)
    grade = run_of(session).grade
    assert grade is not None and grade.output_status is OutputStatus.WITH_CSV
    assert session.verdict is Verdict.REPRODUCED and not prompts
    assert "'ID' as 'Id', 'side' as 'Side'" in text(session.message)

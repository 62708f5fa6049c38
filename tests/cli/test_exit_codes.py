"""The exit code says how it came out."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_error, code_of_session
from mle_modernizer_server.domain.diagnosis import Diagnosis, Outcome, run_result
from mle_modernizer_server.domain.errors import (
    BadNotebook,
    BadSetting,
    Conflict,
    FixerFailed,
    ModernizerError,
    SandboxUnavailable,
    ScratchUnavailable,
    UnknownCompetition,
)
from mle_modernizer_server.domain.execution import ExecutionStatus
from mle_modernizer_server.domain.grade import Doubt, Grade, OutputStatus
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.domain.notebook import CellAgreement, OutputAgreement, OutputMatch
from mle_modernizer_server.domain.session import CleanRun, Phase, Session
from mle_modernizer_server.domain.settings import SessionSettings

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
VALID = Grade(output_status=OutputStatus.WITH_CSV, submission="submission.csv", score=0.8)


def session(phase: Phase, target: float | None = 0.9) -> Session:
    return Session(
        id="s",
        path="old.ipynb",
        created_at=NOW,
        updated_at=NOW,
        seq=1,
        phase=phase,
        settings=SessionSettings(target_score=target),
        notebook_hash="",
    )


def iteration(outcome: Outcome | None) -> CleanRun:
    diagnosis = None
    if outcome is not None:
        diagnosis = Diagnosis(
            outcome=outcome,
            execution_status=ExecutionStatus.ERROR_FREE,
            output_status=OutputStatus.WITH_CSV,
            findings=(),
            fix_type=None,
            summary="",
        )
    return CleanRun(number=1, started_at=NOW, notebook_hash="", diagnosis=diagnosis)


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.ERROR_FREE_REPRODUCIBLE, ExitCode.REPRODUCIBLE),
        (Outcome.ERROR_REPRODUCIBLE, ExitCode.REPRODUCIBLE),
        (Outcome.ERROR_FREE_NON_REPRODUCIBLE, ExitCode.NOT_REPRODUCIBLE),
        (Outcome.ERROR_NON_REPRODUCIBLE, ExitCode.NOT_REPRODUCIBLE),
        (Outcome.FAILED, ExitCode.FAILED),
        (None, ExitCode.FAILED),
    ],
)
def test_the_outcome_of_the_run_decides(outcome: Outcome | None, code: ExitCode) -> None:
    assert code_of_session(session(Phase.FINISHED), iteration(outcome)) is code
    assert code_of_session(session(Phase.FAILED), iteration(outcome)) is ExitCode.FAILED


@pytest.mark.parametrize(
    ("agreeing", "status", "code"),
    [
        (2, ExecutionStatus.ERROR_FREE, ExitCode.REPRODUCIBLE),
        (None, ExecutionStatus.ERROR_FREE, ExitCode.REPRODUCIBLE),
        (1, ExecutionStatus.ERROR_FREE, ExitCode.NOT_REPRODUCIBLE),
        (2, ExecutionStatus.ERROR, ExitCode.NOT_REPRODUCIBLE),
    ],
)
def test_where_nothing_grades_the_saved_outputs_decide(
    agreeing: int | None, status: ExecutionStatus, code: ExitCode
) -> None:
    ran = iteration(Outcome.ERROR_FREE_NON_REPRODUCIBLE)
    diagnosis = ran.require_diagnosis().model_copy(update={"execution_status": status})
    agreement = None
    if agreeing is not None:
        cells = tuple(
            CellAgreement(
                cell_id=f"c{number}",
                ordinal=number,
                match=OutputMatch.SAME if number < agreeing else OutputMatch.DIFFERENT,
            )
            for number in range(2)
        )
        agreement = OutputAgreement(cells=cells)
    ran = ran.model_copy(update={"diagnosis": diagnosis, "agreement": agreement})
    assert code_of_session(session(Phase.FINISHED, target=None), ran) is code


@pytest.mark.parametrize(
    ("worst", "code", "result"),
    [
        (OutputMatch.CLOSE, ExitCode.REPRODUCIBLE, "result.close-outputs"),
        (OutputMatch.DIFFERENT, ExitCode.NOT_REPRODUCIBLE, "result.other-outputs"),
    ],
)
def test_close_outputs_pass_and_are_named(worst: OutputMatch, code: ExitCode, result: str) -> None:
    ran = iteration(Outcome.ERROR_FREE_NON_REPRODUCIBLE)
    status = {"execution_status": ExecutionStatus.ERROR_FREE}
    diagnosis = ran.require_diagnosis().model_copy(update=status)
    assert isinstance(diagnosis, Diagnosis)
    cells = tuple(
        CellAgreement(cell_id=f"c{number}", ordinal=number, match=match)
        for number, match in enumerate((OutputMatch.SAME, OutputMatch.CLOSE, worst), 1)
    )
    agreement = OutputAgreement(cells=cells)
    ran = ran.model_copy(update={"diagnosis": diagnosis, "agreement": agreement})
    assert run_result(diagnosis, agreement)[0].code == result
    assert code_of_session(session(Phase.FINISHED, target=None), ran) is code


@pytest.mark.parametrize(
    ("grade", "code"),
    [
        (Grade(output_status=OutputStatus.WITHOUT_CSV), ExitCode.NOT_REPRODUCIBLE),
        (VALID, ExitCode.REPRODUCIBLE),
        (VALID.model_copy(update={"target": 0.9}), ExitCode.NOT_REPRODUCIBLE),
        (VALID.model_copy(update={"doubt": Doubt(copy_of="a.csv")}), ExitCode.NOT_REPRODUCIBLE),
    ],
)
def test_without_a_target_a_valid_submission_decides(grade: Grade, code: ExitCode) -> None:
    ended = session(Phase.FINISHED, target=None)
    settings = ended.settings.model_copy(update={"competition": "titanic"})
    ended = ended.model_copy(update={"settings": settings})
    ran = iteration(Outcome.ERROR_FREE_NON_REPRODUCIBLE).model_copy(update={"grade": grade})
    assert code_of_session(ended, ran) is code
    failed = iteration(Outcome.ERROR_NON_REPRODUCIBLE).model_copy(update={"grade": grade})
    assert code_of_session(ended, failed) is ExitCode.NOT_REPRODUCIBLE


def test_a_session_without_a_run_has_failed() -> None:
    assert code_of_session(session(Phase.READY), None) is ExitCode.FAILED


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadNotebook(verbatim("x")), ExitCode.BAD_USAGE),
        (BadSetting(verbatim("x")), ExitCode.BAD_USAGE),
        (UnknownCompetition(verbatim("x")), ExitCode.BAD_USAGE),
        (SandboxUnavailable(verbatim("x")), ExitCode.BAD_USAGE),
        (ScratchUnavailable(verbatim("x")), ExitCode.FAILED),
        (FixerFailed(verbatim("x")), ExitCode.FAILED),
        (Conflict(verbatim("x")), ExitCode.FAILED),
    ],
)
def test_errors_of_the_user_are_told_from_failures(error: ModernizerError, code: ExitCode) -> None:
    assert code_of_error(error) is code

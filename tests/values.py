"""Small domain values for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone

from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorKind,
    Finding,
    FixScope,
    FixType,
    Outcome,
)
from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
)
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.message import Message
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, source_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, FixerName, Proposal
from mle_modernizer_server.domain.session import CleanRun
from mle_modernizer_server.words import text


def notebook(*sources: str) -> Notebook:
    """A notebook of code cells `c0`, `c1`, …"""
    return Notebook(
        cells=tuple(
            Cell(id=f"c{number}", type=CellType.CODE, source=source)
            for number, source in enumerate(sources)
        )
    )


def modification(cell_id: str, before: str, after: str, reason: str = "") -> CellEdit:
    return CellEdit(
        id=f"edit-{cell_id}",
        kind=EditKind.MODIFY,
        cell_id=cell_id,
        base_source=before,
        base_hash=source_hash(before),
        new_source=after,
        reason=reason,
    )


def proposal(*edits: CellEdit, name: str = "p1") -> Proposal:
    return Proposal(
        id=name,
        fixer=FixerName.RULES,
        fix_type=FixType.ERROR_REPAIR,
        scope=FixScope.FILE,
        plan=("mend it",),
        edits=edits,
    )


def execution(*statuses: CellStatus, ending: Ending = Ending.COMPLETED) -> Execution:
    failed = CellStatus.ERROR in statuses
    return Execution(
        status=ExecutionStatus.ERROR if failed else ExecutionStatus.ERROR_FREE,
        ending=ending,
        sandbox="process",
        seconds=1.0,
        time_limit=600.0,
        environment=Environment(python="3.11.7", packages={}),
        cells=tuple(
            CellRun(cell_id=f"c{number}", index=number, status=status, seconds=0.1)
            for number, status in enumerate(statuses)
        ),
        errors=(),
    )


def grade(score: float | None, target: float | None = 0.9) -> Grade:
    deviation = None if score is None or target is None else abs(score - target) / abs(target)
    return Grade(
        output_status=OutputStatus.WITHOUT_CSV if score is None else OutputStatus.WITH_CSV,
        score=score,
        target=target,
        deviation=deviation,
        within_threshold=deviation is not None and deviation <= 0.1,
    )


def diagnosis(outcome: Outcome, fix_type: FixType | None = FixType.ERROR_REPAIR) -> Diagnosis:
    return Diagnosis(
        outcome=outcome,
        execution_status=ExecutionStatus.ERROR,
        output_status=OutputStatus.WITHOUT_CSV,
        findings=(),
        fix_type=None if outcome.reproducible else fix_type,
        summary=outcome.value,
    )


def failed_run(error: CellError) -> CleanRun:
    """A run of one cell with one root error."""
    finding = Finding(kind=ErrorKind.ROOT, error=error)
    return CleanRun(
        number=1,
        started_at=datetime.now(timezone.utc),
        notebook_hash="0" * 64,
        execution=execution(CellStatus.ERROR).model_copy(update={"errors": (error,)}),
        diagnosis=diagnosis(Outcome.FAILED).model_copy(update={"findings": (finding,)}),
    )


def worded(messages: Sequence[object]) -> str:
    """Messages as they come over the wire, in words."""
    return text(Message.model_validate(message) for message in messages)

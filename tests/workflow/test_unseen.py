"""Which edits no run has shown the effect of, where their own cell fails."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, Outcome
from mle_modernizer_server.domain.execution import CellError, CellStatus
from mle_modernizer_server.domain.session import CleanRun
from mle_modernizer_server.workflow.modes.unseen import marked
from tests import values

BEFORE = "a = 1\nb = (a +\n     missing)\nfor i in range(3):\n    print i"
AFTER = BEFORE.replace("print i", "print(i)")


@pytest.mark.parametrize(
    ("before", "after", "line", "unseen"),
    [
        (BEFORE, AFTER, 2, True),
        (BEFORE, BEFORE.replace("missing", "other"), 2, False),
        (BEFORE, BEFORE.replace("a = 1", "a = 2"), 2, False),
        (BEFORE, AFTER, None, False),
        ("a = 1\nb = 2", "a = 1\nb = 3", 2, False),
    ],
    ids=["behind", "in the same statement", "before", "unknown", "the last line"],
)
def test_an_edit_behind_the_line_that_stops_its_cell_is_not_seen(
    before: str, after: str, line: int | None, unseen: bool
) -> None:
    error = CellError(
        cell_id="c0", index=0, ename="NameError", evalue="?", traceback=(), raised=True, line=line
    )
    execution = values.execution(CellStatus.ERROR).model_copy(update={"errors": (error,)})
    finding = Finding(kind=ErrorKind.ROOT, error=error)
    diagnosis = values.diagnosis(Outcome.FAILED).model_copy(update={"findings": (finding,)})
    run = CleanRun(
        number=1,
        started_at=datetime.now(timezone.utc),
        notebook_hash="0" * 64,
        execution=execution,
        diagnosis=diagnosis,
    )
    edit = values.modification("c0", before, after)
    (found,) = marked([edit], [run], lambda _: values.notebook(after))
    assert found.unseen == unseen

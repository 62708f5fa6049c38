"""Which edits no run has shown the effect of, where their own cell fails."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.workflow.modes.unverified_edits import marked
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
    edit = values.modification("c0", before, after)
    (found,) = marked([edit], [values.failed_run(error)], lambda _: values.notebook(after))
    assert found.unseen == unseen

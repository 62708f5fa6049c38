"""Cells run as their tags say: an error may be expected, a cell may be skipped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mle_modernizer_server.domain.execution import CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.domain.notebook import Cell, CellTag, CellType, Notebook, notebook_hash
from mle_modernizer_server.execution.documents import notebook_from_json
from mle_modernizer_server.execution.pip.lines import find_install_lines
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.run.record import outputs_of
from tests.execution.conftest import Runner

RAISES, SKIP = CellTag.RAISES_EXCEPTION, CellTag.SKIP_EXECUTION


def test_an_expected_error_is_no_failure(run_plainly: Runner) -> None:
    runner = replace(run_plainly, tags={0: RAISES, 1: RAISES, 2: RAISES})
    execution = runner("1/0", "import sys\nsys.exit()", "print(2)", "print(3)").execution
    assert (execution.ending, execution.status) == (Ending.COMPLETED, ExecutionStatus.ERROR_FREE)
    assert {cell.status for cell in execution.cells} == {CellStatus.OK}
    told = [(error.ename, error.raised, error.expected) for error in execution.errors]
    assert told == [("ZeroDivisionError", False, True), ("SystemExit", False, True)]


def test_a_kernel_that_dies_is_not_expected(run_plainly: Runner) -> None:
    execution = replace(run_plainly, tags={0: RAISES})("import os\nos._exit(3)").execution
    assert (execution.ending, execution.status) == (Ending.KERNEL_DIED, ExecutionStatus.ERROR)


def test_a_skipped_cell_is_not_run(run_plainly: Runner) -> None:
    runner = replace(run_plainly, tags={0: SKIP, 2: SKIP})
    ran = runner("open('made', 'w')\n!pip install nothing", "exit()", "print(3)")
    execution = ran.execution
    assert (execution.ending, execution.status) == (Ending.COMPLETED, ExecutionStatus.ERROR_FREE)
    statuses = [cell.status for cell in execution.cells]
    assert statuses == [CellStatus.SKIPPED, CellStatus.OK, CellStatus.SKIPPED]
    assert not (run_plainly.workspace.working / "made").exists()
    assert execution.pip_installs == ()
    assert "2 cells are tagged skip-execution and were not run." in text(execution.remarks)
    # Finishing leaves the outputs that its document has of such a cell.
    assert [cell.cell_id for cell in outputs_of(ran.result.executed).cells] == ["cell-1"]


def code(source: str, tags: object) -> dict[str, object]:
    metadata = {} if tags is None else {"tags": tags}
    return {"cell_type": "code", "source": source, "outputs": [], "metadata": metadata}


@pytest.mark.parametrize(
    ("tags", "known"),
    [
        (["mine", "raises-exception"], (RAISES,)),
        (["skip-execution", "raises-exception"], (RAISES, SKIP)),
        ("skip-execution", ()),
        ([["skip-execution"], 1, None], ()),
        (None, ()),
    ],
)
def test_tags_are_read_from_a_document(tags: object, known: tuple[CellTag, ...]) -> None:
    content = {"cells": [code("1", tags)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    assert notebook_from_json(content)[1].cells[0].tags == known


def test_tags_of_a_text_cell_mean_nothing() -> None:
    markdown = {"cell_type": "markdown", "source": "a", "metadata": {"tags": ["skip-execution"]}}
    cells = [markdown, code("1", None)]
    content = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    assert notebook_from_json(content)[1].cells[0].tags == ()


def test_the_hash_of_a_notebook_without_tags_stays() -> None:
    cell = Cell(id="a", type=CellType.CODE, source="!pip install six")
    plain = Notebook(cells=(cell,))
    skipped = Notebook(cells=(cell.model_copy(update={"tags": (SKIP,)}),))
    known = "7334546d12dee9a31c1607b5712a9a7f94b93a2c72e9bd5bcf5838fba124bd1e"
    assert notebook_hash(plain) == known
    assert notebook_hash(skipped) != known
    assert (len(find_install_lines(plain)), find_install_lines(skipped)) == (1, ())

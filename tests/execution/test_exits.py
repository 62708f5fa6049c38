"""Cells that end their kernel: one outcome each, whatever they do it with."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.execution import CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.words import text
from tests.execution.conftest import Runner

EXITS = {
    "exit()": "exit()",
    "quit()": "quit()",
    "exit": "exit()",
    "import sys\nsys.exit()": "sys.exit()",
    "import sys\nsys.exit(0)": "sys.exit()",
    "raise SystemExit": "raise SystemExit",
    "import os\nos._exit(0)": "os._exit()",
}


@pytest.mark.parametrize("source", EXITS)
def test_an_exit_ends_the_run_and_fails(run_plainly: Runner, source: str) -> None:
    execution = run_plainly("x = 1", source, "print(2)", "# note", "print(3)").execution
    assert (execution.ending, execution.status) == (Ending.EXITED, ExecutionStatus.ERROR)
    statuses = [cell.status for cell in execution.cells]
    assert statuses == [CellStatus.OK, CellStatus.ERROR, *[CellStatus.NOT_RUN] * 3]
    assert [(error.cell_id, error.raised) for error in execution.errors] == [("cell-1", True)]
    said = f"Cell 2 ends the kernel with {EXITS[source]}; the 2 cells below it did not run."
    assert text(execution.message) == said


@pytest.mark.parametrize("source", EXITS)
def test_an_exit_of_the_last_cell_is_no_failure(run_plainly: Runner, source: str) -> None:
    execution = run_plainly("x = 1", source, "# the end", "").execution
    assert (execution.ending, execution.status) == (Ending.COMPLETED, ExecutionStatus.ERROR_FREE)
    assert {cell.status for cell in execution.cells} == {CellStatus.OK}
    assert execution.errors == ()
    assert text(execution.remarks) == f"Cell 2 ends the kernel with {EXITS[source]}."


def test_the_rest_of_a_cell_that_exits_runs(run_isolated: Runner) -> None:
    source = "exit()\nimport time\ntime.sleep(0.5)\nprint('the rest')"
    ran = run_isolated(source, "print(2)")
    assert ran.execution.ending is Ending.EXITED
    assert (ran.text(0), ran.text(1)) == ("the rest\n", "")


@pytest.mark.parametrize(
    ("source", "ename"),
    [
        ("import sys\nsys.exit('no data')", "SystemExit"),
        ("exit()\n1/0", "ZeroDivisionError"),
    ],
)
def test_an_exit_with_an_error_fails_last_too(run_plainly: Runner, source: str, ename: str) -> None:
    execution = run_plainly(source).execution
    assert (execution.ending, execution.status) == (Ending.EXITED, ExecutionStatus.ERROR)
    assert [error.ename for error in execution.errors] == [ename]


def test_an_exit_that_keeps_the_kernel_ends_nothing(run_plainly: Runner) -> None:
    ran = run_plainly("exit(keep_kernel=True)", "print(2)")
    assert ran.execution.ending is Ending.COMPLETED
    assert ran.text(1) == "2\n"

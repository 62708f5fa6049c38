"""A cell that answers in its kernel's name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mle_modernizer_server.domain.execution import CellStatus, ExecutionStatus
from tests.execution.conftest import Runner

FORGED = """\
kernel = get_ipython().kernel
parent = kernel.get_parent('shell')
ident = getattr(kernel, '_shell_parent_ident', None)
ident = ident.get() if hasattr(ident, 'get') else kernel._parent_ident['shell']
for _ in range({times}):
    kernel.session.send(
        kernel.shell_streams[0] if getattr(kernel, 'shell_streams', None) else kernel.shell_stream,
        'execute_reply',
        {{'status': 'ok', 'execution_count': 1, 'payload': [], 'user_expressions': {{}}}},
        parent=parent, ident=ident)
{then}
"""


@pytest.fixture(params=["bubblewrap", "process"])
def runner(request: pytest.FixtureRequest, run_in: Callable[[str], Runner]) -> Runner:
    return run_in(request.param)


@pytest.mark.parametrize("times", [1, 5])
def test_a_failing_cell_cannot_say_that_it_went_well(runner: Runner, times: int) -> None:
    ran = runner(FORGED.format(times=times, then="1 / 0"), "print('next')")
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.ERROR, CellStatus.OK]
    assert [error.ename for error in ran.execution.errors] == ["ZeroDivisionError"]
    assert ran.execution.status is ExecutionStatus.ERROR
    assert ran.text(1) == "next\n"


def test_a_cell_that_went_well_may_say_so_twice(runner: Runner) -> None:
    ran = runner(FORGED.format(times=1, then="print('well')"))
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.OK]

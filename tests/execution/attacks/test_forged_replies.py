"""A cell that answers in its kernel's name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mle_modernizer_server.domain.execution import CellStatus, ExecutionStatus
from tests.execution.conftest import Runner
from tests.thoroughness import HERE

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


@pytest.fixture(params=HERE)
def runner(request: pytest.FixtureRequest, run_in: Callable[[str], Runner]) -> Runner:
    return run_in(request.param)


@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.thorough), 5])
def test_a_failing_cell_cannot_say_that_it_went_well(runner: Runner, times: int) -> None:
    ran = runner(FORGED.format(times=times, then="1 / 0"), "print('next')")
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.ERROR, CellStatus.OK]
    assert [error.ename for error in ran.execution.errors] == ["ZeroDivisionError"]
    assert ran.execution.status is ExecutionStatus.ERROR
    assert ran.text(1) == "next\n"


def test_a_cell_that_went_well_may_say_so_twice(runner: Runner) -> None:
    ran = runner(FORGED.format(times=1, then="print('well')"))
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.OK]


def test_changed_reply_is_checked_against_the_kernels_record(
    runner: Runner,
) -> None:
    ran = runner(
        "session, send = get_ipython().kernel.session, get_ipython().kernel.session.send\n"
        "def changed(stream, kind, content=None, *more, **named):\n"
        "    if isinstance(content, dict) and content.get('status') == 'error':\n"
        "        content = {'status': 'ok', 'execution_count': 1, 'payload': [],\n"
        "                   'user_expressions': {}}\n"
        "    return send(stream, kind, content, *more, **named)\n"
        "session.send = changed\n"
        "1 / 0",
        "print('next')",
    )
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.ERROR, CellStatus.OK]
    [error] = ran.execution.errors
    assert (error.ename, error.evalue) == ("ZeroDivisionError", "division by zero")


def test_a_cell_that_goes_on_behind_its_own_reply_is_interrupted(runner: Runner) -> None:
    idle = (
        "kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'idle'},\n"
        "                    parent=parent)\nimport time\ntime.sleep(60)"
    )
    ran = runner(FORGED.format(times=1, then=idle), "print('next')")
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.ERROR, CellStatus.OK]
    assert ran.execution.errors[0].ename == "KeyboardInterrupt"


def test_who_removes_the_record_has_no_cell_that_ended_well(runner: Runner) -> None:
    ran = runner(
        "get_ipython().events.callbacks['post_run_cell'].clear()", "get_ipython().run_cell('1')"
    )
    assert [error.ename for error in ran.execution.errors] == ["NoRecord", "NoRecord"]


def test_magics_nested_cells_and_awaited_ones_are_on_record(runner: Runner) -> None:
    ran = runner(
        "%%bash\ntrue",
        "get_ipython().run_cell('1 / 0')\nx = 1",
        "import asyncio\nawait asyncio.sleep(0.01)",
        "%reset -f",
        "%%time\ny = 2",
        "%%capture out\nprint(1)",
    )
    assert {cell.status for cell in ran.execution.cells} == {CellStatus.OK}


SENDING = """\
import json
kernel = get_ipython().kernel
parent = kernel.get_parent('shell')
def send(kind, content):
    content = json.dumps(content).encode()
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent)
"""
FORGED_MESSAGES = """\
half = '\\ud800'
send('stream', {'name': 'stdout', 'text': half})
send('stream', {'name': half, 'text': None})
for kind in ('stream', 'error', 'display_data', 'execute_result', 'status', 'execute_input'):
    for content in ({}, [], {'data': []}, {'data': {'text/plain': 1}, 'metadata': None}):
        send(kind, content)
send('update_display_data', {'data': 1, 'transient': []})
send('execute_input', {'code': 1, 'execution_count': 'x'})
send('execute_result', {'data': {half: half}, 'metadata': {}, 'execution_count': 10 ** 30})
send('error', {'ename': 1, 'evalue': [], 'traceback': [1, None]})
send('error', {'ename': half, 'evalue': half, 'traceback': [half]})
deep = {}
for _ in range(900):
    deep = {'a': deep}
send('display_data', {'data': {'application/json': deep}, 'metadata': deep})
print('all sent')
"""


def test_unknown_messages_are_ignored_and_the_run_continues(runner: Runner) -> None:
    ran = runner(SENDING + FORGED_MESSAGES, "print('next')")
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.OK, CellStatus.OK]
    assert "all sent" in ran.text(0) and ran.text(1) == "next\n"
    assert ran.execution.model_dump_json().encode()
    assert all(
        type(cell.execution_count) is int or cell.execution_count is None
        for cell in ran.result.executed.cells
    )

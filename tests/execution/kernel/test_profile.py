"""Where the time of a run went, told by the kernel itself."""

import os

import pytest

from mle_modernizer_server.domain.execution import Ending, GpuUse, Profile
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.kernel.profile import _Answer, _profile
from tests.execution.conftest import Ran, Runner

SLOW = """\
def slow(n):
    total = 0
    for i in range(n):
        total += i * i
    return total
"""
DUMP = "import json\njson.dumps(list(range(900_000)), indent=1)"


def told(ran: Ran) -> Profile:
    profile = ran.execution.profile
    assert profile is not None
    return profile


def test_a_run_out_of_time_tells_its_hottest_line(run: Runner) -> None:
    endless = "import math\nwhile True:\n    math.factorial(2000)"
    ran = run("1", "", endless, time_limit=3)
    assert ran.execution.ending is Ending.TIMED_OUT
    hottest = told(ran).lines[0]
    assert (hottest.cell_id, hottest.index, hottest.line) == ("cell-2", 2, 3)
    assert hottest.source == "math.factorial(2000)"
    assert hottest.share > 0.5
    assert told(ran).gpu is GpuUse.NONE or told(ran).gpu is GpuUse.UNUSED
    assert 1 <= (told(ran).processors or 0) <= (os.cpu_count() or 1)


def test_time_in_functions_and_libraries_is_attributed_to_lines(
    run: Runner,
) -> None:
    lines = told(run(SLOW, "slow(4_000_000)", DUMP)).lines
    assert any(line.cell_id == "cell-0" and line.source == "total += i * i" for line in lines)
    assert not any(line.cell_id == "cell-1" and line.share > 0.5 for line in lines)
    assert any(line.cell_id == "cell-2" and line.call.startswith("json.dumps") for line in lines)


def test_nested_and_failing_cells_do_not_confuse_the_profile(
    run: Runner,
) -> None:
    ran = run(
        "get_ipython().run_cell('import time')\nget_ipython().run_cell('x = 1')",
        "1 / 0",
        "def broken(:",
        "time.sleep(0.5)",
    )
    lines = told(ran).lines
    assert ("cell-3", "time.sleep(0.5)") in {(line.cell_id, line.source) for line in lines}


def test_a_notebook_that_meddles_with_it_loses_its_profile_only(run: Runner) -> None:
    meddling = (
        "kernel = get_ipython().kernel\n"
        "def lie(stream, ident, parent):\n"
        "    content = {'lines': [[1, 1, 'x', float('nan')]], 'seconds': -1, 'gpu': 'yes'}\n"
        "    kernel.session.send(stream, 'any', content, parent, ident)\n"
        "kernel.control_handlers['mle_modernizer_profile_request'] = lie"
    )
    execution = run(meddling, "x = 1").execution
    assert execution.ending is Ending.COMPLETED
    assert execution.errors == ()
    assert execution.profile is None


def test_what_a_kernel_says_is_kept_within_the_notebook() -> None:
    answer = _Answer.model_validate(
        {
            "lines": [
                [1, 1, "call\x1b[31m", 4.0],
                [1, 99, "", 3.0],
                [7, 1, "", 2.0],
                [1, 1, "other", 1],
            ],
            "seconds": 9.0,
            "gpu": "used",
        }
    )
    cell = Cell(id="c0", type=CellType.CODE, source="x = 1")
    profile = _profile(answer, Notebook(cells=(cell,)), ["c0"])
    assert [(line.line, line.source, line.seconds) for line in profile.lines] == [
        (1, "x = 1", 5.0),
        (0, "", 3.0),
    ]
    assert profile.lines[0].call.startswith("call")
    assert "\x1b" not in profile.lines[0].call
    assert profile.gpu is GpuUse.USED


def test_the_notebooks_own_alarms_and_children_are_left_alone(run: Runner) -> None:
    ran = run(
        "import signal, subprocess, sys, time\nrung = []\n"
        "signal.signal(signal.SIGALRM, lambda *_: rung.append(1))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.1)\ntime.sleep(0.5)\nprint(rung)",
        "print(subprocess.run([sys.executable, '-c', 'import time; time.sleep(0.3)']).returncode)",
        "import multiprocessing\n"
        "child = multiprocessing.get_context('fork').Process(target=time.sleep, args=(0.3,))\n"
        "child.start(); child.join(); print(child.exitcode)",
    )
    assert [ran.text(index) for index in range(3)] == ["[1]\n", "0\n", "0\n"]


@pytest.mark.thorough
def test_imports_under_the_clock_crash_nothing(run_plainly: Runner) -> None:
    again = (
        "import importlib, sys, time\nkept = set(sys.modules)\nend = time.time() + 5\n"
        "while time.time() < end:\n"
        "    for name in ('asyncio', 'unittest.mock', 'xml.dom.minidom', 'doctest', 'csv'):\n"
        "        importlib.import_module(name)\n"
        "    for name in set(sys.modules) - kept:\n        del sys.modules[name]\n"
    )
    ran = run_plainly(again)
    assert ran.execution.errors == ()
    assert told(ran).seconds > 4

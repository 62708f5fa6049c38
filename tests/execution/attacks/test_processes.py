"""A notebook that wants to end others' processes, or not to end itself."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.execution.sandboxes import process_limit
from mle_modernizer_server.execution.sandboxes.base import Finished
from mle_modernizer_server.words import text
from tests.execution.conftest import LASTING

IN_ITS_OWN = (
    "import os, signal, subprocess, sys, time\n"
    f"assert os.readlink('/proc/self/ns/pid') != {str(Path('/proc/self/ns/pid').readlink())!r}\n"
)
"""What is done next would otherwise be done to the machine the tests run on."""
NOBODY = 65534


@pytest.fixture
def bystanders() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes of the host: the server's user's, and where it can be one of nobody's."""
    users = [None, NOBODY] if os.geteuid() == 0 else [None]
    started = [subprocess.Popen(["sleep", "600"], user=user) for user in users]
    yield started
    for process in started:
        process.kill()
        process.wait()


def test_signals_reach_nobody_outside(closed, bystanders):
    pids = [process.pid for process in bystanders]
    before = [(os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid)) for pid in pids]
    ran = closed(
        IN_ITS_OWN + "print(len([name for name in os.listdir('/proc') if name.isdigit()]) < 10)",
        f"for pid in {[*pids, os.getpid(), os.getppid()]}:\n"
        "    try:\n"
        "        os.kill(pid, signal.SIGKILL)\n"
        "    except (ProcessLookupError, PermissionError):\n"
        "        pass",
        "os.kill(-1, signal.SIGTERM)\nos.kill(-1, signal.SIGKILL)",
        f"for pid in {pids}:\n"
        "    try:\n"
        "        os.setpriority(os.PRIO_PROCESS, pid, 19)\n"
        "        os.sched_setaffinity(pid, {0})\n"
        "    except (ProcessLookupError, PermissionError):\n"
        "        pass",
        "print('still here')",
    )
    assert [process.poll() for process in bystanders] == [None] * len(bystanders)
    assert before == [
        (os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid)) for pid in pids
    ]
    assert ran.text(0) == "True\n"
    # `kill(-1)` spares the one who calls it, but maybe not all its kernel needs.
    if ran.execution.ending is Ending.COMPLETED:
        assert ran.text(4) == "still here\n"
    else:
        assert ran.execution.ending is Ending.KERNEL_DIED
        assert ran.execution.cells[2].status is not CellStatus.OK


STUBBORN = {
    "one that ignores every signal": (
        "for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "while True:\n"
        "    time.sleep(60)"
    ),
    "one that blocks them and never returns to Python": (
        "import ctypes\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n"
        "ctypes.PyDLL(None).sleep(10_000)"  # keeps the interpreter's lock
    ),
    "one that freezes its kernel": "os.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(10_000)",
    "one that swallows the interrupt": (
        "while True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass"
    ),
}


@pytest.mark.parametrize("cell", STUBBORN.values(), ids=STUBBORN)
def test_the_time_limit_holds_for(closed, cell, assert_no_process):
    begun = time.monotonic()
    ran = closed(
        IN_ITS_OWN + f"subprocess.Popen(['sleep', '{LASTING}'], start_new_session=True)",
        cell,
        "print('never')",
        time_limit=2,
    )
    assert time.monotonic() - begun < 120  # seconds; the machine may be busy
    assert ran.execution.ending is Ending.TIMED_OUT
    assert ran.execution.status is ExecutionStatus.TIMEOUT
    assert [cell.status for cell in ran.execution.cells] == [
        CellStatus.OK,
        CellStatus.UNFINISHED,
        CellStatus.NOT_RUN,
    ]
    assert_no_process(LASTING)
    assert_no_process(str(closed.workspace.runtime))


FORKS = """
import os, time
for _ in range({count}):
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            {work}
        os._exit(0)
"""


def test_busy_processes_time_limit_ends_all(run_isolated, assert_no_process):
    begun = time.monotonic()
    source = IN_ITS_OWN + FORKS.format(count=60, work="pass") + "time.sleep(600)"
    ran = run_isolated(source, time_limit=3)
    assert time.monotonic() - begun < 120, "seconds; 9 to 17 on a machine with nothing else to do"
    assert ran.execution.ending is Ending.TIMED_OUT
    assert_no_process(str(run_isolated.workspace.runtime))


THREADS = (
    "import threading, time\n"
    "for _ in range(120):\n"
    "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
)


@pytest.mark.parametrize(
    ("limit", "bomb", "message"),
    [
        ("MOST_PROCESSES", FORKS.format(count=120, work="time.sleep(1)"), "100 processes"),
        ("MOST_THREADS", THREADS, "100 threads"),
    ],
)
def test_too_many_tasks_end_run_with_reason(
    run_isolated, monkeypatch, assert_no_process, limit, bomb, message
):
    monkeypatch.setattr(process_limit, limit, 100)
    ran = run_isolated(IN_ITS_OWN + bomb + "time.sleep(30)", "print('never')")
    assert ran.execution.ending is Ending.KERNEL_DIED
    assert text(ran.execution.message) == f"The notebook had more than {message} and was ended."
    assert ran.execution.cells[1].status is CellStatus.NOT_RUN
    assert_no_process(str(run_isolated.workspace.runtime))


def test_too_many_tasks_end_installation_with_reason(run_isolated, monkeypatch):
    monkeypatch.setattr(process_limit, "MOST_THREADS", 100)
    command = ("python", "-c", THREADS + "time.sleep(30)")
    mounts = run_isolated.workspace.mounts(None, None, None)
    run_isolated.sandbox.prepare(mounts)

    async def finish() -> Finished:
        end = asyncio.get_running_loop().time() + 60
        return await run_isolated.sandbox.run_isolated(
            command, mounts, end=end, cancel=asyncio.Event()
        )

    done = asyncio.run(finish())
    assert done.code
    assert "more than 100 threads" in done.stderr


def test_priority_of_notebook_is_low_for_good(run_isolated):
    ran = run_isolated(
        "import os\nprint(os.nice(0))\n"
        "try:\n    os.nice(-1)\nexcept PermissionError:\n    print('refused')"
    )
    assert ran.text(0) == f"{min(os.nice(0) + 5, 19)}\nrefused\n"


DAEMON = """
import os, sys, time
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
os.environ.clear()
while True:
    # A new process all the time, so that nobody holds it by its number.
    if os.fork():
        os._exit(0)
    os.setsid()
    with open('/kaggle/working/heartbeat', 'a') as file:
        file.write('again\\n')
    time.sleep(0.01)
"""


def test_nothing_goes_on_in_the_background(closed_in_each, assert_no_process):
    ran = closed_in_each(
        IN_ITS_OWN + f"open('/tmp/{LASTING}.py', 'w').write({DAEMON!r})\n"
        "quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL)\n"
        f"subprocess.run([sys.executable, '-S', '/tmp/{LASTING}.py'], env={{}}, **quiet)",
        "for _ in range(100):\n"
        "    if os.path.exists('/kaggle/working/heartbeat'):\n"
        "        break\n"
        "    time.sleep(0.1)\n"
        "print(os.path.exists('/kaggle/working/heartbeat'))",
    )
    assert ran.text(1) == "True\n"
    assert ran.execution.ending is Ending.COMPLETED
    assert_no_process(LASTING)
    heartbeat = closed_in_each.workspace.working / "heartbeat"
    size = heartbeat.stat().st_size
    time.sleep(0.3)
    assert heartbeat.stat().st_size == size


def test_a_kernel_that_ends_itself_takes_its_children_with_it(closed, assert_no_process):
    ran = closed(
        IN_ITS_OWN + f"subprocess.Popen(['sleep', '{LASTING}'], start_new_session=True)",
        "os.kill(os.getpid(), signal.SIGKILL)",
        "print('never')",
    )
    assert ran.execution.ending is Ending.KERNEL_DIED
    assert ran.execution.cells[2].status is CellStatus.NOT_RUN
    assert_no_process(LASTING)


def test_the_first_process_of_the_sandbox_is_no_way_out(closed, canary):
    ran = closed(
        IN_ITS_OWN + "for pid in (1, os.getppid()):\n"
        "    for name in ('root', 'cwd', 'fd/3', 'fd/4', 'fd/5'):\n"
        "        try:\n"
        f"            print(os.path.exists(f'/proc/{{pid}}/{{name}}{canary}'))\n"
        "            os.chdir(f'/proc/{pid}/{name}')\n"
        "            for _ in range(9):\n"
        f"                print(os.path.exists('.{canary}'))\n"
        "                os.chdir('..')\n"
        "        except OSError:\n"
        "            pass",
    )
    assert "False" in ran.text(0)
    assert "True" not in ran.text(0)

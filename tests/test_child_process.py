"""Processes of our own end with this one, whatever they do at that moment."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time

import psutil
import pytest

from mle_modernizer_server.child_process import ChildProcess, Stopwatch

_STARTERS = {
    "analysis": (
        "from mle_modernizer_server.fixing.rules.analysis_process import AnalysisProcess, Limits\n"
        "child = AnalysisProcess(Limits())\n"
    ),
    "grading": (
        "from mle_modernizer_server.child_process import ChildProcess\n"
        "from mle_modernizer_server.grading.own_process import _PROGRAM\n"
        "child = ChildProcess(_PROGRAM)\n"
    ),
    "paper": (
        "from mle_modernizer_server.child_process import ChildProcess\n"
        "from mle_modernizer_server.papers.read import _PROGRAM\n"
        "child = ChildProcess(_PROGRAM)\n"
    ),
    "batch": (
        "from multiprocessing import forkserver\n"
        "from mle_modernizer_server.batch.cluster import _loaded_once\n"
        "with _loaded_once(True): forkserver.ensure_running()\n"
        "class child: pid = forkserver._forkserver._forkserver_pid\n"
    ),
    "busy": (
        "from mle_modernizer_server.child_process import ChildProcess\n"
        "child = ChildProcess('while True: pass')\n"
    ),
}


def _orphan(starter: str, pause: float) -> psutil.Process:
    """Return the child of a process that was killed so many seconds after it started it."""
    code = starter + "print(child.pid, flush=True)\nimport time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        time.sleep(pause)
        parent.kill()
    return child


@pytest.mark.process
@pytest.mark.parametrize("kind", _STARTERS)
@pytest.mark.parametrize("pause", [0.0, 0.3])
def test_killed_parent_ends_the_child_at_once(kind: str, pause: float) -> None:
    child = _orphan(_STARTERS[kind], pause)
    killed = time.monotonic()
    while _runs(child) and time.monotonic() - killed < 1:  # loading alone takes longer
        time.sleep(0.01)
    try:
        assert not _runs(child)
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            child.kill()


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.process
def test_processor_time_is_of_the_process_alone() -> None:
    process = ChildProcess("import time; time.sleep(60)")
    try:
        used = Stopwatch(process)
        time.sleep(0.5)
        assert not used.is_over(0.2)
    finally:
        process.end()
    busy = ChildProcess("while True: pass")
    try:
        used, begun = Stopwatch(busy), time.monotonic()
        while not used.is_over(0.2):
            assert time.monotonic() - begun < 20
            time.sleep(0.02)
    finally:
        busy.end()

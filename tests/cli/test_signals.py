"""Ctrl+C and a termination end the run cleanly: no process stays, the exit code says why."""

from __future__ import annotations

import signal
import subprocess

import psutil
import pytest

from tests.cli.conftest import Write, start


@pytest.mark.parametrize(
    ("number", "code", "sandbox"),
    [
        (signal.SIGINT, 130, "bubblewrap"),
        pytest.param(signal.SIGTERM, 143, "process", marks=pytest.mark.thorough),
        pytest.param(signal.SIGINT, 130, "process", marks=pytest.mark.thorough),
        pytest.param(signal.SIGTERM, 143, "bubblewrap", marks=pytest.mark.thorough),
    ],
)
def test_a_signal_cancels_the_run_and_leaves_no_process(
    write: Write, sandbox: str, number: signal.Signals, code: int
) -> None:
    path = write("x = 1", "import time\ntime.sleep(600)")
    with start("run", path, "--sandbox", sandbox) as process:
        _wait_for(process, "Running cell 2 of 2")
        kernels = psutil.Process(process.pid).children(recursive=True)
        assert kernels
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Cancelled. The notebook is unchanged." in out
    assert "Traceback" not in err
    gone, alive = psutil.wait_procs(kernels, timeout=10)
    assert (len(gone), alive) == (len(kernels), [])


@pytest.mark.thorough
def test_cell_that_ignores_interrupts_does_not_delay_a_cancel(write: Write) -> None:
    stubborn = "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass"
    with start("run", write("x = 1", stubborn)) as process:
        _wait_for(process, "Running cell 2 of 2")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130


def _wait_for(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return
    raise AssertionError(f"ended without {words!r}: {process.communicate()}")

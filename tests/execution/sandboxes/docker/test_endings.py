"""How runs in containers end, each end told from the others."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from mle_modernizer_server.domain.execution import (
    CellStatus,
    Ending,
    ExecutionEventKind,
    ExecutionStatus,
)
from mle_modernizer_server.execution.sandboxes.docker.isolation import RUN
from mle_modernizer_server.words import text
from tests.engine import IMAGE, containers_of

MEGABYTE = 2**20


@pytest.fixture(autouse=True)
def nothing_is_left(box, workspace):
    yield
    assert containers_of(box, f"{RUN}={workspace.runtime}") == []


def test_cells_run_with_live_events_in_kaggles_directories(run):
    ran = run(
        "import os; print(os.getcwd(), os.getuid() != 0)",
        "import numpy; numpy.array([1]).append",
        "print(open('../input/train.csv').readline(), end='')",
        "open('submission.csv', 'w').write('id,y\\n1,0\\n')",
    )
    assert ran.execution.ending is Ending.COMPLETED
    assert ran.text(0) == "/kaggle/working True\n"
    assert ran.text(2) == "id,age,y\n"
    [error] = ran.execution.errors
    assert error.ename == "AttributeError"
    assert any("ndarray" in fact.value for fact in error.facts)
    assert [file.path for file in ran.execution.csv_files] == ["submission.csv"]
    assert ran.execution.sandbox == "docker"
    assert ran.execution.image.startswith(f"{IMAGE} (sha256:")
    assert "numpy" in ran.execution.environment.packages
    kinds = [event.kind for event in ran.events if event.kind is not ExecutionEventKind.PREPARING]
    assert kinds[:4] == [
        ExecutionEventKind.STARTED,
        ExecutionEventKind.CELL_STARTED,
        ExecutionEventKind.CELL_FINISHED,
        ExecutionEventKind.CELL_STARTED,
    ]


def test_too_much_memory_is_an_ending_of_its_own(run, box):
    box.configure(replace(box.settings, memory=256 * MEGABYTE))
    ran = run("x = b'1' * 2**31", "print('never')")
    assert ran.execution.ending is Ending.OUT_OF_MEMORY
    assert (
        text(ran.execution.message) == "The notebook used up its memory of 256 MB and was killed."
    )
    [error] = ran.execution.errors
    assert (error.ename, error.cell_id) == ("OutOfMemory", "cell-0")
    assert ran.execution.cells[1].status is CellStatus.NOT_RUN


@pytest.mark.thorough
def test_a_child_that_used_up_the_memory_is_not_the_kernels_end(run, box):
    box.configure(replace(box.settings, memory=256 * MEGABYTE))
    ran = run(
        "import subprocess, sys\n"
        "print(subprocess.run([sys.executable, '-c', \"x = b'1' * 2**31\"]).returncode)",
        "import os; os._exit(3)",
    )
    assert ran.text(0) == "-9\n"
    assert ran.execution.ending is Ending.KERNEL_DIED
    assert "exit code 3" in text(ran.execution.message)


def test_too_many_files_on_the_disk_are_an_ending_of_their_own(run, box):
    box.configure(replace(box.settings, disk=40 * MEGABYTE))
    ran = run(
        "number = 0\nwhile True:\n    number += 1\n"
        "    open(f'/kaggle/temp/{number}', 'wb').write(b'0' * 10**6)\n"
    )
    assert ran.execution.ending is Ending.DISK_FULL
    assert "more than the 40 MB" in text(ran.execution.message)
    assert ran.execution.errors[0].ename == "DiskFull"


def test_deleted_files_that_are_still_open_count(run, box):
    box.configure(replace(box.settings, disk=40 * MEGABYTE))
    ran = run(
        "import os, time\nfiles = []\nfor number in range(3):\n"
        "    files.append(open('gone', 'wb'))\n    os.unlink('gone')\n"
        "    files[-1].write(b'0' * 30 * 2**20)\n    files[-1].flush()\n"
        "time.sleep(60)"
    )
    assert ran.execution.ending is Ending.DISK_FULL


def test_one_file_that_is_too_large_is_an_error_of_the_cell(run, box):
    box.configure(replace(box.settings, disk=40 * MEGABYTE))
    ran = run("with open('a', 'wb') as file:\n    file.write(b'0' * 50 * 2**20)", "print('on')")
    assert ran.execution.errors[0].ename == "OSError"
    assert ran.text(1) == "on\n"


def test_the_time_limit_ends_a_cell_that_catches_everything(run):
    begun = time.monotonic()
    ran = run(
        "import time\nwhile True:\n    try:\n        time.sleep(60)\n"
        "    except BaseException: pass",
        time_limit=1,
    )
    assert ran.execution.status is ExecutionStatus.TIMEOUT
    assert time.monotonic() - begun < 20


def test_a_cancel_ends_the_run_at_once(run, at):
    run.cancel_at = at(ExecutionEventKind.CELL_STARTED)
    ran = run("import time; time.sleep(60)")
    assert ran.execution.ending is Ending.CANCELLED


@pytest.mark.thorough
def test_a_cancel_before_the_kernel_is_there(run, at):
    run.cancel_at = at(ExecutionEventKind.PREPARING)
    ran = run("1")
    assert ran.execution.ending is Ending.CANCELLED
    assert ran.execution.cells[0].status is CellStatus.NOT_RUN


def test_a_kernel_that_kills_itself_is_not_said_to_lack_memory(run):
    ran = run("import os; os.kill(os.getpid(), 9)")
    assert ran.execution.ending is Ending.KERNEL_DIED
    assert "not for its memory" in text(ran.execution.message)


def test_a_removed_container_is_a_dead_kernel(run, box, workspace):
    def remove(event):
        if event.kind is ExecutionEventKind.CELL_STARTED:
            [name] = containers_of(box, f"{RUN}={workspace.runtime}")
            box.engine.api.remove_container(name, force=True)
        return False

    run.cancel_at = remove
    ran = run("import time; time.sleep(60)")
    assert ran.execution.ending is Ending.KERNEL_DIED


def test_less_than_was_asked_for_is_remarked(run, box):
    box.configure(replace(box.settings, memory=2**50, cpus=10_000.0))
    ran = run("import os; print(os.environ['OMP_NUM_THREADS'])")
    processors = box.engine.facts().cpus
    assert ran.text(0) == f"{processors}\n"
    memory, cpus = ran.execution.remarks
    assert "instead of" in text([memory])
    assert f"{processors} processors" in text([cpus])
    assert (memory, cpus) in [event.message for event in ran.events]

"""A notebook that wants more of the machine than it was given; bubblewrap limits only processes."""

from __future__ import annotations

from pathlib import Path

import psutil

from mle_modernizer_server.domain.execution import CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.words import text
from tests.execution.conftest import LASTING

IN_A_CONTAINER = (
    "import os\n"
    f"assert os.readlink('/proc/self/ns/pid') != {str(Path('/proc/self/ns/pid').readlink())!r}\n"
)


def test_a_fork_bomb_stays_in_its_pot(narrow, assert_no_process):
    before = len(psutil.pids())
    most: list[int] = []
    narrow.cancel_at = lambda event: most.append(len(psutil.pids())) is not None
    ran = narrow(
        IN_A_CONTAINER + "import subprocess, sys, time\n"
        # It doubles until it is refused; each of them gives up after some seconds.
        "bomb = '''\nimport os, time\nend = time.time() + 8\nwhile time.time() < end:\n"
        "    try:\n        os.fork()\n    except OSError:\n        time.sleep(0.05)\n'''\n"
        f"subprocess.Popen([sys.executable, '-S', '-c', bomb + '# {LASTING}'],\n"
        "                 start_new_session=True)\n"
        "time.sleep(2)",
        "try:\n    os.fork() or os._exit(0)\nexcept OSError as error:\n    print('refused')",
        "counted = len([name for name in os.listdir('/proc') if name.isdigit()])\nprint(counted)",
        time_limit=6,
    )
    assert len(psutil.pids()) < before + 200
    assert max(most) < before + 300
    assert int(ran.text(2) or 0) <= 128
    assert "refused" in ran.text(1)
    assert ran.execution.ending in (Ending.COMPLETED, Ending.KERNEL_DIED, Ending.TIMED_OUT)
    assert_no_process(LASTING)


def test_threads_without_end_are_refused(narrow):
    ran = narrow(
        IN_A_CONTAINER + "import threading, time\n"
        "for _ in range(3_000):\n"
        "    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()",
        time_limit=20,
    )
    assert [error.ename for error in ran.execution.errors] == ["RuntimeError"]


def test_memory_beyond_the_limit_ends_the_run_and_says_so(narrow):
    free = psutil.virtual_memory().available
    ran = narrow(
        IN_A_CONTAINER + "print('before')",
        "kept = []\nfor _ in range(40):\n    kept.append(b'x' * 50_000_000)",
        "print('never')",
    )
    assert ran.execution.ending is Ending.OUT_OF_MEMORY
    assert ran.execution.status is ExecutionStatus.ERROR
    assert "256 MB" in text(ran.execution.message)
    assert ran.text(0) == "before\n"
    assert [cell.status for cell in ran.execution.cells][1:] == [
        CellStatus.UNFINISHED,
        CellStatus.NOT_RUN,
    ]
    assert psutil.virtual_memory().available > free - 2**30


def test_memory_as_files_is_memory_too(narrow):
    """/tmp and /dev/shm are the container's memory: they are full, or the container is ended."""
    for place in ("/tmp", "/dev/shm"):
        ran = narrow(
            IN_A_CONTAINER + "for number in range(20):\n"
            f"    with open(f'{place}/{{number}}', 'wb') as file:\n"
            "        file.write(b'x' * 50_000_000)",
            time_limit=30,
        )
        [error] = ran.execution.errors
        if ran.execution.ending is Ending.COMPLETED:
            assert "No space left" in error.evalue
        else:
            assert ran.execution.ending is Ending.OUT_OF_MEMORY


def test_no_other_place_takes_a_file(narrow):
    ran = narrow(
        IN_A_CONTAINER + "places = []\n"
        "for place, inside, _ in os.walk('/'):\n"
        "    if place in ('/proc', '/sys'):\n"
        "        inside.clear()\n"
        "    elif place != '/' and os.access(place, os.W_OK):\n"
        "        places.append(place)\n"
        "        inside.clear()\n"
        "print(sorted(places))",
        "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))",
    )
    writable = set(ran.text(0).strip("[]\n").replace("'", "").split(", "))
    assert writable <= {"/tmp", "/dev/shm", "/dev/mqueue", "/kaggle/working", "/kaggle/temp"}
    assert ran.text(1) == "(0, 0)\n"


def test_a_disk_that_is_written_full_ends_the_run_and_is_freed(narrow):
    workspace = narrow.workspace
    free = psutil.disk_usage(str(workspace.working)).free
    ran = narrow(
        IN_A_CONTAINER + "import time\n"
        "for number in range(20):\n"
        "    with open(f'/kaggle/working/{number}', 'wb') as file:\n"
        "        file.write(b'x' * 50_000_000)\n"
        "        time.sleep(0.2)",
        "print('never')",
        time_limit=60,
    )
    assert ran.execution.ending is Ending.DISK_FULL
    assert "64 MB" in text(ran.execution.message)
    assert ran.execution.cells[1].status is CellStatus.NOT_RUN
    workspace.remove()
    assert psutil.disk_usage(str(workspace.working.anchor)).free > free - 2**30


def test_one_file_cannot_be_larger_than_the_disk(narrow):
    ran = narrow(
        IN_A_CONTAINER + "with open('/kaggle/temp/large', 'wb') as file:\n"
        "    for _ in range(100):\n"
        "        file.write(b'x' * 1_000_000)",
        time_limit=30,
    )
    written = sum(path.stat().st_size for path in narrow.workspace.temp.rglob("*"))
    assert written <= 64 * 2**20
    assert ran.execution.errors


def test_a_busy_container_leaves_the_machine_its_processors(narrow):
    """However many processes compute, they share what the container was given."""
    ran = narrow(
        IN_A_CONTAINER + "import time\n"
        "children = []\n"
        "for _ in range(16):\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        end = time.time() + 2\n"
        "        while time.time() < end:\n"
        "            pass\n"
        "        os._exit(0)\n"
        "    children.append(child)\n"
        "used = 0\n"
        "for child in children:\n"
        "    _, _, usage = os.wait4(child, 0)\n"
        "    used += usage.ru_utime + usage.ru_stime\n"
        "print(used)",
        time_limit=60,
    )
    assert 0 < float(ran.text(0)) < 3

"""A notebook that tampers with what joins its kernel to the server."""

from __future__ import annotations

import time

import pytest

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.execution.kernel import kernel
from mle_modernizer_server.execution.outputs import TEXT_LIMIT
from mle_modernizer_server.execution.sandboxes.docker import kernel_container
from mle_modernizer_server.words import text

PLACE = (
    "import os, socket, sys\n"
    "connection = get_ipython().config.IPKernelApp.connection_file\n"
    "place = os.path.dirname(connection)\n"
    "def tampered(action, *arguments):\n"
    "    try:\n"
    "        action(*arguments)\n"
    "    except OSError:\n"
    "        pass\n"
)


def honest(ran, last: int) -> bool:
    """The run either went on to its last cell or says that its kernel was lost."""
    if ran.execution.ending is Ending.COMPLETED:
        return ran.execution.cells[last].status is not CellStatus.NOT_RUN
    return ran.execution.ending in (Ending.KERNEL_DIED, Ending.TIMED_OUT)


def test_a_changed_connection_file_serves_nobody(closed_in_each, tmp_path):
    bait = tmp_path / "bait"
    bait.write_text("as it was")
    ran = closed_in_each(
        PLACE + "tampered(lambda: open(connection, 'w').write('{\"ip\": \"10.0.0.1\"}'))\n"
        "tampered(os.remove, connection)\n"
        f"tampered(os.symlink, {str(bait)!r}, connection)\n"
        "for name in ('kernel.log', 'log', 'stdout', 'stderr'):\n"
        "    tampered(os.remove, os.path.join(place, name))\n"
        f"    tampered(os.symlink, {str(bait)!r}, os.path.join(place, name))\n",
        "print('still here')",
        time_limit=20,
    )
    assert bait.read_text() == "as it was"
    assert honest(ran, 1)
    # Another kernel in the same place does not follow what the first one left there.
    again = closed_in_each("print('a second run')", time_limit=20)
    assert bait.read_text() == "as it was"
    assert again.text(0) == "a second run\n"


PLANTED = """
import os
for place in ('/run/mle-modernizer', {runtime!r}):
    for name in ('connection.json', 'kernel.json', 'kernel.log', 'input', 'sockets',
                 'k-1', 'k-2', 'k-3', 'k-4', 'k-5'):
        path = os.path.join(place, name)
        try:
            os.remove(path)
        except OSError:
            pass
        try:
            {action}
        except OSError:
            pass
"""


@pytest.mark.parametrize("action", ["os.symlink({bait!r}, path)", "os.mkfifo(path)"])
def test_a_package_that_runs_before_its_kernel_lays_no_trap(
    closed_in_each, tmp_path, action, monkeypatch
):
    """Packages that a notebook has installed are on Python's path when its kernel starts."""
    monkeypatch.setattr(kernel, "_START_LIMIT", 6)
    monkeypatch.setattr(kernel_container, "_START_LIMIT", 6)
    bait = tmp_path / "bait"
    bait.write_text("as it was")
    before = bait.stat()
    packages, runtime = closed_in_each.workspace.packages, closed_in_each.workspace.runtime
    trap = PLANTED.format(runtime=str(runtime), action=action.format(bait=str(bait)))
    (packages / "sitecustomize.py").write_text(trap)
    begun = time.monotonic()
    for _ in range(2):
        try:
            ran = closed_in_each("print('it runs')", time_limit=10)
        except SandboxUnavailable as error:
            assert "kernel" in text(error.message)
        else:
            assert honest(ran, 0)
    assert time.monotonic() - begun < 40
    after = bait.stat()
    assert bait.read_text() == "as it was"
    assert (after.st_mode, after.st_uid, after.st_nlink) == (
        before.st_mode,
        before.st_uid,
        before.st_nlink,
    )


def test_taking_the_sockets_away_ends_the_run_honestly(closed, tmp_path):
    begun = time.monotonic()
    ran = closed(
        PLACE + "for directory, _, names in os.walk(place):\n"
        "    for name in names:\n"
        "        tampered(os.remove, os.path.join(directory, name))\n"
        "        tampered(os.symlink, '/run/docker.sock', os.path.join(directory, name))",
        "print('still here')",
        "import gc, zmq\n"
        "for thing in gc.get_objects():\n"
        "    if isinstance(thing, zmq.Socket):\n"
        "        thing.close(linger=0)",
        "print('never')",
        time_limit=5,
    )
    assert time.monotonic() - begun < 60
    assert ran.execution.ending in (Ending.KERNEL_DIED, Ending.TIMED_OUT)
    assert ran.execution.cells[3].status is not CellStatus.OK


def test_another_server_in_the_sockets_place_wins_nothing(closed):
    ran = closed(
        PLACE + "import glob, threading\n"
        "def listen(path):\n"
        "    tampered(os.remove, path)\n"
        "    server = socket.socket(socket.AF_UNIX)\n"
        "    server.bind(path)\n"
        "    server.listen()\n"
        "    while True:\n"
        "        peer, _ = server.accept()\n"
        "        peer.sendall(b'\\xff' + b'\\0' * 10_000_000)\n"
        "for path in glob.glob(os.path.join(place, '*')):\n"
        "    if not os.path.isfile(path) and not os.path.isdir(path):\n"
        "        threading.Thread(target=listen, args=(path,), daemon=True).start()",
        "print('still here')",
        time_limit=20,
    )
    assert honest(ran, 1)


def test_a_gigabyte_of_output_fills_neither_memory_nor_disk(closed_in_each, memory_grown):
    ran = closed_in_each(
        "import os, sys\nline = 'x' * 99_999 + '\\n'",
        "for _ in range(10_000):\n    sys.stdout.write(line)",
        "os.system('head -c 300000000 /dev/zero | tr \"\\\\0\" y')",
        # What the kernel itself was given to write to, before it took the streams over.
        "for name in os.listdir('/proc/self/fd'):\n"
        "    number = int(name)\n"
        "    try:\n"
        "        kind = os.readlink(f'/proc/self/fd/{name}')\n"
        "        if not kind.startswith(('socket:', 'anon_inode')) and number not in (0,):\n"
        "            os.set_blocking(number, False)\n"
        "            for _ in range(300):\n"
        "                os.write(number, b'z' * 1_000_000)\n"
        "    except OSError:\n"
        "        pass",
        "print('still here')",
        time_limit=90,
    )
    assert honest(ran, 4)
    assert memory_grown() < 700 * 2**20
    for index in range(4):
        assert len(ran.text(index)) <= 2 * TEXT_LIMIT
    runtime = closed_in_each.workspace.runtime
    written = sum(path.lstat().st_size for path in runtime.rglob("*") if path.is_file())
    assert written < 10_000_000


def test_a_kernel_that_answers_for_its_cells_decides_nothing(closed):
    """A cell may tell its client that it went well; its error is then not hidden for long."""
    ran = closed(
        "import os\n"
        "kernel = get_ipython().kernel\n"
        "kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'idle'},\n"
        "                    parent=kernel.get_parent(), ident=b'status')\n"
        "kernel.session.send(kernel.iopub_socket, 'stream', {'name': 7, 'text': None},\n"
        "                    parent=kernel.get_parent(), ident=b'stream')",
        "os._exit(0)",
        "print('never')",
        time_limit=20,
    )
    assert ran.execution.ending is not Ending.COMPLETED
    assert ran.execution.status is not ExecutionStatus.ERROR_FREE

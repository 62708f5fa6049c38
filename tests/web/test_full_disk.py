"""A server whose home is read-only, and whose sessions lie on a disk that is full."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
import time
import urllib.error
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.workflow.log.store import Store
from tests.values import worded
from tests.web.conftest import code_notebook
from tests.web.own_server import serving, until
from tests.workflow.logged_sessions import ENDED_WELL, logged

_MOUNTS = ("unshare", "--mount", "sh", "-c")
_PRIVATE = "mount --make-rprivate / && "


def _can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not _can_mount(), reason="needs the right to mount")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home/tmp").mkdir(parents=True)
    return tmp_path / "home"


def refused(ask: Callable[[], Any]) -> str:
    """The sentence with which the server refuses."""
    with pytest.raises(urllib.error.HTTPError) as error:
        ask()
    assert error.value.code == 503
    return error.value.read().decode()


@pytest.mark.thorough
def test_with_a_home_that_is_read_only_it_loads_and_works(
    home: Path, data_root: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "read-only"
    bare.mkdir()
    script = (
        f'{_PRIVATE} mount --bind {bare} {bare} && mount -o remount,ro,bind {bare} && exec "$@"'
    )
    environment = {"HOME": str(bare), "JUPYTER_DATA_DIR": str(bare / "share")}
    with serving(
        home, data_root, before=(*_MOUNTS, script, "sh"), environment=environment
    ) as server:
        problems = worded(server.ask("info")["problems"])
        assert "Sessions are kept in memory" in problems
        assert "Read-only file system" in problems
        notebook = code_notebook("print 'old'", "print('new')")
        asked = {"path": "old.ipynb", "notebook": notebook, "settings": {"fixers": ["rules"]}}
        session = server.ask("sessions", asked)
        server.ask(f"sessions/{session['id']}/runs", {"notebook": notebook})
        until(lambda: server.ask(f"sessions/{session['id']}")["iterations"])
    assert list(bare.iterdir()) == []


FULL = "{private} mount -t tmpfs -o size=1m none {disk} && cp -r {kept}/. {disk} && " + (
    "dd if=/dev/zero of={disk}/filler bs=4k status=none; "
)
READ_ONLY = "{private} mount --bind {kept} {disk} && mount -o remount,ro,bind {disk} && "


@pytest.mark.parametrize(
    ("state", "earlier"),
    [
        pytest.param(FULL, False, id="full-new", marks=pytest.mark.thorough),
        pytest.param(FULL, True, id="full"),
        pytest.param(READ_ONLY, True, id="read-only", marks=pytest.mark.thorough),
    ],
)
def test_unwritable_store_is_reported_and_the_rest_works(
    home: Path, data_root: Path, tmp_path: Path, state: str, earlier: bool
) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    kept.mkdir()
    notebook = code_notebook("print('hello')")
    asked = {"path": "a.ipynb", "notebook": notebook, "settings": {"fixers": []}}
    if earlier:
        store = Store(kept / "sessions.db")
        logged(store, "a.ipynb", [ENDED_WELL])
        store.close()
    before = {file.name: file.read_bytes() for file in kept.iterdir()}
    script = state.format(private=_PRIVATE, disk=disk, kept=kept) + 'exec "$@"'
    options = [f"--ModernizerExtension.database={disk / 'sessions.db'}"]
    with serving(home, data_root, options=options, before=(*_MOUNTS, script, "sh")) as server:
        problems = worded(server.ask("info")["problems"])
        assert "Sessions are kept in memory until the server is restarted" in problems
        assert "sessions.db cannot be used" in problems
        session = server.ask("sessions", asked)["id"]
        server.ask(f"sessions/{session}/runs", {"notebook": notebook})
        until(lambda: server.ask(f"sessions/{session}")["phase"] == "finished")
    assert {file.name: file.read_bytes() for file in kept.iterdir()} == before


def test_a_disk_that_fills_up_is_said_and_loses_nothing(
    home: Path, data_root: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f'{_PRIVATE} mount -t tmpfs -o size=2m none {disk} && exec "$@"'
    options = (f"--ModernizerExtension.database={disk}/sessions.db",)
    notebook = code_notebook("print('hello')")

    with serving(home, data_root, options=options, before=(*_MOUNTS, script, "sh")) as server:

        def begin(path: str, text: str = "1") -> str:
            asked = {"path": path, "notebook": code_notebook(text), "settings": {"fixers": []}}
            return str(server.ask("sessions", asked)["id"])

        def run(session: str) -> None:
            server.ask(f"sessions/{session}/runs", {"notebook": notebook})

        def finished(session: str) -> bool:
            return bool(server.ask(f"sessions/{session}")["phase"] == "finished")

        seen = Path(f"/proc/{server.process.pid}/root{disk}")
        first, second = begin("first.ipynb"), begin("second.ipynb")
        run(first)
        until(lambda: finished(first))

        # Full before work begins: it does not begin, and that is said.
        filler = fill(seen)
        assert "database or disk is full" in refused(
            lambda: begin("big.ipynb", "# " + "x" * 200_000)
        )
        assert "database or disk is full" in refused(lambda: run(second))
        assert {one["path"] for one in server.ask("sessions")["sessions"]} >= {
            "first.ipynb",
            "second.ipynb",
        }
        assert finished(first)
        assert server.ask("info")["version"]

        # There is room again: all goes on where it was.
        filler.unlink()
        run(second)
        until(lambda: finished(second))

        # Full while it is at work: the work ends, and can be begun again when there is room.
        slow = code_notebook("import time", "time.sleep(4)", "print('x' * 100)")
        server.ask(f"sessions/{second}/runs", {"notebook": slow})
        until(lambda: (server.ask(f"sessions/{second}")["progress"] or {}).get("ordinal") == 2)
        filler = fill(seen)
        time.sleep(6)
        filler.unlink()
        until(lambda: server.ask(f"sessions/{second}")["phase"] in ("finished", "failed"))
        run(second)
        until(lambda: finished(second))
        assert finished(first)


DELETING = """
import sys
from pathlib import Path
from mle_modernizer_server.domain.errors import StoreUnusable
from mle_modernizer_server.domain.notebook import SavedCell, SavedOutputs
from mle_modernizer_server.workflow.log.store import Store
from tests.web.test_full_disk import fill
from tests.workflow.logged_sessions import ENDED_WELL, logged
from tests.workflow.test_store import begun, run_started

disk = Path(sys.argv[1])
store = Store(disk / "sessions.db")
large = begun(store, "large.ipynb")
for _ in range(700):
    run_started(store, large)
cell = SavedCell(cell_id="a", outputs=({"text": "x" * 1_000_000},))
store.keep_saved_outputs(large.id, SavedOutputs(cells=(cell,)))
for number in range(3):
    logged(store, f"{number}.ipynb", [ENDED_WELL] * 3)
fill(disk)
try:
    while True:
        begun(store, "fills.ipynb")
except StoreUnusable as error:
    print("full")
for session in [large, *store.each_session("1.ipynb")]:
    store.delete(session.id)
begun(store, "new.ipynb")
store.close()
print(sorted({session.path for session in Store(disk / "sessions.db").each_session()}))
print(len(next(Store(disk / "sessions.db").each_session("0.ipynb")).iterations))
"""


def test_session_on_a_full_disk_can_be_deleted(tmp_path: Path) -> None:
    script = f'{_PRIVATE} mount -t tmpfs -o size=16m none {tmp_path} && exec "$@"'
    argv = (*_MOUNTS, script, "sh", sys.executable, "-c", DELETING, str(tmp_path))
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "full",
        "['0.ipynb', '2.ipynb', 'fills.ipynb', 'new.ipynb']",
        "3",
    ]


def fill(disk: Path) -> Path:
    """Write a file until there is no room left."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(b"0" * 4096)
        except OSError as error:
            assert error.errno == errno.ENOSPC
    return filler

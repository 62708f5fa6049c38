"""The scratch directory comes and goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import ScratchUnavailable
from mle_modernizer_server.execution.sandboxes import workspace as module
from mle_modernizer_server.execution.sandboxes.workspace import Workspace, remove_orphans
from tests.refusals import refused

ENVIRON = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def test_it_is_gone_when_the_context_ends_with_an_error():
    with pytest.raises(KeyError), Workspace() as space:
        scratch = space.working.parent.parent
        assert space.working.is_dir() and space.packages.is_dir() and space.runtime.is_dir()
        raise KeyError
    assert not scratch.exists()


def test_sockets_fit_below_a_long_directory(tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    with Workspace(long) as space:
        assert space.working.is_relative_to(long)
        assert len(os.fsencode(space.runtime)) < 90
        runtime = space.runtime
    assert not runtime.exists()
    assert list(long.iterdir()) == []


def test_a_directory_that_cannot_be_made_is_told_plainly(tmp_path):
    with refused(ScratchUnavailable, match=r"cannot be created in .*none"):
        Workspace(tmp_path / "none")


def test_only_what_a_dead_process_left_is_removed(tmp_path):
    code = (
        "import sys, pathlib, os\n"
        "from mle_modernizer_server.execution.sandboxes.workspace import Workspace\n"
        "Workspace(pathlib.Path(sys.argv[1]))\nos._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=ENVIRON)
    (tmp_path / "mlem-not-ours").mkdir()
    with Workspace(tmp_path) as alive:
        assert len(list(tmp_path.iterdir())) == 3
        assert remove_orphans(tmp_path) == 1
        assert alive.working.is_dir()
        assert len(list(tmp_path.iterdir())) == 2


FILL_AND_TRY = """
import sys
from pathlib import Path
from mle_modernizer_server.domain.errors import ScratchUnavailable
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from mle_modernizer_server.words import text
root = Path("/full")
try:
    with (root / "filler").open("wb") as file:
        while True:
            file.write(b"0" * 4096)
            file.flush()
except OSError:
    pass
try:
    Workspace(root)
except ScratchUnavailable as error:
    print(text(error.message), sorted(path.name for path in root.iterdir()))
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap gives the tiny disk")
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path):
    package = Path(__file__).parents[2]
    command = ["bwrap", "--dev-bind", "/", "/", "--size", "65536"]
    command += ["--tmpfs", "/mnt", "--setenv", "PYTHONPATH", str(package), sys.executable, "-c"]
    done = subprocess.run(
        [*command, FILL_AND_TRY.replace("/full", "/mnt")], capture_output=True, text=True
    )
    assert "No space left on device" in done.stdout, done.stderr
    assert "Free some space" in done.stdout
    assert "['filler']" in done.stdout


def test_links_to_unreadable_places_are_removed_not_followed(
    tmp_path: Path,
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    space = Workspace(tmp_path)
    for number, target in enumerate(
        ["/proc/1/root/x", "/root/x/y", str(outside), "loop", "/dev/null", "x" * 200]
    ):
        (space.working / f"link{number}").symlink_to(target)
    (space.working / "loop").symlink_to("loop")
    (space.working / "0").mkdir()
    os.mkfifo(space.working / "0" / "pipe")
    deep = space.working
    for _ in range(300):
        deep = deep / "d"
        deep.mkdir()
    space.working.chmod(0)
    space.remove()
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert (outside / "kept").exists()


def test_what_cannot_be_removed_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    space = Workspace(tmp_path)
    (space.working / "stuck.csv").touch()
    (space.working / "other.csv").touch()
    unlink = os.unlink

    def refuse(path: str) -> None:
        if path.endswith("stuck.csv"):
            raise PermissionError(1, "not permitted", path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", refuse)
    space.remove()
    assert "could not be removed whole" in caplog.text
    left = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"owner", "stuck.csv"}
    monkeypatch.undo()


def test_an_orphan_that_holds_anything_stops_no_start(tmp_path: Path) -> None:
    for number in range(2):
        orphan = tmp_path / f"mlem-{number}"
        orphan.mkdir()
        (orphan / "owner").write_text("1 0.0")
        (orphan / "link").symlink_to("/proc/1/root/x")
    (tmp_path / "mlem-bytes").mkdir()
    (tmp_path / "mlem-bytes" / "owner").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "mlem-file").touch()
    assert remove_orphans(tmp_path) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["mlem-file"]


def test_workspace_with_interrupted_removal_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """End of the process in the middle of its work."""

    def kill(path: str) -> None:
        unlink(path)
        if Path(path).name == "result.csv":
            raise Killed

    unlink = module._unlink
    space = Workspace(tmp_path)
    for number in range(3):
        (space.working / str(number)).mkdir()
        (space.working / str(number) / "result.csv").touch()
    monkeypatch.setattr(module, "_unlink", kill)
    with pytest.raises(Killed):
        space.remove()
    monkeypatch.undo()
    assert list(tmp_path.iterdir())

    monkeypatch.setattr(module, "lives", lambda owner: False)
    assert remove_orphans(tmp_path) == 1
    assert not list(tmp_path.iterdir())

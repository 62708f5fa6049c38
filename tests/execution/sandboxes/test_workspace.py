"""The scratch directory comes and goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import ScratchUnavailable
from mle_modernizer_server.execution.sandboxes.workspace import Workspace, remove_orphans

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
    with pytest.raises(ScratchUnavailable, match=r"cannot be made in .*none"):
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
    print(error.message, sorted(path.name for path in root.iterdir()))
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

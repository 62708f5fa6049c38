"""The processes of a batch, whatever lies in the folder it is started in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.strangers_folder import StrangersFolder

_START = """\
import multiprocessing, os, sys
sys.path[:] = {path!r}
from mle_modernizer_server.batch import cluster

def main():
    with cluster._loaded_once({forking}):
        context = multiprocessing.get_context({method!r})
        process = context.Process(target=print, args=("worked",))
        context.Lock()
        process.start()
        process.join()
    assert os.getcwd() == {folder!r}

if __name__ == "__main__":
    main()
"""


@pytest.mark.process
@pytest.mark.parametrize(
    "method",
    [
        pytest.param(
            "forkserver",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="workers are forked there"),
        ),
        pytest.param(
            "spawn",
            marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="no PYTHONSAFEPATH"),
        ),
    ],
)
def test_modules_of_the_current_folder_are_not_imported(tmp_path: Path, method: str) -> None:
    folder = StrangersFolder(tmp_path / "folder", tmp_path / "ran")
    for name in ("multiprocessing", "socket", "selectors", "signal", "struct", "random"):
        folder.module(name)
    script = tmp_path / "start.py"
    path = [place for place in sys.path if place]
    text = _START.format(
        path=path, forking=method == "forkserver", method=method, folder=str(folder.root)
    )
    script.write_text(text)
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder.root,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout == "worked\n"
    assert not folder.mark.exists()

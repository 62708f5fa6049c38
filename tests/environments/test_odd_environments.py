"""Folders that look like environments, as a download may contain them: nothing raises or waits."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from mle_modernizer_server.environments.files import read_environment

_SITE = "lib/python3.9/site-packages"
_ENTRIES = (
    *("pyvenv.cfg", "conda-meta", "bin", "bin/python", "lib", "lib/python3.9", _SITE),
    *(f"{_SITE}/a-1.0.dist-info", f"{_SITE}/b-1.0.dist-info", f"{_SITE}/c-1.0.egg-info"),
    *(f"{_SITE}/a-1.0.dist-info/{name}" for name in ("METADATA", "RECORD", "top_level.txt")),
)


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    folder = tmp_path / ".venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").write_text("")
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.9.1\n")
    info = folder / _SITE / "a-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: a\nVersion: 1.0\n")
    return folder


@pytest.mark.parametrize("kind", ["pipe", "folder", "loop", "long", "up"])
@pytest.mark.parametrize("entry", _ENTRIES)
def test_odd_entry_of_an_environment_is_passed(environment: Path, entry: str, kind: str) -> None:
    path = environment / entry
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"loop": path.name, "long": "n" * 300, "up": ".."}[kind])
    found = read_environment(environment)
    assert found is None or found.packages(["numpy"]) == {}


def test_import_longer_than_a_file_name_is_no_module(environment: Path) -> None:
    found = read_environment(environment)
    assert found is not None
    assert found.versions == {"a": "1.0"}
    assert found.packages(["n" * 300]) == {}

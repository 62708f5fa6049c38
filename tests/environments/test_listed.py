"""Which interpreters may be started, wherever links, lists and variables lead."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import EnvironmentOrigin, EnvironmentTrouble
from mle_modernizer_server.environments import inspect_python as question
from mle_modernizer_server.environments import listed
from mle_modernizer_server.environments.discovery import Search
from mle_modernizer_server.environments.files import read_environment
from mle_modernizer_server.environments.interpreter import NoAnswer, ask
from mle_modernizer_server.environments.listed import ListedPythons
from mle_modernizer_server.environments.pythons import installed
from tests.environments.test_discovery import kernelspec
from tests.strangers_folder import StrangersFolder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.delenv("PYENV_ROOT", raising=False)
    return home


@pytest.fixture
def folder(tmp_path: Path) -> StrangersFolder:
    return StrangersFolder(tmp_path / "repository" / "notebooks", tmp_path / "ran")


def of_kernelspec(folder: StrangersFolder, tmp_path: Path) -> None:
    kernelspec(tmp_path, "theirs", folder.program("python3"))


def of_linked_kernelspec(folder: StrangersFolder, tmp_path: Path) -> None:
    folder.program("python3")
    (tmp_path / "way").symlink_to(folder.root)
    kernelspec(tmp_path, "theirs", tmp_path / "way" / "python3")


def of_relative_jupyter_path(folder: StrangersFolder, tmp_path: Path) -> None:
    kernelspec(folder.root, "theirs", folder.program("python3"))
    os.environ["JUPYTER_PATH"] = "jupyter"


def of_kernelspec_in_folder(folder: StrangersFolder, tmp_path: Path) -> None:
    python = StrangersFolder(tmp_path / "elsewhere", folder.mark).program("python3")
    kernelspec(folder.root, "theirs", python)
    os.environ["JUPYTER_PATH"] = str(folder.root / "jupyter")


def of_conda_list(folder: StrangersFolder, tmp_path: Path) -> None:
    folder.program("conda/bin/python")
    (folder.root / "conda" / "conda-meta").mkdir()
    listing = tmp_path / "home" / ".conda" / "environments.txt"
    listing.parent.mkdir()
    listing.write_text(f"{folder.root}/conda\n")


def of_conda_variables(folder: StrangersFolder, tmp_path: Path) -> None:
    folder.program("conda/bin/python")
    (folder.root / "conda" / "conda-meta").mkdir()
    os.environ |= {"CONDA_EXE": "conda/bin/conda", "MAMBA_ROOT_PREFIX": str(folder.root / "conda")}


def of_path(folder: StrangersFolder, tmp_path: Path) -> None:
    for name in ("python", "python3", "python3.8", "python3.11"):
        folder.program(f"bin/{name}")
    os.environ["PATH"] = f"bin:{folder.root}/bin::{tmp_path}/bin:/usr/bin"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3.9").symlink_to(folder.root / "bin" / "python3.8")


def of_pyenv(folder: StrangersFolder, tmp_path: Path) -> None:
    folder.program("versions/3.8.1/bin/python3")
    os.environ |= {"PYENV_ROOT": ".", "UV_PYTHON_INSTALL_DIR": str(folder.root / "versions")}


def of_repository_around(folder: StrangersFolder, tmp_path: Path) -> None:
    (folder.root.parent / ".git").mkdir()
    kernelspec(tmp_path, "theirs", folder.program("../tools/python3"))


def of_current_folder_around(folder: StrangersFolder, tmp_path: Path) -> None:
    kernelspec(tmp_path, "theirs", folder.program("../tools/python3"))
    os.chdir(folder.root.parent)


@pytest.mark.parametrize(
    "lay_out",
    [
        *(of_kernelspec, of_linked_kernelspec, of_relative_jupyter_path, of_kernelspec_in_folder),
        *(of_conda_list, of_conda_variables, of_path, of_pyenv),
        *(of_repository_around, of_current_folder_around),
    ],
)
def test_listed_program_of_the_download_is_not_started(
    folder: StrangersFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    lay_out: Callable[[StrangersFolder, Path], None],
) -> None:
    monkeypatch.chdir(folder.root)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    lay_out(folder, tmp_path)
    Search(("json",), folder.root).all()
    Search((), folder.root).named("theirs")
    Search((), folder.root).named("conda")
    installed(tmp_path / "downloads", folder.root)
    assert not folder.mark.exists()


@pytest.mark.parametrize("links", ["../../python3", "{root}/loop", "first"])
def test_environment_with_a_linked_program_is_read(folder: StrangersFolder, links: str) -> None:
    folder.program("python3")
    (folder.root / "loop").symlink_to("loop")
    place = folder.environment(python=links.format(root=folder.root))
    (place / "bin" / "first").symlink_to("second")
    (place / "bin" / "second").symlink_to("../../python3")
    found = Search((), folder.root).named(".venv")
    assert found is None or found.trouble is EnvironmentTrouble.NOT_LISTED
    assert not folder.mark.exists()


def test_environment_of_a_listed_base_is_usable(folder: StrangersFolder) -> None:
    folder.environment(python=Path(sys.executable).resolve())
    found = Search(("ipykernel",), folder.root).named(".venv")
    assert found is not None
    assert (found.trouble, found.is_started) == (None, False)
    assert found.ipykernel == "6.29.0"
    assert str(Path(sys.base_prefix).resolve()) in map(os.path.realpath, found.directories)


def test_unlisted_path_elsewhere_is_read_and_not_started(
    folder: StrangersFolder, tmp_path: Path
) -> None:
    other = StrangersFolder(tmp_path / "other", folder.mark)
    other.program("tools/python3")
    other.environment()
    for text in (str(other.root / ".venv"), str(other.root / "tools" / "python3")):
        found = Search((), folder.root).named(text)
        assert found is not None
        assert found.origin is EnvironmentOrigin.NAMED
        assert found.trouble is EnvironmentTrouble.NOT_LISTED
    assert not folder.mark.exists()


def test_environment_that_is_the_folder_or_outside_is_refused(
    folder: StrangersFolder, tmp_path: Path
) -> None:
    base = Path(sys.executable).resolve()
    StrangersFolder(tmp_path / "other", folder.mark).environment("env", python=base)
    folder.environment(python=base).rename(folder.root / "real")
    for entry in ("bin", "lib", "pyvenv.cfg"):
        (folder.root / "real" / entry).rename(folder.root / entry)
    for target in (".", "../../other/env"):
        (folder.root / "venv").symlink_to(target)
        found = Search((), folder.root).named("venv")
        assert found is not None
        assert found.trouble is EnvironmentTrouble.NOT_LISTED
        (folder.root / "venv").unlink()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is root's there")
def test_root_owned_python_counts_unless_the_server_is_root(
    folder: StrangersFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = folder.program("python3")
    elsewhere = StrangersFolder(tmp_path / "unpacked", folder.mark).program("tools/python3")
    monkeypatch.setattr(listed, "_PYTHON", re.compile(".*"))
    system = Path("/bin/sh")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert system in ListedPythons(None)
    for path in (program, elsewhere):
        assert path not in ListedPythons(folder.root)
    monkeypatch.setattr(listed, "_SYSTEM", (Path("/"),))
    assert program not in ListedPythons(folder.root)
    assert elsewhere not in ListedPythons(folder.root), "others write to the temporary folder"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert system not in ListedPythons(None)


def test_environment_of_many_entries_is_read_in_part(
    folder: StrangersFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question, "MOST_DISTRIBUTIONS", 10)
    place = folder.environment(python=Path(sys.executable).resolve())
    for number in range(40):
        metadata = place / f"lib/python3.11/site-packages/a{number}-1.dist-info/METADATA"
        metadata.parent.mkdir()
        metadata.write_text(f"Name: a{number}\nVersion: 1\n")
    files = read_environment(place)
    assert files is not None
    assert len(files.versions) == 10


@pytest.mark.parametrize("name", ["pyvenv.cfg", "METADATA", "bin/python"])
def test_pipe_in_an_environment_blocks_nobody(folder: StrangersFolder, name: str) -> None:
    place = folder.environment(python=Path(sys.executable).resolve())
    (pipe,) = [path for path in place.rglob("*") if str(path).endswith(name)]
    pipe.unlink()
    os.mkfifo(pipe)
    reader = threading.Thread(target=read_environment, args=(place,), daemon=True)
    reader.start()
    reader.join(10)
    assert not reader.is_alive()


@pytest.mark.parametrize("directory", ["/", "/etc", "/root", "{home}", "{home}/.ssh"])
def test_answer_with_other_directories_is_refused(
    folder: StrangersFolder, home: Path, directory: str
) -> None:
    (home / ".ssh").mkdir()
    program = folder.program("python3")
    asked = directory.format(home=home)
    text = program.read_text().replace('["/", "/etc", "/root", ', f'["{asked}"], "x": [')
    program.write_text(text)
    answer = ask(program, ())
    assert isinstance(answer, NoAnswer)
    assert folder.mark.exists()


def test_started_program_gets_no_keys_and_a_neutral_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    program = tmp_path / "python3"
    program.write_text(f"#!/bin/sh\n(env; echo PWD=$(pwd)) > {seen}\n")
    program.chmod(0o755)
    monkeypatch.setenv("SECRET_API_KEY", "sk-123")
    monkeypatch.chdir(tmp_path)
    ask(program, ())
    lines = seen.read_text().splitlines()
    assert {line.partition("=")[0] for line in lines} <= {
        "PATH",
        "LANG",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
    }
    assert f"PWD={Path(tmp_path.anchor)}" in lines


def test_program_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mle_modernizer_server.environments.bounded._LARGEST_OUTPUT", 1_000_000)
    program = tmp_path / "python3"
    program.write_text("#!/bin/sh\nwhile true; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n")
    program.chmod(0o755)
    assert ask(program, ()) == NoAnswer(EnvironmentTrouble.NO_ANSWER)

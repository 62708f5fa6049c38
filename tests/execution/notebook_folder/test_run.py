"""Notebooks that read what lies beside them, in real kernels."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import FileAccess, FilesBeside
from mle_modernizer_server.execution.notebook_folder import visible_files as shown_module
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside
from tests.execution.conftest import Runner


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    project = tmp_path / "home" / "project"
    notebooks = project / "notebooks"
    (notebooks / "data").mkdir(parents=True)
    (project / "requirements.txt").touch()
    (project / "shared").mkdir()
    (project / "shared" / "s.csv").write_text("shared")
    (notebooks / "data" / "mine.csv").write_text("id,y\n1,2\n")
    (notebooks / "data" / "large.csv").write_text("0123456789" * 3)
    (notebooks / "helper.py").write_text("def help():\n    return 'helped'\n")
    (project.parent / "secret.txt").write_text("secret")
    return notebooks


@pytest.fixture(params=["bubblewrap", "process"])
def runner(request: pytest.FixtureRequest, run_in: Callable[[str], Runner], folder: Path) -> Runner:
    found = run_in(request.param)
    found.beside = Beside(folder)
    return found


def test_data_and_modules_beside_the_notebook_are_there(runner: Runner) -> None:
    ran = runner(
        "import helper\nprint(helper.help())",
        "print(open('data/mine.csv').read())",
        "print(open('../shared/s.csv').read())",
        "open('out/model.txt', 'w').write('m'); print(open('out/model.txt').read())",
        "print(open('../../secret.txt').read())",
    )
    assert [error.ename for error in ran.execution.errors] == ["FileNotFoundError"]
    assert ran.text(0) == "helped\n"
    assert ran.text(1) == "id,y\n1,2\n\n"
    assert ran.text(2) == "shared\n"
    assert ran.text(3) == "m\n"
    listed = {file.path: file.access for file in ran.execution.files_beside}
    assert listed.keys() == {"helper.py", "data/mine.csv", "../shared/s.csv"}
    assert listed["data/mine.csv"] is FileAccess.COPY


def test_modules_of_the_project_above_are_there(runner: Runner, folder: Path) -> None:
    (folder.parent / "toolbox").mkdir()
    (folder.parent / "toolbox" / "__init__.py").write_text("from .inner import answer\n")
    (folder.parent / "toolbox" / "inner.py").write_text("def answer():\n    return 42\n")
    ran = runner(
        "import os, sys\nabove = os.path.abspath(os.path.join('..'))\nsys.path.append(above)",
        "from toolbox import answer\nprint(answer())",
    )
    assert ran.execution.errors == ()
    assert ran.text(1) == "42\n"


def test_writing_never_reaches_the_users_files(runner: Runner, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ran = runner(
        "open('data/mine.csv', 'a').write('3,4\\n')\nprint(open('data/mine.csv').read())",
        "open('helper.py', 'w').write('')",
        "import os\nos.remove('data/large.csv')\nos.listdir('data')",
        "import shutil\nshutil.rmtree('data')",
    )
    assert ran.text(0) == "id,y\n1,2\n3,4\n\n"
    assert ran.execution.errors == ()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_is_too_large_to_copy_can_be_read_only(
    run_isolated: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_module, "COPIED_AT_MOST", 20)
    run_isolated.beside = Beside(folder)
    ran = run_isolated(
        "print(open('data/large.csv').read())\nprint(open('data/mine.csv').read())",
        "open('data/large.csv', 'a')",
    )
    assert ran.text(0) == "0123456789" * 3 + "\nid,y\n1,2\n\n"
    assert [error.ename for error in ran.execution.errors] == ["OSError"]
    assert {file.path: file.access for file in ran.execution.files_beside} == {
        "data/large.csv": FileAccess.READ_ONLY,
        "data/mine.csv": FileAccess.COPY,
    }
    assert ran.execution.csv_files == (), "it was given, not made"
    assert (folder / "data" / "large.csv").read_text() == "0123456789" * 3


def test_given_tables_are_no_submissions_but_changed_ones_are(runner: Runner) -> None:
    ran = runner("x = open('data/mine.csv').read()", "open('new.csv', 'w').write('id')")
    assert [file.path for file in ran.execution.csv_files] == ["new.csv"]
    ran = runner("open('data/mine.csv', 'a').write('5,6')")
    assert "data/mine.csv" in [file.path for file in ran.execution.csv_files]


def test_nothing_is_shown_where_nothing_is_wanted(runner: Runner, folder: Path) -> None:
    runner.beside = Beside(folder, FilesBeside.NONE)
    ran = runner("open('data/mine.csv')")
    assert [error.ename for error in ran.execution.errors] == ["FileNotFoundError"]
    assert ran.execution.files_beside == ()


def test_the_whole_folder_can_be_shown(runner: Runner, folder: Path) -> None:
    runner.beside = Beside(folder, FilesBeside.FOLDER)
    (folder / ".hidden").write_text("secret")
    ran = runner(
        "import os\nname = 'mi' + 'ne'\nprint(sorted(os.listdir('.')))", "os.listdir('data')"
    )
    assert ran.text(0) == "['data', 'helper.py', 'input']\n"


def test_a_folder_with_very_many_files_starts_soon(run_isolated: Runner, folder: Path) -> None:
    images = folder / "images"
    images.mkdir()
    for number in range(5_000):
        (images / f"{number}.png").touch()
    run_isolated.beside = Beside(folder)
    begun = time.monotonic()
    ran = run_isolated("import os\nprint(len(os.listdir('images')))")
    assert ran.text(0) == "5000\n"
    assert time.monotonic() - begun < 60
    assert [file.access for file in ran.execution.files_beside] == [FileAccess.READ_ONLY]


@pytest.mark.parametrize("mode", [FilesBeside.NAMED, FilesBeside.FOLDER])
def test_a_notebook_beside_keys_reads_none_of_them(
    run_in: Callable[[str], Runner],
    tmp_path: Path,
    mode: FilesBeside,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the home directory itself, by every name that the notebook has for them."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("SECRET")
    (home / ".netrc").write_text("SECRET")
    (home / "keys").symlink_to(home / ".ssh")
    (home / "key.txt").symlink_to(home / ".ssh" / "id_rsa")
    (home / "data").mkdir()
    (home / "data" / "train.csv").write_text("a,b\n1,2\n")
    (home / "data" / "up").symlink_to(home)
    (home / "data" / "netrc.csv").symlink_to(home / ".netrc")
    monkeypatch.setenv("HOME", str(home))
    runner = run_in("bubblewrap")
    runner.beside = Beside(home, mode)
    absolute = str(home / ".ssh" / "id_rsa")
    ran = runner(
        "import glob, os\nfound = []\n"
        "def look(path):\n"
        "    try:\n        found.append(open(os.path.expanduser(path)).read())\n"
        "    except OSError:\n        pass",
        "for path in ['.ssh/id_rsa', './.ssh/id_rsa', 'data/../.ssh/id_rsa', '~/.ssh/id_rsa',\n"
        f"             {absolute!r}, '.netrc', 'keys/id_rsa', 'key.txt', 'data/up/.netrc',\n"
        "             'data/netrc.csv', 'data/up/key.txt', '../home/.ssh/id_rsa']:\n"
        "    look(path)",
        "for path in glob.glob('.*/*') + glob.glob('*/*') + glob.glob('*/*/*') + glob.glob('.*'):\n"
        "    look(path)",
        "for place, _, names in os.walk('/', followlinks=False):\n"
        "    for name in names:\n"
        "        if name in ('id_rsa', '.netrc', 'key.txt', 'netrc.csv'):\n"
        "            look(os.path.join(place, name))",
        "look('data/train.csv')\nprint(found)",
    )
    assert not ran.execution.errors
    assert "a,b" in ran.text(4), "what lies openly beside it is there"
    assert "SECRET" not in ran.text(4)

"""Files that a person names for the paths a notebook reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.execution.notebook_folder.lookup import Places, look_up
from mle_modernizer_server.execution.notebook_folder.supplied_files import check_given
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside, choose_shown
from mle_modernizer_server.execution.sandboxes.base import Reach
from mle_modernizer_server.words import text
from tests.execution.conftest import Runner
from tests.refusals import refused
from tests.thoroughness import HERE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.csv").write_text("id,y\n1,2\n")
    return elsewhere / "mine.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "train.csv").write_text("another")
    return folder


def _given(folder: Path, *paths: str, file: Path, mode: FilesBeside = FilesBeside.NAMED) -> Beside:
    given = check_given(dict.fromkeys(paths, file), folder / "none")
    return Beside(folder, mode, given=given)


@pytest.mark.parametrize("sandbox", HERE)
@pytest.mark.parametrize("mode", list(FilesBeside))
def test_a_path_is_served_by_the_file(
    run_in: Callable[[str], Runner], sandbox: str, mode: FilesBeside, file: Path, folder: Path
) -> None:
    runner = run_in(sandbox)
    windows = r"C:\Users\me\train.csv"
    paths = ("data/train.csv", "./up.csv", "../sub/x.csv", "../input/t/a.csv", windows)
    runner.beside = _given(folder, *paths, file=file, mode=mode)
    ran = runner(*(f"print(open({path!r}).read())" for path in paths))
    assert ran.execution.errors == ()
    for at in range(len(paths)):
        assert ran.text(at) == "id,y\n1,2\n\n"


def test_an_absolute_path_is_mounted_and_never_written(
    run_isolated: Runner, file: Path, folder: Path
) -> None:
    path = "/home/somebody/train.csv"
    run_isolated.beside = _given(folder, path, "own.csv", file=file)
    ran = run_isolated(
        f"print(open({path!r}).read())",
        f"open({path!r}, 'a')",
        "open('own.csv', 'a').write('3,4')",
    )
    assert ran.text(0) == "id,y\n1,2\n\n"
    assert [error.ename for error in ran.execution.errors] == ["OSError"]
    assert file.read_text() == "id,y\n1,2\n"


def test_it_counts_as_there_before_a_run(file: Path, folder: Path) -> None:
    places = Places(_given(folder, "gone/train.csv", file=file))
    assert look_up(["gone/train.csv", "gone/test.csv"], places).there == ("gone/train.csv",)


@pytest.mark.parametrize("path", ["/etc/passwd", "/usr/lib/x.csv", "input/a/train.csv"])
def test_nothing_of_the_systems_or_the_competitions_is_hidden(
    path: str, file: Path, folder: Path
) -> None:
    public = folder.parent / "public"
    (public / "a").mkdir(parents=True)
    with refused(BadInput, match="can be placed there"):
        choose_shown([], _given(folder, path, file=file), reach=Reach.MOUNTS, public=public)


def test_what_is_read_from_an_address_is_served_under_its_name(file: Path, folder: Path) -> None:
    address = "https://host.example/data/train%20set.csv?raw=true"
    assert check_given({address: file}, folder) == {"train set.csv": file.resolve()}
    places = Places(_given(folder, address, file=file))
    assert look_up(["train set.csv"], places).there == ("train set.csv",)


@pytest.mark.parametrize("path", ["", "~/train.csv", ".", "/", "a\0b", "https://host.example/"])
def test_paths_that_are_none(path: str, file: Path, tmp_path: Path) -> None:
    with refused(BadInput, match="not the path of a file"):
        check_given({path: file}, tmp_path)


def test_files_that_are_refused(file: Path, tmp_path: Path) -> None:
    keys = tmp_path / ".ssh"
    keys.mkdir()
    (keys / "id").touch()
    (tmp_path / "link").symlink_to(keys / "id")
    root = tmp_path / "root" / "titanic"
    for place in ("prepared/private", "prepared/public", "raw"):
        (root / place).mkdir(parents=True)
        (root / place / "a.csv").touch()
    elsewhere = tmp_path / "copy" / "prepared" / "private"
    elsewhere.mkdir(parents=True)
    (elsewhere / "a.csv").touch()
    for path, why in (
        (file.parent, "folder"),
        (tmp_path / "none.csv", "there is no file"),
        (keys / "id", "hidden"),
        (tmp_path / "link", "hidden"),
        (Path("/etc/hostname"), "system"),
        (Path("/dev/null"), "no file"),
        (root / "prepared" / "private" / "a.csv", "answers"),
        (root / "raw" / "a.csv", "answers"),
        (elsewhere / "a.csv", "answers"),
    ):
        with pytest.raises(BadInput) as caught:
            check_given({"train.csv": path}, root.parent)
        assert why in text(caught.value.message), path
    public = root / "prepared" / "public" / "a.csv"
    assert check_given({"./train.csv": public}, root.parent) == {"train.csv": public.resolve()}

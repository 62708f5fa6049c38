"""Files of the same name in other places, for paths that a run would not find."""

from __future__ import annotations

import time
import zipfile
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.execution.notebook_folder.lookup import Places, look_up, name_key
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    return place


def put(path: Path, text: str = "a,b\n1,2\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def paths(*asked: str, places: Places) -> list[str]:
    return [file.path for file in look_up(asked, places).files]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Train.CSV", "train.csv"),
        ("train.csv.gz", "train.csv"),
        ("train (1).csv", "train.csv"),
        ("train_data.csv", "train data.csv"),
        ("train-copy.csv", "train.csv"),
    ],
)
def test_names_that_may_be_of_one_file(name: str, other: str) -> None:
    assert name_key(name) == name_key(other)


def test_names_of_two_files() -> None:
    assert (
        len({name_key(name) for name in ("train.csv", "test.csv", "train.json", "train2.csv")}) == 4
    )


def test_below_the_notebook(folder: Path) -> None:
    put(folder / "data" / "raw" / "train.csv")
    put(folder / "data" / "other.csv")
    found = look_up(["train.csv", "data/other.csv"], Places(Beside(folder)))
    assert found.there == ("data/other.csv",)
    assert [file.path for file in found.files] == ["data/raw/train.csv"]


def test_next_to_the_notebooks_folder(folder: Path) -> None:
    put(folder / "data" / "train.csv")
    for name in ("notebooks", "codes"):
        notebooks = folder / name
        notebooks.mkdir()
        found = look_up(["C:\\me\\train.csv", "../data/train.csv"], Places(Beside(notebooks)))
        assert found.there == ("../data/train.csv",)
        assert [file.path for file in found.files] == ["../data/train.csv"]


def test_not_outside_of_the_project(folder: Path) -> None:
    put(folder.parent / "train.csv")
    put(folder.parent / "elsewhere" / "train.csv")
    assert paths("train.csv", places=Places(Beside(folder))) == []


def test_file_above_the_project_is_said_to_be_there(folder: Path) -> None:
    for name in ("data/train.csv", ".ssh/key", "root/comp/prepared/private/test.csv"):
        put(folder.parent / name)
    asked = [
        "../data/train.csv",
        "../data/test.csv",
        "../.ssh/key",
        "../root/comp/prepared/private/test.csv",
    ]
    found = look_up(asked, Places(Beside(folder, data_root=folder.parent / "root")))
    assert (found.there, found.files, found.outside) == ((), (), ("../data/train.csv",))


def test_of_the_competition(folder: Path, tmp_path: Path) -> None:
    public = tmp_path / "root" / "comp" / "prepared" / "public"
    put(public / "train.csv")
    put(public / "images" / "1.png")
    places = Places(Beside(folder), "comp", public)
    asked = ["../input/comp/train.csv", "/kaggle/input/train.csv", "mine/train.csv", "input/t.csv"]
    found = look_up([*asked, "../input/comp/images/*.png"], places)
    assert found.there == (asked[0], asked[1], "../input/comp/images/*.png")
    assert [file.path for file in found.files] == ["../input/comp/train.csv"]


def test_answers_hidden_files_and_links_outside_are_never_found(folder: Path) -> None:
    root = folder / "root"  # the data root: a competition's files are found as the competition's
    for place in ("private", "public"):
        put(root / "comp" / "prepared" / place / "test.csv")
    put(folder / ".ssh" / "test.csv")
    put(folder.parent / "secret" / "test.csv")
    (folder / "link.csv").symlink_to(folder.parent / "secret" / "test.csv")
    (folder / "linked").symlink_to(folder.parent / "secret")
    places = Places(Beside(folder, data_root=root))
    assert paths("x/test.csv", "x/link.csv", places=places) == []


def test_nothing_beside_where_nothing_may_be_shown(folder: Path) -> None:
    put(folder / "data" / "train.csv")
    places = Places(Beside(folder, FilesBeside.NONE))
    assert look_up(["train.csv", "data/train.csv"], places).there == ()
    assert paths("train.csv", places=places) == []


def test_folders_of_the_name(folder: Path) -> None:
    put(folder / "assets" / "images" / "a.png")
    assert look_up(["/home/me/images"], Places(Beside(folder))).folders == ("assets/images",)


def test_what_an_archive_holds(folder: Path) -> None:
    for name, members in (("one", 1), ("two", 2)):
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            for number in range(members):
                archive.writestr(f"{number}.csv", "a\n1\n")
    (folder / "none.zip").write_bytes(b"PK")
    found = look_up(["one.csv", "two.csv", "none.csv"], Places(Beside(folder)))
    assert {file.path: file.single for file in found.files} == {
        "one.zip": True,
        "two.zip": False,
        "none.zip": False,
    }


def test_equal_content_has_one_fingerprint(folder: Path) -> None:
    put(folder / "a" / "train.csv")
    put(folder / "b" / "train.csv")
    put(folder / "c" / "train.csv", "other\n")
    files = look_up(["train.csv"], Places(Beside(folder))).files
    assert len(files) == 3
    assert len({file.fingerprint for file in files}) == 2


@pytest.mark.thorough
def test_a_hundred_thousand_files_are_not_all_looked_at(folder: Path) -> None:
    many = folder / "many"
    many.mkdir()
    for number in range(100_000):
        (many / str(number)).touch()
    put(folder / "zz" / "train.csv")
    began = time.process_time()
    assert paths("train.csv", places=Places(Beside(folder))) == ["zz/train.csv"]
    assert time.process_time() - began < 10

"""What of a notebook's folder is shown, and what never is."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import FileAccess, FilesBeside
from mle_modernizer_server.execution.notebook_folder import visible_files as shown_module
from mle_modernizer_server.execution.notebook_folder.lookup import Places, files_of, look_up
from mle_modernizer_server.execution.notebook_folder.stage_files import LaidOut
from mle_modernizer_server.execution.notebook_folder.visible_files import (
    Beside,
    Shown,
    choose_shown,
)
from mle_modernizer_server.execution.sandboxes.base import Reach


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A notebook's folder in a project, with a secret beside the project."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("secret")
    (home / "taxes.pdf").write_text("secret")
    project = home / "project"
    nested = project / "notebooks"
    (nested / "data" / "more").mkdir(parents=True)
    (project / ".git").mkdir()
    (project / ".git" / "config").write_text("secret")
    (project / "shared.csv").write_text("s")
    (nested / "data" / "mine.csv").write_text("a,b\n1,2\n")
    (nested / "data" / "more" / "other.csv").write_text("a\n")
    (nested / "data" / ".env").write_text("secret")
    (nested / "helper.py").write_text("import deeper\nopen('data/more/other.csv')\n")
    (nested / "deeper.py").write_text("x = 1\n")
    (nested / "package").mkdir()
    (nested / "package" / "__init__.py").write_text("")
    return nested


def shown(folder: Path, *sources: str, reach: Reach = Reach.MOUNTS, **beside: object) -> Shown:
    return choose_shown(
        sources,
        Beside(folder, **beside),
        reach=reach,
        public=None,  # type: ignore[arg-type]
    )


def places(found: Shown) -> set[str]:
    return {item.at for item in found.items}


def test_named_files_are_copied(folder: Path) -> None:
    found = shown(folder, "pd.read_csv('data/mine.csv')\nx = 'data/none.csv'")
    assert [(item.at, item.access, item.size) for item in found.items] == [
        ("data/mine.csv", FileAccess.COPY, 8)
    ]


def test_folders_that_are_written_into_are_made(folder: Path) -> None:
    (folder / "figures").mkdir()
    (folder / "figures" / "old.png").write_text("p")
    found = shown(
        folder, "fig.savefig('./figures/old')\ndf.to_csv('out/x.csv')\ny.to_csv('deeper.py/x')"
    )
    assert found.folders == ("figures", "out")


def test_modules_come_with_what_they_import_and_name(folder: Path) -> None:
    found = places(shown(folder, "import helper, package, numpy"))
    assert found == {"helper.py", "deeper.py", "data/more/other.csv", "package/__init__.py"}


def test_modules_come_from_the_folders_on_pythons_path(folder: Path) -> None:
    project = folder.parent
    (project / "tools").mkdir()
    (project / "tools" / "__init__.py").write_text("from tools import inner\n")
    (project / "tools" / "inner.py").write_text("open('data/mine.csv')\n")
    (project / "src").mkdir()
    (project / "src" / "features.py").write_text("import helpers\n")
    (project / "src" / "helpers.py").touch()
    (project.parent / "outside.py").touch()
    code = "import tools, helper, features, outside"
    assert places(shown(folder, code)) == {"helper.py", "deeper.py", "data/more/other.csv"}
    above = "above = os.path.dirname(os.getcwd())"
    path = f"{above}\nsys.path += [above, os.path.join(above, 'src'), '../..']"
    assert places(shown(folder, path, code)) == {
        *("helper.py", "deeper.py", "data/more/other.csv"),
        *("../tools", "data/mine.csv", "../src", "../src/features.py", "../src/helpers.py"),
    }


def test_a_named_folder_comes_with_its_files_but_hidden_ones(folder: Path) -> None:
    assert places(shown(folder, "os.listdir('data')")) == {"data/mine.csv", "data/more/other.csv"}


def test_patterns_find_files(folder: Path) -> None:
    assert places(shown(folder, "glob('data/*.csv')")) == {"data/mine.csv"}
    assert places(shown(folder, "[open(f'data/{n}.csv') for n in names]")) == {"data/mine.csv"}
    assert places(shown(folder, "x = '*'; y = f'{a}{b}'; z = '*.*'")) == set()


def test_a_changed_directory_counts(folder: Path) -> None:
    assert "data/mine.csv" in places(shown(folder, "os.chdir('data')", "open('mine.csv')"))


def test_above_the_notebook_the_project_is_shown_and_no_more(folder: Path) -> None:
    found = shown(
        folder, "open('../shared.csv')", "open('../../taxes.pdf')", "open('../../.ssh/id_rsa')"
    )
    assert [(item.at, item.access) for item in found.items] == [
        ("../shared.csv", FileAccess.READ_ONLY)
    ]


def test_without_a_project_nothing_above_is_shown(folder: Path) -> None:
    (folder.parent / ".git" / "config").unlink()
    (folder.parent / ".git").rmdir()
    assert places(shown(folder, "open('../shared.csv')")) == set()


@pytest.mark.parametrize(
    ("marks", "is_project"),
    [
        (("LICENSE",), True),
        ((".gitignore",), True),
        (("README.md",), False),  # any folder may have one
        (("README.md", "Datasets/a.csv"), True),
    ],
)
def test_a_downloaded_archive_of_a_repository_is_a_project(
    folder: Path, marks: tuple[str, ...], is_project: bool
) -> None:
    (folder.parent / ".git" / "config").unlink()
    (folder.parent / ".git").rmdir()
    for mark in marks:
        (folder.parent / mark).parent.mkdir(exist_ok=True)
        (folder.parent / mark).touch()
    assert places(shown(folder, "open('../shared.csv')")) == (
        {"../shared.csv"} if is_project else set()
    )
    assert places(shown(folder, "open('../../taxes.pdf')")) == set()


def test_absolute_paths_of_the_project_are_mounted(folder: Path) -> None:
    mine = folder / "data" / "mine.csv"
    assert places(shown(folder, f"open({str(mine)!r})")) == {str(mine)}
    assert places(shown(folder, f"open({str(folder.parents[1] / 'taxes.pdf')!r})")) == set()


@pytest.mark.parametrize("source", ["'.git/config'", "'../.git/config'", "'data/.env'"])
def test_hidden_files_are_never_shown(folder: Path, source: str) -> None:
    assert places(shown(folder, f"open({source})")) == set()


def test_links_are_followed_within_the_project_only(folder: Path) -> None:
    (folder / "in.csv").symlink_to(folder.parent / "shared.csv")
    (folder / "out.pdf").symlink_to(folder.parents[1] / "taxes.pdf")
    (folder / "hidden").symlink_to(folder.parent / ".git" / "config")
    (folder / "data" / "out").symlink_to(folder.parents[1])
    (folder / "loop").symlink_to(folder / "loop")
    sources = ("'in.csv'", "'out.pdf'", "'hidden'", "'loop'", "'data'", "'data/out/taxes.pdf'")
    assert places(shown(folder, *sources)) == {"in.csv", "data/mine.csv", "data/more/other.csv"}
    whole = places(shown(folder, mode=FilesBeside.FOLDER))
    assert "out.pdf" not in whole and "in.csv" in whole
    assert not any("taxes" in place or "git" in place for place in whole)


def test_answers_are_never_shown(folder: Path) -> None:
    root = folder / "competitions"
    for part in ("public", "private"):
        (root / "slug" / "prepared" / part).mkdir(parents=True)
        (root / "slug" / "prepared" / part / "x.csv").write_text("x")
    sources = (
        "'competitions'",
        "'competitions/slug/prepared/private/x.csv'",
        "'competitions/slug/prepared/public/x.csv'",
        "'competitions/slug'",
    )
    for data_root in (root, None):
        for mode in (FilesBeside.NAMED, FilesBeside.FOLDER):
            found = shown(folder, *sources, data_root=data_root, mode=mode)
            assert "competitions/slug/prepared/public/x.csv" in places(found)
            assert not any("private" in place for place in places(found))
            assert not any(item.is_folder for item in found.items)


def test_what_is_large_is_mounted_or_copied_or_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_module, "COPIED_AT_MOST", 5)
    (folder / "small.csv").write_text("a")
    sources = ("'data/mine.csv'", "'small.csv'")
    found = {item.at: item.access for item in shown(folder, *sources).items}
    assert found == {"small.csv": FileAccess.COPY, "data/mine.csv": FileAccess.READ_ONLY}
    found = {item.at: item.access for item in shown(folder, *sources, reach=Reach.WORKING).items}
    assert set(found.values()) == {FileAccess.COPY}
    monkeypatch.setattr(shown_module, "_COPIED_WITHOUT_MOUNTS", 5)
    found = {item.at: item.access for item in shown(folder, *sources, reach=Reach.SCRATCH).items}
    assert found["data/mine.csv"] is FileAccess.TOO_LARGE


@pytest.mark.thorough
def test_folder_of_a_hundred_thousand_files_is_listed_quickly(tmp_path: Path) -> None:
    images = tmp_path / "images"
    images.mkdir()
    for number in range(100_000):
        os.close(os.open(f"{images}/{number}.png", os.O_CREAT))
    begun = time.monotonic()
    found = shown(tmp_path, "os.listdir('images')", "open(f'images/{n}.png')")
    took = time.monotonic() - begun
    assert [(item.at, item.is_folder) for item in found.items] == [("images", True)]
    assert took < 10
    begun = time.monotonic()
    assert shown(tmp_path, "open('mine.csv')").items == ()
    assert time.monotonic() - begun < 0.5


def _make_odd_entries(folder: Path) -> None:
    """Put in a folder what a download may contain and no reader can open."""
    (folder / "loop.csv").symlink_to("loop.csv")
    (folder / "long.csv").symlink_to("n" * 300)
    for name in ("pipe.csv", "pipe.py", "train.zip"):
        os.mkfifo(folder / name)


@pytest.mark.parametrize("mode", [FilesBeside.NAMED, FilesBeside.FOLDER])
def test_pipes_and_odd_links_are_passed(folder: Path, mode: FilesBeside) -> None:
    _make_odd_entries(folder / "data")
    _make_odd_entries(folder)
    code = (
        "import pipe\nopen('pipe.csv'), open('loop.csv'), open('long.csv'), open('data/pipe.csv')"
    )
    found = shown(folder, code, "glob('data/*.csv')", f"open('{'p' * 300}/a.csv')", mode=mode)
    assert not any("pipe" in item.at or "l" in item.at[:1] for item in found.items)
    assert "data/mine.csv" in places(found)


def test_odd_files_are_looked_up_without_waiting(folder: Path) -> None:
    _make_odd_entries(folder / "data")
    paths = ["../pipe.csv", "../loop.csv", "../long.csv", "../mine.csv", "x/train.zip", "n" * 300]
    found = look_up(paths, Places(Beside(folder)))
    assert [file.path for file in found.files] == ["data/mine.csv"]
    assert files_of(["data/pipe.csv", "n" * 300], Beside(folder)) == ()


def test_file_replaced_after_listing_is_not_copied(folder: Path, tmp_path: Path) -> None:
    found = shown(folder, "open('data/mine.csv'), open('../shared.csv'), open('deeper.py')")
    (folder / "data" / "mine.csv").unlink()
    os.mkfifo(folder / "data" / "mine.csv")
    (folder / "deeper.py").unlink()
    (folder / "deeper.py").symlink_to(folder.parent.parent / "taxes.pdf")
    working = tmp_path / "scratch" / "run" / "working"
    working.mkdir(parents=True)
    LaidOut(working).put(found)
    assert [path.name for path in working.rglob("*") if path.is_file()] == []

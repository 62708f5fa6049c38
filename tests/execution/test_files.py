"""Which files of a run are looked at as submissions."""

from __future__ import annotations

from pathlib import Path

from mle_modernizer_server.execution.files import find_csvs


def test_csvs_are_found_under_any_name_in_any_directory_packed_or_not(tmp_path: Path) -> None:
    for name in ("out.csv", "deep/er/blend.CSV.gz", "submission.zip", "my_sub.bz2", "a/b.csv.zip"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("id,y\n")
    for name in ("model.zip", "images.gz", "submission.txt", ".hidden.csv", "notes.md"):
        (tmp_path / name).write_text("something else")
    assert [file.path for file in find_csvs(tmp_path)] == [
        "a/b.csv.zip",
        "deep/er/blend.CSV.gz",
        "my_sub.bz2",
        "out.csv",
        "submission.zip",
    ]


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("id,y\n")
    working = tmp_path / "working"
    working.mkdir()
    (working / "submission.csv").symlink_to(tmp_path / "answers.csv")
    assert find_csvs(working) == ()

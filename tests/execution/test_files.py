"""Which files of a run are looked at as submissions."""

from __future__ import annotations

import os
from pathlib import Path

from mle_modernizer_server.execution.files import find_csvs


def test_csv_files_of_any_name_and_compression_are_found(tmp_path: Path) -> None:
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


def test_of_very_many_the_likely_submissions_are_kept(tmp_path: Path) -> None:
    public, working = tmp_path / "public", tmp_path / "working"
    public.mkdir()
    working.mkdir()
    (public / "sample_submission.csv").write_text("id,y\n1,0\n")
    for number in range(250):
        (working / f"fold_{number:03}.csv").write_text("a,b\n")
    (working / "zz_final.csv").write_bytes(b"\xef\xbb\xbfid,y\r\n1,1\r\n")
    (working / "zz_submission.csv").write_text("id,other\n")
    os.mkfifo(working / "zz_pipe.csv")
    paths = [file.path for file in find_csvs(working, public=public)]
    assert len(paths) == 200
    assert {"zz_final.csv", "zz_submission.csv"} <= set(paths)
    assert paths == sorted(paths)

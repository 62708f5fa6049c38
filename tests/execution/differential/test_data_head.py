"""The head of a competition's data."""

from __future__ import annotations

import gzip
import os
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from mle_modernizer_server.execution.differential import data_head
from mle_modernizer_server.execution.differential.data_head import copy_head
from mle_modernizer_server.words import text


@pytest.fixture
def public(tmp_path: Path) -> Path:
    directory = tmp_path / "public"
    directory.mkdir()
    return directory


def table(rows: int) -> str:
    return "id,text\n" + "".join(f'{row},"two\nlines of {row}"\n' for row in range(rows))


def test_tables_keep_whole_rows_also_packed_ones(public: Path, tmp_path: Path) -> None:
    rows = table(500)
    (public / "train.csv").write_text(rows)
    (public / "deep").mkdir()
    with gzip.open(public / "deep" / "test.csv.gz", "wt") as out:
        out.write(rows)
    with zipfile.ZipFile(public / "more.csv.zip", "w") as packed:
        packed.writestr("more.csv", rows)
    assert copy_head(public, tmp_path / "head", 7) == ()
    for name in ("train.csv", "deep/test.csv.gz", "more.csv.zip"):
        read = pd.read_csv(tmp_path / "head" / name)
        assert list(read["id"]) == list(range(7)), name
        assert read["text"].iloc[6] == "two\nlines of 6"
    assert (public / "train.csv").read_text() == rows, "the data themselves stay"


def test_a_short_table_stays_whole(public: Path, tmp_path: Path) -> None:
    (public / "train.csv").write_text("id\n1\n2")
    copy_head(public, tmp_path / "head", 200)
    assert (tmp_path / "head" / "train.csv").read_text() == "id\n1\n2"


def test_what_cannot_be_cut_is_copied_or_named(public: Path, tmp_path: Path) -> None:
    (public / "words.txt").write_text("a")
    (public / "large.parquet").write_bytes(b"0" * 1_000_001)
    (public / "broken.csv.gz").write_bytes(b"no gzip at all")
    left = copy_head(public, tmp_path / "head", 5)
    assert sorted(path.name for path in (tmp_path / "head").iterdir()) == ["words.txt"]
    assert len(left) == 2
    assert "large.parquet was left out" in text(left)
    assert "broken.csv.gz was left out: it cannot be unpacked" in text(left)


def test_pipes_and_links_that_lead_out_are_left_out(public: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret")
    (public / "train.csv").write_text(table(3))
    (public / "out.csv").symlink_to(tmp_path / "secret.csv")
    (public / "loop.csv").symlink_to("loop.csv")
    (public / "long.csv").symlink_to("n" * 300)
    for name in ("pipe.csv", "pipe.csv.gz", "pipe.zip", "pipe.txt"):
        os.mkfifo(public / name)
    assert copy_head(public, tmp_path / "head", 7) == ()
    assert [path.name for path in (tmp_path / "head").iterdir()] == ["train.csv"]


def test_line_without_an_end_is_cut(
    public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_head, "_LARGEST_HEAD", 1_000)
    with gzip.open(public / "train.csv.gz", "wb") as out:
        out.write(b"x" * 10_000_000)
    copy_head(public, tmp_path / "head", 7)
    with gzip.open(tmp_path / "head" / "train.csv.gz") as copy:
        assert len(copy.read()) <= 3_000

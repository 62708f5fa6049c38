"""Files of every make: packed, quoted, of other encodings, broken, huge, linked."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import os
import tracemalloc
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from mle_modernizer_server.domain.verification import Sample
from mle_modernizer_server.execution.sampling.making import (
    CannotSample,
    Layout,
    Stopped,
    Watch,
    make_sample,
)

from .competitions import read_csv, write_csv

NO_LAYOUT = Layout()


def sampled(public: Path, layout: Layout = NO_LAYOUT, rows: int = 100) -> tuple[Path, Sample]:
    target = public.parent / "sample"
    return target, make_sample(public, target, layout, rows, Watch(120))


@pytest.fixture
def public(tmp_path: Path) -> Path:
    directory = tmp_path / "public"
    directory.mkdir()
    return directory


def test_small_tables_are_as_they_were(public: Path) -> None:
    write_csv(public / "train.csv", ["id", "y"], [(at, at) for at in range(100)])
    sample, told = sampled(public)
    assert (sample / "train.csv").read_bytes() == (public / "train.csv").read_bytes()
    assert not told.cut


@pytest.mark.parametrize(
    ("separator", "encoding", "ending"),
    [(";", "utf-8", "\n"), ("\t", "latin-1", "\r\n"), (",", "utf-8-sig", "\r\n")],
)
def test_quotes_line_breaks_and_encodings_survive(
    public: Path, separator: str, encoding: str, ending: str
) -> None:
    rows = [
        (at, f'é "{at}"{separator} and\nthe next {"line" * (at % 5)}\n\n', "" if at % 3 else "x")
        for at in range(3_000)
    ]
    header = ["id", "text", "note"]
    write_csv(
        public / "reviews.csv", header, rows, separator=separator, encoding=encoding, ending=ending
    )
    sample, told = sampled(public)
    assert told.tables[0].of == 3_000
    got_header, got = read_csv(sample / "reviews.csv", separator=separator, encoding=encoding)
    assert got_header == header
    whole = {
        row[0]: row
        for row in read_csv(public / "reviews.csv", separator=separator, encoding=encoding)[1]
    }
    assert 100 <= len(got) <= 200
    assert all(whole[row[0]] == row for row in got)
    assert [int(row[0]) for row in got] == sorted(int(row[0]) for row in got)


def test_a_quote_that_nothing_closes_swallows_no_rows(public: Path) -> None:
    lines = [f"{at},{'5' + chr(34) if at < 600 else 'a'} pipe,{at}" for at in range(2_000)]
    lines[700] = '700,"never closed,1'
    (public / "stock.csv").write_text("id,what,number\n" + "\n".join(lines) + "\n")
    _, told = sampled(public)
    assert told.tables[0].of == 2_000


def test_numbers_keep_their_digits_and_types(public: Path) -> None:
    lines = [f"{at:06},{at}.50,{'NA' if at % 9 else ''},1e-3" for at in range(2_000)]
    (public / "train.csv").write_text("code,price,gap,rate\n" + "\n".join(lines))
    sample, _ = sampled(public)
    kept = (sample / "train.csv").read_text().splitlines()[1:]
    assert set(kept) <= set(lines)
    assert (
        pd.read_csv(sample / "train.csv").dtypes.to_dict()
        == pd.read_csv(public / "train.csv").dtypes.to_dict()
    )


def test_packed_tables_stay_packed(public: Path) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([("id", "y"), *((at, at % 2) for at in range(2_500))])
    data = text.getvalue().encode()
    (public / "a.csv.gz").write_bytes(gzip.compress(data))
    (public / "b.csv.bz2").write_bytes(bz2.compress(data))
    with zipfile.ZipFile(public / "c.csv.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("inner.csv", data)
    sample, told = sampled(public)
    assert [table.of for table in told.tables] == [2_500] * 3
    frames = [pd.read_csv(sample / name) for name in ("a.csv.gz", "b.csv.bz2", "c.csv.zip")]
    assert set(frames[0]["id"]) == set(frames[1]["id"]) == set(frames[2]["id"])
    assert zipfile.ZipFile(sample / "c.csv.zip").namelist() == ["inner.csv"]


def test_lines_of_json_are_cut_like_tables(public: Path) -> None:
    rows = [{"id": f"q{at}", "text": "a\nb", "list": [at]} for at in range(1_500)]
    (public / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_csv(public / "labels.csv", ["id", "y"], [(row["id"], 1) for row in rows])
    (public / "config.json").write_text(json.dumps({"a": 1}, indent=1))
    sample, told = sampled(public)
    assert {table.name for table in told.tables} == {"train.jsonl", "labels.csv"}
    kept = [json.loads(line) for line in (sample / "train.jsonl").read_text().splitlines()]
    assert [row["id"] for row in kept] == list(pd.read_csv(sample / "labels.csv")["id"])
    assert (sample / "config.json").read_bytes() == (public / "config.json").read_bytes()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.csv.gz", b"\x1f\x8b\x08 no gzip at all"),
        ("cut.csv.gz", gzip.compress(os.urandom(100_000))[:50_000]),
        ("empty.csv", b""),
        ("utf16.csv", "id,y\n1,2\n".encode("utf-16")),
        ("binary.csv", b"id\0\0\0" * 1000),
        ("notzip.zip", b"PK no"),
        ("model.h5", b"\x89HDF"),
        ("same,names.csv", b"a,a\n" + b"1,2\n" * 3000),
    ],
    ids=["broken", "cut", "empty", "utf16", "binary", "not a zip", "hdf", "same names"],
)
def test_what_is_no_table_is_there_as_it_is(public: Path, name: str, content: bytes) -> None:
    (public / name).write_bytes(content)
    sample, told = sampled(public)
    assert (sample / name).read_bytes() == content
    assert not told.cut


def test_links_out_of_the_data_are_not_followed(tmp_path: Path, public: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    write_csv(private / "answers.csv", ["id", "y"], [(at, 1) for at in range(3_000)])
    (public / "answers.csv").symlink_to(private / "answers.csv")
    (public / "private").symlink_to(private)
    write_csv(public / "train.csv", ["id", "y"], [(at, 0) for at in range(3_000)])
    (public / "again.csv").symlink_to(public / "train.csv")
    sample, _ = sampled(public)
    assert sorted(path.name for path in sample.rglob("*")) == ["again.csv", "train.csv"]
    assert not (sample / "again.csv").is_symlink()


@pytest.mark.thorough
def test_the_sample_is_read_in_a_stream(public: Path) -> None:
    line = b"%d,2013-01-01,1.25,some words that fill the line a little,7\n"
    with (public / "train.csv").open("wb") as out:
        out.write(b"id,date,value,words,store\n")
        for start in range(0, 400_000, 10_000):
            out.write(b"".join(line % at for at in range(start, start + 10_000)))
    tracemalloc.start()
    sample, told = sampled(public, rows=1_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (public / "train.csv").stat().st_size > 25_000_000
    assert peak < 23_000_000
    assert told.tables[0].of == 400_000
    kept = [int(text) for text in pd.read_csv(sample / "train.csv")["id"]]
    assert kept == sorted(kept)
    assert kept[0] < 10_000
    assert kept[-1] > 390_000


def test_too_little_time_says_so(public: Path) -> None:
    write_csv(public / "train.csv", ["id"], [(at,) for at in range(20_000)])
    with pytest.raises(CannotSample, match="too-long"):
        make_sample(public, public.parent / "sample", NO_LAYOUT, 100, Watch(0))


def test_a_cancel_stops_it(public: Path) -> None:
    write_csv(public / "train.csv", ["id"], [(at,) for at in range(20_000)])
    with pytest.raises(Stopped):
        make_sample(public, public.parent / "sample", NO_LAYOUT, 100, Watch(60, lambda: True))


def test_folders_of_classes_keep_some_of_each(public: Path) -> None:
    for kind in range(30):
        folder = public / "train" / f"breed-{kind}"
        folder.mkdir(parents=True)
        for at in range(40):
            (folder / f"{at}.jpg").write_bytes(b"x")
    sample, told = sampled(public, rows=100)
    folders = list((sample / "train").iterdir())
    assert len(folders) == 30
    assert all(len(list(folder.iterdir())) == 10 for folder in folders)
    assert told.files_left_out == 900


@pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's")
def test_another_user_may_read_the_sample(public: Path) -> None:
    write_csv(public / "deep/train.csv", ["id", "y"], [(at, 0) for at in range(3_000)])
    before = os.umask(0o077)
    try:
        sample, _ = sampled(public)
    finally:
        os.umask(before)
    assert (sample / "deep").stat().st_mode & 0o777 == 0o755
    assert (sample / "deep/train.csv").stat().st_mode & 0o777 == 0o644

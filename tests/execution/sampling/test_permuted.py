"""Copies of the public data with labels or test rows permuted; the original is never written."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from pathlib import Path

import pytest

from mle_modernizer_server.execution.sampling import permuted
from mle_modernizer_server.execution.sampling.permuted import (
    CannotPermute,
    permute_labels,
    permute_rows,
    split_raw,
)
from mle_modernizer_server.execution.sampling.roles import Layout
from mle_modernizer_server.execution.sampling.watch import Stopped, Watch

LAYOUT = Layout(ids=("Id",), targets=("y",), submission="sample_submission.csv")


def data(folder: Path, rows: int = 60) -> Path:
    public = folder / "public"
    public.mkdir()
    with (public / "train.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["Id", "text", "y"])
        out.writerows([at, f'a "{at}",\nb', at * 3] for at in range(rows))
    with (public / "test.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["Id", "text"])
        out.writerows([1000 + at, f"t{at}"] for at in range(rows))
    with (public / "sample_submission.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["Id", "y"])
        out.writerows([1000 + at, 0] for at in range(rows))
    (public / "images").mkdir()
    (public / "images" / "a.png").write_bytes(b"picture")
    return public


def fingerprint(public: Path) -> dict[str, str]:
    return {
        str(path.relative_to(public)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(public.rglob("*"))
        if path.is_file()
    }


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


def test_only_the_labels_move(tmp_path: Path) -> None:
    public = data(tmp_path)
    before = fingerprint(public)
    made = permute_labels(public, tmp_path / "copy", LAYOUT, 1, Watch(60))
    assert (made.table, made.columns, made.rows) == ("train.csv", ("y",), 60)
    assert fingerprint(public) == before
    old, new = rows(public / "train.csv"), rows(tmp_path / "copy" / "train.csv")
    assert [(row["Id"], row["text"]) for row in old] == [(row["Id"], row["text"]) for row in new]
    assert sorted(row["y"] for row in old) == sorted(row["y"] for row in new)
    assert sum(one["y"] != other["y"] for one, other in zip(old, new, strict=True)) > 50
    after = fingerprint(tmp_path / "copy")
    assert {name for name in before if before[name] != after[name]} == {"train.csv"}


def test_the_same_seed_makes_the_same_copy(tmp_path: Path) -> None:
    public = data(tmp_path)
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        permute_labels(public, tmp_path / name, LAYOUT, seed, Watch(60))
    made = {name: fingerprint(tmp_path / name)["train.csv"] for name in "abc"}
    assert made["a"] == made["b"] != made["c"]


def test_renamed_labels_are_the_columns_that_test_data_lack(tmp_path: Path) -> None:
    public = data(tmp_path)
    layout = Layout(ids=("Id",), targets=("probability",), submission="sample_submission.csv")
    assert permute_labels(public, tmp_path / "copy", layout, 1, Watch(60)).columns == ("y",)


def test_packed_tables_stay_packed_and_lines_of_json_stay_json(tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    with gzip.open(public / "train.csv.gz", "wt") as file:
        file.write("Id,x,y\n" + "".join(f"{at},{at},{at % 3}\n" for at in range(30)))
    (public / "test.csv").write_text("Id,x\n" + "".join(f"{at + 99},1\n" for at in range(9)))
    (public / "sample_submission.csv").write_text(
        "Id,y\n" + "".join(f"{at + 99},1\n" for at in range(9))
    )
    permute_labels(public, tmp_path / "copy", LAYOUT, 1, Watch(60))
    with gzip.open(tmp_path / "copy" / "train.csv.gz", "rt") as file:
        assert len(file.readlines()) == 31
    (public / "train.csv.gz").unlink()
    (public / "train.jsonl").write_text(
        "".join(json.dumps({"Id": at, "x": "a", "y": at}) + "\n" for at in range(30))
    )
    permute_labels(public, tmp_path / "second", LAYOUT, 1, Watch(60))
    lines = (tmp_path / "second" / "train.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["y"] for line in lines) == list(range(30))
    assert [json.loads(line)["Id"] for line in lines] == list(range(30))


def test_test_rows_get_each_others_ids(tmp_path: Path) -> None:
    public = data(tmp_path)
    before = fingerprint(public)
    made = permute_rows(public, tmp_path / "copy", LAYOUT, 1, Watch(60))
    assert made.ids_moved
    assert fingerprint(public) == before
    old = {row["text"]: row["Id"] for row in rows(public / "test.csv")}
    new = {row["text"]: row["Id"] for row in rows(tmp_path / "copy" / "test.csv")}
    assert old.keys() == new.keys()
    assert {old[text]: new[text] for text in old} == made.moved
    assert sum(old[text] != new[text] for text in old) > 50
    order = [row["Id"] for row in rows(tmp_path / "copy" / "test.csv")]
    assert order == [row["Id"] for row in rows(tmp_path / "copy" / "sample_submission.csv")]


def test_ids_that_name_files_stay_with_their_rows(tmp_path: Path) -> None:
    public = data(tmp_path)
    (public / "images" / "1003.png").write_bytes(b"another picture")
    made = permute_rows(public, tmp_path / "copy", LAYOUT, 1, Watch(60))
    assert not made.ids_moved
    assert all(old == new for old, new in made.moved.items())
    assert rows(public / "test.csv") != rows(tmp_path / "copy" / "test.csv")


def test_without_ids_a_rows_place_is_its_id(tmp_path: Path) -> None:
    public = data(tmp_path, 20)
    (public / "test.csv").write_text("x\n" + "".join(f"{at}\n" for at in range(20)))
    (public / "train.csv").write_text("y,x\n" + "".join(f"{at},1\n" for at in range(20)))
    made = permute_rows(public, tmp_path / "copy", LAYOUT, 1, Watch(60))
    values = [row["x"] for row in rows(tmp_path / "copy" / "test.csv")]
    assert {str(1000 + int(value)): str(1000 + at) for at, value in enumerate(values)} == (
        made.moved
    )


def test_data_that_cannot_be_permuted_are_refused_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(CannotPermute, match=r"no-table\.training"):
        permute_labels(empty, tmp_path / "a", LAYOUT, 1, Watch(60))
    with pytest.raises(CannotPermute, match=r"no-table\.test"):
        permute_rows(empty, tmp_path / "b", LAYOUT, 1, Watch(60))
    public = data(tmp_path)
    monkeypatch.setattr(permuted, "MOST_ROWS", 10)
    with pytest.raises(CannotPermute, match=r"too-large.*60"):
        permute_labels(public, tmp_path / "c", LAYOUT, 1, Watch(60))
    with pytest.raises(Stopped):
        permute_rows(public, tmp_path / "d", LAYOUT, 1, Watch(60, lambda: True))


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        (b"a,b,c\r\n", [b"a", b"b", b"c"]),
        (b'"a,b",c\n', [b'"a,b"', b"c"]),
        (b'x,"a ""q"", b",\n', [b"x", b'"a ""q"", b"', b""]),
        (b'5" pipe,2\n', [b'5" pipe', b"2"]),
        (b'"open,2\n', [b'"open', b"2"]),
    ],
)
def test_fields_keep_their_quotes(record: bytes, fields: list[bytes]) -> None:
    assert split_raw(record, b",") == fields

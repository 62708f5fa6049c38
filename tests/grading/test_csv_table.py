"""Files that hostile code left behind are read within bounds or refused with a sentence."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import os
import pickle
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mle_modernizer_server.grading import csv_table
from mle_modernizer_server.grading.csv_table import inside, read_table
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.words import text
from tests.thoroughness import tries

CSV = b"id,y\n1,0.5\n2,0.25\n"


def refusal(path: Path, **bounds: int) -> str:
    with pytest.raises(InvalidSubmission) as caught:
        read_table(path, **bounds)
    return text(caught.value.message)


def test_the_wanted_columns_come_back_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text('id,text,y\n1,"two\nlines",a\n\n2,"say ""hi"", twice",b\n')
    table = read_table(file, ["text", "y", "absent"])
    assert table.header == ("id", "text", "y")
    assert table.columns == {"text": ["two\nlines", 'say "hi", twice'], "y": ["a", "b"]}
    assert table.lines == [3, 5]


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbf" + CSV, CSV.replace(b"\n", b"\r\n"), b"\n" + CSV]
)
def test_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(content)
    assert read_table(file).columns == {"id": ["1", "2"], "y": ["0.5", "0.25"]}


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_compressed_files_are_read_by_their_suffix(
    tmp_path: Path, suffix: str, pack: object
) -> None:
    file = tmp_path / f"submission.csv{suffix}"
    file.write_bytes(pack(CSV))  # type: ignore[operator]  # a compress function
    assert len(read_table(file)) == 2
    file.write_bytes(b"this was never packed")
    assert refusal(file)
    file.write_bytes(pack(CSV * 50)[:-20])  # type: ignore[operator]  # a compress function
    assert refusal(file)


def test_a_zip_must_hold_exactly_one_file(tmp_path: Path) -> None:
    file = tmp_path / "submission.csv.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("submission.csv", CSV)
    assert len(read_table(file)) == 2
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("other.csv", CSV)
    assert "holds 2 files" in refusal(file)
    file.write_bytes(b"PK nothing")
    assert "damaged" in refusal(file)


def test_a_gzip_bomb_stops_at_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "bomb.csv.gz"
    with gzip.open(file, "wb") as stream:
        stream.write(b"id,y\n")
        for _ in range(200):
            stream.write(b"1,0.5\n" * 10_000)
    assert file.stat().st_size < 1_000_000
    assert "larger than 1,000,000 bytes" in refusal(file, most_bytes=1_000_000)


def test_a_zip_bomb_stops_at_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "bomb.csv.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"id,y\n" + b"1,0.5\n" * 2_000_000)
    assert "larger than 1,000,000 bytes" in refusal(file, most_bytes=1_000_000)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b",\n1,2\n", "empty"),
        (b"id,y\n1,\xff\xfe\n", "UTF-8"),
        ("id,y\n1,0\n".encode("utf-16"), "UTF-8"),
        (b"id,y\n1,0\x00\n", "NUL"),
        (b"id,y\n1,2,3\n", "Line 2 has 3 fields, the header 2"),
        (b"id,y\n1,2\n3\n", "Line 3 has 1 fields, the header 2"),
        (b'id,y\n1,"never closed\n', "no CSV"),
        (b"x" * 17_000_000, "too long"),
        (pickle.dumps({"id": [1], "y": [2]}), "is a pickle"),
        (b"PAR1\x15\x04", "is a Parquet file"),
        (gzip.compress(CSV, mtime=0), "is a gzip file"),
        ("id,y\n1,é\n".encode("latin-1"), "encoding='utf-8'"),
        (b"id,id\n1,2\n", "'id' is there more than once"),
        (b"a" + b"," * 100_001, "more than 100,000 columns"),
        (bytes(range(128)) * 10, "NUL"),
    ],
)
def test_what_is_no_csv_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(content)
    assert words in refusal(file)


def test_a_file_over_the_bound_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "big.csv"
    with file.open("wb") as stream:
        stream.truncate(1_000_000_001)  # sparse: takes no room
    assert "larger than 1 GB" in refusal(file)


def test_rows_beyond_the_limit_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(CSV)
    table = read_table(file, most_rows=1)
    assert (len(table), table.more_rows) == (1, True)
    assert not read_table(file, most_rows=2).more_rows


def test_links_pipes_and_directories_are_not_opened(tmp_path: Path) -> None:
    real = tmp_path / "real.csv"
    real.write_bytes(CSV)
    (tmp_path / "link.csv").symlink_to(real)
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    assert "symbolic link" in refusal(tmp_path / "link.csv")
    assert "not a regular file" in refusal(tmp_path / "pipe.csv")
    assert refusal(tmp_path / "folder.csv")
    assert "not there" in refusal(tmp_path / "gone.csv")


@pytest.mark.parametrize(
    "path", ["../secret.csv", "/etc/passwd", "a/../../secret.csv", "", "a\x00"]
)
def test_paths_out_of_the_working_directory_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(InvalidSubmission, match=r"csv\.leads-out"):
        inside(tmp_path, path)


def test_a_linked_directory_does_not_lead_out(tmp_path: Path) -> None:
    (tmp_path / "working").mkdir()
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "answers.csv").write_bytes(CSV)
    (tmp_path / "working" / "out").symlink_to(tmp_path / "private")
    with pytest.raises(InvalidSubmission, match=r"csv\.leads-out"):
        inside(tmp_path / "working", "out/answers.csv")


def test_the_run_lengths_of_a_large_mask_are_one_cell(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,mask\n1," + "1 2 " * 100_000 + "\n")
    assert len(read_table(file).columns["mask"][0]) == 400_000


@pytest.mark.parametrize("end", ["1\n", '"never closed\n'])
def test_long_cell_leaves_limit_of_other_readers(tmp_path: Path, end: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,rle\n" + "1 2 " * 50_000 + f",{end}")
    before = csv.field_size_limit()
    if end.startswith('"'):
        refusal(file)
    else:
        assert len(read_table(file)) == 1
    assert csv.field_size_limit() == before


def test_rows_keep_their_lines_despite_multiline_cells(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = [f"{number},0" for number in range(25_000)]
    file.write_text("id,y\n" + "\n".join(rows))
    table = read_table(file)
    assert (len(table), table.lines[0], table.lines[-1]) == (25_000, 2, 25_001)
    rows[20_000] = '"two\nlines",0'
    file.write_text("id,y\n" + "\n".join(rows))
    table = read_table(file)
    assert (len(table), table.lines[19_999], table.lines[20_000]) == (25_000, 20_001, 20_003)
    rows[24_000] = "1,2,3"
    file.write_text("id,y\n" + "\n".join(rows))
    assert "Line 24003 has 3 fields" in refusal(file)


PIECES = st.lists(
    st.sampled_from(
        ["a", "1.5", "ü", ",", ",", "\n", "\n", "\r\n", "\r", '"', " ", "\u2028", "x,y\n", "1,2\n"]
    ),
    max_size=40,
)


@settings(
    max_examples=tries(100, 400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(PIECES, st.sampled_from([1, 3, 1 << 20]))
def test_the_fast_way_reads_what_the_csv_module_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces: list[str], block: int
) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(("p,q\n" + "".join(pieces)).encode())
    monkeypatch.setattr(csv_table, "_BLOCK", block)

    def read() -> object:
        try:
            table = read_table(file)
        except InvalidSubmission as error:
            return error.message
        return table.columns, list(table.lines)

    fast = read()
    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(csv_table, "_without_quotes", lambda block, width: None)
        assert fast == read()


ODD_NUMBERS = [
    "true",
    "null",
    "NaN",
    "[",
    "]",
    "{",
    "1e400",
    "-1e400",
    "007",
    "+1",
    ".5",
    "5.",
    "1_0",
    "1E5",
    "-0",
    "-0.0",
    "0x1",
    "5e-324",
    "٣",
]
NUMBERS = st.one_of(
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from([*ODD_NUMBERS, "", " 5", '"3"', "4" * 400, "1" + "0" * 5000]),
)
IDS = st.sampled_from(["a", "1", "", "ü", "\\u0041", "\\", "\x01", "\t", "[", '"q"', "x y"])


@settings(
    max_examples=tries(200, 2000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.tuples(IDS, st.floats(allow_nan=False, allow_infinity=False).map(repr))),
    st.lists(st.tuples(IDS, NUMBERS), max_size=2),
    st.sampled_from([1, 30, 1 << 20]),
)
def test_numeric_column_equals_float_of_its_texts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    plain: list[tuple[str, str]],
    odd: list[tuple[str, str]],
    block: int,
) -> None:
    file = tmp_path / "a.csv"
    lines = [f"{name},{value}" for name, value in [*plain, *odd]]
    file.write_text("\n".join(["p,q", *lines, ""]), "utf-8")
    monkeypatch.setattr(csv_table, "_BLOCK", block)
    texts, table = read_table(file), read_table(file, numbers=("q",))
    assert table.columns == texts.columns
    assert list(table.lines) == list(texts.lines)
    if "q" in table.numbers:
        assert table.numbers["q"].tolist() == [float(text) for text in texts.columns["q"]]
    easy = all(not set(name) & set('"\\\x01\t') for name, _ in plain)
    assert ("q" in table.numbers) or odd or not plain or not easy

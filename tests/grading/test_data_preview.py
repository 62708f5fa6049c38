"""What a reader learns of a competition's files without seeing them."""

from __future__ import annotations

import gzip
from pathlib import Path

from mle_modernizer_server.grading.data_preview import data_preview


def test_tables_are_told_by_columns_types_and_first_rows(tmp_path: Path) -> None:
    rows = "\n".join(f"{at},{at / 2},{'ab'[at % 2]},{'' if at % 3 else 1}" for at in range(50))
    (tmp_path / "train.csv").write_text(f"id,price,kind,rare\n{rows}\n")
    text = data_preview(tmp_path)
    assert "train.csv (" in text
    assert "train.csv: 50 rows, 4 columns: id int; price float; kind text with 2 values" in text
    assert "rare int (some missing)" in text
    assert "  0,0.0,a,1\n  1,0.5,b," in text
    assert "  2,1.0" not in text
    assert "in the first" not in text, "all 50 rows were read"


def test_only_the_beginning_of_a_large_table_is_read(tmp_path: Path) -> None:
    line = "1,2.5,word\n"
    (tmp_path / "big.csv").write_text("a,b,c\n" + line * 100_000)
    with gzip.open(tmp_path / "packed.csv.gz", "wt") as packed:
        packed.write("a,b,c\n" + line * 100_000)
    text = data_preview(tmp_path)
    assert "big.csv: about 100,000 rows, 3 columns" in text
    assert "(as in the first 200 rows): a int; b float; c text" in text
    assert "(as in the first 200 rows): as big.csv\n" in text
    assert "packed.csv.gz: about " in text
    assert text.count("(as in the first 200 rows)") == 2
    assert len(text) < 1_000


def test_a_crowd_of_files_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    for at in range(60):
        (tmp_path / "images" / f"{at:03}.png").touch()
    assert "60 files (60 .png), such as 000.png" in data_preview(tmp_path)


def test_odd_files_are_said_to_be_odd_and_no_link_leads_out(tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    (tmp_path / "secret.csv").write_text("password\nhunter2\n")
    (public / "link.csv").symlink_to(tmp_path / "secret.csv")
    (public / "empty.csv").touch()
    (public / "nul.csv").write_bytes(b"a,b\x00\n1,2\n")
    (public / "wide.csv").write_text(",".join(f"column{at}" for at in range(500)) + "\n")
    (public / "bad.csv.gz").write_bytes(b"not packed")
    (public / "quote.csv").write_text('a,b\n"' + "x" * 200_000)
    text = data_preview(public)
    assert "hunter2" not in text
    assert "empty.csv: empty" in text
    assert "bad.csv.gz: cannot be read (BadGzipFile)" in text
    assert "wide.csv: 0 rows, 500 columns" in text
    assert "… 460 more" in text
    assert "quote.csv: " in text


def test_a_directory_that_is_not_there_is_told_as_nothing(tmp_path: Path) -> None:
    assert data_preview(tmp_path / "none") == ""

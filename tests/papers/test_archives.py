"""Archives are read in memory: bounded, and no path in them leads anywhere."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from mle_modernizer_server.domain.paper import PaperFormat, PaperProblem, PaperRemarkCode
from mle_modernizer_server.papers import child, sources
from tests.papers.examples import SOURCES, packed


def test_an_archive_of_sources_is_read() -> None:
    paper = child.read("2101.00001.tar.gz", {"2101.00001.tar.gz": packed(SOURCES)}).paper
    assert paper is not None
    assert paper.format is PaperFormat.LATEX
    assert len(paper.tables) == 1


def test_a_lone_source_may_be_compressed_and_have_no_suffix() -> None:
    data = gzip.compress(SOURCES["main.tex"])
    paper = child.read("2101.00001", {"2101.00001": data}).paper
    assert paper is not None
    assert paper.format is PaperFormat.LATEX


def test_a_zip_is_an_archive() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in SOURCES.items():
            archive.writestr(name, data)
    paper = child.read("paper.zip", {"paper.zip": stream.getvalue()}).paper
    assert paper is not None
    assert len(paper.tables) == 1


def test_links_and_paths_out_of_the_archive_are_ignored(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("the secret")
    link = tarfile.TarInfo("method.tex")
    link.type, link.linkname = tarfile.SYMTYPE, str(secret)
    files = {"main.tex": SOURCES["main.tex"], "../evil.tex": b"x", "/tmp/abs.tex": b"x"}
    paper = child.read("a.tar.gz", {"a.tar.gz": packed(files, link)}).paper
    assert paper is not None
    unsafe = [one.parameter for one in paper.remarks if one.code is PaperRemarkCode.UNSAFE_MEMBER]
    assert sorted(unsafe) == ["../evil.tex", "/tmp/abs.tex", "method.tex"]
    assert "the secret" not in paper.model_dump_json()


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_STREAM", 1_000_000)
    bomb = gzip.compress(b"\0" * 5_000_000)
    assert child.read("b.gz", {"b.gz": bomb}).problem is PaperProblem.TOO_LARGE


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_MEMBERS", 3)
    many = packed({f"{n}.tex": b"x" for n in range(5)})
    assert child.read("m.tar.gz", {"m.tar.gz": many}).problem is PaperProblem.TOO_LARGE


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (packed({"a.png": b"x"}), PaperProblem.NO_SOURCE),
        (packed(SOURCES)[:200], PaperProblem.BAD_ARCHIVE),
        (b"PK\x03\x04 and no more", PaperProblem.BAD_ARCHIVE),
        (b"\x89PNG\r\n\x1a\n\0\0\0", PaperProblem.UNKNOWN_FORMAT),
        (b"  \n ", PaperProblem.EMPTY),
    ],
    # A compressed archive holds the time it was made: it is not the same name in two processes.
    ids=["picture alone", "cut off", "no zip", "png", "blank"],
)
def test_what_is_no_paper_is_said(data: bytes, problem: PaperProblem) -> None:
    assert child.read("x.bin", {"x.bin": data}).problem is problem


def test_main_source_is_the_document_not_a_picture() -> None:
    picture = rb"\documentclass{standalone}\begin{document}x\end{document}" + b" " * 90_000
    files = {"figs/plot.tex": picture, **SOURCES}
    assert sources.main_source(files) == "main.tex"

"""A paper is read in a process of its own, within limits, and the files beside it are confined."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadPaper
from mle_modernizer_server.domain.paper import PaperProblem
from mle_modernizer_server.papers.read import ReadingLimits, read_paper
from tests.papers.examples import SOURCES, pdf
from tests.refusals import refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "paper"
    place.mkdir()
    for name, data in SOURCES.items():
        (place / name).write_bytes(data)
    return place


def test_a_source_is_read_with_the_files_beside_it(folder: Path) -> None:
    assert "Method" in [section.title for section in read_paper(folder / "main.tex").sections]


def test_a_link_beside_it_is_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("the secret")
    (folder / "method.tex").unlink()
    (folder / "method.tex").symlink_to(secret)
    assert "the secret" not in read_paper(folder / "main.tex").model_dump_json()


def test_it_is_ended_when_it_takes_too_long(folder: Path) -> None:
    with pytest.raises(BadPaper) as caught:
        read_paper(folder / "main.tex", ReadingLimits(seconds=0.05))
    assert caught.value.problem is PaperProblem.TIME


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_it_may_not_take_all_memory(tmp_path: Path) -> None:
    file = tmp_path / "large.md"
    file.write_bytes(b"word " * 10_000_000)
    with pytest.raises(BadPaper) as caught:
        read_paper(file, ReadingLimits(memory=250 << 20))
    assert caught.value.problem in (PaperProblem.MEMORY, PaperProblem.CRASHED)


def test_the_reason_is_said_with_the_files_name(tmp_path: Path) -> None:
    file = tmp_path / "locked.pdf"
    file.write_bytes(pdf(password="x"))
    with refused(BadPaper, match=r"locked\.pdf needs a password"):
        read_paper(file)


@pytest.mark.parametrize(
    "action",
    [
        "open('/etc/hostname')",
        "open('made.txt', 'w')",
        "__import__('subprocess').run(['true'])",
        "__import__('socket').create_connection(('127.0.0.1', 9))",
    ],
)
def test_the_process_opens_writes_starts_and_reaches_nothing(action: str, tmp_path: Path) -> None:
    code = (
        "import sys; from mle_modernizer_server.untrusted.guard import Guard\n"
        "import subprocess, socket\n"
        f"sys.addaudithook(Guard('reading a paper', []))\n{action}"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "PermissionError: reading a paper does not" in done.stderr


def test_pipes_in_the_folder_are_passed(folder: Path) -> None:
    (folder / "method.tex").unlink()
    for name in ("method.tex", "appendix.tex", "refs.bib"):
        os.mkfifo(folder / name)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.tex")).write_text("x")
    sections = [section.title for section in read_paper(folder / "main.tex").sections]
    assert sections
    assert "Method" not in sections


@pytest.mark.parametrize("name", ["x.tex", "x.pdf"])
def test_pipe_in_the_place_of_a_paper_is_refused(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(BadPaper) as caught:
        read_paper(tmp_path / name)
    assert caught.value.problem is PaperProblem.UNKNOWN_FORMAT


def test_paper_with_a_name_too_long_is_refused(tmp_path: Path) -> None:
    with refused(BadPaper, match="cannot be read"):
        read_paper(tmp_path / f"{'n' * 300}.tex")


def test_missing_extra_is_named_with_the_line_to_type(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mle_modernizer_server.papers.read.PACKAGES", ("a_package_nobody_has",))
    with refused(BadPaper, match=r"pip install 'mle-modernizer\[papers\]'"):
        read_paper(folder / "main.tex")

"""What cannot work is refused before anything runs: one sentence, exit code 2, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import LOAD, SUBMIT, Cli, Write


def refused(cli: Cli, *arguments: object) -> str:
    ended = cli(*arguments)
    assert ended.code == 2
    assert "Run 1" not in ended.out
    assert "Traceback" not in ended.err
    lines = ended.err.strip().splitlines()
    assert len([line for line in lines if line.startswith("jupyter modernize: ")]) == 1
    return lines[-1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"print('hello')\n", "not a notebook"),
        (b"", "not a notebook"),
        (b"\xff\xfe\x00", "not a notebook"),
        (b"[1, 2]", "not a notebook"),
        (b'{"a": 1}', "not a notebook"),
        (b'{"nbformat": 2, "cells": []}', "format"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}', "no code"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "damaged"),
        (
            b'{"nbformat": 4, "nbformat_minor": 2, '
            b'"metadata": {"kernelspec": {"language": "R", "name": "ir"}}, '
            b'"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], '
            b'"execution_count": null, "source": "x <- 1"}]}',
            "only Python",
        ),
    ],
)
def test_a_file_that_is_no_python_notebook(
    cli: Cli, tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "old.ipynb"
    file.write_bytes(content)
    assert words in refused(cli, "run", file)
    assert file.read_bytes() == content


def test_a_file_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    assert "does not exist" in refused(cli, "run", tmp_path / "none.ipynb")
    assert "is not a file" in refused(cli, "run", tmp_path)


@pytest.mark.parametrize("command", ["run", "preflight"])
def test_a_file_of_200_megabytes_is_not_read(cli: Cli, tmp_path: Path, command: str) -> None:
    file = tmp_path / "old.ipynb"
    with file.open("wb") as stream:
        stream.truncate(200_000_000)
    assert "200 MB, more than the limit of 100 MB" in refused(cli, command, file)


def test_step_mode_without_a_terminal(cli: Cli, write: Write) -> None:
    path = write(LOAD, SUBMIT)
    assert "add --auto" in refused(cli, path)
    assert "add --auto" in refused(cli, path, "--step")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--competition", "paritty"], "Did you mean parity?"),
        (["--competition", "../parity"], "no competition"),
        (["--sandbox", "castle"], "castle"),
        (["--fixer", "llm"], "No language model is configured"),
        (["--fixer", "rules,llm"], "No language model is configured"),
        (["--llm-base-url", "localhost:1"], "http"),
    ],
)
def test_flags_that_cannot_work(cli: Cli, write: Write, flags: list[str], words: str) -> None:
    assert words in refused(cli, write(LOAD, SUBMIT), "--auto", *flags)


def test_a_broken_competition(cli: Cli, write: Write, data_root: Path) -> None:
    (data_root / "parity" / "competition.yaml").write_text("metric: rnse\nid_columns: [Id]\n")
    sentence = refused(cli, "run", write(LOAD, SUBMIT), "--competition", "parity")
    assert "competition.yaml" in sentence
    assert "`metric`" in sentence


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ("titanic", "must be an object"),
        ({"competition": 7}, "`mle_modernizer.competition`"),
        ({"target_score": "high"}, "`mle_modernizer.target_score`"),
        ({"target_score": True}, "`mle_modernizer.target_score`"),
        ({"target_kind": "guessed"}, "guessed"),
        ({"distance": 7}, "`mle_modernizer`"),
        ({"time_limit": -5}, "time_limit (--time-limit) is wrong"),
        ({"time_limit": 0}, "time_limit (--time-limit) is wrong"),
    ],
)
def test_metadata_that_cannot_be_used(cli: Cli, write: Write, metadata: object, words: str) -> None:
    assert words in refused(cli, "run", write(LOAD, SUBMIT, mle_modernizer=metadata))


def test_metadata_that_is_not_a_finite_number(cli: Cli, write: Write) -> None:
    path = write(LOAD, mle_modernizer={"target_score": 1})
    path.write_text(path.read_text().replace('"target_score": 1', '"target_score": NaN'))
    assert "finite number" in refused(cli, "run", path)


def test_files_that_must_not_be_written(cli: Cli, write: Write, tmp_path: Path) -> None:
    path = write(LOAD, SUBMIT)
    before = path.read_bytes()
    other = tmp_path / "other.ipynb"
    other.write_text("mine")
    link = tmp_path / "link.ipynb"
    link.symlink_to(path)
    for output, words in (
        (path, "the notebook itself"),
        (link, "the notebook itself"),
        (other, "--force"),
        (tmp_path, "is a directory"),
        (tmp_path / "no" / "new.ipynb", "does not exist"),
    ):
        assert words in refused(cli, path, "--auto", "--output", output)
    assert "the notebook itself" in refused(cli, path, "--auto", "--output", path, "--force")
    assert "the notebook itself" in refused(cli, "run", path, "--report", path, "--force")
    new = tmp_path / "new.ipynb"
    assert "same file" in refused(cli, path, "--auto", "--output", new, "--report", new)
    assert (path.read_bytes(), other.read_text()) == (before, "mine")
    assert json.loads(before)["nbformat"] == 4

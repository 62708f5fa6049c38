"""`jupyter modernize --finish`: the outputs of the run go into what is written."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from mle_modernizer_server.domain.notebook import sources_crc32
from mle_modernizer_server.execution.notebook_file import open_notebook
from tests.cli.conftest import BROKEN, LOAD, SUBMIT_RANKED, Cli, Write


def test_written_notebook_has_outputs_and_their_origin(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    done = SUBMIT_RANKED + "\nprint('<b>done</b>')"
    path = write(f"import numpy\n{LOAD}", BROKEN, done, author="me")
    before = path.read_bytes()
    output = tmp_path / "new.ipynb"
    ended = cli(path, "--auto", "--fixer", "rules", "--target-score", "1",
                "--output", output, "--finish")  # fmt: skip
    assert ended.code == 0, ended.err
    assert path.read_bytes() == before
    written = nbformat.read(output, as_version=4)
    nbformat.validate(written)
    assert [cell.execution_count for cell in written.cells] == [1, 2, 3]
    assert written.cells[2].outputs[-1].text == "<b>done</b>\n"
    assert "time.perf_counter" in written.cells[1].source
    assert written.metadata.author == "me"
    said = written.metadata.mle_modernizer.provenance
    assert said.outcome == "reproduced" and said.score == 1 and said.run == 2
    assert said.packages["numpy"] and said.python == written.metadata.language_info.version
    notebook = open_notebook(output).notebook
    assert said.sources_crc32 == sources_crc32(notebook.cells)


@pytest.mark.thorough
def test_an_old_format_is_written_as_a_new_one(cli: Cli, write: Write, tmp_path: Path) -> None:
    path = write(LOAD, BROKEN, SUBMIT_RANKED)
    content = json.loads(path.read_text())
    cells = [
        {"cell_type": "code", "language": "python", "input": cell["source"], "outputs": [],
         "metadata": {}, "collapsed": False}
        for cell in content["cells"]
    ]  # fmt: skip
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""},
           "worksheets": [{"cells": cells, "metadata": {}}]}  # fmt: skip
    path.write_text(json.dumps(old))
    output = tmp_path / "new.ipynb"
    ended = cli(path, "--auto", "--target-score", "1", "--output", output, "--finish")
    assert ended.code == 0, ended.err
    written = nbformat.read(output, as_version=nbformat.NO_CONVERT)
    nbformat.validate(written)
    assert (written.nbformat, written.cells[0].execution_count) == (4, 1)


@pytest.mark.thorough
def test_a_notebook_without_a_change_is_finished_as_well(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path = write(LOAD, "print('fine')")
    output = tmp_path / "new.ipynb"
    assert cli(path, "--auto", "--output", output, "--finish").code in (0, 1)
    assert nbformat.read(output, as_version=4).cells[1].outputs[0].text == "fine\n"

"""The program around the work: a second process that looks into notebooks, and a quick end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
import pytest

from mle_modernizer_server.cli.command import WITHOUT_ANALYSIS, looks_into_notebooks
from mle_modernizer_server.cli.main import _COMMANDS
from mle_modernizer_server.cli.reading_ahead import questions_about

PROGRAM = (sys.executable, "-c", "from mle_modernizer_server.cli.command import command; command()")


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    path = tmp_path / "old.ipynb"
    cell = nbformat.v4.new_code_cell("import numpy as np\nnp.float(1)")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_only_what_looks_into_notebooks_starts_the_process() -> None:
    assert set(_COMMANDS) - {"preflight", "mcp"} == WITHOUT_ANALYSIS
    assert looks_into_notebooks(["preflight", "a.ipynb"])
    assert looks_into_notebooks(["a.ipynb", "--auto"])
    assert not looks_into_notebooks(["grade", "a.csv"])
    assert not looks_into_notebooks(["a.ipynb", "--help"])
    assert not looks_into_notebooks([])


def test_the_exit_code_and_all_output_arrive(notebook: Path) -> None:
    done = subprocess.run((*PROGRAM, "preflight", str(notebook)), capture_output=True, text=True)
    assert done.returncode == 1
    assert "np.float" in done.stdout
    assert done.stderr == ""


def test_a_reader_that_has_gone_is_no_traceback(notebook: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        (*PROGRAM, "preflight", str(notebook)), stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_the_process_ends_with_a_command_that_is_killed(notebook: Path) -> None:
    started = subprocess.Popen((*PROGRAM, "preflight", str(notebook)), stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not (children := psutil.Process(started.pid).children()) and time.monotonic() < until:
        time.sleep(0.01)
    started.kill()
    started.wait()
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert gone and not alive


def test_notebook_unreadable_ahead_is_refused_by_the_command(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ipynb"
    broken.write_text('{"cells": [')
    done = subprocess.run((*PROGRAM, "preflight", str(broken)), capture_output=True, text=True)
    assert done.returncode == 2
    assert "broken.ipynb" in done.stderr and "Traceback" not in done.stderr


def test_what_is_read_ahead_is_what_the_command_asks_first(notebook: Path) -> None:
    (question,) = questions_about(str(notebook))
    assert [cell.source for cell in question.notebook.cells] == ["import numpy as np\nnp.float(1)"]
    assert not list(questions_about("")) and not list(questions_about("nowhere.ipynb"))

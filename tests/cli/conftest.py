"""Notebooks on disk, a small competition, and the command line to run on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.cli.main import main

START = [
    sys.executable,
    "-c",
    "import sys; from mle_modernizer_server.cli.main import main; sys.exit(main())",
]
"""The console script, whatever is installed."""

LOAD = (
    "import time\nwith open('../input/parity/test.csv') as file:\n"
    "    test = [int(line) for line in file.read().split()[1:]]"
)
"""It loads no library: that takes a kernel longer than its start."""
SUBMIT = (
    "with open('submission.csv', 'w') as file:\n"
    "    print('Id,Odd', *(f'{i},{i % 2}' for i in test), sep='\\n', file=file)"
)
"""Scores 1.0."""
BROKEN = "begun = time.clock()\nranked = list(test)"
"""Fails since Python 3.8."""
SUBMIT_RANKED = SUBMIT.replace("in test", "in ranked")
"""Scores 1.0 as well, but needs what the broken cell makes."""

Write = Callable[..., Path]


@dataclass(frozen=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str


Cli = Callable[..., Ended]


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks a model that the machine happens to have configured."""
    for name in list(os.environ):
        if name.startswith(("MLE_MODERNIZER_", "OPENAI_", "AZURE_OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "no")


@pytest.fixture
def data_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data root with the competition `parity`: is the id odd?"""
    root = tmp_path / "data"
    public, private = root / "parity/prepared/public", root / "parity/prepared/private"
    public.mkdir(parents=True)
    private.mkdir()
    ids = range(1, 41)
    (root / "parity/competition.yaml").write_text("metric: accuracy\nid_columns: [Id]\n")
    (public / "test.csv").write_text("Id\n" + "".join(f"{i}\n" for i in ids))
    (public / "sample_submission.csv").write_text("Id,Odd\n" + "".join(f"{i},0\n" for i in ids))
    (private / "answers.csv").write_text("Id,Odd\n" + "".join(f"{i},{i % 2}\n" for i in ids))
    monkeypatch.setenv("MLE_MODERNIZER_DATA_ROOT", str(root))
    return root


@pytest.fixture
def write(tmp_path: Path, data_root: Path) -> Write:
    """Writes a notebook of code cells."""

    def write(*sources: str, name: str = "old.ipynb", **metadata: Any) -> Path:
        cells = [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"c{number}",
                "metadata": {},
                "outputs": [],
                "source": source.splitlines(keepends=True),
            }
            for number, source in enumerate(sources)
        ]
        content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
        path = tmp_path / name
        path.write_text(json.dumps(content, indent=1))
        return path

    return write


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> Cli:
    """Runs the command line in this process, whose standard output is no terminal."""

    def run(*arguments: object) -> Ended:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Ended(code, captured.out, captured.err)

    return run


def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """The command line in a process of its own."""
    return subprocess.Popen(
        [*START, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.fixture(autouse=True)
def plain_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may want colours; the tests read plain text."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)

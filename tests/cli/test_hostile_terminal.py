"""What a notebook, a paper or a file's name holds does nothing to a real terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import START
from tests.cli.terminal import Terminal

_EVIL = "\x1b]0;owned\x07\x1b]52;c;cm0gLXJm\x07\x1b[2J\x1b[6n\x1bP$qm\x1b\\\x9b31m\x08\r"
"""Title, clipboard, clearing, a question to the terminal, a device string, 8-bit, going back."""
_DRAWN = re.compile(rb"\r?\x1b\[[0-9]*[AK]|\x1b\[(?:[0-9;]*m|\?25[hl])")
"""A line is drawn anew from its beginning: the longer a run takes, the more often."""


def reached(*arguments: str) -> Terminal:
    """The terminal after a command."""
    terminal = Terminal([*START, *arguments])
    terminal.end()
    return terminal


def check(terminal: Terminal) -> None:
    """Nothing came but text, and what our own screens are drawn with."""
    rest = _DRAWN.sub(b"", terminal.raw).replace(b"\r\n", b"\n")
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", rest), rest
    assert not re.search("[\x80-\x9f]", rest.decode()), rest


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    """A notebook that is hostile in its name, title, cells, cell ids, outputs and errors."""
    cells = [
        {"cell_type": "markdown", "id": "m", "metadata": {}, "source": f"# {_EVIL}"},
        *(
            {
                "cell_type": "code",
                "id": f"c{number}",
                "metadata": {},
                "outputs": [],
                "execution_count": None,
                "source": source,
            }
            for number, source in enumerate(
                (
                    f"print({_EVIL!r})",
                    f"open({('../input/' + _EVIL)!r})",
                    f"raise type({_EVIL!r}, (Exception,), {{}})({_EVIL!r})",
                )
            )
        ),
    ]
    path = tmp_path / f"bad{_EVIL.replace('/', '')}.ipynb"
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    path.write_text(json.dumps(whole))
    return path


def test_a_run_with_hostile_outputs(notebook: Path) -> None:
    terminal = reached("run", str(notebook), "--sandbox", "process")
    assert "cell number 3" in terminal.shown.lower()
    check(terminal)


@pytest.mark.thorough
def test_a_preflight(notebook: Path) -> None:
    terminal = reached("preflight", str(notebook))
    assert "will not find" in terminal.shown
    check(terminal)


@pytest.mark.parametrize(
    "command",
    [
        ("run",),
        *(
            pytest.param(one, marks=pytest.mark.thorough)
            for one in (("preflight",), ("grade",), ())
        ),
    ],
)
def test_a_name_that_is_not_there(tmp_path: Path, command: tuple[str, ...]) -> None:
    terminal = reached(*command, str(tmp_path / f"{_EVIL}.ipynb"))
    assert "ipynb" in terminal.shown
    check(terminal)


@pytest.mark.parametrize(
    "options",
    [
        (),
        *(pytest.param((one,), marks=pytest.mark.thorough) for one in ("--text", "--claims")),
    ],
)
def test_a_paper(tmp_path: Path, options: tuple[str, ...]) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text(f"# Title {_EVIL}\n\n## Part {_EVIL}\n\nWe reach 91.2% accuracy. {_EVIL}\n")
    terminal = reached("paper", str(paper), *options)
    assert "91.2" in terminal.shown
    check(terminal)


def test_colours_are_still_drawn() -> None:
    assert b"\x1b[1m" in reached("rules").raw

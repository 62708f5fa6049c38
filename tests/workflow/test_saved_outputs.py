"""Runs compared with the outputs that the notebook's file had kept."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from mle_modernizer_server.cli.terminal.summary import agreement_text, iterations_table
from mle_modernizer_server.domain.notebook import OutputMatch
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.words import text
from tests.workflow.test_recovery import modernizer


def saved_notebook(folder: Path) -> Path:
    """A file without cell ids, as they were before nbformat 4.5."""

    def cell(source: str, text: str) -> dict[str, Any]:
        outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        return {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "source": source,
            "outputs": outputs,
        }

    cells = [
        cell("x = 2", ""),
        cell("print('accuracy:', x / 4)", "('accuracy:', 0.5)\n"),
        cell("print(x + 1)", "7\n"),
    ]
    file = folder / "old.ipynb"
    file.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}), "utf-8"
    )
    return file


async def test_a_run_says_which_cells_give_what_they_gave(
    tmp_path: Path,
) -> None:
    file = open_notebook(saved_notebook(tmp_path))
    work = modernizer(tmp_path)
    session = work.sessions.create(
        "old.ipynb", file.notebook, SessionSettings(), file.traces, saved=file.saved
    )
    work.runs.start_check(session.id, file.notebook)
    session = await asyncio.wait_for(work.sessions.finished(session.id), 120)
    html, markdown = (
        work.sessions.report(session.id, "html"),
        work.sessions.report(session.id, "markdown"),
    )
    names = work.sessions.cell_names(session.id)
    await work.close()
    # No score is to be had, so this is how it came out, first of all and everywhere.
    assert (
        text(session.message)
        == "Every cell ran without an error. 1 of 2 outputs that can be compared match."
    )
    assert text(session.result) == "Runs, but outputs differ" and not session.scored
    assert "<strong>Runs, but outputs differ</strong>" in html and "Target score" not in html
    assert "1 of 2 outputs that can be compared match" in html and "<td>1 of 2</td>" in html
    assert "- Outcome: Runs, but outputs differ\n" in markdown and "| 1 of 2 |" in markdown
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(iterations_table(session))
    table = console.export_text()
    assert "as saved" in table and "runs, but outputs differ" in table and "deviation" not in table
    assert agreement_text(session.iterations[-1], names).plain.startswith(
        "First difference from the saved outputs: cell [1] `print(x + 1)` gives a different output"
    )
    agreement = session.iterations[-1].agreement
    assert agreement is not None
    assert (agreement.agreeing, agreement.compared) == (1, 2)
    first = agreement.first_difference()
    assert first is not None
    assert (first.ordinal, first.match) == (3, OutputMatch.DIFFERENT)
    assert first.difference is not None
    assert (first.difference.saved, first.difference.fresh) == ("7", "3")


async def test_without_saved_outputs_nothing_is_compared(
    tmp_path: Path,
) -> None:
    path = saved_notebook(tmp_path)
    content = json.loads(path.read_text("utf-8"))
    for cell in content["cells"]:
        cell["outputs"] = []
    path.write_text(json.dumps(content), "utf-8")
    file = open_notebook(path)
    work = modernizer(tmp_path)
    session = work.sessions.create(
        "old.ipynb", file.notebook, SessionSettings(), file.traces, saved=file.saved
    )
    work.runs.start_check(session.id, file.notebook)
    session = await asyncio.wait_for(work.sessions.finished(session.id), 120)
    await work.close()
    assert session.iterations[-1].agreement is None
    assert text(session.result) == "Runs without errors"
    assert text(session.message) == (
        "Every cell ran without an error. No competition is selected, so there is no score."
    )

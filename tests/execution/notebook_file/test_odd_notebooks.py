"""Notebooks that nobody's editor would write: each is read, or refused with a sentence."""

from __future__ import annotations

import copy
import json
import os
import random
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.batch.plan import recorded_seconds
from mle_modernizer_server.domain.errors import BadNotebook, ModernizerError
from mle_modernizer_server.domain.notebook import Cell, CellType, FinishedRun, Notebook, Provenance
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.grading.target import suggest_targets
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.study.reproduction import experiment_in
from tests.refusals import refused
from tests.thoroughness import tries


def _code(source: object = "x = 1", **more: object) -> dict[str, Any]:
    output = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
    table = {"output_type": "execute_result", "data": {"text/plain": ["1"]}, "metadata": {}}
    cell = {"cell_type": "code", "metadata": {}, "outputs": [output, table], "source": source}
    return {**cell, "execution_count": 1, "id": "c", **more}


def _notebook(*cells: dict[str, Any], **more: object) -> dict[str, Any]:
    metadata = {"kernelspec": {"name": "python3"}, "language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": [*cells], **more}


def _old_notebook() -> dict[str, Any]:
    cells = [
        {"cell_type": "heading", "level": 1, "metadata": {}, "source": ["Title"]},
        {
            **{"cell_type": "code", "input": ["print 1\n", "x"], "language": "python"},
            **{"metadata": {}, "prompt_number": 1, "collapsed": False},
            "outputs": [{"output_type": "pyout", "text": ["1"], "json": "{}", "metadata": {}}],
        },
    ]
    sheets = [{"cells": cells, "metadata": {}}]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "a"}, "worksheets": sheets}


def _written(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "odd.ipynb"
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("minor", ["absent", None, "5", [], 10**30, -1, True])
def test_minor_version_of_wrong_type_is_read(tmp_path: Path, minor: object) -> None:
    content = _notebook(_code(), nbformat_minor=minor)
    if minor == "absent":
        del content["nbformat_minor"]
    file = open_notebook(_written(tmp_path, content))
    assert file.notebook.cells == (Cell(id="c", type=CellType.CODE, source="x = 1"),)
    assert json.loads(file.with_sources(file.notebook)) == content


@pytest.mark.parametrize("score", [10**400, -(10**400), float("nan"), "high", True])
def test_target_score_out_of_range_is_refused(tmp_path: Path, score: object) -> None:
    metadata = {"mle_modernizer": {"target_score": score}}
    path = _written(tmp_path, _notebook(_code(), metadata=metadata))
    with refused(ModernizerError, match="target_score` in .*odd.ipynb must be a finite number"):
        open_notebook(path)
    assert suggest_targets(Notebook(cells=()), metadata=metadata) == ()


def test_path_longer_than_a_file_name_is_refused(tmp_path: Path) -> None:
    with refused(ModernizerError, match="does not exist"):
        open_notebook(tmp_path / f"{'n' * 300}.ipynb")


def test_path_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.ipynb"))
    path.write_text(json.dumps(_notebook(_code())))
    with refused(ModernizerError, match="Rename the file") as caught:
        open_notebook(path)
    text(caught.value.message).encode()


def test_pipe_named_as_a_notebook_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    with refused(ModernizerError, match="is not a file"):
        open_notebook(tmp_path / "pipe.ipynb")


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (1, "cell 1 is no object"),
        (_code(cell_type="x"), "cell 1 has no known type"),
        (_code(cell_type=["code"]), "cell 1 has no known type"),
        (_code(7), "cell 1 has no text in `source`"),
        (_code(["a", 7]), "cell 1 has no text in `source`"),
    ],
)
def test_damaged_cell_is_refused_with_its_place(tmp_path: Path, cell: Any, words: str) -> None:
    with refused(BadNotebook, match=words):
        open_notebook(_written(tmp_path, _notebook(cell)))


def test_heading_of_huge_level_is_read(tmp_path: Path) -> None:
    content = _old_notebook()
    content["worksheets"][0]["cells"][0]["level"] = 10**12
    assert open_notebook(_written(tmp_path, content)).notebook.cells[0].source == "# Title"


def test_odd_outputs_are_left_out(tmp_path: Path) -> None:
    odd = [1, {}, {"output_type": "stream"}, {"output_type": "stream", "text": [1]}]
    odd += [{"output_type": "display_data", "data": []}, {"output_type": ["error"]}]
    good = _code()["outputs"]
    file = open_notebook(_written(tmp_path, _notebook(_code(outputs=[*odd, *good]))))
    (saved,) = file.saved.cells
    assert [output["output_type"] for output in saved.outputs] == ["stream", "execute_result"]


ODD = (
    *(None, True, -1, 10**30, 10**400, 0.5, float("nan"), float("inf"), "", "x", "\ud800", "\0"),
    *([], [1], [None, "a"], ["a\n", "b"], [[]], {}, {"a": 1}, {"text/plain": [1]}, "4", 3, 4, 5),
    *("code", "heading", "error", "pyout", "application/json", "y" * 3_000),
    json.loads("[" * 60 + "]" * 60),
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a JSON value."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    places = [(value, key) for key in keys]
    inner = (value[key] for key in keys if isinstance(value[key], dict | list))
    return [*places, *(place for one in inner for place in _places(one))]


def _mutated(content: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    content = copy.deepcopy(content)
    for _ in range(chance.randint(1, 4)):
        container, key = chance.choice(_places(content))
        deed = chance.randrange(4)
        if deed == 0:
            del container[key]
        elif deed == 1 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
        if not content:
            break
    return content


_FULL = (
    _notebook(
        {
            **{"cell_type": "markdown", "source": "LB score 0.8", "id": "m", "metadata": {}},
            "attachments": {"a.png": {"image/png": "AAAA"}},
        },
        _code(metadata={"execution": {"iopub.execute_input": "2020-01-01T00:00:00Z"}}),
        _code(
            ["1 / 0\n", "x"],
            id="d",
            metadata={"papermill": {"duration": 3.5}},
            outputs=[
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
                {"output_type": "display_data", "data": {"image/png": "AA", "text/html": ["a"]}},
            ],
        ),
        metadata={
            "kernelspec": {"name": "python3", "language": "python"},
            "language_info": {"name": "python", "version": "3.6.1"},
            "mle_modernizer": {
                **{"competition": "parity", "target_score": 0.8, "time_limit": 60},
                **{"target_kind": "graded", "distance": "target", "reproduction": {"source": "a"}},
            },
        },
    ),
    _old_notebook(),
)


_NOW = datetime.now(timezone.utc)
_FINISHED = FinishedRun(
    run=1,
    notebook_hash="",
    cells=(),
    provenance=Provenance(
        **{"tool": "", "session": "", "outcome": "", "sources_crc32": ""}, run=1, finished_at=_NOW
    ),
)


def _read_in_every_way(path: Path) -> None:
    """Read a notebook file as every command and the server do.

    Raises:
        ModernizerError: A reader refuses it.
    """
    content = path.read_bytes()
    recorded_seconds(content)
    try:
        experiment_in(content, path.name)
    except ModernizerError as error:
        assert text(error.message).endswith(".")
    file = open_notebook(path)
    file.notebook.model_dump_json()
    file.traces.model_dump_json()
    file.saved.model_dump_json()
    _check_writing(file)


def _check_writing(file: NotebookFile) -> None:
    assert file.with_sources(file.notebook) == file.content
    changed = tuple(
        cell.model_copy(update={"source": f"{cell.source} #"})
        if cell.type is CellType.CODE
        else cell
        for cell in file.notebook.cells
    )
    content = file.with_sources(Notebook(cells=changed, language=file.notebook.language))
    file.path.write_bytes(content)
    again = open_notebook(file.path).notebook.cells
    assert [cell.source for cell in again] == [cell.source for cell in changed]
    file.finished(file.notebook, _FINISHED)


@given(seed=st.integers(0, 2**32), which=st.sampled_from(_FULL))
@settings(max_examples=tries(250, 5_000), deadline=None)
def test_mutated_notebook_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, seed: int, which: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated.ipynb"
    path.write_text(json.dumps(_mutated(which, random.Random(seed))))
    try:
        _read_in_every_way(path)
    except ModernizerError as error:
        assert error.status == 400
        assert text(error.message).endswith(".")

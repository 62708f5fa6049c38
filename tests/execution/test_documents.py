"""Notebook files of every kind are read, or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from mle_modernizer_server.diagnosis.saved_outputs import compare_outputs
from mle_modernizer_server.domain.errors import BadNotebook, TooLarge
from mle_modernizer_server.domain.notebook import CellType, OutputMatch
from mle_modernizer_server.execution.documents import (
    notebook_from_json,
    saved_outputs,
)
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.words import text
from tests.refusals import refused


def _code(source="x = 1", **more):
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
        **more,
    }


def _notebook(*cells, minor=5, **metadata):
    return {"nbformat": 4, "nbformat_minor": minor, "metadata": metadata, "cells": list(cells)}


def test_ids_and_sources_are_kept():
    markdown = {"cell_type": "markdown", "id": "m", "metadata": {}, "source": ["# A\n", "b"]}
    node, notebook = notebook_from_json(_notebook(markdown, _code(["a = 1\n", "b"], id="c")))
    assert [(cell.id, cell.type, cell.source) for cell in notebook.cells] == [
        ("m", CellType.MARKDOWN, "# A\nb"),
        ("c", CellType.CODE, "a = 1\nb"),
    ]
    nbformat.validate(node)


def test_missing_and_invalid_ids_are_generated_reproducibly():
    content = _notebook(
        _code("a", id="same"), _code("b", id="same"), _code("b"), _code("b", id="not valid!")
    )
    first = [cell.id for cell in notebook_from_json(content)[1].cells]
    again = [cell.id for cell in notebook_from_json(json.loads(json.dumps(content)))[1].cells]
    assert first == again
    assert first[0] == "same"
    assert len(set(first)) == 4


def test_a_4_4_notebook_gets_ids_on_the_copy_only():
    content = _notebook(_code("a"), _code("a"), minor=4)
    before = json.dumps(content)
    node, notebook = notebook_from_json(content)
    nbformat.validate(node)
    assert len({cell.id for cell in notebook.cells}) == 2
    assert json.dumps(content) == before


def test_version_3_is_converted_the_same_way_every_time():
    content = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": "old"},
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 1, "metadata": {}, "source": ["Title"]},
                    {
                        "cell_type": "code",
                        "collapsed": False,
                        "input": ["print 1\n", "x"],
                        "language": "python",
                        "metadata": {},
                        "outputs": [],
                        "prompt_number": 1,
                    },
                ],
                "metadata": {},
            }
        ],
    }
    node, notebook = notebook_from_json(content)
    nbformat.validate(node)
    assert [cell.source for cell in notebook.cells] == ["# Title", "print 1\nx"]
    assert notebook == notebook_from_json(content)[1]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"import os", "not valid JSON"),
        (b"", "not valid JSON"),
        (b"\xff\xfe\x00", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[1]", "has no cells"),
        (b"{}", "has no cells"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 3}', "damaged"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}', "damaged"),
        (b'{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code"}]}', "damaged"),
        (
            b'{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "x", "source": ""}]}',
            "damaged",
        ),
        (b'{"nbformat": 3, "metadata": {}, "worksheets": [5]}', "damaged"),
        (b'{"nbformat": 9, "nbformat_minor": 5, "metadata": {}, "cells": []}', "format 9"),
        (json.dumps(_notebook()).encode(), "no code to run"),
        (json.dumps(_notebook(_code("  \n"))).encode(), "no code to run"),
        (
            json.dumps(_notebook(_code(), kernelspec={"language": "R", "name": "ir"})).encode(),
            "notebook in R",
        ),
        (json.dumps(_notebook(_code(), kernelspec={"name": "ir"})).encode(), "notebook in R"),
        (json.dumps(_notebook(_code(), language_info={"name": "julia"})).encode(), "Julia"),
    ],
)
def test_what_is_no_python_notebook_is_refused_with_a_sentence(tmp_path, content, told):
    path = tmp_path / "bad.ipynb"
    path.write_bytes(content)
    with refused(BadNotebook, match=told) as raised:
        open_notebook(path)
    assert "bad.ipynb" in text(raised.value.message)
    assert text(raised.value.message).endswith(".")


def test_odd_metadata_does_no_harm():
    content = _notebook(_code("x", id=5), kernelspec="python", language_info=[1])
    assert notebook_from_json(content)[1].cells[0].source == "x"


def test_lone_surrogates_can_be_stored_afterwards():
    _, notebook = notebook_from_json(_notebook(_code("x = '\ud800'")))
    assert notebook.model_dump_json()


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    large = tmp_path / "large.ipynb"
    with large.open("wb") as stream:
        stream.truncate(200_000_000)
    with refused(TooLarge, match="200 MB, more than the limit of 100 MB"):
        open_notebook(large)


@pytest.mark.parametrize(
    ("message", "match"),
    [("division by zero", OutputMatch.SAME), ("float division by zero", OutputMatch.FAILED)],
)
def test_the_error_that_a_file_kept_is_known_again(message: str, match: OutputMatch) -> None:
    error = {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero"}
    node, notebook = notebook_from_json(
        _notebook(_code("1 / 0", outputs=[error | {"traceback": []}]))
    )
    (saved,) = saved_outputs(node, notebook).pairs
    agreement = compare_outputs([saved], {saved[0]: [error | {"evalue": message}]})
    assert [cell.match for cell in agreement.cells] == [match]

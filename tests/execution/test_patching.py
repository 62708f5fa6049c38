"""A patched file differs from the original in nothing but the edits."""

from __future__ import annotations

import json

import nbformat
import pytest

from mle_modernizer_server.domain.errors import StaleEdit
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.execution.patching import patched_json, write_patched
from mle_modernizer_server.execution.reading import notebook_from_json


def _content(minor=5):
    cells = [
        {"cell_type": "markdown", "metadata": {"b": 1, "a": 2}, "source": ["# Ä\n", "text"]},
        {
            "metadata": {"tags": ["x"]},
            "cell_type": "code",
            "source": ["df.append(x)\n", "y = 1"],
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["1\n", "2"]}],
            "execution_count": 7,
        },
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": "single",
        },
    ]
    if minor >= 5:
        for name, cell in zip("abc", cells, strict=True):
            cell["id"] = name
    return {"metadata": {"z": 1.5}, "nbformat": 4, "cells": cells, "nbformat_minor": minor}


def _modify(cell_id, old, new):
    return CellEdit(id="e1", kind=EditKind.MODIFY, cell_id=cell_id, base_source=old, new_source=new)


@pytest.mark.parametrize("indent", [1, 2, "\t", None])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_only_the_edited_lines_of_the_file_change(tmp_path, indent, ascii_only):
    path, target = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    text = json.dumps(_content(), indent=indent, ensure_ascii=ascii_only) + "\n"
    path.write_text(text, "utf-8")
    edit = _modify("b", "df.append(x)\ny = 1", "pd.concat([df, x])\ny = 1")
    write_patched(path, target, (edit,))
    written = target.read_text("utf-8")
    assert written == text.replace("df.append(x)", "pd.concat([df, x])")


def test_without_edits_the_file_is_the_same(tmp_path):
    path, target = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    path.write_text(json.dumps(_content(), indent=1))
    write_patched(path, target, ())
    assert target.read_bytes() == path.read_bytes()


def test_cells_are_inserted_and_deleted_and_inserted_after_inserted_ones():
    edits = (
        CellEdit(id="1", kind=EditKind.INSERT, cell_id="n1", after=None, new_source="first"),
        CellEdit(
            id="2",
            kind=EditKind.INSERT,
            cell_id="n2",
            after="n1",
            new_source="# second",
            cell_type=CellType.MARKDOWN,
        ),
        CellEdit(id="3", kind=EditKind.DELETE, cell_id="c", base_source="single"),
    )
    original = _content()
    result = patched_json(original, edits)
    assert [cell["id"] for cell in result["cells"]] == ["n1", "n2", "a", "b"]
    assert original == _content()
    nbformat.validate(nbformat.from_dict(result))


def test_a_4_4_file_gets_no_ids():
    content = _content(minor=4)
    _, notebook = notebook_from_json(content)
    edit = _modify(notebook.cells[2].id, "single", "double")
    inserted = CellEdit(
        id="2", kind=EditKind.INSERT, cell_id="new", after=notebook.cells[0].id, new_source="x"
    )
    result = patched_json(content, (edit, inserted))
    assert [cell["source"] for cell in result["cells"]][1:] == [
        ["x"],
        ["df.append(x)\n", "y = 1"],
        "double",
    ]
    assert not any("id" in cell for cell in result["cells"])
    nbformat.validate(nbformat.from_dict(result))


def test_a_stale_or_missing_cell_is_named():
    for edit in (_modify("b", "other", "x"), _modify("gone", "", "x")):
        with pytest.raises(StaleEdit) as raised:
            patched_json(_content(), (edit,))
        assert raised.value.cell_id == edit.cell_id

"""Writes a patched copy of a notebook file in which whatever was not edited stays as it was."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

from mle_modernizer_server.domain.errors import StaleEdit
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.execution.reading import notebook_from_json, read_json

_INDENT = re.compile(r"\A\s*\{\r?\n(?P<indent>[ \t]+)\"")


def write_patched(source: Path, target: Path, edits: tuple[CellEdit, ...]) -> None:
    """Write the notebook at `source` with these edits to `target`.

    Untouched cells, outputs, metadata, the order of keys and the file's indentation stay. A file
    without cell ids gets none; one of version 3 is written as version 4.5.

    Args:
        source: The notebook the edits were made for; read with `read_notebook_file` then.
        target: Where to write; may be `source`.
        edits: In the order of their proposal.

    Raises:
        BadNotebook: `source` is no notebook.
        StaleEdit: A cell is gone, or its source is not the one its edit was made for.
        OSError: `target` cannot be written.
    """
    text = source.read_bytes().decode("utf-8-sig")
    content = read_json(source)
    patched = patched_json(content, edits)
    match = _INDENT.match(text)
    written = json.dumps(
        patched,
        indent=match["indent"] if match else None,
        # What a lone surrogate is written as can only be an escape.
        ensure_ascii="\\ud" in text.lower() or (text.isascii() and "\\u" in text),
        separators=None if match else _separators(text),
    )
    if text.endswith("\n"):
        written += "\n"
    target.write_bytes(written.encode("utf-8"))


def patched_json(content: dict[str, Any], edits: tuple[CellEdit, ...]) -> dict[str, Any]:
    """A notebook's JSON with these edits; `content` itself is not changed.

    Raises:
        BadNotebook: It is no notebook.
        StaleEdit: As `write_patched`.
    """
    node, notebook = notebook_from_json(content)
    result = copy.deepcopy(content if content.get("nbformat") == 4 else dict(node))
    with_ids = result["nbformat_minor"] >= 5
    sources = {cell.id: cell.source for cell in notebook.cells}
    cells = [(cell.id, raw) for cell, raw in zip(notebook.cells, result["cells"], strict=True)]
    as_lines = any(isinstance(raw.get("source"), list) for _, raw in cells)
    for edit in edits:
        positions = {identifier: position for position, (identifier, _) in enumerate(cells)}
        if edit.kind is EditKind.INSERT:
            at = 0 if edit.after is None else _position(positions, edit.after) + 1
            cells.insert(at, (edit.cell_id, _new_cell(edit, with_id=with_ids, as_lines=as_lines)))
            sources[edit.cell_id] = edit.new_source
            continue
        position = _position(positions, edit.cell_id)
        if sources[edit.cell_id] != edit.base_source:
            raise StaleEdit(
                "The cell is not what the edit was made for. Run the notebook again.",
                cell_id=edit.cell_id,
            )
        if edit.kind is EditKind.DELETE:
            del cells[position]
        else:
            raw = cells[position][1]
            raw["source"] = _source(edit.new_source, as_lines=isinstance(raw["source"], list))
            sources[edit.cell_id] = edit.new_source
    result["cells"] = [raw for _, raw in cells]
    return result


def _position(positions: dict[str, int], cell_id: str) -> int:
    if cell_id not in positions:
        raise StaleEdit(
            "The cell the edit was made for is gone. Run the notebook again.", cell_id=cell_id
        )
    return positions[cell_id]


def _new_cell(edit: CellEdit, *, with_id: bool, as_lines: bool) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": edit.cell_type.value}
    if edit.cell_type.value == "code":
        cell["execution_count"] = None
    if with_id:
        cell["id"] = edit.cell_id
    cell["metadata"] = {}
    if edit.cell_type.value == "code":
        cell["outputs"] = []
    cell["source"] = _source(edit.new_source, as_lines=as_lines)
    return cell


def _source(text: str, *, as_lines: bool) -> str | list[str]:
    return text.splitlines(keepends=True) if as_lines else text


def _separators(text: str) -> tuple[str, str]:
    return (", ", ": ") if '": ' in text[:200] else (",", ":")

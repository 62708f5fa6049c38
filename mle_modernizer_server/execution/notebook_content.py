"""A stranger's notebook as JSON: parsed, its parts brought into the types that nbformat expects.

nbformat reads what JupyterLab writes and fails in many ways on anything else. The cells with their
sources, which a run needs, are checked here and refused with their place. Other parts of
a wrong type are dropped.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from mle_modernizer_server.domain.errors import BadNotebook
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_json

_HIGHEST_HEADING = 6
_OUTPUT_TYPES = {
    3: frozenset({"stream", "display_data", "pyout", "pyerr"}),
    4: frozenset({"stream", "display_data", "execute_result", "error"}),
}
_CELL_TYPES = {
    3: frozenset({"code", "markdown", "raw", "heading", "html"}),
    4: frozenset({"code", "markdown", "raw"}),
}


class _Damaged(Exception):
    """The defect of a notebook, as a text."""


def parse_notebook(content: str | bytes, name: str) -> dict[str, Any]:
    """Return the JSON object of a notebook's file.

    Args:
        content: The file.
        name: Its name in messages.

    Raises:
        BadNotebook: It is no JSON object, or beyond a limit.
    """
    try:
        document = read_json(content)
    except UnreadableText as error:
        raise BadNotebook(coded("notebook.no-json", path=name, error=str(error))) from error
    if not isinstance(document, dict):
        raise BadNotebook(coded("notebook.no-cells", name=name))
    return document


def sound_content(content: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a notebook's JSON with the types its format demands; the argument does not change.

    Args:
        content: The notebook as its file has it, format 3 or 4.
        name: Its name in messages.

    Raises:
        BadNotebook: It has another format, no list of cells, or a cell without type or source.
    """
    major = content.get("nbformat")
    if type(major) is not int or not ("cells" in content or "worksheets" in content):
        raise BadNotebook(coded("notebook.no-cells", name=name))
    if major not in _CELL_TYPES:
        raise BadNotebook(coded("notebook.format", name=name, major=str(major)[:20]))
    minor = content.get("nbformat_minor")
    sound: dict[str, Any] = {
        "nbformat": major,
        "nbformat_minor": minor if type(minor) is int and 0 <= minor < 100 else 0,
        "metadata": mapping(content.get("metadata")),
    }
    try:
        if major == 4:
            cells = _list(content, "cells", "the notebook")
            sound["cells"] = list(_cells(cells, itertools.count(1), major))
        else:
            sheets = _list(content, "worksheets", "the notebook")
            sound["worksheets"] = list(_worksheets(sheets, major))
    except _Damaged as error:
        raise BadNotebook(coded("notebook.damaged", name=name, error=str(error))) from error
    return sound


def _worksheets(sheets: list[Any], major: int) -> Iterator[dict[str, Any]]:
    numbers = itertools.count(1)
    for sheet in sheets:
        cells = _list(mapping(sheet), "cells", "a worksheet")
        yield {"metadata": {}, "cells": list(_cells(cells, numbers, major))}


def _list(owner: dict[str, Any], key: str, name: str) -> list[Any]:
    value = owner.get(key)
    if not isinstance(value, list):
        raise _Damaged(f"{name} has no list `{key}`")
    return value


def _cells(cells: list[Any], numbers: Iterator[int], major: int) -> Iterator[dict[str, Any]]:
    for cell, number in zip(cells, numbers, strict=False):
        if not isinstance(cell, dict):
            raise _Damaged(f"cell {number} is no object")
        kind = cell.get("cell_type")
        if not isinstance(kind, str) or kind not in _CELL_TYPES[major]:
            raise _Damaged(f"cell {number} has no known type")
        key = "input" if kind == "code" and major == 3 else "source"
        if not _is_text(cell.get(key)):
            raise _Damaged(f"cell {number} has no text in `{key}`")
        yield _cell(cell, kind, major)


def _cell(cell: dict[str, Any], kind: str, major: int) -> dict[str, Any]:
    sound = {**cell, "metadata": mapping(cell.get("metadata"))}
    if kind == "code":
        count = "prompt_number" if major == 3 else "execution_count"
        sound[count] = number if type(number := cell.get(count)) is int else None
        outputs = cell.get("outputs")
        sound["outputs"] = [
            _output(output, major)
            for output in (outputs if isinstance(outputs, list) else ())
            if _is_output(output, major)
        ]
    if kind == "heading":
        level = cell.get("level")
        sound["level"] = level if type(level) is int and 1 <= level <= _HIGHEST_HEADING else 1
    attachments = mapping(cell.get("attachments"))
    if not all(isinstance(bundle, dict) for bundle in attachments.values()):
        sound["attachments"] = {}
    elif "attachments" in cell:
        sound["attachments"] = attachments
    return sound


def _is_output(output: object, major: int) -> bool:
    """Return whether an output can be read; lists of lines must be lists of texts."""
    if not isinstance(output, dict):
        return False
    kind = output.get("output_type")
    if not isinstance(kind, str) or kind not in _OUTPUT_TYPES[major]:
        return False
    if kind == "stream" and not _is_text(output.get("text")):
        return False
    values = output.values() if major == 3 else (output.get("text", ""),)
    if kind not in ("error", "pyerr") and not all(map(_is_plain, values)):
        return False
    return isinstance(output.get("data", {}), dict)


def _is_plain(value: object) -> bool:
    return not isinstance(value, list) or _is_text(value)


def _output(output: dict[str, Any], major: int) -> dict[str, Any]:
    sound = dict(output)
    if output["output_type"] not in ("stream", "error", "pyerr"):
        sound["metadata"] = mapping(output.get("metadata"))
    if major == 3:
        sound.pop("json", None)  # a text with JSON, which need not be any; nothing reads it
    return sound


def mapping(value: object) -> dict[str, Any]:
    """Return a mapping; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def one_text(value: object) -> str:
    """Return the text of a string, or of a list of lines; empty for any other value."""
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""


def _is_text(value: object) -> bool:
    """Return whether a value is text: a string, or a list of lines."""
    if isinstance(value, list):
        return all(isinstance(line, str) for line in value)
    return isinstance(value, str)

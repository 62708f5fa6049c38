"""Notebook documents: read with care, the copy that is executed, the one with its outputs.

A file is never changed: older formats are converted and missing ids are made on the copy.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from nbformat import NotebookNode, from_dict, v4, versions
from nbformat.v4.convert import upgrade_cell
from pydantic import JsonValue

from mle_modernizer_server.domain.era import MOST_OUTPUT, Traces
from mle_modernizer_server.domain.errors import BadNotebook
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import (
    CELL_ID,
    Cell,
    CellTag,
    CellType,
    Notebook,
    SavedCell,
    SavedOutputs,
)
from mle_modernizer_server.domain.text import without_escapes
from mle_modernizer_server.execution.notebook_content import sound_content
from mle_modernizer_server.execution.outputs import EVALUE_LIMIT, clean, cut
from mle_modernizer_server.execution.pip.lines import InstallLine, without_installs
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

node: Callable[[dict[str, Any]], NotebookNode] = from_dict
"""A node, deep, of a plain dictionary."""
new_node: Callable[[], NotebookNode] = NotebookNode
new_notebook: Callable[..., NotebookNode] = v4.new_notebook
new_code_cell: Callable[..., NotebookNode] = v4.new_code_cell
new_markdown_cell: Callable[..., NotebookNode] = v4.new_markdown_cell
new_raw_cell: Callable[..., NotebookNode] = v4.new_raw_cell
notebook_text: Callable[[NotebookNode], str] = v4.writes_json
"""The file of a notebook of version 4, not validated: odd metadata of its author stay."""


def check_runnable(notebook: Notebook, *, name: str = "The notebook") -> None:
    """Refuse a notebook from which a run could learn nothing.

    Args:
        notebook: Its sources.
        name: Its name in messages.

    Raises:
        BadNotebook: It is in another language, has no code, or has two cells with the same id.
    """
    if notebook.language != "python":
        language = notebook.language[:50].capitalize()
        raise BadNotebook(coded("notebook.language", name=name, language=language))
    if not any(cell.source.strip() for cell in notebook.code_cells()):
        raise BadNotebook(coded("notebook.no-code", name=name))
    ids = [cell.id for cell in notebook.cells]
    if len(set(ids)) != len(ids):
        raise BadNotebook(coded("notebook.same-ids", name=name))


_LANGUAGE_BY_KERNEL = {"ir": "r", "julia": "julia", "python": "python", "conda": "python"}
_LONGEST_NAME = 100
"""Characters of a language's or kernel's name."""


def notebook_from_json(
    content: dict[str, Any], *, name: str = "The document"
) -> tuple[NotebookNode, Notebook]:
    """Return a notebook as nbformat 4.5 and as the domain's sources.

    Reading the same JSON twice gives the same cell ids.

    Args:
        content: The notebook's JSON, formats 3 and 4; it is not changed.
        name: Its name in messages.

    Raises:
        BadNotebook: It is no notebook, is damaged, is not Python, or holds no code.
    """
    node = _upgraded(sound_content(content, name))
    _give_ids(node, keep=content["nbformat"] == 4)
    cells = tuple(
        Cell(
            id=cell.id,
            type=CellType(cell.cell_type),
            source=clean(cell.source),
            tags=_tags(cell),
        )
        for cell in node.cells
    )
    notebook = Notebook(cells=cells, language=_language(node))
    check_runnable(notebook, name=name)
    return node, notebook


def _tags(cell: NotebookNode) -> tuple[CellTag, ...]:
    """Return the tags of a cell that affect its run; a malformed list counts as empty."""
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    if cell.cell_type != "code" or not isinstance(tags, list):
        return ()
    return tuple(tag for tag in CellTag if tag.value in tags)


def _upgraded(content: dict[str, Any]) -> NotebookNode:
    """Return sound JSON as version 4.5."""
    read: Callable[..., NotebookNode] = versions[content["nbformat"]].to_notebook_json
    document = read(content, minor=content["nbformat_minor"])
    if document.nbformat == 4:
        document.nbformat_minor = max(5, document.nbformat_minor)
        return document
    # Not `nbformat.convert`, which validates the whole and writes all that is wrong to the log.
    cells = [_upgraded_cell(cell) for sheet in document.worksheets for cell in sheet.cells]
    metadata = {key: value for key, value in document.metadata.items() if key not in _OF_FORMAT_3}
    return node({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


_upgraded_cell: Callable[[NotebookNode], NotebookNode] = upgrade_cell
_OF_FORMAT_3 = frozenset({"name", "signature"})


def _language(node: NotebookNode) -> str:
    """Return the language that the metadata name; Python if they name none."""
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        if language := _text(_dict(node.metadata.get(part)).get(key)):
            return clean(language[:_LONGEST_NAME])
    kernel = _text(_dict(node.metadata.get("kernelspec")).get("name")).lower()
    for start, known in _LANGUAGE_BY_KERNEL.items():
        if kernel.startswith(start):
            return known
    return "python"


def _give_ids(node: NotebookNode, *, keep: bool) -> None:
    """Make ids for the cells without a usable one, from their place and source alone."""
    own = [str(cell.get("id", "")) if keep else "" for cell in node.cells]
    taken = {identifier for identifier in own if CELL_ID.fullmatch(identifier)}
    seen: set[str] = set()
    for index, (cell, identifier) in enumerate(zip(node.cells, own, strict=True)):
        if not CELL_ID.fullmatch(identifier) or identifier in seen:
            identifier = _made_id(index, cell.source, taken)
            taken.add(identifier)
        seen.add(identifier)
        cell["id"] = identifier


def _made_id(index: int, source: str, taken: set[str]) -> str:
    again = 0
    while True:
        text = f"{index}\0{again}\0{source}".encode("utf-8", "surrogatepass")
        identifier = hashlib.sha256(text).hexdigest()[:12]
        if identifier not in taken:
            return identifier
        again += 1


_MAKERS = {
    CellType.CODE: new_code_cell,
    CellType.MARKDOWN: new_markdown_cell,
    CellType.RAW: new_raw_cell,
}


def executed_notebook(notebook: Notebook) -> NotebookNode:
    """Return an nbformat 4.5 notebook of these cells, without outputs.

    Its client reads the tags: nbclient does not run cells tagged `skip-execution`.
    """
    cells = [
        _MAKERS[cell.type](
            source=cell.source,
            id=cell.id,
            metadata={"tags": [tag.value for tag in cell.tags]} if cell.tags else {},
        )
        for cell in notebook.cells
    ]
    return new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )


def executed_copy(
    notebook: Notebook, lines: tuple[InstallLine, ...], sandbox: Sandbox, mounts: Mounts
) -> NotebookNode:
    """Return the kernel's copy: paths mapped to the sandbox, install lines removed one by one."""
    copy = executed_notebook(notebook)
    for mapped, cell in zip(copy.cells, notebook.cells, strict=True):
        if cell.type is CellType.CODE:
            own = tuple(line for line in lines if line.cell_id == cell.id)
            source = sandbox.localize(without_installs(cell.source, own), mounts)
            mapped.source = _with_first_line(source)
    return copy


def _with_first_line(source: str) -> str:
    """Return a cell that keeps its line numbers: IPython drops leading empty lines."""
    first, _, rest = source.partition("\n")
    code = rest.lstrip("\n")
    if first.strip() or not rest.strip() or code.startswith(("%%", " ", "\t")):
        return source  # a cell magic must come first; an indented cell is indented as a whole
    return f"#\n{rest}"


def take_outputs(ran: NotebookNode, kept: NotebookNode, show: Callable[[str], str]) -> None:
    """Copy outputs from the executed copy of a cell, without paths of the host."""
    kept.outputs = [_shown(output, show) for output in ran.outputs]
    kept.execution_count = ran.get("execution_count")


def _shown(value: Any, show: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return show(value)
    if isinstance(value, dict):
        return node({key: _shown(item, show) for key, item in value.items()})
    if isinstance(value, list):
        return [_shown(item, show) for item in value]
    return value


_DATE = re.compile(r"(?<!\d)20[12]\d-[01]\d-[0-3]\d(?=T)")
_MOST_DATES = 50
_LONGEST_OUTPUT = 2_000
"""Characters read of one output: versions and warnings are at its beginning."""


def traces_from_json(content: dict[str, Any]) -> Traces:
    """Return the traces in a notebook's JSON, formats 3 and 4; skip malformed parts."""
    metadata = _dict(content.get("metadata"))
    cells = [_dict(cell) for cell in _cells(content)]
    described = json.dumps([metadata, [_dict(cell.get("metadata")) for cell in cells]])
    return Traces(
        python=clean(_text(_dict(metadata.get("language_info")).get("version"))[:100]),
        kernel=clean(_text(_dict(metadata.get("kernelspec")).get("name"))[:200]),
        dates=tuple(sorted(set(_DATE.findall(described))))[-_MOST_DATES:],
        outputs=clean("\n".join(_outputs(cells)))[:MOST_OUTPUT],
    )


def _cells(content: dict[str, Any]) -> list[Any]:
    if isinstance(content.get("cells"), list):
        return list(content["cells"])
    sheets = content.get("worksheets")
    found = []
    for sheet in sheets if isinstance(sheets, list) else ():
        cells = _dict(sheet).get("cells")
        found += cells if isinstance(cells, list) else []
    return found


def _outputs(cells: list[dict[str, Any]]) -> Iterator[str]:
    for cell in cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            one = _dict(output)
            data = _dict(one.get("data"))
            for text in (one.get("text"), data.get("text/plain")):
                joined = "".join(map(_text, text)) if isinstance(text, list) else _text(text)
                if joined:
                    yield without_escapes(joined[:_LONGEST_OUTPUT])


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_COMPARED = ("text/plain", "text/html", "image/png", "image/jpeg")
_LONGEST_SAVED = {"text/plain": 50_000, "text/html": 500_000}
_LARGEST_PICTURE = 1_000_000
_MOST_SAVED = 20_000_000
"""Characters of all saved outputs together."""


def saved_outputs(document: NotebookNode, notebook: Notebook) -> SavedOutputs:
    """Return the comparable saved outputs of a notebook's file.

    Args:
        document: The notebook as nbformat 4.5, with outputs.
        notebook: The session's sources: a cell is found by its id, else by its position among
            the code cells if the source is the same.
    """
    kept = [cell for cell in document.cells if cell.cell_type == "code"]
    by_id = {cell.id: cell for cell in kept}
    left = _MOST_SAVED
    cells = []
    for place, cell in enumerate(notebook.code_cells()):
        saved = by_id.get(cell.id)
        if saved is None and place < len(kept) and clean(kept[place].source) == cell.source:
            saved = kept[place]
        outputs = tuple(_comparable(item) for item in ([] if saved is None else saved.outputs))
        left -= len(json.dumps(outputs))
        prompt = None if saved is None else saved.get("execution_count")
        cells.append(SavedCell(cell_id=cell.id, outputs=outputs if left > 0 else (), prompt=prompt))
    return SavedOutputs(cells=tuple(cells))


def _comparable(output: dict[str, Any]) -> dict[str, JsonValue]:
    """Return the parts of an output that are compared."""
    kind = str(output.get("output_type", ""))
    if kind == "stream":
        text = clean(_one_text(output.get("text")))[:50_000]
        name = clean(_text(output.get("name"))[:_LONGEST_NAME])
        return {"output_type": kind, "name": name, "text": text}
    if kind == "error":
        return {
            "output_type": kind,
            "ename": clean(str(output.get("ename", "")))[:200],
            "evalue": cut(clean(str(output.get("evalue", ""))), EVALUE_LIMIT),
        }
    data = output.get("data")
    given: dict[str, Any] = data if isinstance(data, dict) else {}
    shown: dict[str, JsonValue] = {}
    for name in _COMPARED:
        text = clean(_one_text(given.get(name)))
        if name.startswith("image/"):
            text = text if len(text) <= _LARGEST_PICTURE else ""
        if text:
            shown[name] = text[: _LONGEST_SAVED.get(name, _LARGEST_PICTURE)]
    return {"output_type": kind, "data": shown}


def _one_text(value: object) -> str:
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""

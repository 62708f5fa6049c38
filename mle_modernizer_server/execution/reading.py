"""Reads notebook files into the domain's `Notebook`; every odd file gets a clear sentence.

The file is never changed: older formats are converted and missing ids are made on the copy.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from mle_modernizer_server.domain.errors import BadNotebook
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.nodes import converted, new_node, read_node
from mle_modernizer_server.execution.outputs import clean
from mle_modernizer_server.execution.runnable import check_runnable

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What nbformat 4.5 allows as a cell id."""
_LANGUAGE_BY_KERNEL = {"ir": "r", "julia": "julia", "python": "python", "conda": "python"}
_MALFORMED = (
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
    nbformat.ValidationError,
    RecursionError,
)


def read_notebook_file(path: Path) -> tuple[NotebookNode, Notebook]:
    """A notebook file as nbformat 4.5 and as the domain's sources.

    Reading the same file twice gives the same cell ids.

    Raises:
        BadNotebook: It cannot be read, is no notebook, is not Python, or holds no code.
    """
    return notebook_from_json(read_json(path), name=path.name)


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a notebook file.

    Raises:
        BadNotebook: It cannot be read or is no JSON object.
    """
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadNotebook(
            f"{path.name} cannot be read ({error.strerror}). Check the path and your rights."
        ) from error
    except (ValueError, RecursionError) as error:
        raise BadNotebook(
            f"{path.name} is not a notebook: it holds no JSON ({_short(error)}). Open a Jupyter "
            "notebook (.ipynb); a script can be turned into one with jupytext."
        ) from error
    if not isinstance(content, dict):
        raise _no_notebook(path.name)
    return content


def notebook_from_json(
    content: dict[str, Any], *, name: str = "The document"
) -> tuple[NotebookNode, Notebook]:
    """The same for a notebook's JSON that is already there, such as an open document.

    Args:
        content: The notebook as the Jupyter notebook format has it, versions 3 and 4.
        name: What messages call it.

    Raises:
        BadNotebook: As `read_notebook_file`.
    """
    node = _upgraded(content, name)
    _give_ids(node, keep=content.get("nbformat") == 4)
    try:
        cells = tuple(
            Cell(id=cell.id, type=CellType(cell.cell_type), source=clean(cell.source))
            for cell in node.cells
        )
    except _MALFORMED as error:
        raise _damaged(name, error) from error
    notebook = Notebook(cells=cells, language=_language(node))
    check_runnable(notebook, name=name)
    return node, notebook


def _upgraded(content: dict[str, Any], name: str) -> NotebookNode:
    major = content.get("nbformat")
    if not isinstance(major, int) or not ("cells" in content or "worksheets" in content):
        raise _no_notebook(name)
    if major not in (3, 4):
        raise BadNotebook(
            f"{name} has the notebook format {major}; 3 and 4 can be read. Save it again with a "
            "current JupyterLab."
        )
    try:
        node = read_node(content)
        node = converted(node) if major == 3 else node
        node.setdefault("metadata", new_node())
        for cell in node.cells:
            if not isinstance(cell.source, str) or cell.cell_type not in _CELL_TYPES:
                raise TypeError(f"a cell of type {cell.cell_type!r}")
            if cell.cell_type == "code":
                cell.setdefault("outputs", [])
                cell.setdefault("execution_count", None)
            cell.setdefault("metadata", new_node())
    except _MALFORMED as error:
        raise _damaged(name, error) from error
    node.nbformat_minor = max(5, node.nbformat_minor)
    return node


_CELL_TYPES = frozenset(kind.value for kind in CellType)


def _language(node: NotebookNode) -> str:
    """The notebook's language as its metadata tell it; Python where they do not."""
    metadata = node.metadata if isinstance(node.metadata, dict) else {}
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        described = metadata.get(part)
        if isinstance(described, dict) and isinstance(described.get(key), str) and described[key]:
            return str(described[key])
    kernelspec = metadata.get("kernelspec")
    if isinstance(kernelspec, dict):
        kernel = str(kernelspec.get("name", "")).lower()
        for start, known in _LANGUAGE_BY_KERNEL.items():
            if kernel.startswith(start):
                return known
    return "python"


def _give_ids(node: NotebookNode, *, keep: bool) -> None:
    """Make ids for the cells without a usable one, from their place and source alone."""
    own = [str(cell.get("id", "")) if keep else "" for cell in node.cells]
    taken = {identifier for identifier in own if _ID.fullmatch(identifier)}
    seen: set[str] = set()
    for index, (cell, identifier) in enumerate(zip(node.cells, own, strict=True)):
        if not _ID.fullmatch(identifier) or identifier in seen:
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


def _no_notebook(name: str) -> BadNotebook:
    return BadNotebook(
        f"{name} is JSON but not a notebook: it has no cells. Open a Jupyter notebook (.ipynb)."
    )


def _damaged(name: str, error: Exception) -> BadNotebook:
    return BadNotebook(
        f"{name} is a damaged notebook ({_short(error)}). Open it in JupyterLab and save it again."
    )


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]

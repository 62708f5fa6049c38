"""Notebook documents: files read with care, the copy that is executed, the one with its outputs.

A file is never changed: older formats are converted and missing ids are made on the copy.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, convert, from_dict, reader, v4, versions
from pydantic import JsonValue

from mle_modernizer_server.domain.era import MOST_OUTPUT, Traces
from mle_modernizer_server.domain.errors import BadNotebook
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import CELL_ID, Cell, CellType, Notebook
from mle_modernizer_server.domain.saved_outputs import SavedCell, SavedOutputs
from mle_modernizer_server.domain.traceback import without_escapes
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

_version: Callable[[dict[str, Any]], tuple[int, int]] = reader.get_version
_convert: Callable[[NotebookNode, int], NotebookNode] = convert


def read_node(content: dict[str, Any]) -> NotebookNode:
    """A notebook's JSON as a node, texts that are stored as lists of lines joined."""
    major, minor = _version(content)
    read: Callable[..., NotebookNode] = versions[major].to_notebook_json
    return read(content, minor=minor)


def converted(notebook: NotebookNode) -> NotebookNode:
    """A notebook of an older major version as version 4."""
    return _convert(notebook, 4)


def check_runnable(notebook: Notebook, *, name: str = "The notebook") -> None:
    """Refuse a notebook that nothing could be learnt from by running it.

    Args:
        notebook: Its sources.
        name: What messages call it.

    Raises:
        BadNotebook: It is in another language, has no code, or two cells of the same id.
    """
    if notebook.language != "python":
        language = notebook.language[:50].capitalize()
        raise BadNotebook(coded("notebook.language", name=name, language=language))
    if not any(cell.source.strip() for cell in notebook.code_cells()):
        raise BadNotebook(coded("notebook.no-code", name=name))
    ids = [cell.id for cell in notebook.cells]
    if len(set(ids)) != len(ids):
        raise BadNotebook(coded("notebook.same-ids", name=name))


LARGEST_NOTEBOOK = 100_000_000
"""Bytes of a notebook's file that is read."""
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
        if (size := path.stat().st_size) > LARGEST_NOTEBOOK:
            raise BadNotebook(
                coded(
                    "notebook.too-large",
                    path=path.name,
                    size=size / 1000000.0,
                    largest_notebook=LARGEST_NOTEBOOK / 1000000.0,
                )
            )
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadNotebook(
            coded("notebook.not-readable", path=path.name, strerror=str(error.strerror))
        ) from error
    except (ValueError, RecursionError) as error:
        raise BadNotebook(coded("notebook.no-json", path=path.name, error=_short(error))) from error
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
        raise BadNotebook(coded("notebook.format", name=name, major=major))
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


def _no_notebook(name: str) -> BadNotebook:
    return BadNotebook(coded("notebook.no-cells", name=name))


def _damaged(name: str, error: Exception) -> BadNotebook:
    return BadNotebook(coded("notebook.damaged", name=name, error=_short(error)))


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]


_MAKERS = {
    CellType.CODE: new_code_cell,
    CellType.MARKDOWN: new_markdown_cell,
    CellType.RAW: new_raw_cell,
}


def executed_notebook(notebook: Notebook) -> NotebookNode:
    """An nbformat 4.5 notebook of these cells, without outputs."""
    cells = [_MAKERS[cell.type](source=cell.source, id=cell.id) for cell in notebook.cells]
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
    """What the kernel gets: paths mapped to the sandbox, install lines taken out, line for line."""
    copy = executed_notebook(notebook)
    for mapped, cell in zip(copy.cells, notebook.cells, strict=True):
        if cell.type is CellType.CODE:
            own = tuple(line for line in lines if line.cell_id == cell.id)
            source = sandbox.localize(without_installs(cell.source, own), mounts)
            mapped.source = _with_first_line(source)
    return copy


def _with_first_line(source: str) -> str:
    """A cell whose lines IPython counts as they stand: it drops empty ones at the beginning."""
    first, _, rest = source.partition("\n")
    code = rest.lstrip("\n")
    if first.strip() or not rest.strip() or code.startswith(("%%", " ", "\t")):
        return source  # a cell magic must come first, and what is indented is indented as a whole
    return f"#\n{rest}"


def take_outputs(ran: NotebookNode, kept: NotebookNode, show: Callable[[str], str]) -> None:
    """Give a cell the outputs of its executed copy, texts as the user may see them."""
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
"""Characters of one output that are looked at: versions and warnings stand at its beginning."""


def traces_from_json(content: dict[str, Any]) -> Traces:
    """The traces in a notebook's JSON, formats 3 and 4; what is malformed is left out."""
    metadata = _dict(content.get("metadata"))
    cells = [_dict(cell) for cell in _cells(content)]
    described = json.dumps([metadata, [_dict(cell.get("metadata")) for cell in cells]])
    return Traces(
        python=_text(_dict(metadata.get("language_info")).get("version"))[:100],
        kernel=_text(_dict(metadata.get("kernelspec")).get("name"))[:200],
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
    """The outputs that a notebook's file kept, as far as they can be compared with a run's.

    Args:
        document: The notebook as nbformat 4.5, with outputs.
        notebook: The sources as the session has them: a cell is found by its id, else by its
            place among the code cells where the source is the same.
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
        cells.append(SavedCell(cell_id=cell.id, outputs=outputs if left > 0 else ()))
    return SavedOutputs(cells=tuple(cells))


def _comparable(output: dict[str, Any]) -> dict[str, JsonValue]:
    """An output cut to what is compared."""
    kind = str(output.get("output_type", ""))
    if kind == "stream":
        text = clean(_one_text(output.get("text")))[:50_000]
        return {"output_type": kind, "name": str(output.get("name", "")), "text": text}
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

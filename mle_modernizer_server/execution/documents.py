"""The notebook files of a run: the copy that is executed, and the one with its outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nbformat import NotebookNode

from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.execution.nodes import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_raw_cell,
    node,
)
from mle_modernizer_server.execution.pip.lines import InstallLine, without_installs
from mle_modernizer_server.execution.sandboxes.base import Mounts, Sandbox

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
            mapped.source = sandbox.localize(without_installs(cell.source, own), mounts)
    return copy


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

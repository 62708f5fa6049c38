"""nbformat's functions with types, which it does not give itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nbformat import NotebookNode, convert, from_dict, reader, v4, versions

node: Callable[[dict[str, Any]], NotebookNode] = from_dict
"""A node, deep, of a plain dictionary."""
new_node: Callable[[], NotebookNode] = NotebookNode
new_notebook: Callable[..., NotebookNode] = v4.new_notebook
new_code_cell: Callable[..., NotebookNode] = v4.new_code_cell
new_markdown_cell: Callable[..., NotebookNode] = v4.new_markdown_cell
new_raw_cell: Callable[..., NotebookNode] = v4.new_raw_cell
new_output: Callable[..., NotebookNode] = v4.new_output

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

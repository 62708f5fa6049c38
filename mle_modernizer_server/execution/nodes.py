"""nbformat's constructors with types, which it does not give itself."""

from __future__ import annotations

from collections.abc import Callable

from nbformat import NotebookNode, from_dict, v4

node: Callable[[dict[str, object]], NotebookNode] = from_dict
"""A node, deep, of a plain dictionary."""
new_notebook: Callable[..., NotebookNode] = v4.new_notebook
new_code_cell: Callable[..., NotebookNode] = v4.new_code_cell
new_markdown_cell: Callable[..., NotebookNode] = v4.new_markdown_cell
new_raw_cell: Callable[..., NotebookNode] = v4.new_raw_cell
new_output: Callable[..., NotebookNode] = v4.new_output

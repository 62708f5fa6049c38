"""The folders that code adds to Python's path, found without running it."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Iterator

from mle_modernizer_server.code.expressions import called_name
from mle_modernizer_server.code.ipython import nodes, parsed_cells
from mle_modernizer_server.code.paths import UNKNOWN, PathReader

_ADDERS = frozenset({"append", "insert", "extend"})
Text = Callable[[ast.expr], str | None]
"""Function that returns the text of a path in code; None if unknown."""


def python_path_folders(tree: ast.AST, text: Text) -> Iterator[str]:
    """Yield the folders that code adds to `sys.path`, relative to the notebook's folder.

    Args:
        tree: Syntax tree of a cell or a file.
        text: Resolves a path in it.
    """
    for node in nodes(tree):
        for value in _added(node):
            folder = text(value)
            if folder and UNKNOWN not in folder:
                yield posixpath.normpath(folder)


def folders_on_python_path(sources: Iterable[str]) -> list[str]:
    """Return the folders that cells add to `sys.path`, relative to the notebook's folder."""
    trees = [tree for tree in parsed_cells(sources) if tree is not None]
    text = PathReader(trees).text
    return [folder for tree in trees for folder in python_path_folders(tree, text)]


def _added(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are added to the path."""
    if isinstance(node, ast.Call):
        name, owner = called_name(node), node.func
        if name == "addsitedir" and node.args:
            yield node.args[0]
        elif name in _ADDERS and isinstance(owner, ast.Attribute) and _is_path(owner.value):
            yield from _items(node.args[-1]) if node.args else ()
    elif (isinstance(node, ast.AugAssign) and _is_path(node.target)) or (
        isinstance(node, ast.Assign) and any(map(_is_path, node.targets))
    ):
        for part in ast.walk(node.value):
            if isinstance(part, ast.List):
                yield from part.elts


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]


def _is_path(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "path"
        and isinstance(node.value, ast.Name)
        and node.value.id == "sys"
    )

"""Statements that only do something on Google Colab: mounting a drive, picking files to upload."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mle_modernizer_server.domain.code_paths import called

_MODULE = "google.colab"
_METHODS = frozenset({"mount", "upload", "authenticate_user", "flush_and_unmount"})


def colab_lines(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield first and last line, from 0, of the statements of a cell that can be left out.

    Only those at the cell's top level, each with lines of its own; what gives a value that the
    code may need is none.
    """
    taken = [(node.lineno, node.end_lineno or node.lineno) for node in tree.body]
    for node in tree.body:
        span = (node.lineno, node.end_lineno or node.lineno)
        shared = sum(first <= span[1] and span[0] <= last for first, last in taken) > 1
        if not shared and (_is_import(node) or _is_call(node)):
            yield span[0] - 1, span[1] - 1


def _is_import(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "") == _MODULE or (node.module or "").startswith(f"{_MODULE}.")
    return isinstance(node, ast.Import) and all(
        alias.name == _MODULE or alias.name.startswith(f"{_MODULE}.") for alias in node.names
    )


def _is_call(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    func = node.value.func
    owner = func.value if isinstance(func, ast.Attribute) else None
    named = isinstance(owner, ast.Name) and owner.id in ("drive", "files", "auth")
    return named and called(node.value) in _METHODS

"""Statements for Google Colab only: mounting a drive, and asking a person for files.

https://colab.research.google.com/notebooks/io.ipynb

Here files are read in place. Omitted statements become comments; the dictionary that
`files.upload()` returns is built from the files that the notebook takes out of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.expressions import called_name
from mle_modernizer_server.domain.environment import COLAB, hosted_module

_METHODS = frozenset({"mount", "upload", "authenticate_user", "flush_and_unmount", "download"})


@dataclass(frozen=True)
class ColabPart:
    """A statement at a cell's top level, on lines of its own.

    Attributes:
        cell: Which of the cells.
        lines: Its first and last line, from 0.
        call: An expression whose value is used, with the text that replaces it; None: omitted.
    """

    cell: int
    lines: tuple[int, int]
    call: tuple[ast.expr, str] | None = None


def colab_parts(trees: Sequence[ast.Module | None]) -> list[ColabPart]:
    """Return what can be omitted or replaced; nothing if other code needs the modules."""
    found: list[ColabPart] = []
    names: set[str] = set()
    there: set[int] = set()
    for number, tree in enumerate(trees):
        for node in _alone(tree):
            part = _part(number, node, trees)
            if part is None:
                continue
            found.append(part)
            there |= {id(inner) for inner in ast.walk(node)}
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    needed = any(
        isinstance(node, ast.Name) and node.id in names and id(node) not in there
        for tree in trees
        if tree is not None
        for node in ast.walk(tree)
    )
    return [] if needed else found


def _alone(tree: ast.Module | None) -> Iterator[ast.stmt]:
    """Return the statements that share their lines with no other."""
    body = [] if tree is None else tree.body
    spans = [_lines(node) for node in body]
    for node, (start, end) in zip(body, spans, strict=True):
        if sum(first <= end and start <= last for first, last in spans) == 1:
            yield node


def _lines(node: ast.stmt) -> tuple[int, int]:
    return node.lineno - 1, (node.end_lineno or node.lineno) - 1


def _part(cell: int, node: ast.stmt, trees: Sequence[ast.Module | None]) -> ColabPart | None:
    if _is_import(node) or (isinstance(node, ast.Expr) and _is_call(node.value)):
        return ColabPart(cell, _lines(node))
    if (
        isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(target := node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and _is_call(node.value)
        and called_name(node.value) == "upload"
    ):
        names = _taken_out(target.id, trees)
        files = ", ".join(f"{name!r}: open({name!r}, 'rb').read()" for name in names)
        return ColabPart(cell, _lines(node), (node.value, f"{{{files}}}"))
    return None


def _is_import(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return hosted_module(node.module or "") == COLAB
    return isinstance(node, ast.Import) and all(
        hosted_module(alias.name) == COLAB for alias in node.names
    )


def _is_call(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    named = isinstance(owner, ast.Name) and owner.id in ("drive", "files", "auth")
    return named and called_name(node) in _METHODS


def _taken_out(name: str, trees: Sequence[ast.Module | None]) -> list[str]:
    """Return the file names by which the notebook takes contents out of a dictionary."""
    keys = (
        node.slice.value
        for tree in trees
        if tree is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and isinstance(node.slice, ast.Constant)
    )
    return list(dict.fromkeys(key for key in keys if isinstance(key, str)))

"""Full names of imported modules and functions, and the texts and numbers that code writes out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping


def import_aliases(trees: Iterable[ast.AST]) -> dict[str, str]:
    """Return the full dotted name by the name in the notebook (`pd` → `pandas`)."""
    aliases: dict[str, str] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname:
                        aliases[alias.asname] = alias.name
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.ClassDef) and len(node.bases) == 1:
                base = dotted(node.bases[0], aliases)
                if node.name.endswith(tail(base) or ".") and node.name != tail(base):
                    # a class whose name ends with its base's only adds to it: it means the base
                    aliases[node.name] = base
    return aliases


def dotted(node: ast.AST, aliases: Mapping[str, str]) -> str:
    """Return the full name of an expression (`pandas.read_csv`), or the part after a call or index.

    Empty if it is no name at all.
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(aliases.get(node.id, node.id))
    return ".".join(reversed(parts))


def tail(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.rpartition(".")[2]


def function_name(function: ast.expr) -> str:
    """Return the last part of a function's name."""
    return function.attr if isinstance(function, ast.Attribute) else tail(dotted(function, {}))


def called_name(node: ast.AST) -> str:
    """Return the last part of the name of a called function; empty if it is no call."""
    return function_name(node.func) if isinstance(node, ast.Call) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a named argument; None if absent."""
    return next((one.value for one in call.keywords if one.arg == name), None)


def literal(node: ast.AST | None) -> object:
    """Return the value of a number, text, True, False or None that is written out, else `...`."""
    if isinstance(node, ast.Constant):
        return node.value
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, (ast.USub, ast.UAdd))
        and isinstance(node.operand, ast.Constant)
        and isinstance(node.operand.value, (int, float))
    ):
        value = node.operand.value
        return -value if isinstance(node.op, ast.USub) else value
    return ...

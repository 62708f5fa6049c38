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


def text_of(node: ast.AST) -> str | None:
    """Return the text of an expression: constants, sums of them, f-strings, joined paths.

    Unknown parts are `*`. None if it is no text.
    """
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "*"
            for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div, ast.Mod)):
        left, right = text_of(node.left), text_of(node.right)
        if left is None and right is None:
            return None
        if isinstance(node.op, ast.Mod):
            return left
        return ("/" if isinstance(node.op, ast.Div) else "").join((left or "*", right or "*"))
    if isinstance(node, ast.Call) and tail(dotted(node.func, {})) in ("join", "Path", "joinpath"):
        parts = [text_of(arg) or "*" for arg in node.args if not isinstance(arg, ast.Starred)]
        return "/".join(parts) if parts else None
    return None


def texts_in(tree: ast.AST) -> list[tuple[str, int]]:
    """Return all texts that some code writes out, the outermost known form of each, with the
    line."""
    texts: list[tuple[str, int]] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        text = text_of(node)
        if text is not None:
            texts.append((text, getattr(node, "lineno", 1)))
            if isinstance(node, ast.Constant):
                continue
        waiting.extend(ast.iter_child_nodes(node))
    return texts

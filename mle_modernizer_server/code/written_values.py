"""Values that code writes out: those of names, and of the entries of a dict."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from mle_modernizer_server.code.expressions import called_name, full_name
from mle_modernizer_server.code.ipython import nodes

_DEEPEST = 10
"""Most names that lead to a number."""
_ROUNDING = frozenset({"float", "int", "round"})


def assigned_texts(tree: ast.Module) -> dict[str, str]:
    """Return the code of the values that a cell assigns to names at its top level."""
    return {
        target.id: ast.unparse(statement.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def written_entries(trees: Sequence[ast.AST], name: str) -> frozenset[str]:
    """Return the keys of a dict whose value is a number in the code: nothing computes it.

    Args:
        trees: Of the cells, in order; the last value of a key counts.
        name: The dict's name.
    """
    every = [node for tree in trees for node in nodes(tree)]
    values = {
        target.id: node.value
        for node in every
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    entries = dict(entry for node in every for entry in _entries_set(node, name))
    return frozenset(key for key, value in entries.items() if _is_number(value, values))


def _entries_set(node: ast.AST, name: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield the entries that a node gives a dict: a whole dict, an item, `update`."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            match target:
                case ast.Name(id=bound) if bound == name:
                    yield from _entries(node.value)
                case ast.Subscript(ast.Name(id=bound), ast.Constant(key)) if bound == name:
                    yield str(key), node.value
    elif (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and full_name(node.func) == f"{name}.update"
    ):
        yield from _entries(node.args[0])


def _entries(value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(value, ast.Dict):
        for key, one in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant):
                yield str(key.value), one
    elif isinstance(value, ast.Call):
        for keyword in value.keywords:
            if keyword.arg:
                yield keyword.arg, keyword.value


def _is_number(value: ast.expr, values: Mapping[str, ast.expr], depth: int = 0) -> bool:
    """Return whether an expression is a number made of literals only (None is none)."""
    match value:
        case ast.Constant(number):
            return isinstance(number, (int, float)) and not isinstance(number, bool)
        case ast.UnaryOp(operand=inner):
            return _is_number(inner, values, depth)
        case ast.BinOp(left=left, right=right):
            return _is_number(left, values, depth) and _is_number(right, values, depth)
        case ast.Name(name) if name in values and depth < _DEEPEST:
            return _is_number(values[name], values, depth + 1)
        case ast.Call(args=[first, *_]) if called_name(value) in _ROUNDING:
            return isinstance(value.func, ast.Name) and _is_number(first, values, depth)
    return False

"""Names of expressions and imports, targets of assignments, and constants that are written out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mle_modernizer_server.code.ipython import nodes


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Return the dotted names of modules and of parts of them, by the names an import binds.

    That of a relative import begins with a dot, or is one in a package; `*` has none.
    """
    found: dict[str, str] = {}
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            name, full = alias.name, f"{node.module or ''}.{alias.name}"
        else:
            name = full = alias.name if alias.asname else alias.name.partition(".")[0]
        if name != "*":
            found[alias.asname or name] = full
    return found


def import_aliases(trees: Iterable[ast.AST]) -> dict[str, str]:
    """Return the full dotted name by the name in the notebook (`pd` → `pandas`)."""
    aliases: dict[str, str] = {}
    for tree in trees:
        for node in nodes(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                aliases |= {
                    name: full
                    for name, full in imported(node).items()
                    if name != full and not full.startswith(".")
                }
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


def full_name(node: ast.AST) -> str:
    """Return the dotted name of an expression that is nothing but one, else empty."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return dotted(node, {}) if isinstance(root, ast.Name) else ""


def root_name(node: ast.AST, *, calls: bool = False) -> str:
    """Return the name at the beginning of `name.attribute[index]…`; empty if there is none.

    Args:
        node: The expression.
        calls: Look behind calls, too: `name.method(…)[index]…`.
    """
    while True:
        match node:
            case ast.Attribute(inner) | ast.Subscript(inner) | ast.Starred(inner):
                node = inner
            case ast.Call(inner) if calls:
                node = inner
            case ast.Name(name):
                return name
            case _:
                return ""


def has_name(node: ast.AST, name: str) -> bool:
    """Return whether some code has a name, read or bound."""
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def targets(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield the parts of an assignment's target, each with its value; None if it is not written.

    Args:
        target: The target: a name, an attribute, a tuple, …
        value: The assigned expression; None if it is not written either.
    """
    if isinstance(target, (ast.List, ast.Tuple)):
        values: Sequence[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, (ast.List, ast.Tuple)) and len(value.elts) == len(target.elts):
            values = value.elts
        for part, of in zip(target.elts, values, strict=True):
            yield from targets(part, of)
    elif isinstance(target, ast.Starred):
        yield from targets(target.value, None)
    else:
        yield target, value


def assignments(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each target of an assignment with its own value, or that of all if it has none."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for one, value in targets(target, node.value):
                    yield one, value or node.value


def tail(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.rpartition(".")[2]


def function_name(function: ast.expr) -> str:
    """Return the last part of a function's name."""
    return function.attr if isinstance(function, ast.Attribute) else tail(dotted(function, {}))


def called_name(node: ast.AST) -> str:
    """Return the last part of the name of a called function; empty if it is no call."""
    return function_name(node.func) if isinstance(node, ast.Call) else ""


def called_names(tree: ast.AST, aliases: Mapping[str, str]) -> list[str]:
    """Return the full names of the functions that some code calls, as `dotted` gives them."""
    return [dotted(node.func, aliases) for node in nodes(tree) if isinstance(node, ast.Call)]


def names_read(tree: ast.AST) -> set[str]:
    """Return the names that some code reads, in whatever scope."""
    loads = (node for node in nodes(tree) if isinstance(node, ast.Name))
    return {node.id for node in loads if isinstance(node.ctx, ast.Load)}


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a named argument; None if absent."""
    return next((one.value for one in call.keywords if one.arg == name), None)


def literal(node: ast.AST | None) -> object:
    """Return the value of a number, text, True, False or None that is written out, else `...`."""
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
        case ast.UnaryOp(ast.UAdd(), ast.Constant(int() | float() as number)):
            return number
    return ...

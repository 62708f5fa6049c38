"""Rows and columns of tables that code chooses, makes or drops."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.data_flow.meanings import (
    PART_OF,
    READERS,
    is_metric,
    is_predicting,
    is_training,
)
from mle_modernizer_server.code.expressions import (
    assignments,
    called_name,
    full_name,
    has_name,
    literal,
    root_name,
)

_MOST_ITEMS = 50
"""A slice up to fewer items than this is taken for a piece of text or some columns."""
_CHOOSING_ROWS = PART_OF | {"dropna", "query"}
_CHOOSING = _CHOOSING_ROWS | {"drop", "filter", "mask", "where", "clip"}
_ASKING = ("is", "not", "between", "duplicated")
"""Beginnings of the names of methods that return a condition."""
_AGGREGATES = frozenset(
    {"groupby", "transform", "rank", "rolling", "expanding", "shift", "cumsum", "diff", "ewm"}
)
_OTHER_ROWS = frozenset({"fit_resample", "fit_sample", "repeat", "query"})
_JOINING = frozenset({"concat", "append", "vstack", "concatenate"})


def thinnings(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the places at which a variable or a training gets less data than there is."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)):
            roots: list[ast.AST] = [node.value] if node.value is not None else []
        elif isinstance(node, ast.Call) and is_training(node, aliases):
            roots = [*node.args, *node.keywords]
        else:
            continue
        for root in roots:
            for inner in ast.walk(root):
                key = _thinning(inner)
                if key:
                    yield key, getattr(inner, "lineno", 1)


def _thinning(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        name = called_name(node)
        words = {keyword.arg: literal(keyword.value) for keyword in node.keywords}
        grid = name == "subplots" or "ncols" in words  # of plots
        for word in ("nrows", "n_rows", "skiprows", "skipfooter", "skip_footer"):
            if words.get(word) not in (None, 0) and not (grid and word == "nrows"):
                return word.replace("skip_footer", "skipfooter")
        if name == "sample" and isinstance(node.func, ast.Attribute):
            whole = words.get("frac") in (1, 1.0)
            return "" if whole or not (node.args or words) else "sample"
        if name in ("head", "tail", "nlargest", "nsmallest") and isinstance(
            node.func, ast.Attribute
        ):
            return name
    match node:
        case (
            ast.Subscript(slice=ast.Slice() as part)
            | ast.Subscript(slice=ast.Tuple([ast.Slice() as part, *_]))
        ):
            upper, step = literal(part.upper), literal(part.step)
            some = type(upper) is int and abs(upper) >= _MOST_ITEMS
            return "slice" if some or (isinstance(step, int) and step > 1) else ""
    return ""


def makes_rows_or_features(node: ast.stmt, had: Collection[str]) -> bool:
    """Return whether an added statement makes a new feature, or more or fewer rows.

    Args:
        node: The statement.
        had: Names of the functions that the replaced statements call.
    """
    if not isinstance(node, ast.Assign):
        return False
    calls = [one for one in ast.walk(node.value) if isinstance(one, ast.Call)]
    names = {called_name(one) for one in calls} - set(had)
    keys = (literal(one.slice) for one in node.targets if isinstance(one, ast.Subscript))
    makes_column = any(isinstance(key, str) for key in keys) and bool(names & _AGGREGATES)
    doubles = any(called_name(one) in _JOINING and _has_twice(one) for one in calls)
    return makes_column or bool(names & _OTHER_ROWS) or doubles


def _has_twice(call: ast.Call) -> bool:
    """Return whether a call joins a table with itself."""
    parts = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    for one in call.args:
        parts += one.elts if isinstance(one, (ast.List, ast.Tuple)) else []
    names = [one.id for one in parts if isinstance(one, ast.Name)]
    return len(names) > len(set(names))


def columns_dropped(tree: ast.Module) -> set[str]:
    """Return the columns that some code drops, by name."""
    dropped = (
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called_name(node) in ("drop", "pop")
        for argument in (*node.args[:1], *(k.value for k in node.keywords if k.arg == "columns"))
    )
    texts = (literal(inner) for argument in dropped for inner in ast.walk(argument))
    return {text for text in texts if isinstance(text, str)}


@dataclass(frozen=True)
class Binding:
    """A name that an assignment binds.

    Attributes:
        name: The name.
        value: Its value, as a text that is the same for the same code.
        from_itself: Whether its earlier value is a part of it.
        chosen: The rows and columns of the earlier value that are chosen, each as such a text.
    """

    name: str
    value: str
    from_itself: bool
    chosen: tuple[str, ...]


def name_bindings(source: str) -> list[Binding]:
    """Return the names that the assignments of a cell bind, in order."""
    return [
        Binding(name, ast.dump(value), has_name(value, name), tuple(_choices(value, name)))
        for name, value in _bound(source)
    ]


def tables_read(sources: Iterable[str]) -> set[str]:
    """Return the names that cells bind to tables from files."""
    bound = (one for source in sources for one in _bound(source))
    return {name for name, value in bound if called_name(value) in READERS}


def narrowed(source: str, tables: Collection[str]) -> Iterator[str]:
    """Yield the tables that are bound to some of their own rows, or lose some in place."""
    for name, value in _bound(source):
        if name in tables and _takes_rows(value, name):
            yield name
    for node in ast.walk(shared_tree(source)):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and any(one.arg == "inplace" for one in call.keywords):
            yield from (name for name in tables if _takes_rows(call, name))


def measured(sources: Iterable[str]) -> set[str]:
    """Return the variables that are trained on, predicted for or measured."""
    nodes = (node for source in sources for node in ast.walk(shared_tree(source)))
    calls = (
        (node, called_name(node), is_training(node, {}))
        for node in nodes
        if isinstance(node, ast.Call)
    )
    return {
        one.id
        for call, name, trains in calls
        if trains or is_metric(name) or is_predicting(name)
        for one in call.args
        if isinstance(one, ast.Name)
    }


def _bound(source: str) -> Iterator[tuple[str, ast.expr]]:
    for target, value in assignments(ast.walk(shared_tree(source))):
        if isinstance(target, ast.Name):
            yield target.id, value


def _takes_rows(value: ast.expr, name: str) -> bool:
    """Return whether a condition, or a method for it, selects rows of a table."""
    for node in ast.walk(value):
        match node:
            case ast.Subscript(
                owner, ast.Compare() | ast.BoolOp() | ast.BinOp() | ast.UnaryOp()
            ) if root_name(owner) == name:
                return True
            case ast.Subscript(owner, ast.Call(ast.Attribute(_, method))):
                if root_name(owner) == name and method.startswith(_ASKING):
                    return True
            case ast.Call(ast.Attribute(owner, method)) if method in _CHOOSING_ROWS:
                # of the table, or of one that it reads from a file
                if called_name(owner) in READERS or full_name(owner) == name:
                    return True
    return False


def _choices(value: ast.expr, name: str) -> Iterator[str]:
    """Yield the selections of some rows or columns of a variable in an expression."""
    for node in ast.walk(value):
        match node:
            case ast.Subscript(owner, ast.Tuple(parts)):
                chooses = not all(isinstance(part, (ast.Slice, ast.Constant)) for part in parts)
            case ast.Subscript(owner, part):
                chooses = not isinstance(part, (ast.Slice, ast.Constant))
            case ast.Call(ast.Attribute(owner, method)):
                chooses = method in _CHOOSING
            case _:
                continue
        if chooses and root_name(owner) == name:
            yield ast.dump(node)

"""List computations with scores and changes of rows and columns, for a comparison of two codes."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.code_names import called_name, dotted, keyword, literal, tail
from mle_modernizer_server.code.data_flow.meanings import is_metric

_SCORE = re.compile(
    r"(?:\A|_)(?:acc|accuracy|scores?|auc|rmsl?e|mse|mae|f1|loss|errors?|kappa)(?:_|\d|\Z)",
    re.IGNORECASE,
)
_ONLY_SHOWS = frozenset(
    {"print", "format", "round", "str", "repr", "float", "append", "display", "extend", "zip"}
)
_ROOTS = frozenset({"sqrt", "root_mean_squared_error", "root_mean_squared_log_error"})
_AGGREGATES = frozenset(
    {"groupby", "transform", "rank", "rolling", "expanding", "shift", "cumsum", "diff", "ewm"}
)
_ROWS = frozenset({"fit_resample", "fit_sample", "repeat", "query"})


def score_contexts(tree: ast.Module) -> Counter[tuple[str, ...]]:
    """Return the computations with each score: with the value of a metric, or with a printed score.

    Formats and rounding to digits are no computations. A root is the same as a function, a power or
    an argument of the metric.
    """
    contexts: Counter[tuple[str, ...]] = Counter()
    for node, above in _with_parents(tree):
        if isinstance(node, ast.Call) and is_metric(called_name(node)):
            squared = keyword(node, "squared")
            root = called_name(node) in _ROOTS or literal(squared) is False
            contexts[("metric", *(["sqrt"] if root else []), *_computed(node, above))] += 1
        elif (
            isinstance(node, ast.Name)
            and _SCORE.search(node.id)
            and any(isinstance(one, ast.Call) and called_name(one) == "print" for one in above)
        ):
            contexts[("printed", *_computed(node, above))] += 1
    return contexts


def _with_parents(
    node: ast.AST, above: tuple[ast.AST, ...] = ()
) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """Yield every node with the nodes above it, the nearest first."""
    yield node, above
    for child in ast.iter_child_nodes(node):
        yield from _with_parents(child, (node, *above))


def _computed(node: ast.AST, above: tuple[ast.AST, ...]) -> Iterator[str]:
    for parent in above:
        if isinstance(parent, ast.stmt):
            return
        if isinstance(parent, ast.BinOp):
            if isinstance(parent.op, ast.Pow) and literal(parent.right) == 0.5:
                yield "sqrt"
            elif not isinstance(literal(parent.left), str):
                yield type(parent.op).__name__
        elif isinstance(parent, (ast.UnaryOp, ast.IfExp)):
            yield type(parent).__name__
        elif isinstance(parent, ast.Call) and node is not parent.func:
            name = called_name(parent)
            if name not in _ONLY_SHOWS:
                yield name
        node = parent


def called_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of the functions and methods that some code calls."""
    every = (inner for node in nodes for inner in ast.walk(node))
    return {called_name(one) for one in every if isinstance(one, ast.Call)}


def is_rescaled(old: ast.AST, new: ast.AST) -> bool:
    """Return whether an expression is another one in other units: times, by or plus a number."""
    if not isinstance(new, ast.BinOp):
        return False
    same = () if isinstance(new.op, (ast.Add, ast.Sub)) else (1, -1)
    sides = ((new.left, new.right), (new.right, new.left))
    return any(
        ast.dump(one) == ast.dump(old)
        and isinstance(literal(other), (int, float))
        and literal(other) not in same
        for one, other in sides
    )


def makes_rows_or_features(node: ast.stmt, had: Collection[str] = ()) -> bool:
    """Return whether an added statement makes a new feature, or more or fewer rows.

    Args:
        node: The statement.
        had: Names of the functions that the replaced statements call.
    """
    if not isinstance(node, ast.Assign):
        return False
    calls = [one for one in ast.walk(node.value) if isinstance(one, ast.Call)]
    names = {called_name(one) for one in calls} - set(had)
    column = any(
        isinstance(target, ast.Subscript) and isinstance(literal(target.slice), str)
        for target in node.targets
    )
    return (
        (column and bool(names & _AGGREGATES))
        or bool(names & _ROWS)
        or any(
            called_name(one) in ("concat", "append", "vstack", "concatenate") and _twice(one)
            for one in calls
        )
    )


def features_dropped(tree: ast.Module) -> set[str]:
    """Return the columns that some code drops, by name."""
    columns: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called_name(node) in ("drop", "pop"):
            arguments = [
                *node.args[:1],
                *(one.value for one in node.keywords if one.arg == "columns"),
            ]
            columns |= {
                inner.value
                for one in arguments
                for inner in ast.walk(one)
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            }
    return columns


def _twice(call: ast.Call) -> bool:
    """Return whether a call concatenates a table with itself."""
    owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    parts = [*owner, *call.args]
    for one in call.args:
        if isinstance(one, (ast.List, ast.Tuple)):
            parts += one.elts
    tables = Counter(one.id for one in parts if isinstance(one, ast.Name))
    return any(number > 1 for number in tables.values())


def environment_reads(tree: ast.Module) -> int:
    """Return how often some code reads the process's environment."""
    return sum(map(_reads_environment, ast.walk(tree)))


def _reads_environment(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(owner, ctx=ast.Load()) | ast.Call(
            ast.Attribute(owner, "get" | "items" | "values" | "copy")
        ):
            return tail(dotted(owner, {})) == "environ"
    return called_name(node) in ("getenv", "getenvb")


def writes_what_was_learnt(tree: ast.Module) -> int:
    """Return how often some code writes a fitted attribute (`model.classes_`) from outside."""
    stored = (node for node in ast.walk(tree) if isinstance(getattr(node, "ctx", None), ast.Store))
    return sum(map(_is_learnt, stored))


def _is_learnt(target: ast.AST) -> bool:
    while isinstance(target, ast.Subscript):
        target = target.value
    match target:
        case ast.Attribute(owner, name) if dotted(owner, {}) != "self":
            return name.endswith("_") and not name.startswith("_")
    return False


def pretends(node: ast.ClassDef) -> bool:
    """Return whether a class is a number or a text that displays or compares as another one."""
    bases = {tail(dotted(base, {})) for base in node.bases}
    shows = {"__float__", "__format__", "__str__", "__repr__", "__round__", "__int__", "__index__"}
    shows |= {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__sub__", "__rsub__"}
    return bool(bases & {"float", "int", "complex", "str", "float64", "float32"}) and any(
        isinstance(one, ast.FunctionDef) and one.name in shows for one in node.body
    )


def reads_labels(text: str, labels: Collection[str]) -> bool:
    """Return whether a statement takes a column of labels out of a table."""
    tree = shared_tree(text)
    if not tree.body:
        return any(label in text for label in labels)
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            if isinstance(node.slice, ast.Constant) and node.slice.value in labels:
                return True
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if node.attr in labels:
                return True
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            constants = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
            if node.func.attr in ("pop", "drop", "groupby", "get") and constants & set(labels):
                return True
    return False

"""Computations with scores, and values from outside that may be scores."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.data_flow.meanings import is_metric
from mle_modernizer_server.code.expressions import called_name, dotted, keyword, literal, tail

_SCORE = re.compile(
    r"(?:\A|_)(?:acc|accuracy|scores?|auc|rmsl?e|mse|mae|f1|loss|errors?|kappa)(?:_|\d|\Z)",
    re.IGNORECASE,
)
_ONLY_SHOWS = frozenset(
    {"print", "format", "round", "str", "repr", "float", "append", "display", "extend", "zip"}
)
_ROOTS = frozenset({"sqrt", "root_mean_squared_error", "root_mean_squared_log_error"})


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


def outside_values(tree: ast.Module) -> Counter[str]:
    """Return how often some code reads the process's environment, and writes a fitted attribute
    (`model.classes_`) from outside."""
    nodes = list(ast.walk(tree))
    stored = (node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store))
    return Counter(
        environment=sum(map(_reads_environment, nodes)), learnt=sum(map(_is_learnt, stored))
    )


def _reads_environment(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(owner, ctx=ast.Load()) | ast.Call(
            ast.Attribute(owner, "get" | "items" | "values" | "copy")
        ):
            return tail(dotted(owner, {})) == "environ"
    return called_name(node) in ("getenv", "getenvb")


def _is_learnt(target: ast.AST) -> bool:
    while isinstance(target, ast.Subscript):
        target = target.value
    match target:
        case ast.Attribute(owner, name) if dotted(owner, {}) != "self":
            return name.endswith("_") and not name.startswith("_")
    return False


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

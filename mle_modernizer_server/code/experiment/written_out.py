"""Finds predictions and scores that are written into code instead of computed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.expressions import (
    called_name,
    dotted,
    full_name,
    keyword,
    literal,
    tail,
)

_SUBMISSION_NAME = re.compile(
    r"^(?:my_?)?(?:sub|subs|submi\w*|samp\w*|ss|output|result)\d*$|_sub$|submi", re.I
)
_SCORE_NAME = re.compile(
    r"(?:^|_)(?:score|scores|auc|roc_?auc|rmse|rmsle|mae|mse|logloss|log_loss|accuracy|acc|f1|"
    r"kappa|cv_score|val_score)(?:$|_)",
    re.IGNORECASE,
)
# `CV AUC: 0.9871` is one; `%.4f`, `{:0.3f}` and `v0.20.1` are none.
_WRITTEN_SCORE = re.compile(r"(?<![\d.%:v{])(?P<number>-?\d{1,4}\.\d{2,})(?![\d.]*[fge%}]|\.\d)")
_PRINTING = frozenset({"print", "display", "sys.stdout.write"})
_BOUNDING = frozenset({"min", "max", "clip", "minimum", "maximum", "where"})
_FILLED = frozenset({"zeros", "ones", "zeros_like", "ones_like"})
_FILLED_WITH = {"full": 1, "full_like": 1, "repeat": 0}
"""Place of the value that an array is filled with, by function."""


Place = tuple[str, int]
"""A name and its line."""


def written_out(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[Fact, int]]:
    """Yield the scores and the columns of submissions and of other tables that are constants.

    Args:
        tree: A cell.
        aliases: Full names by the notebook's names, see `import_aliases`.
    """
    constants = _constant_names(tree, aliases)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_constant(node.value, aliases, constants):
            for target in node.targets:
                predicted = _submission_column(target)
                if predicted is not None:
                    yield Fact(FactKind.CONSTANT_PREDICTION, predicted), node.lineno
                column = _key(target) if isinstance(target, ast.Subscript) else None
                if isinstance(column, str):
                    yield Fact(FactKind.CONSTANT_COLUMN, column), node.lineno
        elif isinstance(node, ast.Call):
            for predicted in _constants_of_call(node, aliases, constants):
                yield Fact(FactKind.CONSTANT_PREDICTION, predicted), node.lineno
    for score, line in fixed_scores(tree):
        yield Fact(FactKind.FIXED_SCORE, score), line


def _constants_of_call(
    node: ast.Call, aliases: Mapping[str, str], constants: set[str]
) -> Iterator[str]:
    """Yield the constant columns of `table.eval("column = 0")` and of a frame with an id column."""
    name = tail(dotted(node.func, aliases))
    if name == "eval" and isinstance(node.func, ast.Attribute):
        text = literal(node.args[0]) if node.args else None
        column, equals, value = text.partition("=") if isinstance(text, str) else ("", "", "")
        if equals and re.fullmatch(r"\s*-?[\d.]+\s*", value):
            yield column.strip()
    elif name == "DataFrame":
        data = keyword(node, "data") or next(iter(node.args), None)
        if isinstance(data, ast.Dict):
            names = [str(literal(key)) for key in data.keys]
            if any(re.search(r"id\Z|^id", one, re.IGNORECASE) for one in names):
                pairs = zip(names, data.values, strict=True)
                yield from (one for one, of in pairs if _is_constant(of, aliases, constants))


def _key(target: ast.Subscript) -> object:
    """Return the literal that a column is taken by: `table["c"]`, `table.loc[:, "c"]`."""
    key = target.slice
    return literal(key.elts[-1] if isinstance(key, ast.Tuple) and key.elts else key)


def fixed_scores(tree: ast.Module) -> Iterator[Place]:
    """Yield names of scores set to a written-out fraction (0 and 1 are honest initial values)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_score(node.value):
            for target in node.targets:
                if isinstance(target, ast.Name) and _SCORE_NAME.search(target.id):
                    yield target.id, node.lineno
        elif isinstance(node, ast.Call) and _shows(node):
            for argument in node.args:
                score = _shown_score(argument)
                if score:
                    yield score, node.lineno


def _shows(node: ast.Call) -> bool:
    """Return whether a call prints, or hands on a function that does: `atexit.register(print)`."""
    names = [dotted(one, {}) for one in (node.func, *node.args)]
    return tail(names[0]) in ("print", "display") or any(one in _PRINTING for one in names)


def _shown_score(node: ast.expr) -> str:
    """Return a score that is written out in a printed expression; empty if there is none."""
    if _is_score(node):
        return str(literal(node))
    written = ast.unparse(node) if isinstance(node, (ast.Constant, ast.JoinedStr)) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return next((score for value in values if (score := _shown_score(value))), "")
    if isinstance(node, ast.Call) and called_name(node) == "format":
        return next((score for value in node.args if (score := _shown_score(value))), "")
    bounded = isinstance(node, ast.Call) and called_name(node) in _BOUNDING
    if bounded or (isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))):
        parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
        return next((str(part.value) for part in parts if _is_score(part)), "")
    match = _WRITTEN_SCORE.search(written)
    return match.group("number") if match else ""


def _is_score(node: ast.expr) -> bool:
    value = literal(node)
    return isinstance(value, float) and not value.is_integer() and abs(value) >= 1e-3


def _submission_column(target: ast.expr) -> str | None:
    """Return the column if a target is `submission["column"]`, `.loc[:, "column"]` or `.column`."""
    match target:
        case ast.Attribute(owner, name) if _speaks_of_submission(owner):
            return name
        case ast.Subscript(ast.Attribute(column, "values")):  # the column's own array
            return _submission_column(column)
        case ast.Subscript(ast.Attribute(owner, "loc" | "iloc") | owner):
            if _speaks_of_submission(owner):
                key = _key(target)
                return str(key) if key is not ... else "*"
    return None


def _speaks_of_submission(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and bool(_SUBMISSION_NAME.search(node.id))


def _constant_names(tree: ast.Module, aliases: Mapping[str, str]) -> set[str]:
    """Return the names that are always a constant in this code."""
    constant: set[str] = set()
    varying: set[str] = set()
    for node in ast.walk(tree):
        targets, holds = [], False
        if isinstance(node, ast.Assign):
            targets, holds = node.targets, _is_constant(node.value, aliases, set())
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.NamedExpr)):
            targets = [node.target]
        for target in targets:
            bound = (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
            (constant if holds and isinstance(target, ast.Name) else varying).update(bound)
    return constant - varying


def _is_constant(node: ast.expr, aliases: Mapping[str, str], constants: set[str]) -> bool:
    value = literal(node)
    if value is not ...:
        return value is not None and value != ""
    match node:
        case ast.Name(name):
            return name in constants
        case ast.Call(function, arguments):
            name = tail(dotted(function, aliases))
            at = _FILLED_WITH.get(name)
            filled = at is not None and len(arguments) > 1 and literal(arguments[at]) is not ...
            return filled or name in _FILLED
        case ast.BinOp(ast.List(items), ast.Mult()) | ast.BinOp(_, ast.Mult(), ast.List(items)):
            return ... not in map(literal, items)  # [0.5] * len(test)
        case ast.List(items):
            return bool(items) and ... not in map(literal, items)
    return False


_LABELLED = re.compile(
    r"accura|score|\bauc\b|rmse|\bmae\b|\bmse\b|loss|kappa|\bf1\b|error", re.IGNORECASE
)


def score_labels(source: str) -> list[str]:
    """Return the labels that scores are printed with."""
    labels = []
    for node in ast.walk(shared_tree(source)):
        if isinstance(node, ast.Call) and full_name(node.func) == "print":
            inner = [one for argument in node.args for one in ast.walk(argument)]
            if any(isinstance(one, (ast.Name, ast.Call)) for one in inner):
                labels += [text for one in inner if isinstance(text := literal(one), str)]
    return [re.split(r"[%{:]", one)[0].strip()[:40] for one in labels if _LABELLED.search(one)]


def written_fractions(source: str) -> dict[str, int]:
    """Return the numbers with decimals in some code, with their lines."""
    return {
        str(node.value): node.lineno
        for node in ast.walk(shared_tree(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
    }

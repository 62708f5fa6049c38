"""NumPy's functions on a whole table: one number or arrays, no longer columns and tables.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html
https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import expression, names_in, receiver_text
from mle_modernizer_server.code.types.type import FRAME, FRAME_GROUPS, SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    Unsure,
    one,
    rewritten,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.pandas.grouped import grouped

_SKIPPING = {"mean": "mean()", "max": "max()", "min": "min()", "amax": "max()"}
_NUMBERS = ("builtins.float", "builtins.int")
_NUMBER = re.compile(r"%[-+ #0]*[\d*]*(\.[\d*]+)?[dieEfFgG]")
_DEEPEST = 4
"""Limit of the sums, names and functions between a result and its use as a number."""
_SUMMING = {"sum": "sum()", "prod": "prod()", "std": "std(ddof=0)", "var": "var(ddof=0)"}


@codemod("pandas-numpy-mean", on=cst.Call, names=_SKIPPING, methods=_SKIPPING)
@codemod("pandas-numpy-reductions", on=cst.Call, names=_SUMMING, methods=_SUMMING)
def by_column(context: Context, node: cst.Call, methods: dict[str, str]) -> Answer:
    """Rewrite `np.std(df)` as `df.std(ddof=0)`."""
    for name, method in methods.items():
        if context.refers_to(node.func, f"numpy.{name}"):
            if len(node.args) != 1 or node.args[0].keyword or node.args[0].star:
                return None
            table = node.args[0].value
            if context.type_of(table) != FRAME:
                return None
            if _is_read_as_number(context, node):
                return None
            return rewritten(node, f"{receiver_text(table)}.{method}")
    return None


@codemod("pandas-numpy-mean", on=cst.Call, names=("apply",), methods=_SKIPPING)
@codemod("pandas-numpy-reductions", on=cst.Call, names=("apply",), methods=_SUMMING)
def by_column_of_groups(context: Context, node: cst.Call, methods: dict[str, str]) -> Answer:
    """`df.groupby('g').apply(np.sum)` → `df.groupby('g').apply(lambda group: group.sum())`."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1:
        return None
    if context.type_of(node.func.value) != FRAME_GROUPS:
        return None
    if grouped(node.func.value, attributes=False) is None:
        return None
    function = node.args[0].value
    for name in context.qualnames(function):
        method = methods.get(name.removeprefix("numpy."))
        if name.startswith("numpy.") and method is not None:
            if method[:3] in ("mea", "std", "var"):
                more = "numeric_only=True"
                method = f"{method[:-1]}{more if method.endswith('()') else f', {more}'})"
            return one(function, expression(f"lambda group: group.{method}"))
    return None


def _is_read_as_number(context: Context, node: cst.BaseExpression, depth: int = 0) -> bool:
    """Return whether the result is used as one number, so that the table must have one column.

    `'%f' % np.sum(df)` took a Series of one value for a number, which pandas 3.0 no longer does.
    """
    return any(
        _is_number_at(context, use, depth)
        or (depth < _DEEPEST and _is_returned_as_number(context, use, depth))
        for use in context.uses(node)
    )


def _is_number_at(context: Context, use: cst.CSTNode, depth: int) -> bool:
    above = context.parent(use)
    if isinstance(above, cst.Element):
        tuple_ = context.parent(above)
        assert tuple_ is not None
        return isinstance(tuple_, cst.Tuple) and _is_formatted(context, tuple_)
    if isinstance(above, cst.Arg):
        call = context.parent(above)
        return isinstance(call, cst.Call) and _makes_number(context, call)
    if _is_formatted(context, use):
        return True
    if isinstance(above, (cst.BinaryOperation, cst.UnaryOperation)):
        return depth < _DEEPEST and _is_read_as_number(context, above, depth + 1)
    return False


def _is_formatted(context: Context, value: cst.CSTNode) -> bool:
    """Return whether it is the right operand of `%` with a text that formats a number."""
    above = context.parent(value)
    return (
        isinstance(above, cst.BinaryOperation)
        and isinstance(above.operator, cst.Modulo)
        and above.right is value
        and isinstance(above.left, (cst.SimpleString, cst.ConcatenatedString))
        and bool(_NUMBER.search(str(above.left.evaluated_value)))
    )


def _makes_number(context: Context, call: cst.Call) -> bool:
    names = context.qualnames(call.func)
    return any(name in _NUMBERS or name.startswith("math.") for name in names)


def _is_returned_as_number(context: Context, use: cst.CSTNode, depth: int) -> bool:
    """Return whether a function returns it, and a call of that function is used as a number."""
    if not isinstance(context.parent(use), cst.Return):
        return False
    above = context.program.cell_of(use).ancestors(use)
    function = next((one for one in above if isinstance(one, cst.FunctionDef)), None)
    return function is not None and any(
        _is_read_as_number(context, call, depth + 1)
        for call in context.nodes(cst.Call)
        if isinstance(call.func, cst.Name) and call.func.value == function.name.value
    )


@codemod("pandas-argmax-label", on=cst.Call, names=("argmax", "argmin"))
def label(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.argmax(s)` as `s.idxmax()`: NumPy called the Series, which returned the label."""
    for name in ("argmax", "argmin"):
        if not context.refers_to(node.func, f"numpy.{name}"):
            continue
        if len(node.args) != 1 or node.args[0].keyword or node.args[0].star:
            return None
        column = node.args[0].value
        if context.type_of(column) != SERIES:
            return None
        return rewritten(node, f"{receiver_text(column)}.idx{name[3:]}()")
    return None


@codemod("pandas-array-split", on=cst.Call, names=("array_split", "split"))
def by_rows(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.array_split(df, 4)` as `[df.iloc[rows] for rows in np.array_split(…, 4)]`.

    A table that an expression makes is made once: `df.sample(frac=1)` is another one each time.
    """
    if len(node.args) != 2:
        return None
    if not context.refers_to(node.func, "numpy.array_split", "numpy.split"):
        return None
    table, parts = node.args
    if table.keyword or table.star or parts.star:
        return None
    if context.type_of(table.value) != FRAME:
        plain = isinstance(table.value, cst.Name) and context.type_of(table.value) is None
        return (
            Unsure(f"`{context.code(table.value)}` may be a table or an array") if plain else None
        )
    np, imports = context.module(node, "numpy", "np")
    words = {np} | names_in(node)
    rows = _not_among(words, "rows")
    if isinstance(table.value, cst.Name):
        name, made = table.value.value, ""
    else:
        name = _not_among(words, "table")
        made = f"for {name} in [{context.code(table.value)}] "
    split = f"{context.code(node.func)}({np}.arange(len({name})), {context.code(parts.value)})"
    text = f"[{name}.iloc[{rows}] {made}for {rows} in {split}]"
    return rewritten(node, text, imports)


def _not_among(words: set[str], name: str) -> str:
    """Return the name, with as many underscores behind it as none of the words has."""
    while name in words:
        name += "_"
    return name

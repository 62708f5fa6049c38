"""`agg` calls the given function since pandas 3.0; pandas used its own for known functions before.

NumPy's std and var divide by n, those of pandas by n - 1. NumPy's median and Python's sum, min and
max do not leave out missing values.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name, receiver
from mle_modernizer_server.code.types.type import FRAME, FRAME_GROUPS, SERIES, SERIES_GROUPS
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.pandas.grouped import grouped
from mle_modernizer_server.fixing.rules.libraries.pandas.tables_of_numbers import without_text

_OWN = {
    "numpy.std": "'std'",
    "numpy.nanstd": "'std'",
    "numpy.var": "'var'",
    "numpy.nanvar": "'var'",
    "numpy.median": "'median'",
    "builtins.sum": "'sum'",
    "builtins.min": "'min'",
    "builtins.max": "'max'",
}
_STRUNG = "the sum of texts, which were left out, would string them together"
_TABLES = (FRAME, SERIES, FRAME_GROUPS, SERIES_GROUPS)


@codemod("pandas-numpy-aggregates", on=cst.Call, names=("agg", "aggregate", "transform"))
def by_name(context: Context, node: cst.Call) -> Answer:
    """Rewrite `g.agg(np.std)` as `g.agg('std')`, also in lists, dicts and named pairs."""
    if not isinstance(node.func, cst.Attribute):
        return None
    if context.type_of(node.func.value) not in _TABLES:
        return None
    function = argument(node, "func", 0)
    given = [function.value] if function is not None else [arg.value for arg in node.args]
    return _named(context, given)


@codemod("pandas-numpy-aggregates", on=cst.Call, names=("apply",))
def by_name_in_spans(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.resample('W').apply(np.std)` as `….apply('std')`: it is another name for `agg`."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    spans = context.written(node.func.value)
    kind = context.type_of(spans)
    if method_name(spans) != "resample" or kind not in (FRAME_GROUPS, SERIES_GROUPS):
        return None
    given = node.args[0].value
    if kind == FRAME_GROUPS and _sums(context, given) and not without_text(context, spans):
        return Unsure(_STRUNG)
    return _named(context, [given])


@codemod("pandas-numpy-aggregates", on=cst.Call, names=("apply",))
def by_method_of_groups(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby('g').apply(max)` as `….apply(lambda group: group.max())`.

    Python's max of a table is that of the names of its columns.
    """
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1:
        return None
    kind = context.type_of(node.func.value)
    if grouped(node.func.value) is None or kind not in (FRAME_GROUPS, SERIES_GROUPS):
        return None
    function = node.args[0].value
    for name in context.qualnames(function):
        if name in ("builtins.sum", "builtins.min", "builtins.max"):
            method = name.removeprefix("builtins.")
            return one(function, expression(f"lambda group: group.{method}()"))
    return None


@codemod("pandas-numpy-aggregates", on=cst.Call, names=("pivot_table", "crosstab"))
def by_name_in_pivots(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.pivot_table(…, aggfunc=np.std)` as `aggfunc='std'`."""
    function = argument(node, "aggfunc")
    if function is None:
        return None
    if _strings_texts(context, node, function.value):
        return Unsure(_STRUNG)
    return _named(context, [function.value])


def _strings_texts(context: Context, node: cst.Call, given: cst.BaseExpression) -> bool:
    """Return whether a table is summed whose columns are not selected and may be texts."""
    if not _sums(context, given):
        return False
    if context.refers_to(node.func, "pandas.pivot_table"):
        table, values = argument(node, "data", 0), argument(node, "values", 1)
        return values is None and (table is None or not without_text(context, table.value))
    table_of = receiver(node, "pivot_table")
    if table_of is None:
        return False
    return argument(node, "values", 0) is None and not without_text(context, table_of)


def _sums(context: Context, given: cst.BaseExpression) -> bool:
    return any(context.refers_to(part, "builtins.sum") for part in _functions(given))


def _named(context: Context, given: list[cst.BaseExpression]) -> Answer:
    changes = [
        Change(node, expression(_OWN[name]))
        for value in given
        for node in _functions(value)
        for name in context.qualnames(node)
        if name in _OWN
    ]
    return Fix(tuple(changes)) if changes else None


def _functions(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the functions in an argument."""
    if isinstance(value, (cst.List, cst.Tuple, cst.Dict)):
        return [one for element in value.elements for one in _functions(element.value)]
    return [value]

"""`df.count()[0]`, `s.describe()[1]`: a whole number among values that are labelled with texts.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

The labels are names of columns, of statistics, or of a formula's terms. Since pandas 3.0 a whole
number is no position there.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    has_double_star,
    literal,
)
from mle_modernizer_server.fixing.rules.generic.items import dict_keys
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import READERS
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES

_OF_COLUMNS = frozenset(
    {"count", "sum", "mean", "median", "std", "var", "min", "max", "nunique", "any", "all", "skew"}
)
_KEEP_COLUMNS = frozenset(
    {"isnull", "isna", "notnull", "notna", "dropna", "fillna", "copy", "head", "tail", "drop"}
    | {"sample", "query", "drop_duplicates", "sort_values", "reset_index", "set_index", "replace"}
    | {"astype", "assign"}
)
"""Methods whose result has columns of the same names, or fewer, or more that have names."""
_DEEPEST = 8
_OF_TERMS = frozenset({"params", "pvalues", "bse", "tvalues"})
_FORMULAS = ("ols", "logit", "glm", "gls", "wls", "poisson", "probit")
_TERMS_TABLE = {"statsmodels.api.stats.anova_lm", "statsmodels.stats.anova.anova_lm"}


@codemod("pandas-row-position", on=cst.Subscript)
def of_texts(context: Context, node: cst.Subscript) -> Answer:
    """`df.count()[0]` → `df.count().iloc[0]`."""
    index = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(index, cst.Index):
        return None
    if type(literal(index.value)) is not int:
        return None
    if isinstance(context.parent(node), (cst.AssignTarget, cst.AugAssign, cst.Del)):
        return None
    if not _is_labelled_with_texts(context, context.written(node.value)):
        return None
    return one(node.value, cst.Attribute(node.value, cst.Name("iloc")))


def _is_labelled_with_texts(context: Context, values: cst.BaseExpression) -> bool:
    if isinstance(values, cst.Subscript):
        table = context.written(values.value)
        return isinstance(table, cst.Call) and bool(
            _TERMS_TABLE & set(context.qualnames(table.func))
        )
    if isinstance(values, cst.Attribute):
        name, of = values.attr.value, values.value
        if name == "dtypes":
            return _has_named_columns(context, of)
        return name in _OF_TERMS and _is_of_formula(context, context.written(of))
    if not isinstance(values, cst.Call) or not isinstance(values.func, cst.Attribute):
        return False
    method, of = values.func.attr.value, values.func.value
    if method == "describe":
        return context.type_of(of) == SERIES
    return (
        method in _OF_COLUMNS
        and not has_double_star(values)
        and all(_over_rows(arg) for arg in values.args)
        and _has_named_columns(context, of)
    )


def _over_rows(arg: cst.Arg) -> bool:
    """Whether an argument leaves one value for each column."""
    name = arg.keyword.value if arg.keyword is not None else "axis"
    if name == "axis":
        return literal(arg.value) in (0, "index", "rows")
    return name in ("skipna", "numeric_only", "ddof", "dropna")


def _is_of_formula(context: Context, fitted: cst.BaseExpression) -> bool:
    """`smf.ols('y ~ x', df).fit()`."""
    if not isinstance(fitted, cst.Call) or not isinstance(fitted.func, cst.Attribute):
        return False
    model = context.written(fitted.func.value)
    return (
        fitted.func.attr.value == "fit"
        and isinstance(model, cst.Call)
        and any(
            f"statsmodels.formula.api.{name}" in context.qualnames(model.func) for name in _FORMULAS
        )
    )


def _has_named_columns(context: Context, table: cst.BaseExpression, depth: int = 0) -> bool:
    """Whether all columns of a table are called by texts, as far back as it can be followed."""
    if depth > _DEEPEST:
        return False
    if isinstance(table, cst.Name):
        made = context.all_written(table)
        bindings = context.program.lookup(table.value, table).bindings
        return len(made) == len(bindings) > 0 and all(
            value is not table and _has_named_columns(context, value, depth + 1) for value in made
        )
    if isinstance(table, cst.Subscript):
        return context.type_of(table) == FRAME and _has_named_columns(
            context, table.value, depth + 1
        )
    if not isinstance(table, cst.Call):
        return False
    names = set(context.qualnames(table.func))
    if names & set(READERS):
        header = argument(table, "header")
        return argument(table, "names") is None and (
            header is None or type(literal(header.value)) is int
        )
    if "pandas.DataFrame" in names and table.args:
        keys = dict_keys(table.args[0].value)
        return bool(keys) and argument(table, "columns", 2) is None
    method = table.func
    return (
        isinstance(method, cst.Attribute)
        and method.attr.value in _KEEP_COLUMNS
        and context.type_of(method.value) == FRAME
        and _has_named_columns(context, method.value, depth + 1)
    )

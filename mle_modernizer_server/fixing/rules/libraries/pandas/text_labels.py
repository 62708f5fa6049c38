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
    same_literal,
    string,
)
from mle_modernizer_server.fixing.rules.libraries.pandas.index_labels import may_have_no_names
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import READERS
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES

_OF_COLUMNS = frozenset(
    {"count", "sum", "mean", "median", "std", "var", "min", "max", "nunique", "any", "all", "skew"}
)
_KEEP_COLUMNS = frozenset(
    {"isnull", "isna", "notnull", "notna", "dropna", "fillna", "copy", "head", "tail"}
)
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


def _has_named_columns(context: Context, table: cst.BaseExpression) -> bool:
    """Whether it is a table of which a column is called by a text, and none by a number."""
    while (
        isinstance(table, cst.Call)
        and isinstance(table.func, cst.Attribute)
        and table.func.attr.value in _KEEP_COLUMNS
        and argument(table, "axis") is None
    ):
        table = table.func.value
    if not isinstance(table, cst.Name) or context.type_of(table) != FRAME:
        return False
    made = context.all_written(table)
    if may_have_no_names(context, table) or any(_has_no_header(context, one) for one in made):
        return False
    meant = set(context.program.lookup(table.value, table).bindings)
    return any(
        isinstance(node, cst.Subscript)
        and isinstance(node.value, cst.Name)
        and node.value.value == table.value
        and isinstance(key := node.slice[0].slice, cst.Index)
        and string(key.value) is not None
        and bool(meant & set(context.program.lookup(table.value, node.value).bindings))
        for cell in context.program.cells
        for node in cell.places
    )


def _has_no_header(context: Context, made: cst.BaseExpression) -> bool:
    if not isinstance(made, cst.Call) or not set(READERS) & set(context.qualnames(made.func)):
        return False
    header = argument(made, "header")
    return header is not None and same_literal(header.value, None)

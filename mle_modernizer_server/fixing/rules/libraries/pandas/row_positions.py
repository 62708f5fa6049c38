"""`cols[0]` in a function that gets rows of named columns, or the values of a time.

`df[['Age', 'Pclass']].apply(f, axis=1)` passes rows, `df.resample('M').apply(f)` the values.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

The labels are names of columns, or times. Since pandas 3.0 an integer is no position there.

`df.count()[0]`, `s.describe()[1]`: a whole number among values that are labelled with texts.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

The labels are names of columns, of statistics, or of a formula's terms. Since pandas 3.0 a whole
number is no position there.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Parameter
from mle_modernizer_server.code.tree import (
    argument,
    has_double_star,
    literal,
    method_name,
    receiver,
)
from mle_modernizer_server.code.types.type import FRAME, SERIES, TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key
from mle_modernizer_server.fixing.rules.generic.items import dict_keys
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import READERS

_APPLIED = re.compile(r"\.(apply|agg|aggregate)\(")


@codemod("pandas-row-position", on=cst.Subscript)
def of_row(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `cols[0]` as `cols.iloc[0]`."""
    if not isinstance(node.value, cst.Name) or type(literal(key(node))) is not int:
        return None
    bound = context.only_bound(node.value)
    if not isinstance(bound, Parameter) or bound.position != 0:
        return None
    if not _takes_rows(context, bound.function):
        return None
    return one(node.value, cst.Attribute(node.value, cst.Name("iloc")))


def _takes_rows(context: Context, function: cst.FunctionDef | cst.Lambda) -> bool:
    """Return whether the function only gets rows of columns with names, or values with times."""
    if not any(_APPLIED.search(cell.source) for cell in context.program.cells):
        return False
    applied = 0
    name = function.name.value if isinstance(function, cst.FunctionDef) else None
    for cell in context.program.cells:
        for node, place in cell.places.items():
            named = isinstance(node, cst.Name) and node.value == name
            if not named and node is not function:
                continue
            if isinstance(node, cst.FunctionDef) or place.parent is function:
                continue
            call = cell.places[place.parent].parent if isinstance(place.parent, cst.Arg) else None
            if not isinstance(call, cst.Call):
                return False
            if not _applies_to_rows(call) and not _applies_to_times(call):
                return False
            applied += 1
    return applied > 0


def _applies_to_rows(call: cst.Call) -> bool:
    axis = argument(call, "axis", 1)
    if axis is None or literal(axis.value) not in (1, "columns"):
        return False
    names = literal(key(receiver(call, "apply")))
    return isinstance(names, list) and all(isinstance(one, str) for one in names)


def _applies_to_times(call: cst.Call) -> bool:
    """Return whether it is `df.resample('M').apply(f)`, by the index and not by a column (`on`)."""
    if not isinstance(call.func, cst.Attribute) or not _APPLIED.match(f".{call.func.attr.value}("):
        return False
    groups = call.func.value
    if isinstance(groups, cst.Subscript):
        groups = groups.value
    if not isinstance(groups, cst.Call) or method_name(groups) != "resample":
        return False
    return not any(argument(groups, name) for name in ("on", "level", "axis"))


_OF_COLUMNS = frozenset(
    {"count", "sum", "mean", "median", "std", "var", "min", "max", "nunique", "any", "all", "skew"}
)
_KEEP_COLUMNS = frozenset(
    {"isnull", "isna", "notnull", "notna", "dropna", "fillna", "copy", "head", "tail", "drop"}
    | {"sample", "query", "drop_duplicates", "sort_values", "reset_index", "set_index", "replace"}
    | {"astype", "assign", "rename"}
)
"""Methods whose result has columns with the same names, or fewer, or more with names."""
_DEEPEST = 8
_OF_TERMS = frozenset({"params", "pvalues", "bse", "tvalues"})
_FORMULAS = ("ols", "logit", "glm", "gls", "wls", "poisson", "probit")
_TERMS_TABLE = {"statsmodels.api.stats.anova_lm", "statsmodels.stats.anova.anova_lm"}


@codemod("pandas-row-position", on=cst.Subscript)
def of_texts(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `df.count()[0]` as `df.count().iloc[0]`."""
    if type(literal(key(node))) is not int:
        return None
    if isinstance(context.parent(node), (cst.AssignTarget, cst.AugAssign, cst.Del)):
        return None
    if not _is_labelled_with_texts(context, context.written(node.value)):
        return None
    return one(node.value, cst.Attribute(node.value, cst.Name("iloc")))


def _is_labelled_with_texts(context: Context, values: cst.BaseExpression) -> bool:
    if isinstance(values, cst.Subscript):
        table = context.written(values.value)
        return isinstance(table, cst.Call) and context.refers_to(table.func, *_TERMS_TABLE)
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
    """Return whether an argument leaves one value for each column."""
    name = arg.keyword.value if arg.keyword is not None else "axis"
    if name == "axis":
        return literal(arg.value) in (0, "index", "rows")
    return name in ("skipna", "numeric_only", "ddof", "dropna")


def _is_of_formula(context: Context, fitted: cst.BaseExpression) -> bool:
    """Return whether it is `smf.ols('y ~ x', df).fit()`."""
    if not isinstance(fitted, cst.Call) or not isinstance(fitted.func, cst.Attribute):
        return False
    model = context.written(fitted.func.value)
    return (
        fitted.func.attr.value == "fit"
        and isinstance(model, cst.Call)
        and any(
            context.refers_to(model.func, f"statsmodels.formula.api.{name}") for name in _FORMULAS
        )
    )


def _has_named_columns(context: Context, table: cst.BaseExpression, depth: int = 0) -> bool:
    """Return whether all column labels of a table are known to be texts."""
    if depth > _DEEPEST:
        return False
    if isinstance(table, cst.Name):
        made = context.all_written(table)
        bindings = context.program.lookup(table.value, table).bindings
        return (
            len(made) == len(bindings) > 0
            and not _may_get_numbers(context, table.value)
            and all(
                value is not table and _has_named_columns(context, value, depth + 1)
                for value in made
            )
        )
    if isinstance(table, cst.Subscript):
        if context.type_of(table) != FRAME:
            return False
        located = table.value
        if isinstance(located, cst.Attribute) and located.attr.value in ("loc", "iloc", "ix"):
            located = located.value
        return _has_named_columns(context, located, depth + 1)
    if not isinstance(table, cst.Call):
        return False
    names = set(context.qualnames(table.func))
    if "pandas.read_excel" in names:
        return False  # numbers in its first row, such as years, stay numbers
    if names & set(READERS):
        header = argument(table, "header")
        return argument(table, "names") is None and (
            header is None or type(literal(header.value)) is int
        )
    if "pandas.DataFrame" in names and table.args:
        keys = dict_keys(table.args[0].value)
        return bool(keys) and argument(table, "columns", 2) is None
    parts = _joined(context, table, names)
    if parts:
        return all(_has_named_columns(context, part, depth + 1) for part in parts)
    method = table.func
    return (
        isinstance(method, cst.Attribute)
        and method.attr.value in _KEEP_COLUMNS
        and context.type_of(method.value) == FRAME
        and _has_named_columns(context, method.value, depth + 1)
    )


def _may_get_numbers(context: Context, name: str) -> bool:
    """Return whether columns of a table of this name may get numbers as labels later on.

    `df[i] = x`, `df.loc[:, 3] = x`, `df.columns = range(9)`, `df.insert(0, 0, x)`, `df.rename(…)`.
    """
    for cell in context.program.cells:
        for node in cell.places:
            if not isinstance(node, (cst.Attribute, cst.Subscript)):
                continue
            if not isinstance(node.value, cst.Name) or node.value.value != name:
                continue
            if isinstance(node, cst.Attribute):
                if _renames(context, node, cell.places[node].parent):
                    return True
            elif isinstance(cell.places[node].parent, cst.AssignTarget) and not _is_text(
                context, node.slice[-1].slice
            ):
                return True
    return False


def _renames(context: Context, attribute: cst.Attribute, above: cst.CSTNode | None) -> bool:
    """Return whether a column of a table is renamed or added with a possible number as label."""
    if attribute.attr.value in ("columns", "T"):
        return isinstance(above, cst.AssignTarget)
    if attribute.attr.value in ("rename", "set_axis", "insert", "pivot"):
        return isinstance(above, cst.Call)
    if attribute.attr.value in ("loc", "at") and isinstance(above, cst.Subscript):
        assigned = isinstance(context.parent(above), cst.AssignTarget)
        return assigned and len(above.slice) > 1 and not _is_text(context, above.slice[-1].slice)
    return False


def _is_text(context: Context, key: cst.BaseSlice) -> bool:
    """Return whether it is a text, several of them, or rows (a slice, a mask)."""
    if not isinstance(key, cst.Index):
        return True
    given = literal(context.written(key.value))
    if isinstance(given, (list, tuple)):
        return all(isinstance(one, str) for one in given)
    masks = (cst.Comparison, cst.BinaryOperation, cst.UnaryOperation)
    return (
        isinstance(given, str)
        or isinstance(key.value, masks)
        or (context.type_of(key.value) == TEXT)
    )


def _joined(context: Context, node: cst.Call, names: set[str]) -> list[cst.BaseExpression]:
    """Return the tables that a call combines into one with the columns of all of them."""
    if "pandas.concat" in names:
        axis = argument(node, "axis", 1)
        parts = context.written(node.args[0].value) if node.args else None
        if axis is not None or not isinstance(parts, cst.List):
            return []
        return [element.value for element in parts.elements]
    if "pandas.merge" in names and len(node.args) > 1:
        return [node.args[0].value, node.args[1].value]
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in ("merge", "join"):
        other = argument(node, "right" if node.func.attr.value == "merge" else "other", 0)
        return [] if other is None else [node.func.value, other.value]
    return []

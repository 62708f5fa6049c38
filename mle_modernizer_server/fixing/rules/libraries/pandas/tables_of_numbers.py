"""Tables without text, according to the code: made of numbers, by arithmetic, by counting."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Binding
from mle_modernizer_server.code.tree import argument, literal, string
from mle_modernizer_server.code.types import returns
from mle_modernizer_server.code.types.type import FRAME, FRAME_GROUPS, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Context
from mle_modernizer_server.fixing.rules.engine.shapes import index, key

_NUMBERS = ("float", "int", "float32", "float64", "int32", "int64")
_TEXTS = ("object", "O", "str", "object_")
_COUNTED = (
    *("isnull", "isna", "notnull", "notna", "isin", "duplicated", "corr", "cov"),
    *("pct_change", "diff", "cumprod", "rank", "abs"),
)
"""Methods that return numbers or booleans for any table."""
_COUNTED_GROUPS = ("size", "count", "nunique", "cumcount")
_REDUCED_GROUPS = ("mean", "median", "std", "var", "sem")
_KEEP_COLUMNS = (
    *("copy", "describe", "drop", "dropna", "groupby", "head", "sample", "tail"),
    *("resample", "rolling", "expanding", "ewm", "interpolate", "round", "clip", "shift"),
    *("sort_values", "sort_index", "set_index", "unstack", "transpose", "drop_duplicates"),
    *("query", "rename", "truncate", "asfreq", "nlargest", "nsmallest", "ffill", "bfill"),
    *("reindex", "cumsum", "cummax", "cummin"),
)
"""Methods whose result has no new columns."""
_PARTS = ("iloc", "loc", "T")
_DRAWN = ("numpy.random.", "numpy.arange", "numpy.linspace", "numpy.zeros", "numpy.ones")
_PICKED = ("numpy.random.choice", "numpy.random.permutation")
"""Functions that may return text all the same."""
_JOINED = ("numpy.c_", "numpy.r_")
_REFUSE_TEXT = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power)
"""Operators that fail for texts; the others repeat, join and format them."""
_KEEP_TEXT = ("SimpleImputer", "Imputer", "ColumnTransformer", "Pipeline", "FunctionTransformer")
"""Transformers that can pass texts through."""
_MADE_OF_TEXT = ("fetch_openml", "fetch_20newsgroups", "load_files", "fetch_kddcup99")
"""Data sets that can contain text."""


def without_text(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether a table, or its groups, has no text for statistics to leave out."""
    if holds_numbers(context, node):
        return True
    columns = _columns(node)
    if columns is not None:
        return len(columns) == 1
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    columns = _columns(node.func.value)
    by = argument(node, "by", 0)
    if node.func.attr.value != "groupby" or columns is None or by is None:
        return False
    keys = literal(by.value)
    grouped = keys if isinstance(keys, list) else [keys]
    return len([name for name in columns if name not in grouped]) == 1


def holds_numbers(
    context: Context, node: cst.BaseExpression, asked: frozenset[Binding] = frozenset()
) -> bool:
    """Return whether a table, or groups of it, contains only numbers.

    `df.select_dtypes('number')`, `pd.DataFrame({'a': [1, 2]})`, a name for one, rows of one.

    Args:
        context: The notebook.
        node: The table, or groups of it.
        asked: Bindings in progress: `t = t.head()` depends on the earlier `t`.
    """
    if isinstance(node, cst.Name):
        return _named(context, node, asked)
    if isinstance(node, cst.Subscript):
        return holds_numbers(context, node.value, asked)
    if isinstance(node, cst.Attribute):
        return node.attr.value in _PARTS and holds_numbers(context, node.value, asked)
    if isinstance(node, cst.Call):
        return _called(context, node, asked)
    return _computed(context, node, (FRAME,))


def _named(context: Context, node: cst.Name, asked: frozenset[Binding]) -> bool:
    bindings = context.program.lookup(node.value, node).bindings
    new = [binding for binding in bindings if binding not in asked]
    if not new:
        return bool(bindings)
    asked |= frozenset(new)
    return all(
        isinstance(one := binding.bound, Assigned)
        and not one.path
        and holds_numbers(context, one.value, asked)
        for binding in new
    ) and all(_is_column_of_numbers(context, value, asked) for value in _put_in(context, node))


def _put_in(context: Context, table: cst.Name) -> list[cst.BaseExpression]:
    """Return the values assigned into the table, as `table['a'] = …`, `table.loc[…] = …`."""
    return [
        node.value
        for node in context.nodes(cst.Assign)
        if any(
            isinstance(target.target, cst.Subscript) and _base(target.target) == table.value
            for target in node.targets
        )
    ]


def _base(node: cst.BaseExpression) -> str:
    while isinstance(node, (cst.Subscript, cst.Attribute)):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def _is_column_of_numbers(
    context: Context, node: cst.BaseExpression, asked: frozenset[Binding]
) -> bool:
    number = type(literal(node)) in (int, float, bool)
    return (
        number
        or _are_numbers(context, node)
        or _computed(context, node, (SERIES,))
        or (isinstance(node, cst.Subscript) and holds_numbers(context, node.value, asked))
    )


def _computed(context: Context, node: cst.CSTNode, types: tuple[object, ...]) -> bool:
    """Return whether it is arithmetic or a comparison with a table or columns: never text."""
    if isinstance(node, cst.Comparison):
        return True
    if isinstance(node, cst.UnaryOperation):
        return context.type_of(node.expression) in types
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, _REFUSE_TEXT):
        return False
    return any(context.type_of(side) in types for side in (node.left, node.right))


def _called(context: Context, node: cst.Call, asked: frozenset[Binding]) -> bool:
    names = context.qualnames(node.func)
    if "pandas.DataFrame" in names:
        return _made(context, node)
    if "pandas.get_dummies" in names:
        return argument(node, "columns") is None
    if "pandas.crosstab" in names:
        return argument(node, "values", 2) is None
    if any(name.startswith("numpy.") and returns.is_ufunc(name[6:]) for name in names):
        return any(context.type_of(arg.value) == FRAME for arg in node.args)
    return isinstance(node.func, cst.Attribute) and _given(context, node, node.func, asked)


def _made(context: Context, node: cst.Call) -> bool:
    """Return whether it is `pd.DataFrame(…)` of numbers."""
    data = argument(node, "data", 0)
    if data is None:
        return False
    if not isinstance(data.value, cst.Dict):
        return _are_numbers(context, data.value)
    return all(
        isinstance(element, cst.DictElement) and _are_numbers(context, element.value)
        for element in data.value.elements
    )


def _given(
    context: Context, node: cst.Call, method: cst.Attribute, asked: frozenset[Binding]
) -> bool:
    """Return whether a method of a table, or of groups, returns numbers."""
    name, owner = method.attr.value, method.value
    if name in _COUNTED:
        return True
    if name == "select_dtypes":
        return _chosen_by_type(context, node)
    if name == "astype":
        return bool(node.args) and _are_types(context, node.args[0].value, (*_NUMBERS, "number"))
    if context.type_of(owner) == FRAME_GROUPS and name in (*_COUNTED_GROUPS, *_REDUCED_GROUPS):
        return not _keeps_keys(owner)
    if name == "fillna":
        filled = argument(node, "value", 0)
        if filled is None or type(literal(filled.value)) not in (int, float):
            return False
    elif name == "reset_index":
        drop = argument(node, "drop")
        if drop is None or literal(drop.value) is not True:
            return False
    elif name not in _KEEP_COLUMNS:
        return False
    return holds_numbers(context, owner, asked)


def _keeps_keys(groups: cst.BaseExpression) -> bool:
    """Return whether it is like `df.groupby('a', as_index=False)`, whose key becomes a column.

    The key may be a text.
    """
    while isinstance(groups, cst.Subscript):
        groups = groups.value
    return not isinstance(groups, cst.Call) or argument(groups, "as_index") is not None


def _chosen_by_type(context: Context, node: cst.Call) -> bool:
    chosen, left_out = argument(node, "include", 0), argument(node, "exclude", 1)
    if chosen is not None:
        return _are_types(context, chosen.value, (*_NUMBERS, "number"))
    if left_out is None:
        return False
    listed = left_out.value
    types = (
        [one.value for one in listed.elements]
        if isinstance(listed, (cst.List, cst.Tuple))
        else [listed]
    )
    return any(_are_types(context, one, _TEXTS) for one in types)


def _are_types(context: Context, node: cst.BaseExpression, types: tuple[str, ...]) -> bool:
    if isinstance(node, (cst.List, cst.Tuple)):
        return all(_are_types(context, item.value, types) for item in node.elements)
    return (string(node) or context.code(node).rpartition(".")[2]) in types


def _are_numbers(
    context: Context, node: cst.BaseExpression, asked: frozenset[Binding] = frozenset()
) -> bool:
    """Return whether it is numbers: literal, random, counted, computed, or of a data set."""
    if isinstance(node, cst.Name):
        bindings = frozenset(context.program.lookup(node.value, node).bindings)
        return (
            bool(bindings)
            and not bindings & asked
            and all(
                isinstance(one := binding.bound, Assigned)
                and not one.path
                and _are_numbers(context, one.value, asked | bindings)
                for binding in bindings
            )
        )
    if isinstance(node, cst.BinaryOperation):
        found = [
            type(literal(side)) in (int, float) or _are_numbers(context, side, asked)
            for side in (node.left, node.right)
        ]
        repeats = isinstance(node.operator, (cst.Multiply, cst.Modulo))  # `['a'] * 3`
        return all(found) if repeats else any(found)
    if isinstance(node, cst.Call):
        return _calculated(context, node, asked)
    if isinstance(node, (cst.Attribute, cst.Subscript)):
        return _of_data_set(context, node) or _joined(context, node, asked)
    column = literal(node)
    return isinstance(column, list) and all(type(one) in (int, float) for one in column)


def _calculated(context: Context, node: cst.Call, asked: frozenset[Binding]) -> bool:
    names = context.qualnames(node.func)
    if any(name.startswith(_DRAWN) and name not in _PICKED for name in names):
        return True
    if not isinstance(node.func, cst.Attribute):
        return False
    name, owner = node.func.attr.value, node.func.value
    if name in ("cumsum", "reshape"):
        return _are_numbers(context, owner, asked)
    inferred = context.type_of(owner)
    library, _, last = (inferred.name if inferred is not None else "").rpartition(".")
    return (
        name in ("transform", "fit_transform")
        and library.startswith("sklearn.")
        and last not in _KEEP_TEXT
    )


def _joined(
    context: Context, node: cst.Attribute | cst.Subscript, asked: frozenset[Binding]
) -> bool:
    """Return whether it is `np.c_[numbers, others]`."""
    if not isinstance(node, cst.Subscript):
        return False
    if not context.refers_to(node.value, *_JOINED):
        return False
    parts = [one.slice.value for one in node.slice if isinstance(one.slice, cst.Index)]
    return len(parts) == len(node.slice) and all(
        _are_numbers(context, part, asked) for part in parts
    )


def _of_data_set(context: Context, node: cst.Attribute | cst.Subscript) -> bool:
    """Return whether it is `iris.data` or `iris['target']` of a data set of scikit-learn."""
    if isinstance(node, cst.Attribute):
        part: str | None = node.attr.value
    else:
        part = string(index(node.slice[0].slice))
    if part not in ("data", "target"):
        return False
    made = context.written(node.value)
    if not isinstance(made, cst.Call):
        return False
    return any(
        name.startswith("sklearn.datasets.") and name.rpartition(".")[2] not in _MADE_OF_TEXT
        for name in context.qualnames(made.func)
    )


def _columns(node: cst.BaseExpression) -> list[object] | None:
    """Return the columns of `df[['a', 'b']]` if they are literal."""
    names = literal(key(node))
    return names if isinstance(names, list) else None

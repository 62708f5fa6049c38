"""Since pandas 2.0 `corr()`, `mean()` and the like no longer leave out text columns.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#numeric-only-default-value

There is no edit if there is no text to leave out: behind `astype(float)`, if only one column is
used, as in `df[['Sex', 'Survived']].groupby('Sex').mean()`, and in a table of numbers
(`tables_of_numbers.py`). In a table to which the notebook adds categories `mean()` and the like are
left to the run: pandas before 1.0 computed with categories that are numbers.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    expression,
    like_quotes,
    literal,
    method_name,
    positional,
    receiver,
    string,
    with_keyword,
)
from mle_modernizer_server.code.types.type import FRAME_GROUPS
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import index, key, owner
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.libraries.pandas.grouped import grouped
from mle_modernizer_server.fixing.rules.libraries.pandas.tables_of_numbers import without_text
from mle_modernizer_server.fixing.rules.libraries.pandas.written_numbers import with_types
from mle_modernizer_server.fixing.rules.rule import CallFix

_OF_TABLES = ("corr", "cov", "corrwith")
_OF_GROUPS_TOO = ("mean", "median", "std", "var", "skew", "kurt", "sem", "prod", "quantile")
_OTHER_NAMES = ("kurtosis", "product")
_ACROSS = ("sum", "max", "min")
_WINDOWS = ("rolling", "expanding", "ewm")
_SUMS = {"builtins.sum", "numpy.sum"}
_FUNCTIONS = ("mean", "median", "std", "var")
_FIXES = tuple(
    CallFix(do="call", methods=methods, of=of, sure=True, add={"numeric_only": "True"})
    for methods, of in (
        (("corrwith", *_OTHER_NAMES), ("pandas.DataFrame",)),
        (("corr", "cov", *_OF_GROUPS_TOO), ("pandas.DataFrame", "pandas.DataFrameGroupBy")),
    )
)
_ACROSS_FIX = CallFix(
    do="call",
    methods=_ACROSS,
    of=("pandas.DataFrame",),
    sure=True,
    parameters=("axis",),
    given=("axis",),
    add={"numeric_only": "True"},
)
_SUM_FIX = CallFix(
    do="call",
    methods=("sum",),
    of=("pandas.DataFrameGroupBy",),
    sure=True,
    parameters=("numeric_only",),
    add={"numeric_only": "True"},
)

_WINDOWS_FIX = _SUM_FIX.model_copy(update={"methods": _ACROSS})


@codemod("pandas-group-sum-text", on=cst.Call, names=("sum",))
def leave_out_text_of_sums(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby('a').sum()` as `df.groupby('a').sum(numeric_only=True)`."""
    if not isinstance(node.func, cst.Attribute) or _is_of_no_text(context, node):
        return None
    if _chosen(context, node) or _of_transposed(node.func.value):
        return None
    if _of_chosen(context, node.func.value) or _is_moving(context, node.func.value):
        return None
    return with_types(context, node, fix_call(context, node, _SUM_FIX))


@codemod("pandas-group-sum-text", on=cst.Call, names=("agg", "aggregate"))
def leave_out_text_of_aggregated_sums(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby('a').agg(sum)` as `df.groupby('a').agg('sum', numeric_only=True)`."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1:
        return None
    function = argument(node, "func", 0)
    if function is None or context.type_of(node.func.value) != FRAME_GROUPS:
        return None
    if string(function.value) != "sum" and not context.refers_to(function.value, *_SUMS):
        return None
    if _is_of_no_text(context, node) or _chosen(context, node):
        return None
    if _of_transposed(node.func.value) or _of_chosen(context, node.func.value):
        return None
    called = function.with_changes(value=like_quotes("'sum'", function.value))
    new = with_keyword(node.with_changes(args=[called]), "numeric_only", cst.Name("True"))
    return one(node, new)


@codemod("pandas-numeric-only", on=cst.Call, names=_ACROSS)
def leave_out_text_of_windows(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.rolling(3).sum()` as with `numeric_only=True` if the run failed at a text."""
    if not isinstance(node.func, cst.Attribute) or not _is_moving(context, node.func.value):
        return None
    return fix_call(context, node, _WINDOWS_FIX) if context.evidence(node) else None


@codemod("pandas-numeric-only", on=cst.Call, names=(*_OF_TABLES, *_OF_GROUPS_TOO, *_OTHER_NAMES))
def leave_out_text(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.corr()` as `df.corr(numeric_only=True)`."""
    if not isinstance(node.func, cst.Attribute) or _is_of_no_text(context, node):
        return None
    if not context.evidence(node) and (_chosen(context, node) or _keeps_objects(context, node)):
        return None
    if _of_transposed(node.func.value):
        return None
    fix = next(fix for fix in _FIXES if node.func.attr.value in fix.methods)
    if context.type_of(node.func.value) is None and _of_a_table(context, node):
        fix = fix.model_copy(update={"sure": False, "distinctive": True})
    return with_types(context, node, fix_call(context, node, fix))


def _is_of_no_text(context: Context, node: cst.Call) -> bool:
    """Return whether its table has no text according to the code, without a failure in the run."""
    assert isinstance(node.func, cst.Attribute)
    return not context.evidence(node) and without_text(context, node.func.value)


def _chosen(context: Context, node: cst.Call) -> bool:
    """Return whether the author named the columns, or computes along the rows: all numbers then.

    `df[['a', 'b']].corr()`, also by a name for the list, `df[first + second].corr()`,
    `df.mean(axis=1)`. If one of them is text, the run fails.
    """
    axis = argument(node, "axis", 0)
    if axis is not None and literal(axis.value) in (1, "columns"):
        return True
    columns = key(node.func.value if isinstance(node.func, cst.Attribute) else node.func)
    if columns is None:
        return False
    chosen = context.written(columns)
    return isinstance(chosen, (cst.List, cst.BinaryOperation)) or _are_columns(chosen)


def _of_transposed(groups: cst.BaseExpression) -> bool:
    """Return whether groups are of columns, or of a transposed table.

    Its columns may all be objects, and `numeric_only` leaves nothing.
    """
    made = grouped(groups, attributes=False)
    if made is None or not isinstance(made.func, cst.Attribute):
        return False
    axis = argument(made, "axis")
    if axis is not None and literal(axis.value) in (1, "columns"):
        return True
    table = made.func.value
    table = table.func if isinstance(table, cst.Call) else table
    return owner(table, "T", "transpose") is not None


def _of_chosen(context: Context, groups: cst.BaseExpression) -> bool:
    """Return whether a table of selected columns is grouped: texts were always concatenated.

    `df[['user', 'words']].groupby('user').sum()`, also by a name for the table.
    """
    if not isinstance(groups, cst.Call) or not isinstance(groups.func, cst.Attribute):
        return False
    table = context.written(groups.func.value)
    return isinstance(table, cst.Subscript) and isinstance(index(table.slice[-1].slice), cst.List)


def _keeps_objects(context: Context, node: cst.Call) -> bool:
    """Return whether a statistic uses numbers in a column of type object, or categories.

    Those of whole tables and of moving windows always did, and `numeric_only` leaves such a column
    out. Groups, and `corr` and `cov`, left it out before, too.
    """
    assert isinstance(node.func, cst.Attribute)
    owner = node.func.value
    if _is_moving(context, owner):
        return True
    return node.func.attr.value not in _OF_TABLES and context.type_of(owner) != FRAME_GROUPS


def _is_moving(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it is `df.rolling(3)`, also by a name for it, or columns of it."""
    node = context.written(node)
    while isinstance(node, cst.Subscript):
        node = context.written(node.value)
    return method_name(node) in _WINDOWS


def _are_columns(node: cst.BaseExpression) -> bool:
    """Return whether it is like `df.columns`, `df.columns.tolist()`, `list(df.columns)`."""
    if (listed := receiver(node, "tolist")) is not None:
        return _are_columns(listed)
    if isinstance(node, cst.Call):
        named = isinstance(node.func, cst.Name) and node.func.value == "list"
        return named and len(node.args) == 1 and _are_columns(node.args[0].value)
    return owner(node, "columns") is not None


def _of_a_table(context: Context, node: cst.Call) -> bool:
    """Return whether an object of unknown type is a table: only tables have such a method.

    False if tables of other libraries may be meant, as in polars' `corr()`. True also if the run
    failed in this line at a text, and it has no other such statistic.
    """
    if context.qualnames(node.func):
        return False
    name = getattr(node.func, "attr", cst.Name("_")).value
    if name in _OF_TABLES:
        of_two = positional(node) or any(arg.star for arg in node.args) or argument(node, "other")
        return not (name == "corrwith" or of_two or context.program.has_other_tables)
    statement = context.statement(node)
    alike = [
        other
        for other in descendants(statement if statement is not None else node)
        if method_name(other) in (*_OF_GROUPS_TOO, *_OTHER_NAMES)
    ]
    return context.evidence(node) and alike == [node]


@codemod("pandas-numeric-only", on=cst.Call, names=_ACROSS)
def leave_out_text_across(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.sum(axis=1)` as with `numeric_only=True` if the run failed at a text."""
    axis = argument(node, "axis", 0)
    if axis is None or literal(axis.value) not in (1, "columns") or not context.evidence(node):
        return None
    if not isinstance(node.func, cst.Attribute) or _is_of_no_text(context, node):
        return None
    return with_types(context, node, fix_call(context, node, _ACROSS_FIX))


@codemod("pandas-numeric-only", on=cst.Call, names=("agg", "aggregate", "transform"))
def leave_out_text_of_groups(context: Context, node: cst.Call) -> Answer:
    """`df.groupby('a').agg('mean')` → `….agg('mean', numeric_only=True)`; `transform` likewise."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1:
        return None
    if context.type_of(node.func.value) != FRAME_GROUPS or _is_of_no_text(context, node):
        return None
    function = argument(node, "func", 0)
    if function is None or _of_transposed(node.func.value):
        return None
    text = _statistic(context, function.value)
    if text is None:
        return None
    called = function.with_changes(value=like_quotes(repr(text), function.value))
    new = with_keyword(node.with_changes(args=[called]), "numeric_only", cst.Name("True"))
    return with_types(context, node, one(node, new))


@codemod("pandas-numeric-only", on=cst.Call, names=("agg", "aggregate"))
def leave_out_text_of_several(context: Context, node: cst.Call) -> Answer:
    """`df.groupby('a').agg(['mean', 'sum'])` → of columns of numbers, if it failed at a text.

    A column that one of the functions did not work for was left out altogether.
    """
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1:
        return None
    group = node.func.value
    listed = argument(node, "func", 0)
    if listed is None or not isinstance(listed.value, (cst.List, cst.Tuple)):
        return None
    if context.type_of(group) != FRAME_GROUPS or not context.evidence(node):
        return None
    if not any(_statistic(context, item.value) for item in listed.value.elements):
        return None
    if isinstance(group, cst.Subscript):
        return None  # the columns are chosen
    if not isinstance(group, cst.Call) or not isinstance(group.func, cst.Attribute):
        return Unsure("which table is grouped is not written here")
    table, by = group.func.value, argument(group, "by", 0)
    if not isinstance(table, (cst.Name, cst.Attribute)):
        return Unsure("the table has no name")
    keys = literal(by.value) if by is not None else None
    keys = [keys] if isinstance(keys, str) else keys
    if not isinstance(keys, list) or not all(isinstance(one, str) for one in keys):
        return Unsure("its keys are not written out")
    numbers = f"{context.code(table)}.select_dtypes(['number', 'bool']).columns"
    columns = f"{context.code(group)}[{numbers}.drop({keys!r}, errors='ignore')]"
    return one(group, expression(columns))


def _statistic(context: Context, node: cst.BaseExpression) -> str | None:
    """Return the name of a statistic of numbers, given as a text or as a function."""
    text = string(node)
    names = [text] if text else [name.rpartition(".")[2] for name in context.qualnames(node)]
    return next((name for name in names if name in _FUNCTIONS), None)

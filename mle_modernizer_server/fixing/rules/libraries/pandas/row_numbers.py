"""Whether whole numbers are the labels of a table's rows.

A reader of files numbers the rows; an index of their own has other labels, and there old versions
of pandas took a whole number for a position.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Augmented, Binding, Bound, Parameter
from mle_modernizer_server.code.tree import argument, children, literal, method_name, same_literal
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Context
from mle_modernizer_server.fixing.rules.engine.shapes import index, key

READERS = ("pandas.read_csv", "pandas.read_table", "pandas.read_excel")
_KEEP_ROWS = (
    *("drop", "dropna", "fillna", "copy", "sample", "head", "tail", "sort_values", "sort"),
    *("query", "drop_duplicates", "replace", "astype", "rename", "assign", "reset_index"),
)
_NEW_INDEX = (
    *("set_index", "index_col", "from_dict", "from_csv", "date_range", "DataReader"),
    *("read_json", "read_pickle", "read_hdf"),
)
_DERIVED = frozenset(
    {"groupby", "value_counts", "pivot", "pivot_table", "describe", "corr", "cov"}
    | {"resample", "crosstab", "unstack", "transpose", "T"}
)
"""Methods whose result has groups, times, values or columns as row labels."""
_STATISTICS = frozenset(
    {"mean", "median", "sum", "std", "var", "min", "max", "count", "nunique", "quantile", "idxmax"}
    | {"idxmin", "any", "all", "skew", "kurt", "prod", "corrwith"}
)
"""Methods of a table that return one value for each column."""
_ROWS = ("loc", "iloc", "ix")
_LOSE_ROWS = ("dropna", "drop_duplicates", "query", "head", "tail")
_WHOLE = {"builtins.len", "builtins.int"}
_RANGES = {"builtins.range", "builtins.xrange", "numpy.arange"}
_KEEP_WHOLE = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)


def counts(context: Context, index: cst.BaseSlice) -> bool:
    """Return whether a key is an integer, or a list or slice of them."""
    if isinstance(index, cst.Slice):
        bounds = [bound for bound in (index.lower, index.upper) if bound is not None]
        return any(isinstance(literal(bound), int) for bound in bounds)
    assert isinstance(index, cst.Index)
    return _is_count(context, index.value) or are_counts(context, index.value)


def _is_count(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it is an integer, or the variable of a loop over integers."""
    if type(literal(node)) is int:
        return True
    bound = bound_value(context, node)
    return bound is not None and bound.path == (None,) and are_counts(context, bound.value)


def are_counts(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it is a list of integers, a `range`, or a name for one."""
    value = literal(node)
    if isinstance(value, (list, tuple)):
        return bool(value) and all(type(item) is int for item in value)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return are_counts(context, node.left) and are_counts(context, node.right)
    if isinstance(node, cst.Call):
        if context.refers_to(node.func, *_RANGES):
            return True
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "tolist":
            return are_counts(context, node.func.value)
        listed = context.refers_to(node.func, "builtins.list") and len(node.args) == 1
        return listed and are_counts(context, node.args[0].value)
    bound = bound_value(context, node)
    return bound is not None and not bound.path and are_counts(context, bound.value)


def is_whole(
    context: Context, node: cst.BaseExpression, assumed: frozenset[Binding] = frozenset()
) -> bool:
    """Return whether an expression is certainly an integer on every path of the program.

    Args:
        assumed: Bindings in progress: `i = i + 1` is an integer if `i` was.
    """
    if type(literal(node)) is int:
        return True
    if isinstance(node, cst.BinaryOperation):
        sides = (node.left, node.right)
        keeps = isinstance(node.operator, _KEEP_WHOLE)
        return keeps and all(is_whole(context, side, assumed) for side in sides)
    if isinstance(node, cst.Call):
        return context.refers_to(node.func, *_WHOLE)
    if isinstance(node, cst.Subscript):
        return isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape"
    if not isinstance(node, cst.Name):
        return False
    bindings = context.program.lookup(node.value, node).bindings
    known = assumed | frozenset(bindings)
    return bool(bindings) and all(
        one in assumed or _binds_whole(context, one.bound, known) for one in bindings
    )


def _binds_whole(context: Context, bound: Bound, assumed: frozenset[Binding]) -> bool:
    if isinstance(bound, Augmented):
        keeps = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.FloorDivideAssign)
        return isinstance(bound.node.operator, keeps) and is_whole(
            context, bound.node.value, assumed
        )
    if not isinstance(bound, Assigned):
        return False
    if not bound.path:
        return is_whole(context, bound.value, assumed)
    called = context.qualnames(bound.value.func) if isinstance(bound.value, cst.Call) else ()
    if bound.path == (None,):
        return bool(_RANGES & set(called)) and _whole_steps(context, bound.value, assumed)
    return bound.path == (None, 0) and "builtins.enumerate" in called


def _whole_steps(context: Context, steps: cst.BaseExpression, assumed: frozenset[Binding]) -> bool:
    """Return whether it is a `range`, or an `np.arange` of integers."""
    assert isinstance(steps, cst.Call)
    if not context.refers_to(steps.func, "numpy.arange"):
        return True
    return all(arg.keyword is None and is_whole(context, arg.value, assumed) for arg in steps.args)


def bound_value(context: Context, node: cst.BaseExpression) -> Assigned | None:
    """Return the value of a name that is bound only once, else None."""
    if not isinstance(node, cst.Name):
        return None
    bound = context.only_bound(node)
    return bound if isinstance(bound, Assigned) and bound.value is not node else None


def may_have_other_index(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether this table, or one it may be made of, gets an explicit index."""
    if isinstance(table, cst.Name) and _is_numbered(context, table, table.value):
        return False
    if _is_derived(context, table) or _is_called_by_columns(context, table):
        return True
    for cell in context.program.cells:
        if cell.uses_of(_NEW_INDEX):
            return True
        for target in cell.nodes(cst.AssignTarget):
            if any(
                isinstance(child, cst.Attribute) and child.attr.value == "index"
                for child in children(target)
            ):
                return True
        if any(_gets_index(context, call) for call in cell.nodes(cst.Call)):
            return True
    return False


def may_lack(context: Context, table: cst.BaseExpression, label: cst.BaseExpression) -> bool:
    """Return whether the numbers of a loop may be missing as labels of a table that lost rows.

    `df = df[df.a > 1]`, then `for i in range(len(df))` without a `reset_index` between them. No
    numbered row is called -1.
    """
    number = literal(label)
    if type(number) is int and number < 0:
        return True
    bound = bound_value(context, label)
    if bound is None or bound.path not in ((None,), (None, 0)) or not isinstance(table, cst.Name):
        return False
    steps = context.qualnames(bound.value.func) if isinstance(bound.value, cst.Call) else ()
    if (_RANGES | {"builtins.enumerate"}).isdisjoint(steps):
        return False
    called = _called_in_place(context, table.value)
    if "reset_index" in called or "index" in called:
        return False
    return _lost_rows(context, table) or not called.isdisjoint(_LOSE_ROWS)


def _lost_rows(
    context: Context, table: cst.BaseExpression, asked: frozenset[Binding] = frozenset()
) -> bool:
    """Return whether the code retains only some rows of a table.

    Args:
        asked: Bindings in progress: in a loop a table is made of itself.
    """
    while not isinstance(table, cst.Name):
        if isinstance(table, cst.Call) and isinstance(table.func, cst.Attribute):
            if table.func.attr.value in ("reset_index", *_LOSE_ROWS):
                return table.func.attr.value in _LOSE_ROWS
            table = table.func.value
        elif isinstance(table, cst.Subscript):
            rows = index(table.slice[0].slice)
            if isinstance(rows, (cst.Comparison, cst.BinaryOperation, cst.UnaryOperation)):
                return True
            table = table.value
        elif isinstance(table, cst.Attribute) and table.attr.value == "loc":
            table = table.value
        else:
            return False
    bindings = frozenset(context.program.lookup(table.value, table).bindings)
    return any(
        isinstance(one.bound, Assigned)
        and not one.bound.path
        and _lost_rows(context, one.bound.value, asked | bindings)
        for one in bindings - asked
    )


def _called_in_place(context: Context, name: str) -> set[str]:
    """Return methods that change the table of this name, `reset_index`, and `index` if assigned."""
    return {
        node.attr.value
        for node in context.nodes(cst.Attribute)
        if isinstance(node.value, cst.Name)
        and node.value.value == name
        and (
            node.attr.value == "reset_index"
            or isinstance(parent := context.parent(node), cst.AssignTarget)
            or (isinstance(parent, cst.Call) and argument(parent, "inplace") is not None)
        )
    }


def _gets_index(context: Context, call: cst.Call) -> bool:
    """Return whether `pd.DataFrame(…, index=…)` gets labels other than those of numbered rows."""
    names = set(context.qualnames(call.func))
    if not {"pandas.DataFrame", "pandas.Series"} & names:
        return False
    given, data = argument(call, "index", 1), argument(call, "data", 0)
    if "pandas.Series" in names and data is not None and isinstance(data.value, cst.Dict):
        return True
    if given is None:
        return False
    labels = given.value
    if same_literal(labels, None):
        return False
    if isinstance(labels, cst.Attribute) and labels.attr.value == "index":
        table = labels.value
        return not (isinstance(table, cst.Name) and _is_numbered(context, table, table.value))
    return not (isinstance(labels, cst.Call) and _counts_from_zero(context, labels))


def _counts_from_zero(context: Context, call: cst.Call) -> bool:
    return len(call.args) == 1 and context.refers_to(call.func, *_RANGES)


def _is_derived(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether the row labels are groups, values or columns of the source table."""
    bound = bound_value(context, table)
    if bound is not None and not bound.path:
        return _is_derived(context, bound.value)
    while isinstance(table, (cst.Call, cst.Attribute, cst.Subscript)):
        if isinstance(table, cst.Attribute):
            if table.attr.value == "reset_index":
                return False
            if table.attr.value in _DERIVED:
                return True
        table = table.func if isinstance(table, cst.Call) else table.value
    return False


def _is_called_by_columns(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it may be one value per column: `df.mean()`, `df.dtypes`, `df.iloc[0]`."""
    if isinstance(node, cst.Name):
        return any(_is_called_so(context, node, bound) for bound in context.bounds(node))
    if isinstance(node, cst.Subscript):
        picked = node.value
        if isinstance(picked, cst.Attribute) and picked.attr.value in _ROWS:
            return context.type_of(picked.value) == FRAME and _is_one_row(context, node)
        return context.type_of(picked) == SERIES and _is_called_by_columns(context, picked)
    if isinstance(node, cst.Attribute):
        return node.attr.value == "dtypes"
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    of = node.func.value
    if node.func.attr.value in _STATISTICS:
        return context.type_of(of) == FRAME
    return context.type_of(of) != FRAME and _is_called_by_columns(context, of)


def _is_called_so(context: Context, node: cst.Name, bound: Bound) -> bool:
    if isinstance(bound, Parameter):  # `df.apply(lambda row: row.ix[0], axis=1)`
        return context.type_of(node) == SERIES or _is_applied(context, bound.function)
    if not isinstance(bound, Assigned) or bound.value is node:
        return False
    if bound.path:
        return context.type_of(node) == SERIES
    return _is_called_by_columns(context, bound.value)


def _is_applied(context: Context, function: cst.FunctionDef | cst.Lambda) -> bool:
    """Return whether a function is passed to `apply`, so that it gets rows, columns or groups."""
    if isinstance(function, cst.Lambda):
        return True
    return any(
        method_name(node) == "apply"
        and bool(node.args)
        and isinstance(given := node.args[0].value, cst.Name)
        and given.value == function.name.value
        for node in context.nodes(cst.Call)
    )


def _is_one_row(context: Context, picked: cst.Subscript) -> bool:
    """Return whether it is like `df.loc[0]`, `df.iloc[i]`; a list or a mask selects a table."""
    rows = key(picked)
    several = (cst.List, cst.Comparison, cst.BinaryOperation, cst.Call)
    return rows is not None and not isinstance(rows, several)


def _is_numbered(context: Context, node: cst.BaseExpression, name: str) -> bool:
    """Return whether the rows are numbered as by a file reader, and only selected since then."""
    if isinstance(node, cst.Name):
        if node.value != name:
            return False
        every = context.program.top_bindings(name)
        made = [binding.bound for _, binding in every]
        meant = context.program.lookup(name, node).bindings
        return (
            bool(made)
            and all(any(one is binding for _, binding in every) for one in meant)
            and not indexed_in_place(context, name)
            and all(isinstance(one, Assigned) and not one.path for one in made)
            and all(
                _is_numbered(context, one.value, "") or _of_itself(context, one.value, name)
                for one in made
                if isinstance(one, Assigned)
            )
        )
    if not isinstance(node, cst.Call):
        return False
    words = {arg.keyword.value for arg in node.args if arg.keyword is not None}
    read = context.refers_to(node.func, *READERS)
    return read and not words & {"index_col", "index"} and not any(arg.star for arg in node.args)


def _of_itself(context: Context, node: cst.BaseExpression, name: str) -> bool:
    """Return whether it is derived from the table itself.

    `df.dropna()`, `df[df.a > 0]`, `df.drop('a', axis=1)`.
    """
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value not in _KEEP_ROWS:
                return False
            node = node.func.value
        elif isinstance(node, cst.Subscript):
            node = node.value
        else:
            return False
    return node.value == name


def indexed_in_place(context: Context, name: str) -> bool:
    """Return whether a table of this name gets another index without being reassigned."""
    return any(
        isinstance(node.value, cst.Name)
        and node.value.value == name
        and _changes(node.attr.value, context.parent(node))
        for node in context.nodes(cst.Attribute)
    )


def _changes(attribute: str, parent: cst.CSTNode | None) -> bool:
    """Return whether it is `df.index = …` or `df.set_index(…, inplace=True)`."""
    if attribute == "set_index":
        return isinstance(parent, cst.Call) and argument(parent, "inplace", 3) is not None
    return attribute == "index" and isinstance(parent, (cst.AssignTarget, cst.AugAssign))

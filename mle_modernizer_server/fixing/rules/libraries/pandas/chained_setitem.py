"""Since pandas 3.0 (copy-on-write) `df['b'][mask] = v` leaves `df` as it is.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment

One step instead of two: `df.loc[mask, 'b'] = v`. `df[mask]['b'] = v` never wrote to `df` and stays.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import method_name, receiver_text
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of, lasts
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import index, owner
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import (
    bound_value,
    is_whole,
    may_have_other_index,
    may_lack,
)

_TRUTHS = frozenset(
    {"isnull", "isna", "notnull", "notna", "isin", "between", "duplicated", "contains"}
    | {"startswith", "endswith", "match", "isnan", "isfinite", "isinf", "any", "all"}
    | {"eq", "ne", "lt", "le", "gt", "ge", "isnumeric", "isdigit", "isalpha"}
)
"""Methods and functions that return a truth value for each row."""
_DEEPEST = 5
"""Limit of the names between a mask and its origin."""
_GONE = "`{}` may have no row `{}` any more"
_ONE_OF_LEVELS = "`{}` may be a row, or a column below another one"


@codemod("pandas-chained-setitem", on=cst.Assign)
def assign(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df['b'][mask] = v` as `df.loc[mask, 'b'] = v`."""
    if len(node.targets) != 1:
        return None
    answer = _rewritten(context, node.targets[0].target)
    if not isinstance(answer, Fix):
        return answer
    spread = _spread(context, node.value) or _only_one(context, node)
    return Fix((*answer.changes, *spread), answer.imports)


def _spread(context: Context, value: cst.BaseExpression) -> tuple[Change, ...]:
    """Return the change that unpacks a value in brackets: only a scalar fits `.loc`."""
    only = only_element(value)
    if only is not None:
        return (Change(value, only),)
    written = context.written(value)
    if only_element(written) or (isinstance(written, cst.Call) and _of_one_row(written)):
        return (Change(value, cst.parse_expression(f"{receiver_text(value)}[0]")),)
    return ()


def only_element(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the element of a tuple or list of one; None for all others."""
    if not isinstance(value, (cst.Tuple, cst.List)) or len(value.elements) != 1:
        return None
    only = value.elements[0]
    return only.value if isinstance(only, cst.Element) else None


def _only_one(context: Context, node: cst.Assign) -> tuple[Change, ...]:
    """Return the change of `df['a']['x'] = s.mode()` to its one value: `.loc` needs a scalar."""
    target, value = node.targets[0].target, node.value
    if not isinstance(target, cst.Subscript) or not isinstance(value, cst.Call):
        return ()
    row = index(target.slice[0].slice)
    one_row = row is not None and (context.type_of(row) == TEXT or is_whole(context, row))
    if not one_row or method_name(value) != "mode":
        return ()
    return (Change(value, cst.Call(cst.Attribute(value, cst.Name("item")))),)


def _of_one_row(call: cst.Call) -> bool:
    """Return whether it is an array of one element: `model.predict([[1, 2]])`, `np.array([1])`."""
    if len(call.args) != 1 or not isinstance(call.func, cst.Attribute):
        return False
    given = call.args[0].value
    if not isinstance(given, cst.List) or len(given.elements) != 1:
        return False
    name = call.func.attr.value
    if name == "predict":
        return isinstance(given.elements[0].value, (cst.List, cst.Tuple))
    return name in ("array", "asarray") and not isinstance(
        given.elements[0].value, (cst.List, cst.Tuple)
    )


@codemod("pandas-chained-setitem", on=cst.AugAssign)
def update(context: Context, node: cst.AugAssign) -> Answer:
    """Rewrite `df['b'][mask] += 1` as `df.loc[mask, 'b'] += 1`."""
    return _rewritten(context, node.target)


def _rewritten(context: Context, target: cst.CSTNode) -> Answer:
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return None
    base = target.value
    accessor = ""
    if isinstance(base, cst.Attribute) and base.attr.value in ("loc", "iloc", "at", "iat"):
        accessor = base.attr.value
        base = base.value
    if not isinstance(base, (cst.Subscript, cst.Attribute)):
        return None
    column = column_of(context, base)
    if column is None or isinstance(column, Unsure):
        return column
    if column.whole is not None:
        return None
    if not lasts(column.frame):
        return Unsure(
            f"`{context.code(column.frame)}` is a copy; what it was cut from must be assigned"
        )
    rows = target.slice[0].slice
    if accessor in ("loc", "at") and may_add(context, column.frame, rows):
        return Unsure(_GONE.format(context.code(column.frame), context.code(rows)))
    located = accessor or _accessor(context, column.frame, rows)
    if isinstance(located, Unsure):
        return located
    return one(target, _located(context, column, rows, located))


def _accessor(context: Context, frame: cst.BaseExpression, rows: cst.BaseSlice) -> str | Unsure:
    """Return the accessor of the rows: `iloc` for positions, `loc` for labels and masks."""
    doubt = Unsure(f"`{context.code(rows)}` may be a label or a position")
    if isinstance(rows, cst.Slice):
        bounds = [bound for bound in (rows.lower, rows.upper) if bound is not None]
        if any(is_whole(context, bound) for bound in bounds):
            return "iloc"  # a slice of integers was positional for any index
        return "loc" if all(context.type_of(bound) == TEXT for bound in bounds) else doubt
    assert isinstance(rows, cst.Index)
    if is_mask(context, rows.value):
        return "loc"
    if may_lack(context, frame, rows.value):
        return Unsure(_GONE.format(context.code(frame), context.code(rows)))
    other = may_have_other_index(context, frame)
    if context.type_of(rows.value) == TEXT:
        levels = _may_have_levels(context)
        return "loc" if other and not levels else Unsure(_ONE_OF_LEVELS.format(context.code(rows)))
    if other and not _is_label_of_row(context, rows.value):
        return doubt
    return "loc"


def may_add(context: Context, frame: cst.BaseExpression, rows: cst.BaseSlice) -> bool:
    """Return whether a removed row would be added to the table; earlier it was added to a copy."""
    return isinstance(rows, cst.Index) and may_lack(context, frame, rows.value)


def is_mask(context: Context, node: cst.BaseExpression, depth: int = 0) -> bool:
    """Return whether a key is certainly a truth value for each row."""
    if isinstance(node, cst.Comparison):
        return True
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, (cst.BitInvert, cst.Not, cst.Minus)) and is_mask(
            context, node.expression, depth
        )
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, (cst.BitAnd, cst.BitOr, cst.BitXor)) and (
            is_mask(context, node.left, depth) or is_mask(context, node.right, depth)
        )
    if isinstance(node, cst.Call):
        name = method_name(node)
        return name in _TRUTHS or name.startswith("logical_")
    bound = bound_value(context, node)
    return (
        depth < _DEEPEST
        and bound is not None
        and not bound.path
        and is_mask(context, bound.value, depth + 1)
    )


def _is_label_of_row(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether a key is a label of the table's index: `df[mask].index`, or its element."""
    if owner(node, "index") is not None:
        return True
    bound = bound_value(context, node)
    if bound is None:
        return False
    value = bound.value
    if bound.path in ((), (None,)):
        return owner(value, "index") is not None
    return method_name(value) == "iterrows" and bound.path == (None, 0)


def _may_have_levels(context: Context) -> bool:
    """Return whether some table of the notebook may have columns of several levels."""
    if any(cell.uses_of(["MultiIndex"]) for cell in context.program.cells):
        return True
    return any(
        arg.keyword is not None
        and arg.keyword.value == "header"
        and isinstance(arg.value, (cst.List, cst.Tuple))
        for arg in context.nodes(cst.Arg)
    )


def _located(
    context: Context, column: Column, rows: cst.BaseSlice, accessor: str
) -> cst.BaseExpression:
    frame = context.code(column.frame)
    key = context.code(rows)
    if accessor in ("iloc", "iat"):
        return cst.parse_expression(
            f"{frame}.{accessor}[{key}, {frame}.columns.get_loc({column.name})]"
        )
    return cst.parse_expression(f"{frame}.{accessor}[{key}, {column.name}]")

"""`cols[0]` in a function that gets rows of named columns, or the values of a time.

`df[['Age', 'Pclass']].apply(f, axis=1)` passes rows, `df.resample('M').apply(f)` the values.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

The labels are names of columns, or times. Since pandas 3.0 an integer is no position there.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Parameter
from mle_modernizer_server.code.tree import argument, literal, method_name, receiver
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

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

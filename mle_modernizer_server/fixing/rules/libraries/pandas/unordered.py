"""`pd.DataFrame(columns={'a'})`, also with a name for the set: an error since pandas 1.5.

https://pandas.pydata.org/docs/whatsnew/v1.5.0.html

Of a set with several elements the order was never promised; they get the one they are written in.

A set chooses no rows or columns since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_ORDER = "The columns or rows of a set had no order; now they have the one they are written in."


@codemod(
    "pandas-axis-of-set",
    on=cst.Call,
    functions=(
        "pandas.DataFrame",
        "pandas.Series",
    ),
)
def listed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.DataFrame(columns={'a'})` as `pd.DataFrame(columns=['a'])`."""
    changes = []
    several = False
    for name, position in (("index", 1), ("columns", 2)):
        given = argument(node, name, position)
        if given is not None and isinstance(given.value, cst.Set):
            elements = given.value.elements
            several = several or len(elements) > 1
            changes.append(Change(given.value, cst.List(elements)))
        elif given is not None and (
            _makes_set(given.value) or _is_refused(context, node, given.value, name)
        ):
            as_list = expression(f"list({context.code(given.value)})")
            changes.append(Change(given.value, as_list))
            several = True
    return Fix(tuple(changes), remark=_ORDER if several else "") if changes else None


def _makes_set(node: cst.BaseExpression) -> bool:
    """Return whether it is `set(…)`, or an operation on sets."""
    if isinstance(node, cst.BinaryOperation):
        return any(isinstance(one, cst.Set) or _makes_set(one) for one in (node.left, node.right))
    return (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "set"
    )


def _is_refused(context: Context, node: cst.Call, given: cst.BaseExpression, axis: str) -> bool:
    """Return whether the run failed at this call, at a name passed for this axis."""
    said = any(error.evalue.startswith(f"{axis} cannot") for error in context.failing())
    return said and isinstance(given, (cst.Name, cst.Attribute)) and context.evidence(node)


_OWNERS = (FRAME.name, SERIES.name, "pandas.loc")


@codemod("pandas-set-indexer", on=cst.Subscript)
def as_list(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `df[set(names)]` as `df[list(set(names))]`."""
    inferred = context.type_of(node.value)
    if not (inferred is not None and inferred.name in _OWNERS):
        return None
    for element in node.slice:
        index = element.slice
        if isinstance(index, cst.Index) and _is_set(context, index.value):
            return one(index.value, expression(f"list({context.code(index.value)})"))
    return None


def _is_set(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, (cst.Set, cst.SetComp)):
        return True
    if isinstance(node, cst.BinaryOperation):
        return _is_set(context, node.left)
    return context.type_name(node) == "builtins.set"

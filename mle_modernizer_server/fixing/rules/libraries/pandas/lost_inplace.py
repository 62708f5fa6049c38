"""Methods that lost `inplace` in pandas 2.0: their result is assigned.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Defined
from mle_modernizer_server.code.tree import argument, literal, without
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches, unknown_object

_CATEGORIES = (
    "set_categories",
    "add_categories",
    "remove_categories",
    "remove_unused_categories",
    "rename_categories",
    "reorder_categories",
    "as_ordered",
    "as_unordered",
    "set_levels",
    "set_codes",
)
_CONTAINERS = (cst.List, cst.Tuple, cst.Dict, cst.BaseElement, cst.BaseDictElement)


@codemod("pandas-set-axis-inplace", on=cst.Call, names=("set_axis",))
@codemod("pandas-categories-inplace", on=cst.Call, names=_CATEGORIES)
def assigned(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.set_axis(names, axis=1, inplace=True)` as `df = df.set_axis(names, axis=1)`."""
    inplace = argument(node, "inplace")
    if inplace is None or not isinstance(node.func, cst.Attribute):
        return None
    owner = node.func.value
    if node.func.attr.value == "set_axis":
        match = method_matches(context, node.func, ("set_axis",), (FRAME.name, SERIES.name))
        if match is Match.NO:
            return None
        if match is Match.UNKNOWN:
            return Unsure(unknown_object(context, node.func))
    elif isinstance(owner, cst.Attribute) and owner.attr.value == "cat":
        owner = owner.value
    call = without(node, [inplace])
    given = literal(inplace.value)
    if given is False:
        return one(node, call)
    statement = context.parent(node)
    if given is not True or not isinstance(statement, cst.Expr):
        return Unsure("it cannot be told whether it works in place")
    if not isinstance(owner, (cst.Name, cst.Subscript, cst.Attribute)):
        return Unsure(f"nothing can be assigned to `{context.code(owner)}`")
    if isinstance(owner, cst.Name) and not _is_only_name(context, owner):
        return Unsure(f"`{owner.value}` may have another name, which would keep the old one")
    target = cst.AssignTarget(owner.deep_clone())
    return one(statement, cst.Assign([target], call, semicolon=statement.semicolon))


def _is_only_name(context: Context, name: cst.Name) -> bool:
    """Return whether it is bound here to an object that has no other reference.

    Parameters, loop variables and objects bound to another name have other references, as have
    items of a table, a list or an object; a name bound outside of a function would become a
    variable of the function.
    """
    found = context.program.lookup(name.value, name)
    own = found.here and all(
        isinstance(one.bound, Assigned)
        and not one.bound.path
        and not isinstance(one.bound.value, (cst.Name, cst.Subscript, cst.Attribute))
        for one in found.bindings
    )
    return own and not any(
        _is_kept(context, use)
        for given in context.all_written(name)
        for use in context.uses(given)
        if use is not given and _is_before(context, use, name)
    )


def _is_before(context: Context, node: cst.CSTNode, other: cst.CSTNode) -> bool:
    cell, place = context.program.place(node)
    other_cell, other_place = context.program.place(other)
    return (cell.number, place.order) < (other_cell.number, other_place.order)


def _is_kept(context: Context, use: cst.BaseExpression) -> bool:
    """Return whether the object gets another reference: a name, or a list with a name."""
    cell = context.program.cell_of(use)
    held: cst.CSTNode = use
    for above in cell.ancestors(use):
        if isinstance(above, (cst.Assign, cst.AnnAssign)):
            return above.value is held
        if isinstance(above, cst.Arg):
            call = cell.places[above].parent
            return isinstance(call, cst.Call) and _keeps(context, call)
        if not isinstance(above, _CONTAINERS):
            return False
        held = above
    return False


def _keeps(context: Context, call: cst.Call) -> bool:
    """Return whether a call stores its argument: in a list, or in the notebook's own object."""
    if isinstance(call.func, cst.Attribute):
        return call.func.attr.value in ("append", "add", "extend", "insert", "update", "setdefault")
    if not isinstance(call.func, cst.Name):
        return False
    return any(
        isinstance(one, Defined) and isinstance(one.node, cst.ClassDef)
        for one in context.bounds(call.func)
    )

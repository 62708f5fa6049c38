"""`df.columns.values[0] = 'a'` fails since pandas 3.0: the array can only be read.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#read-only-numpy-arrays
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, only_target, owner


@codemod("pandas-column-names-values", on=cst.Assign)
def renamed(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df.columns.values[0] = 'a'` as the list of names with another one in that place.

    `rename` would change all columns of the same name.
    """
    target = only_target(node)
    place = key(target)
    if place is None or not isinstance(target, cst.Subscript):
        return None
    labels = owner(target.value, "values")
    if not isinstance(labels, cst.Attribute) or labels.attr.value != "columns":
        return None
    names = context.code(labels)
    new = _new_names(context, names, place, node.value)
    if new is None:
        return None
    text = f"[{{{new}}}.get(place, name) for place, name in enumerate({names})]"
    targets = [cst.AssignTarget(labels)]
    return one(node, node.with_changes(targets=targets, value=cst.parse_expression(text)))


def _new_names(
    context: Context, names: str, index: cst.BaseExpression, value: cst.BaseExpression
) -> str | None:
    """Return the items of a dict of new names by position; None if they are not literal."""
    if isinstance(index, cst.List) and isinstance(value, (cst.List, cst.Tuple)):
        if any(isinstance(item, cst.StarredElement) for item in value.elements):
            return None
        places = [item.value for item in index.elements]
        given = [item.value for item in value.elements]
    else:
        places, given = [index], [value]
    if len(places) != len(given):
        return None
    items = []
    for place, name in zip(places, given, strict=True):
        number = literal(place)
        if type(number) is not int:
            return None
        key = f"len({names}) - {-number}" if number < 0 else str(number)
        items.append(f"{key}: {context.code(name)}")
    return ", ".join(items)

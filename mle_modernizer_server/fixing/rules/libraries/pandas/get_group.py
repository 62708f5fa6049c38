"""`groupby(['a']).get_group('x')` fails since pandas 3.0: the name is a tuple, as the keys are.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name
from mle_modernizer_server.code.types.type import SCALAR, TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-get-group", on=cst.Call, names=("get_group",))
def in_a_tuple(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby(['a']).get_group('x')` as `….get_group(('x',))`."""
    name = argument(node, "name", 0)
    if not isinstance(node.func, cst.Attribute) or name is None:
        return None
    if context.type_of(name.value) not in (TEXT, SCALAR) or not _by_one_listed(
        context, node.func.value
    ):
        return None
    return one(name.value, expression(f"({context.code(name.value)},)"))


def _by_one_listed(context: Context, groups: cst.BaseExpression) -> bool:
    """Return whether the groups are made by a list with one key."""
    if isinstance(groups, cst.Name):
        made = context.every_value(groups)
        return bool(made) and all(_by_one_listed(context, value) for value in made)
    if isinstance(groups, cst.Subscript):
        return _by_one_listed(context, groups.value)
    if not isinstance(groups, cst.Call) or method_name(groups) != "groupby":
        return False
    keys = argument(groups, "by", 0)
    return keys is not None and isinstance(keys.value, cst.List) and len(keys.value.elements) == 1

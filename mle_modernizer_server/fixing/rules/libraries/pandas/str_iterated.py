"""The accessor `str` is not iterable since pandas 2.0; it yielded the characters by position.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_PARTS = frozenset({"split", "rsplit", "partition", "rpartition", "findall"})


@codemod("pandas-str-iterated", on=cst.Assign)
def by_place(context: Context, node: cst.Assign) -> Answer:
    """`a, b = s.str.split().str` → `a, b = (parts.str[at] for parts in [s.str.split()] …)`."""
    target = node.targets[0].target if len(node.targets) == 1 else None
    value = node.value
    if (
        not isinstance(target, (cst.Tuple, cst.List))
        or not isinstance(value, cst.Attribute)
        or value.attr.value != "str"
        or any(isinstance(element, cst.StarredElement) for element in target.elements)
    ):
        return None
    made = value.value
    if not isinstance(made, cst.Call) or not isinstance(made.func, cst.Attribute):
        return None
    accessor = made.func.value
    of_texts = isinstance(accessor, cst.Attribute) and accessor.attr.value == "str"
    if not of_texts or made.func.attr.value not in _PARTS:
        return None
    count = len(target.elements)
    text = f"(parts.str[at] for parts in [{context.code(made)}] for at in range({count}))"
    return one(value, expression(text))

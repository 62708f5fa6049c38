"""`a, b = s.str.split('-').str` does not work since pandas 2.0: `str` is not gone through any more.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression

_SPLIT = ("split", "rsplit", "partition", "rpartition")


@codemod("pandas-str-unpacked", on=cst.Assign)
def got_by_position(context: Context, node: cst.Assign) -> Answer:
    """`a, b = s.str.split('-').str` → `a, b = map(s.str.split('-').str.get, range(2))`."""
    texts = node.value
    target = node.targets[0].target
    if len(node.targets) != 1 or not isinstance(target, (cst.Tuple, cst.List)):
        return None
    if not isinstance(texts, cst.Attribute) or texts.attr.value != "str":
        return None
    if any(not isinstance(element, cst.Element) for element in target.elements):
        return None
    if not context.evidence(node) and not _splits(texts.value):
        return None
    get = f"{context.code(texts.with_changes(lpar=(), rpar=()))}.get"
    return one(texts, expression(f"map({get}, range({len(target.elements)}))"))


def _splits(node: cst.BaseExpression) -> bool:
    """Whether it is `….str.split(…)`."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in _SPLIT
        and isinstance(node.func.value, cst.Attribute)
        and node.func.value.attr.value == "str"
    )

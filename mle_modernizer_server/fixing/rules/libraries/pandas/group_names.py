"""A loop over `groupby(['a'])` yields tuples as names since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches
from mle_modernizer_server.fixing.rules.libraries.pandas.grouped import grouped


@codemod("pandas-group-names", on=cst.For)
def loop(context: Context, node: cst.For) -> Answer:
    """Rewrite `for name, group in df.groupby(['a']):` as `df.groupby('a')`."""
    return _plain(context, node.target, node.iter)


@codemod("pandas-group-names", on=cst.CompFor)
def comprehension(context: Context, node: cst.CompFor) -> Answer:
    """Rewrite `[… for name, group in df.groupby(['a'])]` in the same way."""
    return _plain(context, node.target, node.iter)


def _plain(context: Context, target: cst.CSTNode, groups: cst.BaseExpression) -> Answer:
    if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
        return None
    if isinstance(target.elements[0].value, (cst.Tuple, cst.List)):
        return None
    made = grouped(groups, attributes=False)
    if made is None or not isinstance(made.func, cst.Attribute):
        return None
    match = method_matches(context, made.func, ("groupby",), (FRAME.name, SERIES.name), True)
    if match is not Match.YES:
        return None
    keys = argument(made, "by", 0)
    if keys is None or not isinstance(keys.value, cst.List) or len(keys.value.elements) != 1:
        return None
    only = keys.value.elements[0]
    if not isinstance(only, cst.Element):
        return None
    return one(keys.value, only.value)

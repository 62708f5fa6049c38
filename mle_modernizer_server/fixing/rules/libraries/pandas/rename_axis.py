"""`rename_axis` changes no labels since pandas 1.0, only the name of the axis.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-rename-axis-mapper", on=cst.Call, names=("rename_axis",))
def renamed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.rename_axis({'a': 'b'}, axis=1)` as `df.rename({'a': 'b'}, axis=1)`."""
    if not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    return one(node, node.with_changes(func=node.func.with_changes(attr=cst.Name("rename"))))

"""Since seaborn 0.13 `violinplot` passes on unknown arguments; it ignored them.

https://seaborn.pydata.org/whatsnew/v0.13.0.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_REFUSED = re.compile(r"got an unexpected keyword argument '(\w+)'")


@codemod("seaborn-violinplot-rest", on=cst.Call, functions=("seaborn.violinplot",))
def ignored(context: Context, node: cst.Call) -> Answer:
    """Rewrite `sns.violinplot(x='a', y='b', data=d, size=3)` as without the `size`."""
    if not context.evidence(node):
        return None
    names = {found[1] for error in context.failing() if (found := _REFUSED.search(error.evalue))}
    refused = [arg for name in sorted(names) if (arg := argument(node, name)) is not None]
    return one(node, without(node, refused)) if refused else None

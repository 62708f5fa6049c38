"""`raise StopIteration` inside a generator is an error since Python 3.7; `return` ends it.

https://docs.python.org/3/whatsnew/3.7.html#changes-in-python-behavior
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import children
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("python-stop-iteration", on=cst.Raise)
def returned(context: Context, node: cst.Raise) -> Answer:
    """Rewrite `raise StopIteration` as `return`."""
    raised = node.exc.func if isinstance(node.exc, cst.Call) else node.exc
    if isinstance(node.exc, cst.Call) and node.exc.args:
        return None
    if raised is None or context.qualnames(raised) != ("builtins.StopIteration",):
        return None
    for above in context.cell.ancestors(node):
        if isinstance(above, cst.Try):
            return None
        if isinstance(above, cst.FunctionDef):
            if not any(_yields(child) for child in children(above.body)):
                return None
            return one(node, cst.Return(semicolon=node.semicolon))
    return None


def _yields(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Yield):
        return True
    if isinstance(node, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
        return False
    return any(_yields(child) for child in children(node))

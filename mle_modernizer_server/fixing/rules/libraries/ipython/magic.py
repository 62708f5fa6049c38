"""`get_ipython().magic('…')` was removed in IPython 9; `run_line_magic` is older and stays.

https://ipython.readthedocs.io/en/stable/whatsnew/version9.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("ipython-magic-method", on=cst.Call, names=("magic",))
def by_name(context: Context, node: cst.Call) -> Answer:
    """`get_ipython().magic('matplotlib inline')` → `….run_line_magic('matplotlib', 'inline')`."""
    if not isinstance(node.func, cst.Attribute) or not _is_shell(context, node.func.value):
        return None
    text = string(node.args[0].value) if len(node.args) == 1 else None
    if not text:
        return Unsure("the magic is not written out")
    name, _, rest = text.lstrip("% ").partition(" ")
    args = [cst.Arg(cst.SimpleString(repr(part))) for part in (name, rest.strip())]
    func = node.func.with_changes(attr=cst.Name("run_line_magic"))
    return one(node, node.with_changes(func=func, args=args))


def _is_shell(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        if isinstance(node.func, cst.Name) and node.func.value == "get_ipython":
            return True
        return context.comes_from(node.func, "IPython")
    if isinstance(node, cst.Name):
        values = [getattr(bound, "value", None) for bound in context.bounds(node)]
        return bool(values) and all(
            isinstance(value, cst.Call) and _is_shell(context, value) for value in values
        )
    return False

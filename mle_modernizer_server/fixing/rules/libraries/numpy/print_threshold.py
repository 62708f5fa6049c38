"""`np.set_printoptions(threshold=np.nan)` is an error since NumPy 1.16; `np.inf` means the same.

https://numpy.org/doc/stable/release/1.16.0-notes.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAN = ("numpy.nan", "numpy.NaN", "numpy.NAN")


@codemod("numpy-print-threshold", on=cst.Call, functions=("numpy.set_printoptions",))
def everything(context: Context, node: cst.Call) -> Answer:
    """Rewrite `threshold=np.nan` as `threshold=np.inf`."""
    threshold = argument(node, "threshold", 1)
    if threshold is None:
        return None
    value = threshold.value
    if not context.refers_to(value, *_NAN) and string(value) not in ("nan", "NaN"):
        return None
    np, imports = context.module(node, "numpy", "np")
    return one(value, expression(f"{np}.inf"), imports)

"""The call of `open` that made a file."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Opaque
from mle_modernizer_server.fixing.rules.engine.context import Context


def opened_file(context: Context, file: cst.BaseExpression) -> cst.Call | None:
    """Return the call of `open` that a file is, or that its name is bound to, else None."""
    if isinstance(file, cst.Name):
        bound = context.only_bound(file)
        made = _entered(context, file) if isinstance(bound, Opaque) else None
        if isinstance(bound, Assigned) and not bound.path:
            made = bound.value
        if made is None:
            return None
        file = made
    if isinstance(file, cst.Call) and context.refers_to(file.func, "builtins.open"):
        return file
    return None


def _entered(context: Context, file: cst.Name) -> cst.BaseExpression | None:
    """Return the expression that a `with` binds to that name: `with open(path) as file`."""
    for above in context.program.cell_of(file).ancestors(file):
        for item in above.items if isinstance(above, cst.With) else ():
            name = None if item.asname is None else item.asname.name
            if isinstance(name, cst.Name) and name.value == file.value:
                return item.item
    return None

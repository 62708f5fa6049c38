"""Which call of `open` made a file that is read or written."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import Context


def opened_file(context: Context, file: cst.BaseExpression) -> cst.Call | None:
    """The call of `open` that a file is, or that its name stands for; None for any other."""
    if isinstance(file, cst.Name):
        found = context.program.lookup(file.value, file)
        if len(found.bindings) != 1:
            return None
        bound = found.bindings[0].bound
        if not isinstance(bound, Assigned) or bound.path:
            return None
        file = bound.value
    if isinstance(file, cst.Call) and "builtins.open" in context.qualnames(file.func):
        return file
    return None

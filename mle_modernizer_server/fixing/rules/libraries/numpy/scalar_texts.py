"""Since NumPy 2.0 the repr of a number in a list is `np.float64(0.5)`.

https://numpy.org/doc/stable/release/2.0.0-notes.html#representation-of-numpy-scalars-changed

If the text of a list goes into data (`str(boxes)`, `f'{row}'` in a function or a loop that builds a
column), plain numbers are needed. One option restores the old format.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.types.type import ARRAY
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.lines import behind_import
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OPTION = "legacy="


@codemod(
    "numpy-scalar-repr",
    on=cst.Call,
    functions=(
        "builtins.str",
        "builtins.repr",
    ),
)
def shown(context: Context, node: cst.Call) -> Answer:
    """`str(list(array))`: restore the old text with `np.set_printoptions(legacy='1.25')`."""
    if len(node.args) != 1 or not _holds_numbers(context, node.args[0].value):
        return None
    return _switch(context)


def _holds_numbers(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call) and context.refers_to(node.func, "builtins.list"):
        return bool(node.args) and context.type_of(node.args[0].value) == ARRAY
    inferred = context.type_of(node)
    return inferred is not None and inferred.name == "builtins.list" and inferred.each == ARRAY


def _switch(context: Context) -> Answer:
    if any(_OPTION in cell.source for cell in context.program.cells):
        return None
    return behind_import(context, "numpy", lambda local: f"{local}.set_printoptions(legacy='1.25')")

"""`scipy.stats.mode` counts numbers only since SciPy 1.11: `mode(texts)[0][0]`, `.mode[0]`.

https://docs.scipy.org/doc/scipy/release/1.11.0-notes.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    receiver_text,
)
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("scipy-mode-text", on=cst.Call, functions=("scipy.stats.mode",))
def of_texts(context: Context, node: cst.Call) -> Answer:
    """Rewrite `mode(s)[0][0]` as `s.mode()[0]` if the run failed at it."""
    if not context.evidence(node):
        return None
    given = argument(node, "a", 0)
    if given is None:
        return None
    first = context.parent(node)
    if isinstance(first, cst.Subscript) and first.value is node and _is_zero(first):
        array: cst.CSTNode = first
    elif isinstance(first, cst.Attribute) and first.attr.value == "mode":
        array = first
    else:
        return Unsure("what is done with the result is more than to take the value")
    item = context.parent(array)
    whole = array
    if isinstance(item, cst.Subscript) and item.value is array and _is_zero(item):
        whole = item
    imports: tuple[NewImport, ...] = ()
    series = receiver_text(given.value)
    if context.type_of(given.value) != SERIES:
        local, imports = context.module(node, "pandas", "pd")
        series = f"{local}.Series({context.code(given.value)})"
    new = f"{series}.mode()[0]" if whole is item else f"{series}.mode()[:1].to_numpy()"
    return one(whole, expression(new), imports)


def _is_zero(node: cst.Subscript) -> bool:
    index = node.slice[0].slice
    return len(node.slice) == 1 and isinstance(index, cst.Index) and literal(index.value) == 0

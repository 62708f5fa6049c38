"""`scipy.stats.mode` counts numbers only since SciPy 1.11: `mode(texts)[0][0]`, `.mode[0]`.

https://docs.scipy.org/doc/scipy/release/1.11.0-notes.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, receiver_text
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, owner


@codemod("scipy-mode-text", on=cst.Call, functions=("scipy.stats.mode",))
def of_texts(context: Context, node: cst.Call) -> Answer:
    """Rewrite `mode(s)[0][0]` as `s.mode()[0]` if the run failed at it."""
    if not context.evidence(node):
        return None
    given = argument(node, "a", 0)
    if given is None:
        return None
    first = context.parent(node)
    of_first = isinstance(first, cst.Subscript) and first.value is node and literal(key(first)) == 0
    if first is None or not (of_first or owner(first, "mode") is not None):
        return Unsure("what is done with the result is more than to take the value")
    item = context.parent(first)
    whole = first
    if isinstance(item, cst.Subscript) and item.value is first and literal(key(item)) == 0:
        whole = item
    imports: tuple[NewImport, ...] = ()
    series = receiver_text(given.value)
    if context.type_of(given.value) != SERIES:
        local, imports = context.module(node, "pandas", "pd")
        series = f"{local}.Series({context.code(given.value)})"
    new = f"{series}.mode()[0]" if whole is item else f"{series}.mode()[:1].to_numpy()"
    return one(whole, expression(new), imports)

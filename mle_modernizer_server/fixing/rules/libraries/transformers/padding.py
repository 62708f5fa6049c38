"""Tokenizers ignore `pad_to_max_length` since transformers 5.

https://github.com/huggingface/transformers/blob/main/MIGRATION_GUIDE_V5.md
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    same_literal,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named, with_arg


@codemod("transformers-pad-to-max-length", on=cst.Call)
def padded(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pad_to_max_length=True` as `padding='max_length', truncation=True`."""
    given = argument(node, "pad_to_max_length")
    if given is None or argument(node, "padding") is not None:
        return None
    if same_literal(given.value, False):
        return one(node, without(node, [given]))
    if not same_literal(given.value, True):
        return None
    call = with_arg(node, given, named(given, "padding", expression("'max_length'")))
    if argument(call, "truncation") is None and argument(call, "max_length") is not None:
        call = with_keyword(call, "truncation", cst.Name("True"))
    return one(node, call)

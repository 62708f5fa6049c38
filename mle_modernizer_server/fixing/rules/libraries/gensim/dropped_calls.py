"""Calls that made models smaller were removed in gensim 4 without a replacement.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement


@codemod("gensim-delete-training-data", on=cst.Expr)
def statement(context: Context, node: cst.Expr) -> Answer:
    """Remove `model.delete_temporary_training_data()`."""
    call = node.value
    if method_name(call) == "delete_temporary_training_data":
        return without_statement(context, node)
    return None

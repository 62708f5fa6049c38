"""Private methods that prepared a model for threads were removed without a replacement.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement

_NAMES = ("_make_predict_function", "_make_train_function", "_make_test_function")


@codemod("keras-private-calls", on=cst.Expr)
def statement(context: Context, node: cst.Expr) -> Answer:
    """Remove `model._make_predict_function()`."""
    value = node.value
    if isinstance(value, cst.Call) and method_name(value) in _NAMES and not value.args:
        return without_statement(context, node)
    return None

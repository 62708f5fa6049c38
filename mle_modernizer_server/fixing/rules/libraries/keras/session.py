"""Keras 3 has no session to set: `K.set_session(…)` has nothing to act on.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_names, without_statement
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses

_MODULES = (
    "keras.backend",
    "keras.backend.tensorflow_backend",
    "tensorflow.keras.backend",
    "tensorflow.compat.v1.keras.backend",
    "tensorflow.python.keras.backend",
)


@codemod("keras-backend-session", on=cst.Expr)
def call(context: Context, node: cst.Expr) -> Answer:
    """Remove the statement `K.set_session(…)`."""
    if not isinstance(node.value, cst.Call):
        return None
    wanted = {f"{module}.set_session" for module in _MODULES}
    if addresses(context, node.value.func) & wanted or context.refers_to(node.value.func, *wanted):
        return without_statement(context, node)
    return None


@codemod("keras-backend-session", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Remove the name from the import."""
    if dotted_name(node.module) not in _MODULES:
        return None
    return without_names(context, node, ("set_session",))

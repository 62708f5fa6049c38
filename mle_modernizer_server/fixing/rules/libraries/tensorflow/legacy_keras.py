"""TensorFlow 1's layers and cells are Keras 2's, which TensorFlow uses if configured to.

https://github.com/tensorflow/tensorflow/releases/tag/v2.16.1
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import before
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import imported_modules
from mle_modernizer_server.fixing.rules.libraries.tensorflow.graph import uses_of_keras

_SWITCH = "TF_USE_LEGACY_KERAS"
_OLD = tuple(
    f"tensorflow.{part}"
    for part in ("layers", "compat.v1.layers", "nn.rnn_cell", "compat.v1.nn.rnn_cell")
)
_SAME_IN_BOTH = ("regularizers", "initializers", "activations", "constraints")
"""Parts of Keras with the same code and behaviour in Keras 2 and 3."""


@codemod("tf-legacy-keras", on=cst.Attribute, functions=_OLD)
def switched(context: Context, node: cst.Attribute) -> Answer:
    """Set `os.environ["TF_USE_LEGACY_KERAS"] = "1"` before the first import of TensorFlow."""
    return _before_first_import(context)


@codemod("tf-legacy-keras", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Do the same if a cell or layer is imported by name."""
    if isinstance(node.names, cst.ImportStar) or node.relative:
        return None
    module = dotted_name(node.module)
    names = [f"{module}.{dotted_name(alias.name)}" for alias in node.names]
    if not any(name == old or name.startswith(f"{old}.") for name in names for old in _OLD):
        return None
    return _before_first_import(context)


def _before_first_import(context: Context) -> Answer:
    if any(_SWITCH in cell.source for cell in context.program.cells):
        return None
    if any(True for _ in uses_of_keras(context, _SAME_IN_BOTH)):
        return Unsure("the notebook uses Keras as well, which is mended for Keras 3")
    for cell in context.program.cells:
        for statement in cell.module.body:
            modules = imported_modules(statement)
            if any("tensorflow" in module.split(".")[0] for module in modules):
                assert isinstance(statement, cst.SimpleStatementLine)
                return before(statement, "import os", f'os.environ["{_SWITCH}"] = "1"')
    return Unsure("TensorFlow is not imported at the top level of a cell")

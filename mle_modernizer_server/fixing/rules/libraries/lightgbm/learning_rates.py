"""`lightgbm.train(…, learning_rates=…)` was removed in LightGBM 4.0.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.lightgbm.callbacks import functions


@codemod("lightgbm-learning-rates", on=cst.Call, names=("train",))
def rates(context: Context, node: cst.Call) -> Answer:
    """Add a callback `reset_parameter`, and those for the other removed arguments."""
    return None if argument(node, "learning_rates") is None else functions(context, node)

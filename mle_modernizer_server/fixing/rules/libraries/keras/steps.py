"""Numbers of steps must be integers in Keras 3; a fraction counted as one more step.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, NewImport, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.generators import STEPS, rounding


@codemod("keras-fit-steps-float", on=cst.Call, names=("fit", "evaluate", "predict"))
def whole(context: Context, node: cst.Call) -> Answer:
    """Rewrite `fit(g, steps_per_epoch=n / b)` as `fit(g, steps_per_epoch=int(np.ceil(n / b)))`."""
    call = node
    imports: tuple[NewImport, ...] = ()
    for name in STEPS:
        given = argument(call, name)
        template = "" if given is None else rounding(context.written(given.value))
        if given is not None and template:
            numpy, imports = context.module(node, "numpy", "np")
            text = template.format(numpy, context.code(given.value))
            call = call.with_deep_changes(given, value=expression(text))
    return None if call is node else one(node, call, imports)

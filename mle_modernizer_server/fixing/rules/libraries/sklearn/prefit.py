"""`CalibratedClassifierCV(model, cv='prefit')` was removed in scikit-learn 1.8.

https://scikit-learn.org/stable/whats_new/v1.6.html#sklearn-calibration
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, string, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_value


@codemod(
    "sklearn-calibration-prefit",
    on=cst.Call,
    functions=("sklearn.calibration.CalibratedClassifierCV",),
)
def frozen(context: Context, node: cst.Call) -> Answer:
    """Wrap the fitted model so that it is not fitted again."""
    folds = argument(node, "cv", 2)
    model = argument(node, "estimator", 0) or argument(node, "base_estimator")
    if folds is None or model is None or string(folds.value) != "prefit":
        return None
    wrapper, imports = context.imported(
        node, "sklearn.frozen", "FrozenEstimator", "FrozenEstimator"
    )
    value = expression(f"{wrapper}({context.code(model.value)})")
    return one(node, without(with_value(node, model, value), [folds]), imports)

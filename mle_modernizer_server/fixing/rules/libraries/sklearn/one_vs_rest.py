"""`LogisticRegression(multi_class='ovr')` was removed in scikit-learn 1.8.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-linear-model
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Scene, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, expression, string, without


@codemod("sklearn-multi-class", on=cst.Call, names=("LogisticRegression",))
def one_model_a_class(scene: Scene, node: cst.Call) -> Answer:
    """`LogisticRegression(multi_class='ovr')` → `OneVsRestClassifier(LogisticRegression())`."""
    if "sklearn.linear_model.LogisticRegression" not in scene.qualnames(node.func):
        return None
    multi_class = argument(node, "multi_class")
    if multi_class is None or string(multi_class.value) != "ovr":
        return None
    return wrapped(scene, node, without(node, [multi_class]))


def wrapped(scene: Scene, node: cst.Call, call: cst.Call) -> Answer:
    """The call inside `OneVsRestClassifier`."""
    outer, imports = scene.imported(
        node, "sklearn.multiclass", "OneVsRestClassifier", "OneVsRestClassifier"
    )
    text = f"{outer}({cst.Module([]).code_for_node(call)})"
    return one(node, expression(text), imports)

"""`'tree_method': 'gpu_hist'` in a dictionary of XGBoost's parameters (removed in 3.1).

https://xgboost.readthedocs.io/en/stable/changes/v2.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import without_elements

_NEW = {"gpu_hist": "'hist'", "gpu_exact": "'exact'"}
_GONE = ("predictor", "gpu_id", "n_gpus")


@codemod("xgboost-gpu-hist", on=cst.Dict)
def in_parameters(context: Context, node: cst.Dict) -> Answer:
    """Rename the tree method and remove the arguments that selected the device."""
    items = [element for element in node.elements if isinstance(element, cst.DictElement)]
    left = without_elements(node, [item for item in items if string(item.key) in _GONE])
    changed = left
    for item in left.elements:
        if isinstance(item, cst.DictElement) and string(item.key) == "tree_method":
            new = _NEW.get(string(item.value) or "")
            if new is not None:
                changed = changed.with_deep_changes(item, value=like_quotes(new, item.value))
    return None if changed is left else one(node, changed)

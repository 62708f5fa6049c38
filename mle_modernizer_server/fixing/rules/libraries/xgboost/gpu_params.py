"""`'tree_method': 'gpu_hist'` in a dictionary of XGBoost's parameters (removed in 3.1).

https://xgboost.readthedocs.io/en/stable/changes/v2.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NEW = {"gpu_hist": "'hist'", "gpu_exact": "'exact'"}
_GONE = ("predictor", "gpu_id", "n_gpus")


@codemod("xgboost-gpu-hist", on=cst.Dict)
def in_parameters(context: Context, node: cst.Dict) -> Answer:
    """Rename the tree method and remove the arguments that selected the device."""
    elements = []
    changed = False
    for element in node.elements:
        if not isinstance(element, cst.DictElement):
            elements.append(element)
            continue
        new = _NEW.get(string(element.value) or "")
        if string(element.key) == "tree_method" and new is not None:
            element = element.with_changes(value=like_quotes(new, element.value))
            changed = True
        elements.append(element)
    if not changed:
        return None
    kept = [
        element
        for element in elements
        if not (isinstance(element, cst.DictElement) and string(element.key) in _GONE)
    ]
    if kept[-1] is not elements[-1]:
        kept[-1] = kept[-1].with_changes(comma=elements[-1].comma)
    return one(node, node.with_changes(elements=kept))

"""The results of `lightgbm.cv` are called `valid auc-mean` since LightGBM 4.0.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_OTHERS = ("valid ", "train ", "test-", "train-")
"""Prefixes of the new keys, and of those of `xgboost.cv` and `catboost.cv`."""


@codemod("lightgbm-cv-keys", on=cst.Subscript)
def valid_prefix(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `result['auc-mean']` as `result['valid auc-mean']`."""
    label = key(node)
    text = string(label)
    if label is None or text is None:
        return None
    if text.startswith(_OTHERS) or not text.endswith(("-mean", "-stdv")):
        return None
    if isinstance(node.value, cst.Call):
        if not context.refers_to(node.value.func, "lightgbm.cv"):
            return None
    elif not isinstance(node.value, cst.Name) or not _is_result(context, node.value):
        return None
    return one(label, like_quotes(repr(f"valid {text}"), label))


def _is_result(context: Context, name: cst.Name) -> bool:
    bounds = context.bounds(name)
    return bool(bounds) and all(
        isinstance(one, Assigned)
        and isinstance(one.value, cst.Call)
        and context.refers_to(one.value.func, "lightgbm.cv")
        for one in bounds
    )

"""The results of `lightgbm.cv` are called `valid auc-mean` since LightGBM 4.0.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OTHERS = ("valid ", "train ", "test-", "train-")
"""Prefixes of the new keys, and of those of `xgboost.cv` and `catboost.cv`."""


@codemod("lightgbm-cv-keys", on=cst.Subscript)
def valid_prefix(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `result['auc-mean']` as `result['valid auc-mean']`."""
    index = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(index, cst.Index):
        return None
    key = index.value
    text = string(key)
    if not isinstance(key, cst.SimpleString) or text is None:
        return None
    if text.startswith(_OTHERS) or not text.endswith(("-mean", "-stdv")):
        return None
    if isinstance(node.value, cst.Call):
        if not context.refers_to(node.value.func, "lightgbm.cv"):
            return None
    elif not isinstance(node.value, cst.Name) or not _is_result(context, node.value):
        return None
    quote = key.quote
    return one(key, key.with_changes(value=f"{quote}valid {text}{quote}"))


def _is_result(context: Context, name: cst.Name) -> bool:
    bindings = context.program.lookup(name.value, name).bindings
    return bool(bindings) and all(
        isinstance(binding.bound, Assigned)
        and isinstance(binding.bound.value, cst.Call)
        and context.refers_to(binding.bound.value.func, "lightgbm.cv")
        for binding in bindings
    )

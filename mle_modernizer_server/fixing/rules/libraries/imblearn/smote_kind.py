"""`SMOTE(kind='borderline1')` and the other kinds became separate classes.

https://imbalanced-learn.org/stable/whats_new/v0.4.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_BORDERLINE = {"borderline1": "'borderline-1'", "borderline2": "'borderline-2'"}
_RENAMED = {"k": "k_neighbors", "m": "m_neighbors", "ratio": "sampling_strategy"}


@codemod("imblearn-smote-kind", on=cst.Call, functions=("imblearn.over_sampling.SMOTE",))
def own_class(context: Context, node: cst.Call) -> Answer:
    """Use the class of that kind."""
    kind = argument(node, "kind")
    if kind is None or string(kind.value) == "regular":
        return None
    name = string(kind.value) or ""
    if name not in _BORDERLINE and name != "svm":
        return Unsure("the kind is not written out")
    new_class = "SVMSMOTE" if name == "svm" else "BorderlineSMOTE"
    local, imports = context.imported(node, "imblearn.over_sampling", new_class, new_class)
    call = node
    if name == "svm":
        call = without(call, [kind])
    else:
        value = like_quotes(_BORDERLINE[name], kind.value)
        call = call.with_deep_changes(kind, value=value)
    for old, new in _RENAMED.items():
        given = argument(call, old)
        if given is not None:
            call = call.with_deep_changes(given, keyword=cst.Name(new))
    return one(node, call.with_changes(func=cst.parse_expression(local)), imports)

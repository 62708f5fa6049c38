"""`NMF(alpha=…)` was removed in scikit-learn 1.2.

https://scikit-learn.org/stable/whats_new/v1.0.html#sklearn-decomposition

The new `alpha_W` is multiplied by the number of columns and `alpha_H` by that of rows; `alpha` was
used unscaled. So both are divided at `fit`, which has the data.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    receiver_text,
    same_literal,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("sklearn-nmf-alpha", on=cst.Call, functions=("sklearn.decomposition.NMF",))
def scaled(context: Context, node: cst.Call) -> Answer:
    """Replace `alpha` by `alpha_W` and `alpha_H` of the same strength."""
    alpha = argument(node, "alpha")
    if alpha is None or same_literal(alpha.value, 0) or same_literal(alpha.value, 0.0):
        return None
    fits = [
        (call, func)
        for call, func in context.method_calls(node, "fit", "fit_transform")
        if call.args
    ]
    if argument(node, "regularization") is not None or not fits:
        return Unsure("the size of the data is not known where the model is made")
    plain = without(node, [alpha])
    changes = []
    for call, func in fits:
        data = call.args[0].value
        if not isinstance(data, (cst.Name, cst.Attribute)):
            return Unsure("the data are made in the call itself")
        code, strength = context.code(data), context.code(alpha.value)
        w, h = f"{strength} / {code}.shape[1]", f"{strength} / {code}.shape[0]"
        if func.value is node:
            model = with_keyword(plain, "alpha_W", expression(w))
            model = with_keyword(model, "alpha_H", expression(h))
            new_func = func.with_changes(value=model)
            return Fix((Change(call, call.with_changes(func=new_func)),))
        text = f"{receiver_text(func.value)}.set_params(alpha_W={w}, alpha_H={h})"
        changes.append(Change(func.value, expression(text)))
    return Fix((Change(node, plain), *changes))

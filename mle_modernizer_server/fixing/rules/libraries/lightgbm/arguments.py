"""LightGBM 4.0 took arguments that describe the data or the objective out of `train` and `cv`.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0

A function as objective goes into the parameters, names and categories to the Dataset. A rule's
`words` list the arguments that it handles.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    receiver_text,
    string,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_value

_FUNCTIONS = {"lightgbm.train", "lightgbm.cv"}


@codemod("lightgbm-fobj", on=cst.Call, names=("train", "cv"))
def objective(context: Context, node: cst.Call) -> Answer:
    """Rewrite `train(p, d, fobj=f)` as `train({**p, 'objective': f}, d)`."""
    function = argument(node, "fobj")
    if function is None or not context.refers_to(node.func, *_FUNCTIONS):
        return None
    parameters = argument(node, "params", 0)
    if parameters is None:
        return Unsure("its parameters cannot be told")
    call = node
    if literal(function.value) is not None:
        text = (
            f"{{**{context.code(parameters.value)}, 'objective': {context.code(function.value)}}}"
        )
        call = call.with_deep_changes(parameters, value=expression(text))
    again = argument(call, "fobj")
    return one(node, call if again is None else without(call, [again]))


_AT_DATASET = {
    "categorical_feature": "set_categorical_feature",
    "feature_name": "set_feature_name",
}


@codemod("lightgbm-dataset-arguments", on=cst.Call, functions=_FUNCTIONS)
def at_dataset(context: Context, node: cst.Call) -> Answer:
    """Rewrite `train(p, d, feature_name=n)` as `train(p, d.set_feature_name(n))`."""
    call = node
    for name, method in _AT_DATASET.items():
        given = argument(call, name)
        if given is None:
            continue
        data = argument(call, "train_set", 1)
        if data is None:
            return Unsure("its Dataset cannot be told")
        if string(given.value) != "auto" and literal(given.value) is not None:
            text = f"{receiver_text(data.value)}.{method}({context.code(given.value)})"
            call = call.with_deep_changes(data, value=expression(text))
        again = argument(call, name)
        call = call if again is None else without(call, [again])
    return None if call is node else one(node, call)


@codemod("lightgbm-dataset-max-bin", on=cst.Call, functions=("lightgbm.Dataset",))
def of_dataset(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Dataset(X, y, max_bin=100)` as `Dataset(X, y, params={'max_bin': 100})`."""
    given = argument(node, "max_bin")
    if given is None:
        return None
    code = context.code(given.value)
    parameters = argument(node, "params")
    if parameters is None:
        call = without(node, [given])
        return one(node, with_keyword(call, "params", expression(f"{{'max_bin': {code}}}")))
    text = f"{{**{context.code(parameters.value)}, 'max_bin': {code}}}"
    return one(node, without(with_value(node, parameters, expression(text)), [given]))

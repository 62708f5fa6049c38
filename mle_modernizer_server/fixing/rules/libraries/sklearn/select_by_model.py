"""`forest.transform(X)` selected features until scikit-learn 0.19; `SelectFromModel` does so now.

https://scikit-learn.org/0.18/modules/generated/sklearn.feature_selection.SelectFromModel.html

Both take those above the mean importance, or above 1e-5 if the model has an l1 penalty.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, descendants, expression, receiver
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_CLASS = re.compile(r"'(\w+)' object has no attribute")


@codemod("sklearn-select-by-model", on=cst.Call, names=("transform", "fit_transform"))
def selected(context: Context, node: cst.Call) -> Answer:
    """`m.fit_transform(X, y)` → `SelectFromModel(m.fit(X, y), prefit=True).transform(X)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    model = node.func.value
    if not _is_one_that_failed(context, model):
        return None
    data = argument(node, "X", 0)
    target = argument(node, "y", 1) if node.func.attr.value == "fit_transform" else None
    threshold = argument(node, "threshold", 1) if node.func.attr.value == "transform" else None
    known = [one for one in (data, target, threshold) if one is not None]
    if data is None or len(known) != len(node.args):
        return Unsure("it is not evident which argument is which")
    if target is not None and any(isinstance(one, cst.Call) for one in descendants(data.value)):
        return Unsure("the data would be made twice")
    table, fitted = context.code(data.value), context.code(model)
    if node.func.attr.value == "fit_transform":
        labels = "" if target is None else f", {context.code(target.value)}"
        fitted = f"{fitted}.fit({table}{labels})"
    limit = "" if threshold is None else f", threshold={context.code(threshold.value)}"
    selector, imports = context.imported(
        node, "sklearn.feature_selection", "SelectFromModel", "SelectFromModel"
    )
    new = expression(f"{selector}({fitted}{limit}, prefit=True).transform({table})")
    return Fix((Change(node, new),), tuple(imports))


def _is_one_that_failed(context: Context, model: cst.BaseExpression) -> bool:
    """Return whether the model is of a class that an error of the run names."""
    errors = (error for error in context.run.errors if context.rule.matches(error))
    named = {match[1] for error in errors if (match := _CLASS.search(error.evalue))}
    written = [receiver(made, "fit") or made for made in context.all_written(model)]
    return bool(written) and all(
        isinstance(made, cst.Call)
        and any(name.rpartition(".")[2] in named for name in context.qualnames(made.func))
        for made in written
    )

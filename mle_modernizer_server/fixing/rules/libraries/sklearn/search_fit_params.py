"""`GridSearchCV(…, fit_params={…})` was removed in scikit-learn 0.21; `fit` takes them.

https://scikit-learn.org/stable/whats_new/v0.19.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("sklearn-search-fit-params", on=cst.Call, names=("GridSearchCV", "RandomizedSearchCV"))
def to_fit(context: Context, node: cst.Call) -> Answer:
    """Move the parameters from the search to each `fit` of it."""
    if not context.comes_from(node.func, "sklearn"):
        return None
    given = argument(node, "fit_params")
    if given is None or literal(given.value) is None:
        return None
    fits = context.method_calls(node, "fit")
    if not fits:
        return Unsure("it cannot be told where the search is fitted")
    star = cst.Arg(given.value.deep_clone(), star="**")
    search = without(node, [given])
    changes = []
    for call, func in fits:
        args = list(call.args)
        if args and not isinstance(args[-1].comma, cst.Comma):
            args[-1] = args[-1].with_changes(
                comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            )
        new = call.with_changes(args=[*args, star])
        if func.value is node:
            return Fix((Change(call, new.with_changes(func=func.with_changes(value=search))),))
        changes.append(Change(call, new))
    return Fix((Change(node, search), *changes))

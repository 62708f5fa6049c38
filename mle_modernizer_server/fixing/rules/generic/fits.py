"""Objects of `fit` calls, searches over models included, and their arguments from a dict.

`search.fit(X, y, early_stopping_rounds=5)` hands its further arguments to each model it makes.
"""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from mle_modernizer_server.code.tree import literal, receiver, string, with_keyword, without
from mle_modernizer_server.code.types.inference import SEARCHES
from mle_modernizer_server.code.types.type import Type
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.shapes import without_elements


def is_search(context: Context, receiver: cst.BaseExpression) -> bool:
    """Return whether it is a search over the parameters of a model."""
    return context.type_name(receiver) in SEARCHES


def fitted_type(context: Context, receiver: cst.BaseExpression) -> Type | None:
    """Return the type of the fitted model: for a search, that of the models it creates."""
    if is_search(context, receiver):
        return context.types.searched(receiver)
    return context.type_of(receiver)


def fits(context: Context, call: cst.Call, models: Collection[str]) -> bool:
    """Return whether a call fits a model of one of these classes, perhaps in a search."""
    model = receiver(call, "fit")
    inferred = None if model is None else fitted_type(context, model)
    return inferred is not None and inferred.name in models


def spread_out(context: Context, node: cst.Call, names: Collection[str]) -> Answer:
    """Rewrite `fit(X, y, **d)` as `fit(X, y, verbose=False, **d)`, without that item in the dict
    `d`.

    All calls that take the dict are changed alike.

    Args:
        names: Arguments to write in the call itself.

    Returns:
        None if no dict of the call has such an item.
    """
    for arg in node.args:
        if arg.star != "**" or not isinstance(arg.value, cst.Name):
            continue
        source = context.written(arg.value)
        items = {name: value for name, value in _items(context, source).items() if name in names}
        if not items:
            continue
        if any(literal(value) is NotImplemented for value in items.values()):
            return Unsure("the values in the dict of arguments may change")
        changes = [Change(source, _left(source, names))]
        for use in context.uses(source):
            call = _taken_by(context, use)
            if use is source or isinstance(context.parent(use), cst.AssignTarget):
                continue
            if call is None:
                return Unsure("the dict of arguments is used elsewhere, too")
            new = call
            for name, value in items.items():
                new = with_keyword(new, name, value.deep_clone())
            changes.append(Change(call, new))
        return Fix(tuple(changes))
    return None


def _items(context: Context, source: cst.BaseExpression) -> dict[str, cst.BaseExpression]:
    if isinstance(source, cst.Dict):
        pairs = [part for part in source.elements if isinstance(part, cst.DictElement)]
        return {key: part.value for part in pairs if (key := string(part.key)) is not None}
    if isinstance(source, cst.Call) and context.refers_to(source.func, "builtins.dict"):
        return {arg.keyword.value: arg.value for arg in source.args if arg.keyword is not None}
    return {}


def _left(source: cst.BaseExpression, names: Collection[str]) -> cst.BaseExpression:
    if isinstance(source, cst.Call):
        gone = [
            arg for arg in source.args if arg.keyword is not None and arg.keyword.value in names
        ]
        return without(source, gone)
    assert isinstance(source, cst.Dict)
    items = [part for part in source.elements if isinstance(part, cst.DictElement)]
    return without_elements(source, [item for item in items if string(item.key) in names])


def _taken_by(context: Context, use: cst.BaseExpression) -> cst.Call | None:
    """Return the call that takes it as `**use`."""
    arg = context.parent(use)
    if not isinstance(arg, cst.Arg) or arg.star != "**":
        return None
    call = context.parent(arg)
    return call if isinstance(call, cst.Call) else None

"""XGBoost 2.1 removed `early_stopping_rounds`, `eval_metric` and `callbacks` from `fit`.

https://xgboost.readthedocs.io/en/stable/changes/v2.1.0.html

They go to the constructor and override its own arguments, if one `fit` is the only use of the
model; else to `set_params` right before this `fit`, because a model with early stopping cannot be
fitted without an `eval_set` (in a cross-validation, say). If it is fitted without one, the rounds
are reset.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Defined, Imported
from mle_modernizer_server.code.tree import (
    args_text,
    argument,
    expression,
    has_double_star,
    literal,
    receiver_text,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.fits import fits, fitted_type, is_search, spread_out

_MODELS = ("xgboost.XGBClassifier", "xgboost.XGBRegressor", "xgboost.XGBRanker")
_ROUNDS = "early_stopping_rounds"
_MOVED = (_ROUNDS, "eval_metric", "callbacks")
_FITTING = ("cross_val", "SearchCV", "_curve", "RFE", "Voting", "Stacking", "Bagging", "clone")
"""Parts of the names of functions that fit a model, or copies of it, without an `eval_set`."""


@codemod("xgboost-fit-arguments", on=cst.Call, names=("fit",))
def to_the_model(context: Context, node: cst.Call) -> Answer:
    """Move the arguments from `fit` to the model."""
    if not isinstance(node.func, cst.Attribute):
        return None
    moved = [arg for name in _MOVED if (arg := argument(node, name)) is not None]
    if not moved:
        return spread_out(context, node, _MOVED) if fits(context, node, _MODELS) else None
    receiver = node.func.value
    inferred = fitted_type(context, receiver)
    if inferred is None and not context.evidence(node) and not _asks_for_params(context, receiver):
        return Unsure(f"what `{context.code(receiver)}` is cannot be told from the code")
    if inferred is not None and inferred.name not in _MODELS:
        return None
    metric = argument(node, "eval_metric")
    if metric is not None and _is_function(context, metric.value):
        return Unsure(
            "the model takes a function of labels and predictions, `fit` took another one"
        )
    fit = without(node, moved)
    if is_search(context, receiver):
        return _to_searched(context, node, moved)
    if (
        isinstance(receiver, cst.Call)
        and context.refers_to(receiver.func, *_MODELS)
        and not has_double_star(receiver)
    ):
        func = node.func.with_changes(value=_with(receiver, moved))
        return one(node, fit.with_changes(func=func))
    constructor = _only_use(context, receiver)
    if constructor is not None and constructor in context.cell.places:
        return Fix((Change(node, fit), Change(constructor, _with(constructor, moved))))
    text = f"{receiver_text(receiver)}.set_params({args_text(moved)})"
    func = node.func.with_changes(value=expression(text))
    changes = [Change(node, fit.with_changes(func=func))]
    if argument(node, _ROUNDS) is not None and isinstance(receiver, cst.Name):
        taken_back = f"{receiver.value}.set_params({_ROUNDS}=None)"
        changes += [
            Change(use, expression(taken_back)) for use in _fitted_without_data(context, receiver)
        ]
    return Fix(tuple(changes))


def _to_searched(context: Context, node: cst.Call, moved: list[cst.Arg]) -> Answer:
    """`s.fit(X, y, eval_metric=m)` → `s.set_params(estimator__eval_metric=m).fit(X, y)`."""
    assert isinstance(node.func, cst.Attribute)
    receiver = node.func.value
    if argument(node, _ROUNDS) is not None and not _is_made_for_search(context, receiver):
        return Unsure("the model is fitted elsewhere, too, where it has nothing to stop by")
    given = [
        arg.with_changes(keyword=cst.Name(f"estimator__{arg.keyword.value}"))
        for arg in moved
        if arg.keyword is not None
    ]
    text = f"{receiver_text(receiver)}.set_params({args_text(given)})"
    func = node.func.with_changes(value=expression(text))
    return one(node, without(node, moved).with_changes(func=func))


def _is_made_for_search(context: Context, search: cst.BaseExpression) -> bool:
    """Return whether a search gets a model that nothing else uses."""
    made = context.written(search)
    model = argument(made, "estimator", 0) if isinstance(made, cst.Call) else None
    if model is None or isinstance(model.value, cst.Call):
        return model is not None
    uses = context.uses(context.written(model.value))
    above = [context.parent(use) for use in uses]
    return sum(isinstance(one, (cst.Arg, cst.Attribute)) for one in above) == 1


def _asks_for_params(context: Context, receiver: cst.BaseExpression) -> bool:
    """Return whether an attribute of the same name is used that only models of XGBoost have."""
    if not isinstance(receiver, cst.Name):
        return False
    meant = context.program.lookup(receiver.value, receiver).bindings
    return any(
        isinstance(node, cst.Attribute)
        and node.attr.value in ("get_xgb_params", "get_booster")
        and isinstance(node.value, cst.Name)
        and node.value.value == receiver.value
        and context.program.lookup(receiver.value, node.value).bindings == meant
        for node in context.cell.places
    )


def _is_function(context: Context, metric: cst.BaseExpression) -> bool:
    """Return whether a metric is code, not the name of one."""
    if not isinstance(metric, cst.Name):
        return isinstance(metric, cst.Lambda)
    bound = context.bounds(metric)
    return any(
        isinstance(one, (Defined, Imported))
        or (isinstance(one, Assigned) and isinstance(one.value, cst.Lambda))
        for one in bound
    )


def _fitted_without_data(context: Context, model: cst.Name) -> list[cst.Name]:
    """Return the later uses of a model's name that fit it without an `eval_set`."""
    bindings = set(context.program.lookup(model.value, model).bindings)
    found = []
    below = False
    for cell in context.program.cells:
        for use, place in cell.places.items():
            below = below or use is model
            if not below or not isinstance(use, cst.Name) or use.value != model.value:
                continue
            if not bindings & set(context.program.lookup(use.value, use).bindings):
                continue
            above = place.parent
            call = cell.places[above].parent if above in cell.places else None
            if not isinstance(call, cst.Call):
                continue
            if isinstance(above, cst.Attribute) and call.func is above:
                data = argument(call, "eval_set") or argument(call, _ROUNDS)
                if above.attr.value == "fit" and data is None:
                    found.append(use)
            elif isinstance(above, cst.Arg) and any(
                part in context.code(call.func) for part in _FITTING
            ):
                found.append(use)
    return found


def _with(call: cst.Call, moved: list[cst.Arg]) -> cst.Call:
    """Return the constructor call with the arguments of `fit`, which had priority over its own."""
    for arg in moved:
        assert arg.keyword is not None
        own = argument(call, arg.keyword.value)
        if own is None:
            call = with_keyword(call, arg.keyword.value, arg.value.deep_clone())
        elif literal(arg.value) is not None:
            call = call.with_deep_changes(own, value=arg.value.deep_clone())
    return call


def _only_use(context: Context, receiver: cst.BaseExpression) -> cst.Call | None:
    """Return the constructor call of a model that is fitted once and not passed elsewhere."""
    if not isinstance(receiver, cst.Name):
        return None
    found = context.program.lookup(receiver.value, receiver)
    if not found.here or len(found.bindings) != 1:
        return None
    bound = found.bindings[0].bound
    if not isinstance(bound, Assigned) or bound.path or not isinstance(bound.value, cst.Call):
        return None
    if not context.refers_to(bound.value.func, *_MODELS):
        return None
    if has_double_star(bound.value):
        return None  # the dict may contain these arguments, too
    fits = 0
    for cell in context.program.cells:
        for use in cell.places:
            if not isinstance(use, cst.Name) or use.value != receiver.value:
                continue
            parent = cell.places[use].parent
            if isinstance(parent, (cst.Arg, cst.Element, cst.DictElement)):
                return None
            if isinstance(parent, cst.Attribute) and parent.attr.value == "fit":
                fits += 1
    return bound.value if fits == 1 else None

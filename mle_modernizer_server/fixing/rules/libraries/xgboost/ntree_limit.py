"""`ntree_limit` and `best_ntree_limit` were removed in XGBoost 2.0.

https://xgboost.readthedocs.io/en/stable/changes/v2.0.0.html

`ntree_limit=m.best_ntree_limit` → `iteration_range=(0, m.best_iteration + 1)`. A model that was
trained without early stopping has no `best_iteration`; its `best_ntree_limit` was all trees,
which (0, 0) also means.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, expression, literal, same_literal, without
from mle_modernizer_server.code.types.type import Type
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_BOOSTER = Type("xgboost.Booster")
_FORESTS = re.compile(r"\bnum_parallel_tree['\"]?\s*[:=]\s*(?!1\b)|\bXGBRF[CR]")
"""Code that makes each iteration grow several trees, which the old limits counted one by one."""
_SEVERAL = Unsure("iterations may grow several trees, which ntree_limit counted one by one")
_LAST = "getattr({0}, 'best_iteration', {0}.num_boosted_rounds() - 1)"


@codemod("xgboost-ntree-limit", on=cst.Call, names=("predict", "predict_proba"))
def iteration_range(context: Context, node: cst.Call) -> Answer:
    """Convert the number of trees to a range of iterations."""
    limit = argument(node, "ntree_limit")
    if limit is None:
        return None
    if isinstance(node.func, cst.Attribute):
        inferred = context.type_of(node.func.value)
        if inferred is not None and not inferred.name.startswith("xgboost."):
            return None
    if same_literal(limit.value, 0):
        return one(node, without(node, [limit]))
    model = _best_of(limit.value)
    if model is None and _may_grow_forests(context):
        return _SEVERAL
    if model is None:
        end = context.code(limit.value)
    elif _stops_early(context, model):
        end = f"{context.code(model)}.best_iteration + 1"
    else:
        end = f"getattr({context.code(model)}, 'best_iteration', -1) + 1"
    new = limit.with_changes(keyword=cst.Name("iteration_range"), value=expression(f"(0, {end})"))
    return one(node, node.with_deep_changes(limit, keyword=new.keyword, value=new.value))


def _may_grow_forests(context: Context) -> bool:
    return any(_FORESTS.search(cell.source) for cell in context.program.cells)


def _best_of(limit: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the model in `m.best_ntree_limit` or `m.best_iteration + 1`."""
    if isinstance(limit, cst.BinaryOperation) and isinstance(limit.operator, cst.Add):
        best = limit.left
        if isinstance(best, cst.Attribute) and same_literal(limit.right, 1):
            return best.value if best.attr.value == "best_iteration" else None
    if isinstance(limit, cst.Attribute) and limit.attr.value == "best_ntree_limit":
        return limit.value
    return None


def _stops_early(context: Context, model: cst.BaseExpression) -> bool:
    """Return whether each possible training of the model has `early_stopping_rounds`."""
    if not isinstance(model, cst.Name):
        return False
    bound = context.bounds(model)
    made = [one.value for one in bound if isinstance(one, Assigned) and not one.path]
    calls = [call for call in made if isinstance(call, cst.Call)]
    if not calls or len(calls) != len(bound):
        return False
    return all(_has_rounds(call) or _is_fitted_so(context, call) for call in calls)


def _is_fitted_so(context: Context, made: cst.Call) -> bool:
    fits = [fit for fit, _ in context.method_calls(made, "fit")]
    return bool(fits) and all(_has_rounds(fit) for fit in fits)


def _has_rounds(call: cst.Call) -> bool:
    rounds = argument(call, "early_stopping_rounds")
    return rounds is not None and literal(rounds.value) is not None


@codemod("xgboost-last-iteration", on=cst.Attribute, names=("best_iteration",))
def last_iteration(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `b.best_iteration` as `getattr(b, 'best_iteration', b.num_boosted_rounds() - 1)`."""
    if context.type_of(node.value) != _BOOSTER or _stops_early(context, node.value):
        return None
    if isinstance(context.parent(node), (cst.AssignTarget, cst.Del)):
        return None
    return one(node, expression(_LAST.format(context.code(node.value))))


@codemod("xgboost-ntree-limit", on=cst.Attribute, names=("best_ntree_limit",))
def best(context: Context, node: cst.Attribute) -> Answer:
    """Replace other uses by the number of the best iteration, counted from one."""
    parent = context.parent(node)
    keyword = parent.keyword if isinstance(parent, cst.Arg) else None
    if keyword is not None and keyword.value == "ntree_limit":
        return None
    if _may_grow_forests(context):
        return _SEVERAL
    if isinstance(parent, cst.Arg):
        return one(node, expression(f"{context.code(node.value)}.best_iteration + 1"))
    if isinstance(parent, (cst.AssignTarget, cst.Del)):
        return Unsure("the attribute is assigned to")
    return one(node, expression(f"({context.code(node.value)}.best_iteration + 1)"))

"""AdaBoostClassifier boosted by SAMME.R until scikit-learn 1.6 removed it.

https://scikit-learn.org/stable/whats_new/v1.6.html#sklearn-ensemble

The subclass is the algorithm of Zhu, Zou, Rosset and Hastie (2009) as scikit-learn had it.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.model_settings import values
from mle_modernizer_server.code.tree import argument, dotted_name, string, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import calls_of, use_class
from mle_modernizer_server.fixing.rules.tables import table

_ADDRESS = "sklearn.ensemble.AdaBoostClassifier"
_NAME = "RealAdaBoostClassifier"
_TEXT = table("sklearn", "adaboost-real", str)


@codemod("sklearn-adaboost-real", on=cst.Call, functions=(_ADDRESS,))
def real(context: Context, node: cst.Call) -> Answer:
    """Use a subclass with the old algorithm if no other is specified."""
    if not _concerned(node):
        return None
    if _was_another(context, node):
        return None
    searched: list[cst.Call] = []
    if not all(_is_real(value) for value in _searched(context)):
        searched = _given_to_searches(context)
        if not searched or node in searched:
            return Unsure(
                "a grid tries another algorithm, for which it would have to stay what it is"
            )
    np, imports = context.module(node, "numpy", "np")
    text = _TEXT.replace("{name}", _NAME).replace("{np}", np)

    def concerned(call: cst.Call) -> bool:
        return _concerned(call) and call not in searched

    return use_class(context, node, _ADDRESS, _NAME, text, concerned, _plain, imports)


def _given_to_searches(context: Context) -> list[cst.Call]:
    """Return the calls that make models for searches, directly or by a name."""
    models = [
        given.value
        for search in context.nodes(cst.Call)
        if dotted_name(search.func).endswith("SearchCV")
        if (given := argument(search, "estimator", 0)) is not None
    ]
    return [
        call
        for call in calls_of(context, _ADDRESS)
        if any(context.is_made_by(model, call) for model in models)
    ]


def _concerned(call: cst.Call) -> bool:
    given = argument(call, "algorithm")
    return given is None or _is_real(given.value)


def _was_another(context: Context, node: cst.Call) -> bool:
    """Return whether a call had another algorithm before the argument was removed from it."""
    first = context.program.first
    asked = {
        _code(without(call, [given]))
        for cell in first.cells
        for call in cell.nodes(cst.Call)
        if (given := argument(call, "algorithm")) is not None and not _is_real(given.value)
    }
    return _code(node) in asked


def _code(call: cst.Call) -> str:
    return cst.Module([]).code_for_node(call).replace("base_estimator", "estimator")


def _is_real(algorithm: cst.BaseExpression) -> bool:
    return string(algorithm) == "SAMME.R"


def _searched(context: Context) -> list[cst.BaseExpression]:
    """Return the algorithms that grids try."""
    return [
        value
        for setting in context.program.settings.every()
        if setting.is_last and setting.parameter == "algorithm" and _ADDRESS in setting.model
        for value in values(setting.entry)
    ]


def _plain(call: cst.Call) -> cst.Call:
    given = argument(call, "algorithm")
    return call if given is None else without(call, [given])

"""The name of a scorer in a variable, or in an argument of a function of the notebook.

https://scikit-learn.org/stable/whats_new/v0.18.html
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Defined, Parameter
from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NEGATED = frozenset(
    {"mean_squared_error", "mean_absolute_error", "median_absolute_error"}
    | {"mean_squared_log_error", "log_loss"}
)
_TAKE = ("GridSearchCV", "RandomizedSearchCV", "cross_val_score", "cross_validate")


@codemod("sklearn-scorer-names", on=cst.Call, names=_TAKE)
def passed_on(context: Context, node: cst.Call) -> Answer:
    """Rewrite `def f(s): GridSearchCV(m, p, scoring=s)`, `f('log_loss')` as `f('neg_log_loss')`."""
    if not context.comes_from(node.func, "sklearn"):
        return None
    given = argument(node, "scoring")
    if given is None or not isinstance(given.value, cst.Name):
        return None
    if not _only_scores(context, given.value):
        return None
    changes = tuple(
        Change(value, like_quotes(repr(f"neg_{text}"), value))
        for value in _values(context, given.value)
        if (text := string(value)) in _NEGATED
    )
    return Fix(changes) if changes else None


def _only_scores(context: Context, name: cst.Name) -> bool:
    """Return whether the value of a name is only used as `scoring`."""
    meant = set(context.program.lookup(name.value, name).bindings)
    for cell in context.program.cells:
        for use, place in cell.places.items():
            if not isinstance(use, cst.Name) or use.value != name.value:
                continue
            above = place.parent
            if isinstance(above, (cst.Param, cst.AssignTarget)):
                continue
            keyword = above.keyword if isinstance(above, cst.Arg) else None
            if keyword is not None and (keyword is use or keyword.value == "scoring"):
                continue
            if meant & set(context.program.lookup(use.value, use).bindings):
                return False
    return True


def _values(context: Context, name: cst.Name) -> Iterator[cst.BaseExpression]:
    """Yield the values of a name: assignments, or arguments of its function's calls."""
    for binding in context.program.lookup(name.value, name).bindings:
        bound = binding.bound
        if isinstance(bound, Assigned) and not bound.path:
            yield bound.value
        elif isinstance(bound, Parameter) and isinstance(bound.function, cst.FunctionDef):
            yield from _arguments(context, bound, bound.function)


def _arguments(
    context: Context, bound: Parameter, function: cst.FunctionDef
) -> Iterator[cst.BaseExpression]:
    for param in (*function.params.params, *function.params.kwonly_params):
        if param.name.value == bound.name and param.default is not None:
            yield param.default
    for cell in context.program.cells:
        for call in cell.places:
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
                continue
            called = context.program.lookup(call.func.value, call.func).bindings
            if any(isinstance(one.bound, Defined) and one.bound.node is function for one in called):
                given = argument(call, bound.name, bound.position)
                if given is not None:
                    yield given.value

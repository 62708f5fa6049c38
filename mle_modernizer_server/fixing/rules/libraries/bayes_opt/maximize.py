"""`maximize(acq=…, kappa=…, xi=…)` and Gaussian-process arguments were removed in 2.0.

https://github.com/bayesian-optimization/BayesianOptimization/releases/tag/v2.0.0

The acquisition function is an argument of the optimizer; `set_gp_params` takes the others.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    args_text,
    argument,
    expression,
    receiver_text,
    string,
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
from mle_modernizer_server.fixing.rules.engine.lines import line_of, own_line
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OPTIMIZER = "bayes_opt.BayesianOptimization"
_CLASSES = {
    "ucb": ("UpperConfidenceBound", "kappa", "2.576"),
    "ei": ("ExpectedImprovement", "xi", "0.0"),
    "poi": ("ProbabilityOfImprovement", "xi", "0.0"),
}
_ACQUISITION = ("acq", "kappa", "xi")
_OWN = ("init_points", "n_iter")


@codemod("bayes-opt-acquisition", "bayes-opt-gp-arguments", on=cst.Call, names=("maximize",))
def acquisition(context: Context, node: cst.Call) -> Answer:
    """Move the arguments of `maximize` to the optimizer and to `set_gp_params`."""
    if not isinstance(node.func, cst.Attribute) or _others(node) is None:
        return None
    inferred = context.type_of(node.func.value)
    if inferred is not None and inferred.name != _OPTIMIZER:
        return None
    if inferred is None and not context.evidence(node):
        return Unsure(f"what `{context.code(node.func.value)}` is cannot be told from the code")
    chosen = [arg for name in _ACQUISITION if (arg := argument(node, name)) is not None]
    if chosen:
        return _at_constructor(context, node, chosen)
    others = _others(node) or []
    if not others:
        return None
    text = f"{receiver_text(node.func.value)}.set_gp_params({args_text(others)})"
    above = context.parent(node)
    line = own_line(context, above)
    if line is None or not isinstance(above, cst.Expr):
        return Unsure("the call does not stand in a line of its own")
    first = line_of(text).with_changes(leading_lines=line.leading_lines)
    second = line.with_changes(body=[cst.Expr(without(node, others))], leading_lines=[])
    return Fix((Change(line, cst.FlattenSentinel([first, second])),))


def _others(node: cst.Call) -> list[cst.Arg] | None:
    """Return the arguments of the Gaussian process; None if some are unknown."""
    if any(arg.star for arg in node.args):
        return None
    return [
        arg
        for arg in node.args
        if arg.keyword is not None and arg.keyword.value not in (*_OWN, *_ACQUISITION)
    ]


def _at_constructor(context: Context, node: cst.Call, chosen: list[cst.Arg]) -> Answer:
    assert isinstance(node.func, cst.Attribute)
    made = context.written(node.func.value)
    if made is node.func.value:
        return Unsure("it cannot be told where the optimizer is made")
    if not isinstance(made, cst.Call) or not context.refers_to(made.func, _OPTIMIZER):
        return Unsure("it cannot be told where the optimizer is made")
    call = without(node, chosen)
    given = argument(node, "acq", 2)
    name = "ucb" if given is None else string(given.value) or ""
    if name not in _CLASSES:
        return Unsure("the acquisition function is not written out")
    class_, parameter, default = _CLASSES[name]
    strength = argument(node, parameter)
    value = default if strength is None else context.code(strength.value)
    if argument(made, "acquisition_function") is not None:
        return one(node, call)
    module, imports = (
        context.imported(made, "bayes_opt", "acquisition", "acquisition")
        if (made in context.cell.places)
        else ("", ())
    )
    if not module:
        return Unsure("the optimizer is made in another cell")
    text = f"{module}.{class_}({parameter}={value})"
    return Fix(
        (
            Change(node, call),
            Change(made, with_keyword(made, "acquisition_function", expression(text))),
        ),
        imports,
    )

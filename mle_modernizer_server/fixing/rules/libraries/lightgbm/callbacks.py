"""LightGBM 4.0 took early stopping, logging and recording out of `train`, `cv` and `fit`.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0

Callbacks do the same with the same numbers: `early_stopping`, `log_evaluation`,
`record_evaluation`, `reset_parameter`. `verbose_eval=True` printed every round, `False` none. The
callbacks replace the first of these arguments.

`lightgbm.train(…, learning_rates=…)` was removed in LightGBM 4.0.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Parameter
from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    same_literal,
    string,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.fits import fits, fitted_type, spread_out

_MODELS = ("lightgbm.LGBMClassifier", "lightgbm.LGBMRegressor", "lightgbm.LGBMRanker")
_FUNCTIONS = ("lightgbm.train", "lightgbm.cv")
_FIRST_ONLY = "first_metric_only"


@codemod("lightgbm-callbacks", on=cst.Call, functions=_FUNCTIONS)
def functions(context: Context, node: cst.Call) -> Answer:
    """`lgb.train(…, early_stopping_rounds=50, verbose_eval=100)`."""
    names = ("early_stopping_rounds", "verbose_eval", "evals_result", "learning_rates")
    parameters = argument(node, "params", 0)
    if not any(argument(node, name) for name in names):
        return None
    return _with_callbacks(
        context, node, "verbose_eval", None if parameters is None else parameters.value
    )


@codemod("lightgbm-callbacks", on=cst.Call, names=("fit",))
def models(context: Context, node: cst.Call) -> Answer:
    """`LGBMClassifier().fit(…, early_stopping_rounds=50, verbose=100)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    names = ("early_stopping_rounds", "verbose")
    if not any(argument(node, name) for name in names):
        return spread_out(context, node, names) if fits(context, node, _MODELS) else None
    inferred = fitted_type(context, node.func.value)
    if inferred is None and not context.evidence(node):
        return Unsure(f"what `{context.code(node.func.value)}` is cannot be told from the code")
    if inferred is not None and inferred.name not in _MODELS:
        return None
    return _with_callbacks(context, node, "verbose", node.func.value)


def _with_callbacks(
    context: Context, node: cst.Call, verbose_name: str, parameters: cst.BaseExpression | None
) -> Answer:
    rounds = argument(node, "early_stopping_rounds")
    verbose = argument(node, verbose_name)
    record = argument(node, "evals_result")
    rates = argument(node, "learning_rates")
    gone = [arg for arg in (rounds, verbose, record, rates) if arg is not None]
    if not gone:
        return None
    silent = verbose is not None and literal(verbose.value) in (False, None)
    wanted: list[str] = []
    if rounds is not None and literal(rounds.value) is not None:
        first = f", {_FIRST_ONLY}=True" if _first_metric_only(context, parameters) else ""
        quiet = ", verbose=False" if silent else ""
        wanted.append(f"early_stopping({context.code(rounds.value)}{first}{quiet})")
    if verbose is not None and (period := _period(context, verbose.value)) is not None:
        wanted.append(f"log_evaluation({period})")
    if record is not None and literal(record.value) is not None:
        wanted.append(f"record_evaluation({context.code(record.value)})")
    if rates is not None and literal(rates.value) is not None:
        wanted.append(f"reset_parameter(learning_rate={context.code(rates.value)})")
    if not wanted:
        return one(node, without(node, gone))
    given = argument(node, "callbacks")
    module, imports = context.module(node, "lightgbm", "lgb")
    callbacks = [f"{module}.{one_wanted}" for one_wanted in wanted]
    if rounds is not None and _may_be_none(context, rounds.value):
        name = context.code(rounds.value)
        callbacks[0] = f"*([{callbacks[0]}] if {name} is not None else [])"
    text = ", ".join(callbacks)
    if given is not None and literal(given.value) is None:
        gone.append(given)
        given = None
    if given is None:
        first_gone = next(arg for arg in node.args if arg in gone)
        here = first_gone.with_changes(keyword=cst.Name("callbacks"), value=expression(f"[{text}]"))
        args = [here if arg is first_gone else arg for arg in node.args]
        rest = [arg for arg in gone if arg is not first_gone]
        return one(node, without(node.with_changes(args=args), rest), imports)
    call = without(node, gone)
    if isinstance(given.value, cst.List):
        inner = context.code(given.value).strip()[1:-1].strip().rstrip(",")
        value = expression(f"[{inner}, {text}]" if inner else f"[{text}]")
    else:
        value = expression(f"[*{context.code(given.value)}, {text}]")
    kept = next(
        arg for arg in call.args if arg.keyword is not None and arg.keyword.value == "callbacks"
    )
    return one(node, call.with_deep_changes(kept, value=value), imports)


def _may_be_none(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether a name can be None: by default, or by one of its assignments."""
    for bound in context.bounds(node):
        if isinstance(bound, Assigned) and not bound.path and literal(bound.value) is None:
            return True
        if isinstance(bound, Parameter):
            params = bound.function.params
            for param in (*params.posonly_params, *params.params, *params.kwonly_params):
                if param.name.value == bound.name and literal(param.default) is None:
                    return True
    return False


def _first_metric_only(context: Context, node: cst.CSTNode | None) -> bool:
    """Return whether the parameters (a dict, or a model's arguments) select one metric to watch."""
    if isinstance(node, cst.Name):
        node = context.last_written(node)
    if isinstance(node, cst.Dict):
        return any(
            isinstance(part, cst.DictElement)
            and string(part.key) == _FIRST_ONLY
            and same_literal(part.value, True)
            for part in node.elements
        )
    if isinstance(node, cst.Call):
        given = argument(node, _FIRST_ONLY)
        return given is not None and same_literal(given.value, True)
    return False


def _period(context: Context, verbose: cst.BaseExpression) -> str | None:
    """Return the argument of `log_evaluation`; None if nothing was printed."""
    value = literal(verbose)
    if value is True:
        return "1"
    if value in (False, None, 0, -1):
        return None
    return context.code(verbose)


@codemod("lightgbm-learning-rates", on=cst.Call, names=("train",))
def rates(context: Context, node: cst.Call) -> Answer:
    """Add a callback `reset_parameter`, and those for the other removed arguments."""
    return None if argument(node, "learning_rates") is None else functions(context, node)

"""LightGBM 4.0 took early stopping, logging and recording out of `train`, `cv` and `fit`.

https://github.com/microsoft/LightGBM/releases/tag/v4.0.0

Callbacks do the same with the same numbers: `early_stopping`, `log_evaluation`,
`record_evaluation`. `verbose_eval=True` printed every round, `False` none.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, NewImport, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.tree import (
    argument,
    expression,
    literal,
    with_keyword,
    without,
)

_MODELS = ("lightgbm.LGBMClassifier", "lightgbm.LGBMRegressor", "lightgbm.LGBMRanker")
_FUNCTIONS = ("lightgbm.train", "lightgbm.cv")


@codemod(cst.Call, "train", "cv")
def functions(scene: Scene, node: cst.Call) -> Answer:
    """`lgb.train(…, early_stopping_rounds=50, verbose_eval=100)`."""
    if not set(scene.qualnames(node.func)) & set(_FUNCTIONS):
        return None
    return _with_callbacks(scene, node, "verbose_eval")


@codemod(cst.Call, "fit")
def models(scene: Scene, node: cst.Call) -> Answer:
    """`LGBMClassifier().fit(…, early_stopping_rounds=50, verbose=100)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    names = ("early_stopping_rounds", "verbose")
    if not any(argument(node, name) for name in names):
        return None
    kind = scene.kind(node.func.value)
    if kind is None and not scene.evidence(node):
        return Unsure(f"what `{scene.code(node.func.value)}` is cannot be told from the code")
    if kind is not None and kind.name not in _MODELS:
        return None
    return _with_callbacks(scene, node, "verbose")


def _with_callbacks(scene: Scene, node: cst.Call, verbose_name: str) -> Answer:
    rounds = argument(node, "early_stopping_rounds")
    verbose = argument(node, verbose_name)
    record = argument(node, "evals_result")
    gone = [arg for arg in (rounds, verbose, record) if arg is not None]
    if not gone:
        return None
    silent = verbose is not None and literal(verbose.value) in (False, None)
    wanted: list[str] = []
    if rounds is not None and literal(rounds.value) is not None:
        quiet = ", verbose=False" if silent else ""
        wanted.append(f"early_stopping({scene.code(rounds.value)}{quiet})")
    if verbose is not None and (period := _period(scene, verbose.value)) is not None:
        wanted.append(f"log_evaluation({period})")
    if record is not None and literal(record.value) is not None:
        wanted.append(f"record_evaluation({scene.code(record.value)})")
    call = without(node, gone)
    if not wanted:
        return one(node, call)
    given = argument(node, "callbacks")
    module, imports = _module(scene, node)
    text = ", ".join(f"{module}.{one_wanted}" for one_wanted in wanted)
    if given is None or literal(given.value) is None:
        call = without(call, [given]) if given is not None else call
        return one(node, with_keyword(call, "callbacks", expression(f"[{text}]")), imports)
    if isinstance(given.value, cst.List):
        inner = scene.code(given.value).strip()[1:-1].strip()
        value = expression(f"[{inner}, {text}]" if inner else f"[{text}]")
    else:
        value = expression(f"[*{scene.code(given.value)}, {text}]")
    return one(node, call.with_deep_changes(given, value=value), imports)


def _period(scene: Scene, verbose: cst.BaseExpression) -> str | None:
    """Argument of `log_evaluation`; None where nothing was printed."""
    value = literal(verbose)
    if value is True:
        return "1"
    if value in (False, None, 0, -1):
        return None
    return scene.code(verbose)


def _module(scene: Scene, node: cst.Call) -> tuple[str, tuple[NewImport, ...]]:
    return scene.module(node, "lightgbm", "lgb")

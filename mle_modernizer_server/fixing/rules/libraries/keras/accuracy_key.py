"""Since Keras 2.3 `metrics=['accuracy']` is logged as `accuracy`; it was `acc`.

https://github.com/keras-team/keras/releases/tag/2.3.0

`metrics=['acc']` is logged as `acc` today, so nothing changes where a model is compiled so. In the
same way `metrics=['mae']` is logged as `mae`; it was `mean_absolute_error`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, string
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, compiled_metrics

_NEW = {"acc": "accuracy", "val_acc": "val_accuracy"}
_SHORT = {
    "mean_absolute_error": ("mae", "MAE"),
    "mean_squared_error": ("mse", "MSE"),
    "mean_absolute_percentage_error": ("mape", "MAPE"),
    "mean_squared_logarithmic_error": ("msle", "MSLE"),
}
"""Short names under which a metric is logged today where it was asked for by them."""
_CALLBACKS = {"EarlyStopping": 0, "ReduceLROnPlateau": 0, "ModelCheckpoint": 1}


@codemod("keras-history-acc", on=cst.Subscript, logged=False)
@codemod("keras-logs-acc", on=cst.Subscript, logged=True)
def key(context: Context, node: cst.Subscript, logged: bool) -> Answer:
    """`h.history['val_acc']`, `pd.DataFrame(h.history)[['acc', 'val_acc']]`, `logs['acc']`."""
    if not isinstance(node.slice[-1].slice, cst.Index):
        return None
    index = node.slice[-1].slice.value
    # Subscripts are many, and reading a literal takes its time.
    keys = [
        key
        for key in ([e.value for e in index.elements] if isinstance(index, cst.List) else [index])
        if isinstance(key, cst.SimpleString) and ("acc" in key.value or "mean_" in key.value)
    ]
    keys = [key for key in keys if string(key) in _NEW or _long(key) in _SHORT]
    if not keys:
        return None
    owner = node.value
    if len(node.slice) == 2 and isinstance(owner, cst.Attribute) and owner.attr.value == "loc":
        owner = owner.value
    elif len(node.slice) != 1:
        return None
    if _is_logs(owner) is not logged:
        return None
    if not (
        logged or _is_history(context, owner) or _is_table(context, owner) or context.evidence(node)
    ):
        return None
    return _all_renamed(context, keys)


@codemod("keras-history-acc", on=cst.Attribute, names=_NEW)
def column(context: Context, node: cst.Attribute) -> Answer:
    """`pd.DataFrame(h.history).val_acc`."""
    if not _is_table(context, node.value):
        return None
    new = _new_name(context, node.attr.value)
    return one(node.attr, cst.Name(new)) if isinstance(new, str) else new


@codemod("keras-history-acc", on=cst.Call, names=("get",), logged=False)
@codemod("keras-logs-acc", on=cst.Call, names=("get",), logged=True)
def got(context: Context, node: cst.Call, logged: bool) -> Answer:
    """`logs.get('val_acc')`, `h.history.get('val_acc')`."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    owner = node.func.value
    concerned = _is_logs(owner) if logged else _is_history(context, owner)
    return _renamed(context, node.args[0].value) if concerned else None


@codemod("keras-monitor-acc", on=cst.Call, names=_CALLBACKS)
def monitor(context: Context, node: cst.Call) -> Answer:
    """`EarlyStopping(monitor='val_acc')`."""
    names = {name.rpartition(".")[2] for name in addresses(context, node.func) if "keras" in name}
    for name in names & _CALLBACKS.keys():
        given = argument(node, "monitor", _CALLBACKS[name])
        if given is not None and string(given.value) in _NEW:
            return _renamed(context, given.value)
    return None


def _is_logs(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in ("logs", "log")


def _is_history(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        return node.attr.value == "history"
    if isinstance(node, cst.Name):
        return any(
            isinstance(binding.bound, Assigned)
            and not binding.bound.path
            and isinstance(binding.bound.value, cst.Attribute)
            and binding.bound.value.attr.value == "history"
            for binding in context.program.lookup(node.value, node).bindings
        )
    return False


def _is_table(context: Context, node: cst.BaseExpression) -> bool:
    """Whether it is `pd.DataFrame(h.history)`."""
    if isinstance(node, cst.Name):
        return any(
            isinstance(binding.bound, Assigned)
            and not binding.bound.path
            and isinstance(binding.bound.value, cst.Call)
            and _is_table(context, binding.bound.value)
            for binding in context.program.lookup(node.value, node).bindings
        )
    return (
        isinstance(node, cst.Call)
        and "pandas.DataFrame" in context.qualnames(node.func)
        and bool(node.args)
        and _is_history(context, node.args[0].value)
    )


def _long(key: cst.SimpleString) -> str:
    return (string(key) or "").removeprefix("val_")


def _all_renamed(context: Context, keys: list[cst.SimpleString]) -> Answer:
    changes: list[Change] = []
    for key in keys:
        answer = _renamed(context, key)
        if isinstance(answer, Unsure):
            return answer
        if isinstance(answer, Fix):
            changes.extend(answer.changes)
    return Fix(tuple(changes)) if changes else None


def _renamed(context: Context, key: cst.BaseExpression) -> Answer:
    if not isinstance(key, cst.SimpleString):
        return None
    new = _new_name(context, string(key) or "")
    if not isinstance(new, str):
        return new
    return one(key, cst.SimpleString(f"{key.quote}{new}{key.quote}"))


def _new_name(context: Context, text: str) -> str | Unsure | None:
    """What `acc` or `mean_absolute_error` is logged as; None where it is as it was."""
    metrics = compiled_metrics(context)
    before = "val_" if text.startswith("val_") else ""
    long = text.removeprefix("val_")
    if long in _SHORT:
        short = [name for name in _SHORT[long] if name in metrics]
        return f"{before}{short[0]}" if len(short) == 1 and long not in metrics else None
    if text not in _NEW:
        return None
    if "acc" in metrics:
        if "accuracy" in metrics:
            return Unsure("some models are compiled with 'acc', others with 'accuracy'")
        return None
    if "accuracy" not in metrics:
        return Unsure("which metrics the model is compiled with is not written out")
    return _NEW[text]

"""Since Keras 2.3 `metrics=['accuracy']` is logged as `accuracy`; it was `acc`.

https://github.com/keras-team/keras/releases/tag/2.3.0

`metrics=['acc']` is still logged as `acc`, so nothing changes for models compiled with it. In the
same way `metrics=['mae']` is logged as `mae`; it was `mean_absolute_error`.

Since Keras 3 `metrics=['AUC']` is logged as `AUC`, too; it was `auc`, in later models of TensorFlow
1 and 2.0 `auc_1` and so on. `metrics=[AUC()]` is `auc` as it was, and numbered as it was.
https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, compiled_metrics

_NEW = {"acc": "accuracy", "val_acc": "val_accuracy"}
_SHORT = {
    "mean_absolute_error": ("mae", "MAE"),
    "mean_squared_error": ("mse", "MSE"),
    "mean_absolute_percentage_error": ("mape", "MAPE"),
    "mean_squared_logarithmic_error": ("msle", "MSLE"),
}
"""Short names under which a metric is logged today if `compile` got the short name."""
_BY_CLASS = {
    name.lower() if name.isupper() else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(): name
    for name in (
        *("AUC", "Precision", "Recall", "RootMeanSquaredError", "BinaryAccuracy"),
        *("CategoricalAccuracy", "SparseCategoricalAccuracy", "MeanSquaredError"),
        *("MeanAbsoluteError", "TruePositives", "TrueNegatives", "FalsePositives"),
        *("FalseNegatives", "TopKCategoricalAccuracy"),
    )
}
"""Old log names of metrics that `compile` got by class name, as text."""
_NUMBERED = re.compile(r"_\d{1,2}$")
_CALLBACKS = {"EarlyStopping": 0, "ReduceLROnPlateau": 0, "ModelCheckpoint": 1}


@codemod("keras-history-acc", on=cst.Subscript, logged=False, by_class=False)
@codemod("keras-history-class", on=cst.Subscript, logged=False, by_class=True)
@codemod("keras-logs-acc", on=cst.Subscript, logged=True, by_class=False)
def key(context: Context, node: cst.Subscript, logged: bool, by_class: bool) -> Answer:
    """`h.history['val_acc']`, `pd.DataFrame(h.history)[['acc', 'val_acc']]`, `logs['acc']`."""
    if not isinstance(node.slice[-1].slice, cst.Index):
        return None
    index = node.slice[-1].slice.value
    keys = [
        key
        for key in ([e.value for e in index.elements] if isinstance(index, cst.List) else [index])
        if isinstance(key, cst.SimpleString) and _may_be_renamed(key, by_class)
    ]
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
    return _all_renamed(context, keys, by_class)


@codemod("keras-history-acc", on=cst.Attribute, names=_NEW)
def column(context: Context, node: cst.Attribute) -> Answer:
    """`pd.DataFrame(h.history).val_acc`."""
    if not _is_table(context, node.value):
        return None
    new = _new_name(context, node.attr.value, by_class=False)
    return one(node.attr, cst.Name(new)) if isinstance(new, str) else new


@codemod("keras-history-acc", on=cst.Call, names=("get",), logged=False, by_class=False)
@codemod("keras-history-class", on=cst.Call, names=("get",), logged=False, by_class=True)
@codemod("keras-logs-acc", on=cst.Call, names=("get",), logged=True, by_class=False)
def got(context: Context, node: cst.Call, logged: bool, by_class: bool) -> Answer:
    """`logs.get('val_acc')`, `h.history.get('val_acc')`."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    owner = node.func.value
    concerned = _is_logs(owner) if logged else _is_history(context, owner)
    return _renamed(context, node.args[0].value, by_class) if concerned else None


@codemod("keras-monitor-acc", on=cst.Call, names=_CALLBACKS, by_class=False)
@codemod("keras-monitor-class", on=cst.Call, names=_CALLBACKS, by_class=True)
def monitor(context: Context, node: cst.Call, by_class: bool) -> Answer:
    """`EarlyStopping(monitor='val_acc')`."""
    names = {name.rpartition(".")[2] for name in addresses(context, node.func) if "keras" in name}
    for name in names & _CALLBACKS.keys():
        given = argument(node, "monitor", _CALLBACKS[name])
        if isinstance(given, cst.Arg) and _is_monitored(given.value, by_class):
            return _renamed(context, given.value, by_class)
    return None


def _is_logs(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in ("logs", "log")


def _is_history(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        return node.attr.value == "history"
    if isinstance(node, cst.Name):
        return any(
            isinstance(binding, Assigned)
            and not binding.path
            and isinstance(binding.value, cst.Attribute)
            and binding.value.attr.value == "history"
            for binding in context.bounds(node)
        )
    return False


def _is_table(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it is `pd.DataFrame(h.history)`."""
    if isinstance(node, cst.Name):
        return any(
            isinstance(binding, Assigned)
            and not binding.path
            and isinstance(binding.value, cst.Call)
            and _is_table(context, binding.value)
            for binding in context.bounds(node)
        )
    return (
        isinstance(node, cst.Call)
        and context.refers_to(node.func, "pandas.DataFrame")
        and bool(node.args)
        and _is_history(context, node.args[0].value)
    )


def _may_be_renamed(key: cst.SimpleString, by_class: bool) -> bool:
    if by_class:
        return _plain(string(key) or "") in _BY_CLASS
    # Subscripts are frequent, and parsing a literal is slow.
    if "acc" not in key.value and "mean_" not in key.value:
        return False
    return string(key) in _NEW or _plain(string(key) or "") in _SHORT


def _is_monitored(value: cst.BaseExpression, by_class: bool) -> bool:
    if by_class:
        return _plain(string(value) or "") in _BY_CLASS
    return string(value) in _NEW


def _plain(key: str) -> str:
    """Return the metric's name in a key of the history."""
    return _NUMBERED.sub("", key.removeprefix("val_"))


def _all_renamed(context: Context, keys: list[cst.SimpleString], by_class: bool) -> Answer:
    changes: list[Change] = []
    for key in keys:
        answer = _renamed(context, key, by_class)
        if isinstance(answer, Unsure):
            return answer
        if isinstance(answer, Fix):
            changes.extend(answer.changes)
    return Fix(tuple(changes)) if changes else None


def _renamed(context: Context, key: cst.BaseExpression, by_class: bool) -> Answer:
    if not isinstance(key, cst.SimpleString):
        return None
    new = _new_name(context, string(key) or "", by_class)
    if not isinstance(new, str):
        return new
    return one(key, like_quotes(repr(new), key))


def _new_name(context: Context, text: str, by_class: bool) -> str | Unsure | None:
    """Return the current log name of `acc` or `mean_absolute_error`; None if unchanged."""
    metrics = compiled_metrics(context)
    before = "val_" if text.startswith("val_") else ""
    if by_class:
        if _plain(text) not in _BY_CLASS:
            return None
        return _class_name(context, metrics, before, _plain(text))
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


def _class_name(
    context: Context, metrics: frozenset[str], before: str, name: str
) -> str | Unsure | None:
    """Return the log name of `auc` if `compile` got it as `'AUC'`."""
    wanted = _BY_CLASS[name]
    if wanted not in metrics:
        return None
    if name in metrics or any(
        addresses(context, node.func) & {f"keras.metrics.{wanted}", f"keras.{wanted}"}
        for node in context.nodes(cst.Call)
    ):
        return Unsure(f"some models are compiled with '{wanted}', others in another way")
    return f"{before}{wanted}"

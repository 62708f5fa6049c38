"""Since Keras 2.3 `metrics=['accuracy']` is logged as `accuracy`; it was `acc`.

https://github.com/keras-team/keras/releases/tag/2.3.0

`metrics=['acc']` is logged as `acc` today, so nothing changes where a model is compiled so.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.cellcode import Assigned
from mle_modernizer_server.fixing.rules.keras_names import addresses, compiled_metrics
from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.tree import argument, string

_NEW = {"acc": "accuracy", "val_acc": "val_accuracy"}
_CALLBACKS = {"EarlyStopping": 0, "ReduceLROnPlateau": 0, "ModelCheckpoint": 1}


@codemod(cst.Subscript)
def history(scene: Scene, node: cst.Subscript) -> Answer:
    """`h.history['val_acc']`, `logs['acc']`."""
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return None
    key = node.slice[0].slice.value
    # Subscripts are many, and reading a literal takes its time.
    if not isinstance(key, cst.SimpleString) or "acc" not in key.value:
        return None
    if string(key) not in _NEW:
        return None
    if _is_logs(node.value):
        wanted = "keras-logs-acc"
    elif _is_history(scene, node.value) or scene.evidence(node):
        wanted = "keras-history-acc"
    else:
        return None
    return _renamed(scene, key) if scene.entry.id == wanted else None


@codemod(cst.Call, "get")
def logs(scene: Scene, node: cst.Call) -> Answer:
    """`logs.get('val_acc')`."""
    if scene.entry.id != "keras-logs-acc" or not isinstance(node.func, cst.Attribute):
        return None
    if not _is_logs(node.func.value) or not node.args:
        return None
    return _renamed(scene, node.args[0].value)


@codemod(cst.Call, *_CALLBACKS)
def monitor(scene: Scene, node: cst.Call) -> Answer:
    """`EarlyStopping(monitor='val_acc')`."""
    if scene.entry.id != "keras-monitor-acc":
        return None
    names = {name.rpartition(".")[2] for name in addresses(scene, node.func) if "keras" in name}
    for name in names & _CALLBACKS.keys():
        given = argument(node, "monitor", _CALLBACKS[name])
        if given is not None and string(given.value) in _NEW:
            return _renamed(scene, given.value)
    return None


def _is_logs(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in ("logs", "log")


def _is_history(scene: Scene, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        return node.attr.value == "history"
    if isinstance(node, cst.Name):
        return any(
            isinstance(binding.bound, Assigned)
            and not binding.bound.path
            and isinstance(binding.bound.value, cst.Attribute)
            and binding.bound.value.attr.value == "history"
            for binding in scene.program.lookup(node.value, node).bindings
        )
    return False


def _renamed(scene: Scene, key: cst.BaseExpression) -> Answer:
    text = string(key)
    if text not in _NEW or not isinstance(key, cst.SimpleString):
        return None
    metrics = compiled_metrics(scene)
    if "acc" in metrics:
        if "accuracy" in metrics:
            return Unsure("some models are compiled with 'acc', others with 'accuracy'")
        return None
    if "accuracy" not in metrics:
        return Unsure("which metrics the model is compiled with is not written out")
    return one(key, cst.SimpleString(f"{key.quote}{_NEW[text]}{key.quote}"))

"""Keras 3 saves weights in `*.weights.h5` and models in `*.keras` or `*.h5` only.

https://keras.io/guides/migrating_to_keras_3/

The same literal elsewhere in the notebook (`load_weights`, `load_model`) is changed, too.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, descendants, same_literal, string, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.files import renamed, tail, with_ending
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, uses_keras

_INPUT = re.compile(r"(^|/)input/")
_ENDINGS = (".weights.hdf5", ".weights.h5", ".hdf5", ".hdf", ".h5", ".keras", ".ckpt", ".model")


@codemod("keras-save-weights-name", on=cst.Call, names=("save_weights",))
def saved_weights(context: Context, node: cst.Call) -> Answer:
    """Rewrite `model.save_weights('w.h5')` as `model.save_weights('w.weights.h5')`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    given = argument(node, "filepath", 0)
    save_format = argument(node, "save_format", 2)
    answer = _with_ending(context, given, ".weights.h5", (".weights.h5",))
    return _without_format(context, node, save_format, answer)


def _without_format(
    context: Context, node: cst.Call, save_format: cst.Arg | None, answer: Answer
) -> Answer:
    """Return the fix for a call without `save_format`: the ending of the file sets the format."""
    if save_format is None or isinstance(answer, Unsure) or not uses_keras(context):
        return answer
    changes = () if answer is None else answer.changes
    below = set(descendants(node))
    left = without(node, [save_format])
    for change in changes:
        if change.node in below and isinstance(change.new, cst.SimpleString):
            left = left.with_deep_changes(change.node, value=change.new.value)
    return Fix((Change(node, left), *(one for one in changes if one.node not in below)))


@codemod("keras-checkpoint-name", on=cst.Call, names=("ModelCheckpoint",), weights=False)
@codemod("keras-checkpoint-weights-name", on=cst.Call, names=("ModelCheckpoint",), weights=True)
def checkpoint(context: Context, node: cst.Call, weights: bool) -> Answer:
    """Rewrite `ModelCheckpoint('best.hdf5')` as `ModelCheckpoint('best.h5')`."""
    if "keras.callbacks.ModelCheckpoint" not in addresses(context, node.func):
        return None
    only = argument(node, "save_weights_only", 4)
    if (only is not None and not same_literal(only.value, False)) is not weights:
        return None
    if only is not None and weights:
        if not same_literal(only.value, True):
            return Unsure("whether only weights are saved is not written out")
        return _with_ending(context, argument(node, "filepath", 0), ".weights.h5", (".weights.h5",))
    return _with_ending(context, argument(node, "filepath", 0), ".h5", (".h5", ".keras"))


@codemod("keras-save-name", on=cst.Call, names=("save",))
def model(context: Context, node: cst.Call) -> Answer:
    """Rewrite `model.save('m')` as `model.save('m.keras')`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    inferred = context.type_of(node.func.value)
    if not context.evidence(node) and (inferred is None or ".models." not in inferred.name):
        return None
    given = argument(node, "filepath", 0)
    answer = _with_ending(context, given, ".keras", (".keras", ".h5", ".hdf5"))
    save_format = argument(node, "save_format")
    # A name with a valid ending is saved in its format, with a warning.
    return answer if answer is None else _without_format(context, node, save_format, answer)


def _with_ending(
    context: Context, given: cst.Arg | None, ending: str, good: tuple[str, ...]
) -> Answer:
    if given is None or not uses_keras(context):
        return None
    literal = tail(context, given.value)
    name = string(literal)
    if literal is None or name is None:
        return Unsure("the file's name is not written out")
    if name.endswith(good):
        return None
    if _INPUT.search(name):
        return Unsure(f"`{name}` is one of the data and keeps its name")
    return Fix(renamed(context, literal, with_ending(name, ending, _ENDINGS)))

"""Keras 2 converted any input to an array of numbers; later versions refuse some inputs.

https://keras.io/guides/migrating_to_keras_3/

Arrays of objects became `float32` and a list of targets became one array; the fixes need a run that
failed at them. A `class_weight` that is no dict was ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, expression, method_name, string, without
from mle_modernizer_server.code.types.type import ARRAY
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_DATA = {
    "fit": ("x", "y"),
    "evaluate": ("x", "y"),
    "predict": ("x",),
    "predict_classes": ("x",),
    "predict_proba": ("x",),
    "train_on_batch": ("x", "y"),
    "test_on_batch": ("x", "y"),
    "predict_on_batch": ("x",),
}
_NUMBERS = ("astype", "to_categorical", "toarray", "pad_sequences", "texts_to_matrix")
"""Functions that return an array of numbers."""
_NO_ARRAYS = ("builtins.dict", "builtins.set", "notebook.")


@codemod("keras-object-input", on=cst.Call, names=_DATA)
def numbers(context: Context, node: cst.Call) -> Answer:
    """`m.fit(X, y)` → `m.fit(np.asarray(X, dtype='float32'), np.asarray(y, dtype='float32'))`."""
    if not _is_concerned(context, node):
        return None
    given = [value for value in _arrays(node) if not _is_numeric(context, value)]
    return _wrapped(context, node, given, "{np}.asarray({code}, dtype='float32')")


@codemod("keras-list-targets", on=cst.Call, names=("fit", "evaluate", "train_on_batch"))
def one_target(context: Context, node: cst.Call) -> Answer:
    """Rewrite `m.fit(X, labels)` as `m.fit(X, np.asarray(labels))` if the labels are a list."""
    if not _is_concerned(context, node):
        return None
    given = argument(node, "y", 1)
    if given is None or not _is_list(context, given.value):
        return None
    return _wrapped(context, node, [given.value], "{np}.asarray({code})")


@codemod("keras-list-inputs", on=cst.Call, names=_DATA)
def one_input(context: Context, node: cst.Call) -> Answer:
    """Rewrite `m.predict([[1, 2]])` as `m.predict(np.asarray([[1, 2]]))`: a list of rows."""
    if not _is_concerned(context, node):
        return None
    values = [argument(node, name, at) for at, name in enumerate(_DATA[method_name(node)])]
    given = [one.value for one in values if one is not None and _is_rows(context, one.value)]
    return _wrapped(context, node, given, "{np}.asarray({code})")


@codemod("keras-class-weight-array", on=cst.Call, names=("fit", "fit_generator"))
def ignored_weights(context: Context, node: cst.Call) -> Answer:
    """Rewrite `m.fit(X, y, class_weight=array)` as `m.fit(X, y)`, as Keras ignored it."""
    given = argument(node, "class_weight")
    if given is None or not context.evidence(node) or not _is_keras(context, node):
        return None
    code = context.code(given.value)
    remark = (
        f"Keras ignored class_weight={code}, which is no dict; it is left out so that the result "
        f"stays. To use the weights, write class_weight=dict(enumerate({code}))."
    )
    return Fix((Change(node, without(node, [given])),), remark=remark)


def _is_keras(context: Context, call: cst.Call) -> bool:
    """Return whether it may be called on a model of Keras."""
    if not isinstance(call.func, cst.Attribute) or context.qualnames(call.func):
        return False
    inferred = context.type_of(call.func.value)
    return inferred is None or inferred.name.split(".")[0] in ("keras", "tensorflow", "notebook")


def _is_concerned(context: Context, call: cst.Call) -> bool:
    """Return whether the run failed here, or in an earlier line of the cell with a known model."""
    if not _is_keras(context, call) or method_name(call) not in _DATA:
        return False
    if context.evidence(call):
        return True
    assert isinstance(call.func, cst.Attribute)
    return bool(context.failing()) and context.type_of(call.func.value) is not None


def _arrays(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """Yield the arrays passed to a call, each input and the validation data separately."""
    for at, name in enumerate(_DATA[method_name(call)]):
        given = argument(call, name, at)
        if given is not None:
            yield from _items(given.value)
    validation = argument(call, "validation_data")
    if validation is not None and isinstance(validation.value, (cst.Tuple, cst.List)):
        for element in validation.value.elements[:2]:
            yield from _items(element.value)


def _items(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(value, (cst.List, cst.Tuple)):
        for element in value.elements:
            yield element.value
    else:
        yield value


def _is_numeric(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether it is an array of numbers already, or no array at all."""
    source = context.written(value)
    if isinstance(source, cst.Call):
        dtype = argument(source, "dtype")
        if dtype is not None:
            return not _is_object(context, dtype.value)
        name = context.code(source.func).rpartition(".")[2]
        if name in _NUMBERS and not any(_is_object(context, arg.value) for arg in source.args):
            return True
    if isinstance(value, (cst.Integer, cst.Float, cst.SimpleString, cst.Dict)):
        return True
    return context.type_name(value).startswith(_NO_ARRAYS)


def _is_object(context: Context, dtype: cst.BaseExpression) -> bool:
    return string(dtype) in ("object", "O") or context.refers_to(dtype, "builtins.object")


def _is_list(context: Context, value: cst.BaseExpression) -> bool:
    inferred = context.type_of(value)
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        return value.func.attr.value == "tolist"
    return inferred is None or (inferred.name == "builtins.list" and ARRAY not in inferred.items)


def _is_rows(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether it is a list whose elements are no arrays themselves."""
    if isinstance(value, cst.List):
        return bool(value.elements) and all(
            isinstance(element.value, (cst.List, cst.Tuple, cst.Integer, cst.Float))
            for element in value.elements
        )
    if context.type_name(value) != "builtins.list":
        return False
    return not isinstance(value, cst.Name) or not _is_display(context, value)


def _is_display(context: Context, name: cst.Name) -> bool:
    """Return whether the variable is assigned a list display: perhaps several inputs."""
    return any(
        isinstance(one, Assigned) and isinstance(one.value, cst.List)
        for one in context.bounds(name)
    )


def _wrapped(
    context: Context, call: cst.Call, values: list[cst.BaseExpression], template: str
) -> Answer:
    if not values:
        return None
    local, imports = context.module(call, "numpy", "np")
    changes: list[Change] = []
    for value in values:
        text = template.format(np=local, code=context.code(value))
        changes.append(Change(value, expression(text)))
    return Fix(tuple(changes), imports)

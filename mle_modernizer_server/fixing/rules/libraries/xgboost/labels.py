"""Since XGBoost 1.6 a classifier's labels must be 0, 1, …, K-1.

https://xgboost.readthedocs.io/en/stable/changes/v1.6.0.html

If the labels are consecutive integers (1, …, K) and the notebook only trains and predicts with
them, the target is shifted at its definition and every prediction is shifted back. Otherwise the
classifier gets a subclass that encodes and decodes, as XGBoost itself did before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Parameter
from mle_modernizer_server.code.tree import argument, expression, method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import calls_of, define, top_statement
from mle_modernizer_server.fixing.rules.tables import table

_CLASSIFIER = "xgboost.XGBClassifier"
_SUBCLASS = "LabelledXGBClassifier"
_GOT = re.compile(r"got \[([^\]]*)\]")
_ON_TARGET = ("cross_validate", "cross_val_score")
_PARTS = ("iloc", "loc", "index", "shape")
_TIGHT = (cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)

_TEXT = table("xgboost", "labelled-classifier", str)


@codemod("xgboost-labels", on=cst.Call, names=("XGBClassifier",))
def any_labels(context: Context, node: cst.Call) -> Answer:
    """Let a classifier learn the labels of the data; applied at the notebook's first classifier."""
    calls = calls_of(context, _CLASSIFIER)
    if not calls or calls[0] is not node or _already_shifted(context):
        return None
    return _shifted(context) or _subclassed(context, calls)


def _first_label(context: Context) -> int | None:
    """Return the smallest label if the labels are consecutive integers."""
    for error in context.run.errors:
        found = _GOT.search(error.evalue)
        if context.rule.matches(error) and found:
            words = found[1].replace(",", " ").split()
            if all(word.isdigit() for word in words):
                labels = [int(word) for word in words]
                if labels == list(range(labels[0], labels[0] + len(labels))):
                    return labels[0]
    return None


def _shifted(context: Context) -> Fix | None:
    """Shift the target at its definition, and predictions back; None if that is not safe."""
    first = _first_label(context)
    target = _target(context)
    if first is None or target is None or not _only_trained_on(context, target):
        return None
    (cell, binding), *others = context.program.top_bindings(target)
    bound = binding.bound
    if others or not isinstance(bound, Assigned) or bound.path:
        return None
    value = bound.value
    loose = isinstance(value, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)) or value.lpar
    code = cell.code(value) if loose else f"({cell.code(value)})"
    changes = [Change(value, expression(f"{code} - {first}"))]
    for call in context.nodes(cst.Call):
        if method_name(call) != "predict":
            continue
        text = f"{context.code(call)} + {first}"
        if isinstance(context.parent(call), _TIGHT):
            text = f"({text})"
        changes.append(Change(call, expression(text)))
    return Fix(tuple(changes)) if len(changes) > 1 else None


def _already_shifted(context: Context) -> bool:
    """Return whether the target is shifted at its definition (by this rule or by the author)."""
    target = _target(context)
    if target is None:
        return False
    return any(
        isinstance(binding.bound, Assigned)
        and isinstance(binding.bound.value, cst.BinaryOperation)
        and isinstance(binding.bound.value.operator, cst.Subtract)
        for _, binding in context.program.top_bindings(target)
    )


def _target(context: Context) -> str | None:
    """Return the name of the variable that all models are trained on."""
    names: set[str] = set()
    for node in context.nodes(cst.Call):
        if method_name(node) == "fit":
            given = argument(node, "y", 1)
        elif any(name.endswith(_ON_TARGET) for name in context.qualnames(node.func)):
            given = argument(node, "y", 2)
        else:
            continue
        if given is None:
            continue
        if not isinstance(given.value, cst.Name):
            return None
        if context.program.place(given.value)[1].scope.is_top:
            names.add(given.value.value)
        else:
            names.update(_passed(context, given.value))
    wholes = {name: _whole(context, name) for name in names}
    roots = {whole if whole in names else name for name, whole in wholes.items()}
    return roots.pop() if len(roots) == 1 else None


def _whole(context: Context, name: str) -> str:
    """Return the variable that a part (`y_small = y.iloc[:80]`) was taken from; else the name."""
    bindings = list(context.program.top_bindings(name))
    if len(bindings) != 1:
        return name
    bound = bindings[0][1].bound
    if not isinstance(bound, Assigned):
        return name
    value: cst.BaseExpression = bound.value
    for step in bound.path:
        if not isinstance(value, cst.Tuple) or step is None:
            return name
        value = value.elements[step].value
    if not isinstance(value, cst.Subscript):
        return name
    value = value.value
    if isinstance(value, cst.Attribute) and value.attr.value in _PARTS:
        value = value.value
    return value.value if isinstance(value, cst.Name) and value.value != name else name


def _passed(context: Context, name: cst.Name) -> Iterator[str]:
    """Yield the top-level names that a name inside a function is bound to."""
    for bound in context.bounds(name):
        if not isinstance(bound, Parameter) or not isinstance(bound.function, cst.FunctionDef):
            yield name.value
            continue
        for call in context.nodes(cst.Call):
            if isinstance(call.func, cst.Name) and call.func.value == bound.function.name.value:
                given = argument(call, name.value, bound.position)
                value = given.value if given else None
                yield value.value if isinstance(value, cst.Name) else "?"


def _only_trained_on(context: Context, target: str) -> bool:
    """Return whether the notebook never compares, splits or explicitly scores the target."""
    for cell in context.program.cells:
        for node in cell.places:
            if isinstance(node, cst.Call):
                for name in context.qualnames(node.func):
                    by_hand = name.startswith("sklearn.metrics.") and not name.endswith(
                        "make_scorer"
                    )
                    if by_hand or name.endswith(("train_test_split", "cross_val_predict")):
                        return False
            if isinstance(node, cst.Name) and node.value == target:
                parent = cell.places[node].parent
                part = isinstance(parent, cst.Attribute) and parent.attr.value in _PARTS
                whole = isinstance(parent, cst.Subscript) and parent.value is node
                if not (
                    part or whole or isinstance(parent, (cst.Arg, cst.AssignTarget, cst.Param))
                ):
                    return False
            if (
                isinstance(node, cst.Attribute)
                and node.attr.value in ("split", "predict_classes")
                and (inferred := context.type_of(node.value)) is not None
                and inferred.name.startswith("sklearn.model_selection.")
            ):
                return False
    return True


def _subclassed(context: Context, calls: list[cst.Call]) -> Answer:
    """Define a classifier that encodes and decodes, and use it for all of them."""
    first = calls[0]
    if any(_SUBCLASS in cell.source for cell in context.program.cells):
        return None
    statement = top_statement(context, first)
    if not isinstance(statement, cst.BaseCompoundStatement) and not (
        isinstance(statement, cst.SimpleStatementLine)
        and not any(isinstance(part, (cst.Import, cst.ImportFrom)) for part in statement.body)
    ):
        return Unsure("the classifier is made in the line that imports it")
    encoder, imports = context.imported(
        first, "sklearn.preprocessing", "LabelEncoder", "LabelEncoder"
    )
    text = _TEXT.format(name=_SUBCLASS, base=context.code(first.func), encoder=encoder)
    changes = [Change(call.func, cst.Name(_SUBCLASS)) for call in calls]
    return Fix((*changes, define(context, text, statement)), imports)

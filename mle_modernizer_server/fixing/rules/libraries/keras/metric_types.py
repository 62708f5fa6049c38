"""Keras 3 passes the labels in their own type, such as `int64`, to custom losses and metrics.

https://keras.io/guides/migrating_to_keras_3/

Keras 2 passed numbers of the type of the predictions. So does a first line that casts them.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined
from mle_modernizer_server.code.tree import argument, descendants
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("keras-metric-types", on=cst.FunctionDef)
def cast(context: Context, node: cst.FunctionDef) -> Answer:
    """Put `y_true = ops.cast(y_true, y_pred.dtype)` first if the run failed over types."""
    parameters = [param.name.value for param in node.params.params]
    if not any(context.rule.matches(error) for error in context.run.errors):
        return None
    if len(parameters) < 2 or node.name.value not in _compiled(context):
        return None
    labels, predictions = parameters[:2]
    if any(_is_cast(context, one, labels) for one in descendants(node.body)):
        return None
    if not isinstance(node.body, cst.IndentedBlock):
        return None
    cast_to, imports = context.imported(node, "keras", "ops", "ops")
    line = cst.parse_statement(f"{labels} = {cast_to}.cast({labels}, {predictions}.dtype)")
    first = node.body.body[0]
    at = 1 if _is_docstring(first) else 0
    old = node.body.body[at] if at < len(node.body.body) else first
    return Fix((Change(old, cst.FlattenSentinel([line, old])),), imports)


def _compiled(context: Context) -> set[str]:
    """Return the names of the notebook's functions that models are compiled with."""
    found: set[str] = set()
    for cell in context.program.cells:
        for node in cell.places:
            if type(node) is not cst.Call or type(node.func) is not cst.Attribute:
                continue
            if node.func.attr.value != "compile":
                continue
            for given in (argument(node, "loss", 1), argument(node, "metrics", 2)):
                for inner in descendants(given.value) if given is not None else ():
                    if isinstance(inner, cst.Name) and _is_function(context, inner):
                        found.add(inner.value)
    return found


def _is_function(context: Context, name: cst.Name) -> bool:
    bounds = context.bounds(name)
    return bool(bounds) and all(
        isinstance(one, Defined) and isinstance(one.node, cst.FunctionDef) for one in bounds
    )


def _is_cast(context: Context, node: cst.CSTNode, labels: str) -> bool:
    """Return whether the node casts the labels to another type."""
    if not isinstance(node, cst.Call):
        return False
    name = context.code(node.func).rpartition(".")[2]
    return (
        name in ("cast", "to_float")
        and bool(node.args)
        and isinstance(node.args[0].value, cst.Name)
        and node.args[0].value.value == labels
    )


def _is_docstring(statement: cst.CSTNode) -> bool:
    return (
        isinstance(statement, cst.SimpleStatementLine)
        and isinstance(statement.body[0], cst.Expr)
        and isinstance(statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )

"""Keras 3 took most functions out of `keras.backend`; TensorFlow's Keras still has them.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.tree import dotted, dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.tables import table

FUNCTIONS = table("keras", "backend-functions", tuple[str, ...])
_NEW = "tensorflow.keras.backend"


@codemod("keras-backend-functions", on=cst.Attribute, names=FUNCTIONS)
def function(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `K.sum` with `from keras import backend as K` as the import is TensorFlow's."""
    if not context.refers_to(node, f"keras.backend.{node.attr.value}"):
        return None
    base = node.value
    if isinstance(base, cst.Attribute):
        local, imports = context.imported(node, "tensorflow.keras", "backend", "K")
        return one(node, node.with_changes(value=cst.Name(local)), imports)
    assert isinstance(base, cst.Name)
    changes = tuple(
        change
        for cell in context.program.cells
        for statement in cell.places
        if (change := _redirected(cell, statement, base.value)) is not None
    )
    return Fix(changes) if changes else None


@codemod("keras-backend-functions", on=cst.ImportFrom)
def by_name(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from keras.backend import sum` as `from tensorflow.keras.backend import sum`."""
    if dotted_name(node.module) != "keras.backend" or isinstance(node.names, cst.ImportStar):
        return None
    if not any(dotted_name(alias.name) in FUNCTIONS for alias in node.names):
        return None
    return one(node, node.with_changes(module=dotted(_NEW)))


def _redirected(cell: CellCode, node: cst.CSTNode, local: str) -> Change | None:
    """Return the redirected import statement of the name; None for any other node."""
    if isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar):
        ours = [alias for alias in node.names if _local(alias) == local]
        if dotted_name(node.module) != "keras" or not ours:
            return None
        if dotted_name(ours[0].name) != "backend":
            return None
        if len(node.names) == 1:
            return Change(node, node.with_changes(module=dotted("tensorflow.keras")))
        kept = [alias for alias in node.names if alias is not ours[0]]
        kept[-1] = kept[-1].with_changes(comma=node.names[-1].comma)
        moved = cst.ImportFrom(
            module=dotted("tensorflow.keras"),
            names=[ours[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)],
        )
        rest = node.with_changes(names=kept)
        line = cell.places[node].parent
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            second = cst.SimpleStatementLine([moved])
            first = line.with_changes(body=[rest])
            return Change(line, cst.FlattenSentinel([first, second]))
        return Change(node, cst.FlattenSentinel([moved, rest]))
    if (
        isinstance(node, cst.ImportAlias)
        and dotted_name(node.name) == "keras.backend"
        and isinstance(cell.places[node].parent, cst.Import)
        and _local(node) == local
    ):
        return Change(node, node.with_changes(name=dotted(_NEW)))
    return None


def _local(alias: cst.ImportAlias) -> str:
    return dotted_name(alias.asname.name) if alias.asname else dotted_name(alias.name)

"""Clip probabilities away from 0 and 1 for log loss, which punishes a single certain error."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.tree import same_literal
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer to clip `predict_proba(…)[:, 1]` unless something is clipped already."""
    if facts.metric is not Metric.LOG_LOSS or "clip" in pipeline.methods:
        return
    columns = [
        above
        for call in model.predictions
        if isinstance(above := _parent(pipeline, call), cst.Subscript) and _is_second(above)
    ]
    if not columns:
        return
    writer = Writer(pipeline.program)
    for column in columns:
        numpy = writer.name(column, "numpy", "np")
        writer.replace(column, f"{numpy}.clip({writer.code(column)}, 0.01, 0.99)")
    what = coded("change.clipping")
    yield Variant("clipping", "clipped probabilities", what, writer.edits())


def _parent(pipeline: Pipeline, node: cst.CSTNode) -> cst.CSTNode | None:
    return pipeline.program.place(node)[1].parent


def _is_second(node: cst.Subscript) -> bool:
    """Return whether it is `[:, 1]`, the probability of the second of two classes."""
    last = node.slice[-1].slice if len(node.slice) == 2 else None
    return isinstance(last, cst.Index) and same_literal(last.value, 1)

"""Clip probabilities away from 0 and 1 for log loss, which punishes a single certain error."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer to clip `predict_proba(…)[:, 1]` unless something is clipped already."""
    if facts.metric is not Metric.LOG_LOSS or "clip" in pipeline.methods:
        return
    columns = [
        column for call in model.predictions if (column := pipeline.column_of(call, 1)) is not None
    ]
    if not columns:
        return
    writer = Writer(pipeline.program)
    for column in columns:
        numpy = writer.name(column, "numpy", "np")
        writer.replace(column, f"{numpy}.clip({writer.code(column)}, 0.01, 0.99)")
    what = coded("change.clipping")
    yield Variant("clipping", "clipped probabilities", what, writer.edits())

"""Features of one scale, for models that use distances or penalize large weights."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.estimators import SCALERS, Family
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants, calls_any
from mle_modernizer_server.improving.edits import Writer

_SCALED = frozenset({Family.LINEAR, Family.NEIGHBORS, Family.KERNEL, Family.NETWORK})
_NO_MATTER = frozenset({"LinearRegression", "LassoLars", "Lars", "ARDRegression"})
"""Linear models with the same result on any scale, or with a scaling of their own."""


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer a StandardScaler before the model if the notebook scales nothing."""
    if model.estimator.family not in _SCALED or model.estimator.name in _NO_MATTER:
        return
    if not model.is_plain or not model.has_plain_fits or pipeline.is_sparse:
        return
    if calls_any(pipeline, SCALERS) or model.argument("normalize"):
        return
    writer = Writer(pipeline.program)
    pipe = writer.name(model.core, "sklearn.pipeline.make_pipeline")
    scaler = writer.name(model.core, "sklearn.preprocessing.StandardScaler")
    writer.replace(model.core, f"{pipe}({scaler}(), {writer.code(model.core)})")
    what = coded("change.scaling", model=model.estimator.name)
    yield Variant("scaling", "scaled features", what, writer.edits())

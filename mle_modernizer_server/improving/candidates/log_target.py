"""The logarithm of the target, where the metric is one of ratios."""

from __future__ import annotations

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants, calls_any
from mle_modernizer_server.improving.code.edits import Writer
from mle_modernizer_server.improving.code.estimators import Task
from mle_modernizer_server.improving.code.pipeline import Model, Pipeline

_RATIOS = frozenset({Metric.RMSLE, Metric.MAPE, Metric.RMSPE, Metric.SMAPE})
_WRAPPER = "sklearn.compose.TransformedTargetRegressor"
_LOGARITHMS = frozenset(f"numpy.{name}" for name in ("log", "log1p", "log2", "log10", "sqrt"))


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """The model within a TransformedTargetRegressor; not where a logarithm is taken already."""
    if facts.metric not in _RATIOS or model.estimator.task is not Task.REGRESSION:
        return
    if not model.is_replaceable or not model.has_plain_fits or _WRAPPER in model.wrappers:
        return
    if calls_any(pipeline, _LOGARITHMS):
        return
    writer = Writer(pipeline.program)
    wrapper = writer.name(model.outer, _WRAPPER)
    numpy = writer.name(model.outer, "numpy", "np")
    writer.replace(
        model.outer,
        f"{wrapper}(regressor={writer.code(model.outer)}, func={numpy}.log1p, "
        f"inverse_func={numpy}.expm1)",
    )
    what = f"{model.estimator.name} learns the logarithm of the target, for a metric of ratios."
    yield Variant("log-target", "log target", what, writer.edits())

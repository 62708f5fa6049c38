"""The logarithm of the target, for metrics of ratios."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.estimators import Task
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants, calls_any
from mle_modernizer_server.improving.edits import Writer

_RATIOS = frozenset({Metric.RMSLE, Metric.MAPE, Metric.RMSPE, Metric.SMAPE})
_WRAPPER = "sklearn.compose.TransformedTargetRegressor"
_LOGARITHMS = frozenset(f"numpy.{name}" for name in ("log", "log1p", "log2", "log10", "sqrt"))


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer the model in a TransformedTargetRegressor unless a logarithm is taken already."""
    if facts.metric not in _RATIOS or not _learns_the_target(pipeline, model):
        return
    if not model.is_plain or not model.has_plain_fits:
        return
    writer = Writer(pipeline.program)
    writer.replace(model.outer, _within(writer, model, writer.code(model.outer)))
    what = coded("change.log-target", model=model.estimator.name)
    yield Variant("log-target", "log target", what, writer.edits())


def for_logarithms(
    writer: Writer, pipeline: Pipeline, facts: Facts, model: Model, code: str
) -> str:
    """Return a new model's code, wrapped to learn the target's logarithm if the metric needs it.

    Without the wrapper some predictions may be negative, for which the metric is undefined.

    Args:
        writer: Writes the edit.
        pipeline: The analysis of the notebook's code.
        facts: Facts about the task.
        model: The model to replace.
        code: The new model.
    """
    if facts.metric is Metric.RMSLE and _learns_the_target(pipeline, model):
        return _within(writer, model, code)
    return code


def _learns_the_target(pipeline: Pipeline, model: Model) -> bool:
    """Return whether it is a regression without a logarithm of the target so far."""
    is_plain = model.estimator.task is Task.REGRESSION and _WRAPPER not in model.wrappers
    return is_plain and not calls_any(pipeline, _LOGARITHMS)


def _within(writer: Writer, model: Model, code: str) -> str:
    wrapper = writer.name(model.outer, _WRAPPER)
    numpy = writer.name(model.outer, "numpy", "np")
    return f"{wrapper}(regressor={code}, func={numpy}.log1p, inverse_func={numpy}.expm1)"

"""The logarithm of the target, where the metric is one of ratios."""

from __future__ import annotations

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants, calls_any
from mle_modernizer_server.improving.code.edits import Writer
from mle_modernizer_server.improving.code.estimators import Task
from mle_modernizer_server.improving.code.pipeline import Model, Pipeline

_RATIOS = frozenset({Metric.RMSLE, Metric.MAPE, Metric.RMSPE, Metric.SMAPE})
_WRAPPER = "sklearn.compose.TransformedTargetRegressor"
_LOGARITHMS = frozenset(f"numpy.{name}" for name in ("log", "log1p", "log2", "log10", "sqrt"))


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """The model within a TransformedTargetRegressor; not where a logarithm is taken already."""
    if facts.metric not in _RATIOS or not _learns_the_target(pipeline, model):
        return
    if not model.is_replaceable or not model.has_plain_fits:
        return
    writer = Writer(pipeline.program)
    writer.replace(model.outer, _within(writer, model, writer.code(model.outer)))
    what = coded("change.log-target", model=model.estimator.name)
    yield Variant("log-target", "log target", what, writer.edits())


def for_logarithms(
    writer: Writer, pipeline: Pipeline, facts: Facts, model: Model, code: str
) -> str:
    """A new model's code, which learns the target's logarithm where the score is of logarithms.

    Otherwise some of its predictions may be negative, of which there is no such score.

    Args:
        writer: Writes the edit.
        pipeline: The notebook.
        facts: What it is written by.
        model: The model in whose place it comes.
        code: The new model.
    """
    if facts.metric is Metric.RMSLE and _learns_the_target(pipeline, model):
        return _within(writer, model, code)
    return code


def _learns_the_target(pipeline: Pipeline, model: Model) -> bool:
    """Whether it is a regression of which the code takes no logarithm yet."""
    is_plain = model.estimator.task is Task.REGRESSION and _WRAPPER not in model.wrappers
    return is_plain and not calls_any(pipeline, _LOGARITHMS)


def _within(writer: Writer, model: Model, code: str) -> str:
    wrapper = writer.name(model.outer, _WRAPPER)
    numpy = writer.name(model.outer, "numpy", "np")
    return f"{wrapper}(regressor={code}, func={numpy}.log1p, inverse_func={numpy}.expm1)"

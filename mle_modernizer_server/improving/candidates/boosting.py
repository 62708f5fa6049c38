"""Gradient boosting instead of, or averaged with, a linear, tree, neighbours or kernel model.

Trees accept features on any scale and find interactions, and boosting wins on tables of some
thousand rows (Grinsztajn et al., 2022, https://arxiv.org/abs/2207.08815).
"""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.estimators import Family, Task
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.log_target import for_logarithms
from mle_modernizer_server.improving.candidates.variant import (
    Facts,
    Variant,
    Variants,
    averaged,
    may_be_averaged,
    put_in_place,
)
from mle_modernizer_server.improving.edits import Writer

_REPLACED = frozenset({Family.LINEAR, Family.TREE, Family.NEIGHBORS, Family.KERNEL, Family.BAYES})
_LEAST = "1.0"
"""scikit-learn's histogram boosting was experimental before this version."""
_BOOSTING = {
    Task.REGRESSION: "HistGradientBoostingRegressor",
    Task.CLASSIFICATION: "HistGradientBoostingClassifier",
}
_LIGHTGBM = {Task.REGRESSION: "LGBMRegressor", Task.CLASSIFICATION: "LGBMClassifier"}
_ABSOLUTE = frozenset({Metric.MAE, Metric.MEDIAN_ABSOLUTE_ERROR})


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer boosting in place of the model, its average with it, and LightGBM if installed."""
    if not _is_replaced(model) or not model.is_replaceable or pipeline.is_sparse:
        return
    old, task = model.estimator.name, model.estimator.task
    if facts.has("sklearn", _LEAST):
        writer = Writer(pipeline.program)
        put_in_place(writer, model, _boosting(writer, pipeline, facts, model))
        what = coded("change.model", new=_BOOSTING[task], old=old)
        yield Variant("boosting", "gradient boosting", what, writer.edits())
    if facts.has("sklearn", _LEAST) and may_be_averaged(model):
        writer = Writer(pipeline.program)
        boosting = _boosting(writer, pipeline, facts, model)
        both = f"('model', {writer.code(model.core)}), ('boosting', {boosting})"
        writer.replace(model.core, averaged(writer, model, f"[{both}]"))
        what = coded("change.average", one=old, other=_BOOSTING[task])
        yield Variant("boosting", f"{old} and boosting", what, writer.edits())
    if facts.has("lightgbm") and old != _LIGHTGBM[task]:
        writer = Writer(pipeline.program)
        name = writer.name(model.core, f"lightgbm.{_LIGHTGBM[task]}")
        new = f"{name}(random_state=0, verbose=-1)"
        put_in_place(writer, model, for_logarithms(writer, pipeline, facts, model, new))
        what = coded("change.model", new=_LIGHTGBM[task], old=old)
        yield Variant("boosting", "LightGBM", what, writer.edits())


def _is_replaced(model: Model) -> bool:
    """Return whether boosting, or that of another library, may do better than the model."""
    family = model.estimator.family
    if model.estimator.address.startswith("sklearn.") and family is not Family.OTHER:
        return family in _REPLACED
    return model.has_plain_fits and family in (Family.OTHER, Family.BOOSTING)


def _boosting(writer: Writer, pipeline: Pipeline, facts: Facts, model: Model) -> str:
    task = model.estimator.task
    name = writer.name(model.core, f"sklearn.ensemble.{_BOOSTING[task]}")
    absolute = task is Task.REGRESSION and facts.metric in _ABSOLUTE
    new = f"{name}({'loss=' + repr('absolute_error') + ', ' if absolute else ''}random_state=0)"
    return for_logarithms(writer, pipeline, facts, model, new)

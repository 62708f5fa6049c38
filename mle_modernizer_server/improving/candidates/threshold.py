"""The threshold between two classes chosen for the metric, by cross-validation."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.estimators import Task
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer

_WRAPPER = "sklearn.model_selection.TunedThresholdClassifierCV"
_SINCE = "1.5"
_SCORES = {
    Metric.MACRO_F1: "'f1_macro'",
    Metric.WEIGHTED_F1: "'f1_weighted'",
    Metric.BALANCED_ACCURACY: "'balanced_accuracy'",
    Metric.MCC: "'matthews_corrcoef'",
    Metric.QUADRATIC_WEIGHTED_KAPPA: "",
}
_NUMBERS = frozenset({"0", "1", "0.0", "1.0"})


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer the model in a TunedThresholdClassifierCV for classes 0 and 1."""
    if facts.metric not in _SCORES or model.estimator.task is not Task.CLASSIFICATION:
        return
    if len(facts.classes) != 2 or not _NUMBERS.issuperset(facts.classes):
        return
    if not facts.has("sklearn", _SINCE) or not model.asks("predict"):
        return
    if not model.is_plain or not model.has_plain_fits or _WRAPPER in model.wrappers:
        return
    writer = Writer(pipeline.program)
    wrapper = writer.name(model.outer, _WRAPPER)
    score = _SCORES[facts.metric]
    if not score:
        scorer = writer.name(model.outer, "sklearn.metrics.make_scorer")
        kappa = writer.name(model.outer, "sklearn.metrics.cohen_kappa_score")
        score = f"{scorer}({kappa}, weights='quadratic')"
    writer.replace(model.outer, f"{wrapper}({writer.code(model.outer)}, scoring={score})")
    what = coded("change.threshold", metric=facts.metric.value)
    yield Variant("threshold", "chosen threshold", what, writer.edits())

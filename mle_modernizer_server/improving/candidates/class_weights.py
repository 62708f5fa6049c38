"""Weights that make rare classes count as much as common ones."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.tree import expression, with_keyword
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer

_TAKES_WEIGHTS = frozenset(
    {
        *("LogisticRegression", "LogisticRegressionCV", "RidgeClassifier", "RidgeClassifierCV"),
        *(
            "SGDClassifier",
            "Perceptron",
            "PassiveAggressiveClassifier",
            "SVC",
            "LinearSVC",
            "NuSVC",
        ),
        *("DecisionTreeClassifier", "ExtraTreeClassifier"),
        *("RandomForestClassifier", "ExtraTreesClassifier"),
    }
)
_BY_CLASS = frozenset(
    {Metric.BALANCED_ACCURACY, Metric.MACRO_F1, Metric.MCC, Metric.QUADRATIC_WEIGHTED_KAPPA}
)
"""Metrics that weigh each class separately."""


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer `class_weight='balanced'` if the metric weighs classes and no weight is set."""
    if facts.metric not in _BY_CLASS or model.estimator.name not in _TAKES_WEIGHTS:
        return
    if model.is_fixed or model.argument("class_weight") or "set_params" in model.others:
        return
    writer = Writer(pipeline.program)
    writer.replace(model.core, with_keyword(model.core, "class_weight", expression("'balanced'")))
    what = coded("change.class-weights", model=model.estimator.name)
    yield Variant("class-weights", "balanced classes", what, writer.edits())

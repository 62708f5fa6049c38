"""Training that stops automatically when held-out rows show no more progress."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.tree import expression, with_keyword, without
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer

_ARGUMENTS = {
    "GradientBoosting": {
        "n_estimators": "1000",
        "learning_rate": "0.05",
        "n_iter_no_change": "20",
    },
    "HistGradientBoosting": {
        "max_iter": "1000",
        "learning_rate": "0.05",
        "early_stopping": "True",
    },
    "MLP": {"max_iter": "1000", "early_stopping": "True"},
}
_SWITCHES = frozenset({"n_iter_no_change", "early_stopping"})


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer small steps, as many as help, unless the training stops early already."""
    name = model.estimator.name.removesuffix("Regressor").removesuffix("Classifier")
    arguments = _ARGUMENTS.get(name)
    if arguments is None or model.is_fixed or "set_params" in model.others:
        return
    if any(arg.keyword is None for arg in model.core.args):
        return
    if any(model.argument(switch) is not None for switch in _SWITCHES):
        return
    call = without(
        model.core,
        [arg for arg in model.core.args if arg.keyword and arg.keyword.value in arguments],
    )
    for keyword, value in arguments.items():
        call = with_keyword(call, keyword, expression(value))
    writer = Writer(pipeline.program)
    writer.replace(model.core, call)
    what = coded("change.early-stopping", model=model.estimator.name)
    yield Variant("early-stopping", "early stopping", what, writer.edits())

"""The average over several seeds of a model that depends on chance."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.tree import (
    code_of,
    expression,
    names_in,
    with_keyword,
    without,
)
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import (
    Facts,
    Variant,
    Variants,
    averaged,
    may_be_averaged,
)
from mle_modernizer_server.improving.edits import Writer

SEEDS = 5
_RANDOM = frozenset(
    f"{name}{task}"
    for name in ("RandomForest", "ExtraTrees", "ExtraTree", "MLP")
    for task in ("Regressor", "Classifier")
)


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer the average of five of the same model with other seeds."""
    if model.estimator.name not in _RANDOM or model.is_fixed or not may_be_averaged(model):
        return
    writer = Writer(pipeline.program)
    given = [arg for arg in model.core.args if arg.keyword and arg.keyword.value == "random_state"]
    used = names_in(model.core)
    seed = next(name for name in ("seed", "one_seed", "seed_") if name not in used)
    plain = without(model.core, given).with_changes(lpar=[], rpar=[])
    each = with_keyword(plain, "random_state", expression(seed))
    code = code_of(each)
    many = f"[(f'seed{{{seed}}}', {code}) for {seed} in range({SEEDS})]"
    writer.replace(model.core, averaged(writer, model, many))
    what = coded("change.seeds", number=SEEDS, model=model.estimator.name)
    yield Variant("seeds", f"{SEEDS} seeds", what, writer.edits())

"""More trees, which never harm a forest and let boosting learn more slowly."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.estimators import Family
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    with_keyword,
    without,
)
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer

MANY = 500
_FEW = 250


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer 500 trees in a forest of fewer than 250."""
    if (
        model.estimator.family is not Family.FOREST
        or model.is_fixed
        or "set_params" in model.others
    ):
        return
    given = argument(model.core, "n_estimators", 0)
    trees = 100 if given is None else literal(given.value)
    if not isinstance(trees, int) or trees >= _FEW:
        return
    writer = Writer(pipeline.program)
    if given is not None and given.keyword is None:
        new = model.core.with_deep_changes(given, value=expression(str(MANY)))
    else:
        kept = model.core if given is None else without(model.core, [given])
        new = with_keyword(kept, "n_estimators", expression(str(MANY)))
    writer.replace(model.core, new)
    what = coded("change.more-trees", new=MANY, old=trees)
    yield Variant("more-trees", f"{MANY} trees", what, writer.edits())

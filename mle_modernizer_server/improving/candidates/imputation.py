"""Medians of the training rows for missing values, instead of a constant or a mean."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.pipeline.statements import root_name
from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    receiver,
    string,
    with_keyword,
    without,
)
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import Facts, Variant, Variants
from mle_modernizer_server.improving.edits import Writer

_IMPUTER = "sklearn.impute.SimpleImputer"


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer another strategy of a SimpleImputer; medians before `fillna` of a number."""
    if model is not pipeline.models[0]:
        return  # applies to the features, not to a certain model
    yield from _imputer(pipeline)
    yield from _filled(pipeline)


def _imputer(pipeline: Pipeline) -> Variants:
    writer, found = Writer(pipeline.program), False
    for _, call in pipeline.calls:
        strategy = argument(call, "strategy")
        if pipeline.address(call.func) != _IMPUTER or any(arg.star for arg in call.args):
            continue
        if strategy is not None and string(strategy.value) != "mean":
            continue
        new = without(call, [strategy]) if strategy is not None else call
        writer.replace(call, with_keyword(new, "strategy", expression("'median'")))
        found = True
    if found:
        what = coded("change.medians-for-means")
        yield Variant("imputation", "medians for means", what, writer.edits())


def _filled(pipeline: Pipeline) -> Variants:
    """Offer `frame.fillna(0)` → `frame.fillna(train.median(numeric_only=True)).fillna(0)`."""
    train, test = pipeline.tables["train"], pipeline.tables["test"]
    if len(train) != 1:
        return
    name = next(iter(train))
    writer, roots = Writer(pipeline.program), set[str]()
    for cell, call in pipeline.calls:
        table = receiver(call, "fillna")
        if table is None or pipeline.types.of(table) != FRAME:
            continue
        if len(call.args) != 1 or call.args[0].keyword:
            continue
        if not isinstance(literal(call.args[0].value), (int, float)):
            continue
        root = root_name(table)
        if root not in train | test or cell.places[call].scope is not cell.top:
            return
        roots.add(root)
        median = f"{name}.median(numeric_only=True)"
        writer.replace(table, f"{writer.code(table)}.fillna({median})")
    if roots & train and roots & test:
        what = coded("change.medians-for-constants", table=name)
        yield Variant("imputation", "medians for constants", what, writer.edits())

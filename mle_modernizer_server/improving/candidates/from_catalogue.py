"""Estimators of the catalogue in place of the notebook's model, if they fit its task."""

from __future__ import annotations

import re

from mle_modernizer_server.code.pipeline.estimators import Task
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.code.tree import is_expression
from mle_modernizer_server.domain.improvement import BlockRole
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.candidates.variant import (
    Facts,
    Variant,
    Variants,
    put_in_place,
)
from mle_modernizer_server.improving.catalogue.entry import Entry, TaskKind
from mle_modernizer_server.improving.catalogue.shelf import search
from mle_modernizer_server.improving.edits import Writer

KIND = "catalogue"
_ADDRESS = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?=\()")
_MOST = 50


def offers(pipeline: Pipeline, facts: Facts, model: Model) -> Variants:
    """Offer one version per entry that fits, except entries of the model's own class."""
    if not model.is_replaceable or not model.has_plain_fits or pipeline.is_sparse:
        return
    for entry in fitting(facts, model):
        if f".{model.estimator.name}(" in entry.in_place:
            continue
        writer = Writer(pipeline.program)
        code = _written(writer, model, entry.in_place)
        if not is_expression(code):
            continue  # an entry of the user's own; a file is read without its code being parsed
        put_in_place(writer, model, code)
        what = coded("change.model", new=entry.title, old=model.estimator.name)
        yield Variant(KIND, entry.title, what, writer.edits())


def fitting(facts: Facts, model: Model) -> list[Entry]:
    """Return entries with an estimator for the model's task, the ones for its metric first."""
    found = search(
        "", tasks=[task_of(facts, model)], metric=facts.metric, has=facts.has, most=_MOST
    )
    return [entry for entry in found if entry.in_place and entry.role is BlockRole.MODEL]


def task_of(facts: Facts, model: Model) -> TaskKind:
    """Return the kind of task of a notebook's model."""
    if model.estimator.task is Task.REGRESSION:
        return TaskKind.REGRESSION
    return TaskKind.MULTICLASS if len(facts.classes) > 2 else TaskKind.BINARY


def _written(writer: Writer, model: Model, code: str) -> str:
    return _ADDRESS.sub(lambda match: writer.name(model.core, match[0]), code)

"""All codemods over a notebook, and several versions in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from mle_modernizer_server.code.pipeline.blocks import block_of, blocks
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.improving.candidates import (
    boosting,
    class_weights,
    clipping,
    early_stopping,
    from_catalogue,
    imputation,
    log_target,
    more_trees,
    scaling,
    seeds,
    threshold,
)
from mle_modernizer_server.improving.candidates.variant import Facts, Variants
from mle_modernizer_server.improving.candidates.version import Version
from mle_modernizer_server.improving.edits import changed

MOST = 24
"""Versions tried for one notebook: the more, the luckier the best of them."""

_CODEMODS: tuple[Callable[[Pipeline, Facts, Model], Variants], ...] = (
    boosting.offers,
    log_target.offers,
    scaling.offers,
    imputation.offers,
    class_weights.offers,
    threshold.offers,
    clipping.offers,
    more_trees.offers,
    early_stopping.offers,
    seeds.offers,
)


def offers(notebook: Notebook, facts: Facts, *, catalogue: bool = False) -> list[Version]:
    """Return the versions that the code shows to apply, at most 24; empty if there are none.

    Args:
        notebook: Its sources.
        facts: Facts about the task.
        catalogue: Add the estimators of the catalogue after the codemods.
    """
    codemods = (*_CODEMODS, from_catalogue.offers) if catalogue else _CODEMODS
    pipeline = Pipeline(notebook)
    known_blocks = blocks(pipeline)
    found: list[Version] = []
    numbers = [model.cell.number for model in pipeline.models]
    for model in pipeline.models:
        where = f" (cell {model.cell.number})" if len(numbers) > 1 else ""
        if numbers.count(model.cell.number) > 1:
            where = f" ({model.estimator.name}, cell {model.cell.number})"
        for codemod in codemods:
            for variant in codemod(pipeline, facts, model):
                new = changed(notebook, pipeline.program, variant.edits)
                known = [offer.notebook for offer in found]
                if new is not None and new not in known:
                    name = _unique(variant.name + where, [offer.name for offer in found])
                    node = variant.edits.changes[0].node
                    block = block_of(known_blocks, pipeline.program, node)
                    found.append(Version(name, new, variant.kind, variant.what, block))
    return found[:MOST]


def _unique(name: str, taken: Sequence[str]) -> str:
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


def combined(
    notebook: Notebook, chosen: Sequence[Version], offered: Callable[[Notebook], Sequence[Version]]
) -> Version | None:
    """Return the chosen versions in one, each applied to the result of the ones before it.

    Args:
        notebook: The notebook they were offered for.
        chosen: The best first; of a kind only the first is taken.
        offered: The function that offered them.

    Returns:
        None if fewer than two can be combined.
    """
    taken: list[Version] = []
    now = notebook
    for offer in chosen:
        if any(offer.kind == one.kind for one in taken):
            continue
        again = [one for one in offered(now) if (one.kind, one.name) == (offer.kind, offer.name)]
        if again:
            now = again[0].notebook
            taken.append(offer)
    if len(taken) < 2:
        return None
    name = " + ".join(offer.name for offer in taken)
    what = tuple(chain.from_iterable(offer.what for offer in taken))
    return Version(name, now, "combined", what)

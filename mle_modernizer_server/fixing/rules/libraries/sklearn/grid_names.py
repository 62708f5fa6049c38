"""Parameters that are gone, in the grid of a search: `{'base_estimator__max_depth': [1, 2]}`.

https://scikit-learn.org/stable/whats_new/v1.4.html#sklearn-ensemble

For least squares `normalize` changed nothing but the size of the grid, so it is left out.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Fix, Scene, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, string
from mle_modernizer_server.fixing.rules.libraries.sklearn.grid_values import grid_elements

_SEARCHES = ("GridSearchCV", "RandomizedSearchCV")
_OLD = "base_estimator"


@codemod(cst.Call, *_SEARCHES)
def in_grid(scene: Scene, node: cst.Call) -> Answer:
    """Rename keys of one search's grid, or leave them out."""
    grid = argument(node, "param_grid", 1) or argument(node, "param_distributions", 1)
    estimator = argument(node, "estimator", 0)
    ours = any(
        name.startswith("sklearn.") and name.endswith(_SEARCHES)
        for name in scene.qualnames(node.func)
    )
    if grid is None or estimator is None or not ours:
        return None
    elements = grid_elements(scene, grid.value)
    if scene.entry.id == "sklearn-grid-base-estimator":
        changes = [
            Change(element.key, new)
            for element in elements
            if (new := _renamed(element.key)) is not None
        ]
        return Fix(tuple(changes)) if changes else None
    kind = scene.kind(estimator.value)
    if kind is None or kind.name != "sklearn.linear_model.LinearRegression":
        return None
    for element in elements:
        whole = scene.program.cell_of(element).places[element].parent
        if string(element.key) == "normalize" and isinstance(whole, cst.Dict):
            kept = [one for one in whole.elements if one is not element]
            if whole.elements[-1] is element and kept:
                kept[-1] = kept[-1].with_changes(comma=element.comma)
            return one(whole, whole.with_changes(elements=kept))
    return None


def _renamed(key: cst.BaseExpression) -> cst.BaseExpression | None:
    """`'ada__base_estimator__max_depth'` with `estimator` in the place of `base_estimator`."""
    text = string(key)
    if text is None or not isinstance(key, cst.SimpleString) or _OLD not in text.split("__"):
        return None
    new = "__".join("estimator" if part == _OLD else part for part in text.split("__"))
    return key.with_changes(value=f"{key.quote}{new}{key.quote}")

"""StratifiedKFold assigns rows to folds by another algorithm since scikit-learn 0.22.

https://scikit-learn.org/stable/whats_new/v0.22.html#sklearn-model-selection

Before, each class was split by a KFold of its own. In model_selection they all began with the same
seed until 0.19. In cross_validation one generator ran on from class to class, as it did in 0.20 and
0.21 of model_selection, which is not restored: folds that are shuffled have a rule of their own.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, has_double_star, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, NewImport
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import calls_of, use_class
from mle_modernizer_server.fixing.rules.tables import table

_ADDRESS = "sklearn.model_selection.StratifiedKFold"
_OLD = "sklearn.cross_validation.StratifiedKFold"
_NAME = "ClassByClassStratifiedKFold"
_TEXT = table("sklearn", "stratified-folds", str)


@codemod("sklearn-stratified-folds", on=cst.Call, functions=(_ADDRESS,), shuffles=False)
@codemod("sklearn-stratified-shuffle", on=cst.Call, functions=(_ADDRESS,), shuffles=True)
def class_by_class(context: Context, node: cst.Call, shuffles: bool) -> Answer:
    """Use a subclass with the old algorithm.

    Args:
        shuffles: Whether the rule is for notebooks that shuffle folds of model_selection.
    """
    first = context.program.first
    old = any(
        _OLD in first.qualnames(called)
        for cell in first.cells
        if "StratifiedKFold" in cell.source
        for called in (*cell.nodes(cst.Name), *cell.nodes(cst.Attribute))
    )
    shuffled = not old and any(map(_may_shuffle, calls_of(context, _ADDRESS)))
    if shuffled is not shuffles:
        return None
    np, numpy = context.module(node, "numpy", "np")
    kfold, folds = context.imported(node, "sklearn.model_selection", "KFold", "KFold")
    text = _TEXT.replace("{name}", _NAME).replace("{np}", np)
    text = text.replace("{kfold}", kfold)
    seed = "self.random_state"
    more: tuple[NewImport, ...] = ()
    if old:
        check, more = context.imported(
            node, "sklearn.utils", "check_random_state", "check_random_state"
        )
        seed = f"{check}({seed})"
    text = text.replace("{seed}", seed)
    text = text.replace("{module}", "cross_validation" if old else "model_selection")
    return use_class(context, node, _ADDRESS, _NAME, text, imports=(*numpy, *folds, *more))


def _may_shuffle(call: cst.Call) -> bool:
    shuffle = argument(call, "shuffle", 1)
    return has_double_star(call) or (shuffle is not None and not same_literal(shuffle.value, False))

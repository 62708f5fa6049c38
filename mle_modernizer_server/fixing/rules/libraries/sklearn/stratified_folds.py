"""StratifiedKFold deals rows to folds by another algorithm since scikit-learn 0.22.

https://scikit-learn.org/stable/whats_new/v0.22.html#sklearn-model-selection

Before, each class was split by a KFold of its own. Until 0.19 they all began with the same seed;
0.20 and 0.21 let one generator run on, which is not restored.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import use_class

_ADDRESS = "sklearn.model_selection.StratifiedKFold"
_NAME = "ClassByClassStratifiedKFold"
_TEXT = '''class {name}({base}):
    """Deals the rows of each class to folds by a KFold, as scikit-learn 0.19 did."""

    def _make_test_folds(self, X, y=None):
        y = {np}.asarray(y).ravel()
        seed = self.random_state if self.shuffle else None
        folds = {np}.zeros(len(y), dtype=int)
        classes, counts = {np}.unique(y, return_counts=True)
        dealt = [
            {kfold}(n_splits=self.n_splits, shuffle=self.shuffle, random_state=seed).split(
                {np}.zeros(max(count, self.n_splits))
            )
            for count in counts
        ]
        for number, parts in enumerate(zip(*dealt)):
            for label, (_, test) in zip(classes, parts):
                rows = {np}.flatnonzero(y == label)
                folds[rows[test[test < len(rows)]]] = number
        return folds
'''


@codemod("sklearn-stratified-folds", on=cst.Call, names=("StratifiedKFold",))
def class_by_class(context: Context, node: cst.Call) -> Answer:
    """Use a subclass with the old algorithm."""
    if _ADDRESS not in context.qualnames(node.func):
        return None
    np, numpy = context.module(node, "numpy", "np")
    kfold, folds = context.imported(node, "sklearn.model_selection", "KFold", "KFold")
    text = _TEXT.replace("{name}", _NAME).replace("{np}", np)
    text = text.replace("{kfold}", kfold)
    return use_class(context, node, _ADDRESS, _NAME, text, imports=(*numpy, *folds))

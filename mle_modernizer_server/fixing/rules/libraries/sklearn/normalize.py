"""`Ridge(normalize=True)` was removed in scikit-learn 1.2, and so for Lasso and ElasticNet.

https://scikit-learn.org/stable/whats_new/v1.2.html#sklearn-linear-model

They divided each centred column by its length (its Euclidean norm), which is the standard
deviation times the root of the number of rows, and the coefficients by the same afterwards.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import use_class
from mle_modernizer_server.fixing.rules.tables import table

_MODELS = ("Ridge", "RidgeClassifier", "RidgeCV", "Lasso", "ElasticNet")
_TEXT = table("sklearn", "normalizing-model", str)


@codemod("sklearn-normalize-penalized", on=cst.Call, names=_MODELS)
def scaled(context: Context, node: cst.Call) -> Answer:
    """Use a subclass that scales, for all models of that class with `normalize=True`."""
    address = next(
        (
            name
            for name in context.qualnames(node.func)
            if name in {f"sklearn.linear_model.{model}" for model in _MODELS}
        ),
        None,
    )
    if address is None or not _asked(node):
        return None
    if _in_folds(node):
        return Unsure("with cv, each fold was divided by the lengths of its own columns")
    scaler, imports = context.imported(
        node, "sklearn.preprocessing", "StandardScaler", "StandardScaler"
    )
    name = f"Normalizing{address.rpartition('.')[2]}"
    text = _TEXT.replace("{name}", name).replace("{scaler}", scaler)
    return use_class(context, node, address, name, text, _mended, _plain, imports)


def _asked(call: cst.Call) -> bool:
    given = argument(call, "normalize")
    return given is not None and same_literal(given.value, True)


def _in_folds(call: cst.Call) -> bool:
    """Return whether it is a RidgeCV that fits a Ridge in each of several folds."""
    given = argument(call, "cv", 4)
    return given is not None and not same_literal(given.value, None)


def _mended(call: cst.Call) -> bool:
    return _asked(call) and not _in_folds(call)


def _plain(call: cst.Call) -> cst.Call:
    given = argument(call, "normalize")
    return call if given is None else without(call, [given])

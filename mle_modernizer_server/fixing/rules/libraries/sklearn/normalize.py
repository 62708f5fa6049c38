"""`Ridge(normalize=True)` was removed in scikit-learn 1.2, and so for Lasso and ElasticNet.

https://scikit-learn.org/stable/whats_new/v1.2.html#sklearn-linear-model

They divided each centred column by its length (its Euclidean norm), which is the standard
deviation times the root of the number of rows, and the coefficients by the same afterwards.

`LassoCV(normalize=True)` was removed in scikit-learn 1.2, as for ElasticNetCV; for Lars in 1.4.

https://scikit-learn.org/stable/whats_new/v1.2.html#sklearn-linear-model

They divided each centred column by its length (its Euclidean norm): LassoCV and ElasticNetCV in
every fold separately, the models of one fit once.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import use_class
from mle_modernizer_server.fixing.rules.tables import table

_MODELS = ("Ridge", "RidgeClassifier", "RidgeCV", "Lasso", "ElasticNet")
_SEARCHED = ("LassoCV", "ElasticNetCV")
_ONCE = ("Lars", "LassoLars", "LassoLarsIC")
_TEXTS = table("sklearn", "normalizing-models", dict[str, str])
"""Code of the subclasses: of penalized models, of searches in folds, of models of one fit."""
_SPARSE = re.compile(r"\b(Dict|Tfidf|Count|Hashing)Vectorizer\b|\bcs[rc]_matrix\b|\bsparse\b")
"""Classes and functions that make sparse matrices."""


@codemod("sklearn-normalize-penalized", on=cst.Call, names=_MODELS, kind="penalized")
@codemod("sklearn-normalize-searched", on=cst.Call, names=_SEARCHED, kind="searched")
@codemod("sklearn-normalize-lars", on=cst.Call, names=_ONCE, kind="once")
def scaled(context: Context, node: cst.Call, kind: str) -> Answer:
    """Use a subclass that scales, for all models of that class with `normalize=True`."""
    concerned = _scales_once if kind == "penalized" else _scales_with_intercept
    models = {"penalized": _MODELS, "searched": _SEARCHED, "once": _ONCE}[kind]
    wanted = {f"sklearn.linear_model.{model}" for model in models}
    address = next((name for name in context.qualnames(node.func) if name in wanted), None)
    if address is None or not _scales(node):
        return None
    if kind == "penalized" and not concerned(node):
        return Unsure("with cv, each fold was divided by the lengths of its own columns")
    if not concerned(node):
        return None
    if kind == "searched" and any(_SPARSE.search(cell.source) for cell in context.program.cells):
        return Unsure("the data may be a sparse matrix, which is not centred in each fold")
    scaler, imports = context.imported(
        node, "sklearn.preprocessing", "StandardScaler", "StandardScaler"
    )
    name = f"Normalizing{address.rpartition('.')[2]}"
    text = _TEXTS[kind].replace("{name}", name).replace("{scaler}", scaler)
    return use_class(context, node, address, name, text, concerned, _plain, imports)


def _scales(call: cst.Call) -> bool:
    given = argument(call, "normalize")
    return given is not None and same_literal(given.value, True)


def _scales_once(call: cst.Call) -> bool:
    """Return whether it scales, and is no RidgeCV that fits a Ridge in each of several folds."""
    folds = argument(call, "cv", 4)
    return _scales(call) and (folds is None or same_literal(folds.value, None))


def _scales_with_intercept(call: cst.Call) -> bool:
    """Return whether it scales: without an intercept it never did."""
    intercept = argument(call, "fit_intercept")
    return _scales(call) and (intercept is None or same_literal(intercept.value, True))


def _plain(call: cst.Call) -> cst.Call:
    given = argument(call, "normalize")
    return call if given is None else without(call, [given])

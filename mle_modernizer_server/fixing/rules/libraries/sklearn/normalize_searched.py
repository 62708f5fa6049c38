"""`LassoCV(normalize=True)` was removed in scikit-learn 1.2, as for ElasticNetCV; for Lars in 1.4.

https://scikit-learn.org/stable/whats_new/v1.2.html#sklearn-linear-model

They divided each centred column by its length (its Euclidean norm): LassoCV and ElasticNetCV in
every fold separately, the models of one fit once.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, NewImport, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import use_class

_START = '''class {name}({base}):
    """Divides each centred column by its length, as normalize=True did before scikit-learn 1.2."""

'''
_FOLDS = """    @staticmethod
    def path(X, y, **kwargs):
        scale = (X ** 2).sum(axis=0) ** 0.5
        scale[scale == 0] = 1
        kwargs.update(Xy=None, precompute=False)
        alphas, coefs, gaps = {base}.path(X / scale, y, **kwargs)
        return alphas, coefs / scale[:, None], gaps

"""
_FIT = """    def fit(self, X, y, **kwargs):
        scale = {scaler}(with_mean=False).fit(X).scale_ * X.shape[0] ** 0.5
        super().fit(X / scale, y, **kwargs)
        self.coef_ = self.coef_ / scale
        return self
"""
_SPARSE = re.compile(r"\b(Dict|Tfidf|Count|Hashing)Vectorizer\b|\bcs[rc]_matrix\b|\bsparse\b")
"""Classes and functions that make sparse matrices."""
_SEARCHED = ("LassoCV", "ElasticNetCV")
_ONCE = ("Lars", "LassoLars", "LassoLarsIC")


@codemod("sklearn-normalize-searched", on=cst.Call, names=_SEARCHED, models=_SEARCHED)
@codemod("sklearn-normalize-lars", on=cst.Call, names=_ONCE, models=_ONCE)
def scaled(context: Context, node: cst.Call, models: tuple[str, ...]) -> Answer:
    """Use a subclass that scales, for all models of that class with `normalize=True`."""
    wanted = {f"sklearn.linear_model.{model}" for model in models}
    address = next((name for name in context.qualnames(node.func) if name in wanted), None)
    if address is None or not _asked(node):
        return None
    model = address.rpartition(".")[2]
    if model in _SEARCHED and any(
        map(_SPARSE.search, (cell.source for cell in context.program.cells))
    ):
        return Unsure("the data may be a sparse matrix, which is not centred in each fold")
    imports: tuple[NewImport, ...]
    scaler, imports = context.imported(
        node, "sklearn.preprocessing", "StandardScaler", "StandardScaler"
    )
    text = _START + (_FOLDS if model in _SEARCHED else "") + _FIT
    name = f"Normalizing{model}"
    text = text.replace("{name}", name).replace("{scaler}", scaler)
    return use_class(context, node, address, name, text, _asked, _plain, imports)


def _asked(call: cst.Call) -> bool:
    """Return whether it scales: without an intercept it never did."""
    given = argument(call, "normalize")
    intercept = argument(call, "fit_intercept")
    return (
        given is not None
        and same_literal(given.value, True)
        and (intercept is None or same_literal(intercept.value, True))
    )


def _plain(call: cst.Call) -> cst.Call:
    given = argument(call, "normalize")
    return call if given is None else without(call, [given])

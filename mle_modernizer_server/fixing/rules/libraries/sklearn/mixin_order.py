"""`class A(BaseEstimator, ClassifierMixin)` is no classifier since scikit-learn 1.7.

https://scikit-learn.org/stable/whats_new/v1.7.html

Mixins must be before `BaseEstimator`; else cross-validation does not stratify.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_BASE = "sklearn.base.BaseEstimator"
_SAY_WHAT_IT_IS = {
    f"sklearn.base.{name}" for name in ("ClassifierMixin", "RegressorMixin", "OutlierMixin")
}
"""Mixins that have no effect behind `BaseEstimator`; transformers work in either order."""


@codemod("sklearn-mixin-order", on=cst.ClassDef)
def mixins_first(context: Context, node: cst.ClassDef) -> Answer:
    """Put `BaseEstimator` behind the mixins."""
    bases = list(node.bases)
    at = next(
        (i for i, base in enumerate(bases) if context.refers_to(base.value, _BASE)),
        None,
    )
    if at is None:
        return None
    mixins = [
        i
        for i, base in enumerate(bases)
        if i > at
        and any(
            name.startswith("sklearn.base.") and name.endswith("Mixin")
            for name in context.qualnames(base.value)
        )
    ]
    if not any(_SAY_WHAT_IT_IS.intersection(context.qualnames(bases[i].value)) for i in mixins):
        return None
    values = [base.value for base in bases]
    values.insert(mixins[-1] + 1, values[at])
    del values[at]
    changed = [base.with_changes(value=value) for base, value in zip(bases, values, strict=True)]
    return one(node, node.with_changes(bases=changed))

"""Families of statsmodels take an object as link, not its class, since 0.14.

https://www.statsmodels.org/stable/release/version0.14.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_FAMILIES = (
    "Binomial",
    "Gaussian",
    "Poisson",
    "Gamma",
    "InverseGaussian",
    "NegativeBinomial",
    "Tweedie",
)


@codemod("statsmodels-link-class", on=cst.Call, names=_FAMILIES)
def called(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Binomial(links.logit)` as `Binomial(links.logit())`."""
    if not any(
        name.startswith("statsmodels.") and ".families." in name
        for name in context.qualnames(node.func)
    ):
        return None
    link = argument(node, "link", 0)
    if link is None or not any(".links." in name for name in context.qualnames(link.value)):
        return None
    value = expression(f"{context.code(link.value)}()")
    return one(node, node.with_deep_changes(link, value=value))

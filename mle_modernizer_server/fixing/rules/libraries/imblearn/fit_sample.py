"""`fit_sample` of samplers is called `fit_resample`.

https://imbalanced-learn.org/stable/whats_new/v0.4.html

A `ModelFrame` of pandas_ml has a method of that name, too, which takes the sampler.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    unknown_object,
)


@codemod("imblearn-fit-sample", on=cst.Attribute, names=("fit_sample",))
def renamed(context: Context, node: cst.Attribute) -> Answer:
    """`sampler.fit_sample(X, y)` → `sampler.fit_resample(X, y)`."""
    parent = context.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.Del)):
        return None
    match = method_matches(context, node, ("fit_sample",), (), distinctive=True)
    if match is Match.NO:
        return None
    call = parent if isinstance(parent, cst.Call) and parent.func is node else None
    if match is Match.UNKNOWN or (call is not None and _takes_no_classes(call)):
        return Unsure(unknown_object(context, node))
    return one(node, node.with_changes(attr=cst.Name("fit_resample")))


def _takes_no_classes(call: cst.Call) -> bool:
    """Whether it is given less than the rows and their classes."""
    return len(call.args) < 2 and not any(arg.star for arg in call.args)

"""`return_indices=True` of the under-samplers was removed in imbalanced-learn 0.6.

https://imbalanced-learn.org/stable/whats_new/v0.4.html

`X, y, rows = sampler.fit_sample(X, y)` → two values, and `rows = sampler.sample_indices_`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import line_of, own_line
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import only_target

_METHODS = ("fit_sample", "fit_resample")


@codemod("imblearn-return-indices", on=cst.Call)
def from_attribute(context: Context, node: cst.Call) -> Answer:
    """Take the rows from the sampler after it has drawn them."""
    given = argument(node, "return_indices")
    if given is None or not same_literal(given.value, True):
        return None
    if not context.comes_from(node.func, "imblearn.under_sampling"):
        return None
    changes: list[Change] = []
    for call, func in context.method_calls(node, *_METHODS):
        if func.value is node:
            continue
        assign = context.parent(call)
        line, target = own_line(context, assign), only_target(assign)
        if (
            not isinstance(assign, cst.Assign)
            or line is None
            or not isinstance(target, cst.Tuple)
            or len(target.elements) != 3
        ):
            return Unsure("what the sampler returns is not taken apart where it is drawn")
        last = target.elements[1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        pair = target.with_changes(elements=[target.elements[0], last])
        first = assign.with_changes(targets=[assign.targets[0].with_changes(target=pair)])
        rows, sampler = context.code(target.elements[2].value), context.code(func.value)
        second = line_of(f"{rows} = {sampler}.sample_indices_")
        changes.append(Change(line, cst.FlattenSentinel([line.with_changes(body=[first]), second])))
    if not changes:
        return Unsure("it cannot be told where the sampler draws")
    return Fix((Change(node, without(node, [given])), *changes))

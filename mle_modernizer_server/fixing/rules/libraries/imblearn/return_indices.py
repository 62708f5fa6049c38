"""`return_indices=True` of the under-samplers was removed in imbalanced-learn 0.6.

https://imbalanced-learn.org/stable/whats_new/v0.4.html

`X, y, rows = sampler.fit_sample(X, y)` → two values, and `rows = sampler.sample_indices_`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

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
    for cell in context.program.cells:
        for call in cell.places:
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
                continue
            if call.func.attr.value not in _METHODS or not _is_sampler(context, call, node):
                continue
            assign = cell.places[call].parent
            line = cell.places[assign].parent if assign is not None else None
            if (
                not isinstance(assign, cst.Assign)
                or not isinstance(line, cst.SimpleStatementLine)
                or len(line.body) > 1
                or len(assign.targets) > 1
                or not isinstance(target := assign.targets[0].target, cst.Tuple)
                or len(target.elements) != 3
            ):
                return Unsure("what the sampler returns is not taken apart where it is drawn")
            last = target.elements[1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            pair = target.with_changes(elements=[target.elements[0], last])
            first = assign.with_changes(targets=[assign.targets[0].with_changes(target=pair)])
            rows, sampler = cell.code(target.elements[2].value), cell.code(call.func.value)
            second = cst.parse_statement(f"{rows} = {sampler}.sample_indices_\n")
            changes.append(
                Change(line, cst.FlattenSentinel([line.with_changes(body=[first]), second]))
            )
    if not changes:
        return Unsure("it cannot be told where the sampler draws")
    return Fix((Change(node, without(node, [given])), *changes))


def _is_sampler(context: Context, call: cst.Call, node: cst.Call) -> bool:
    assert isinstance(call.func, cst.Attribute)
    receiver = call.func.value
    if not isinstance(receiver, cst.Name):
        return False
    found = context.program.lookup(receiver.value, receiver)
    return any(
        isinstance(binding.bound, Assigned) and binding.bound.value is node
        for binding in found.bindings
    )

"""`fit_sample` of samplers is called `fit_resample`.

https://imbalanced-learn.org/stable/whats_new/v0.4.html

A `ModelFrame` of pandas_ml has a method of that name, too, which takes the sampler.

Since 0.6 the rows that are drawn from a table are a table, and their classes a Series with the name
of the old one. `DataFrame(classes, columns=['y'])` picks columns of that name then, and finds none.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches, unknown_object


@codemod("imblearn-fit-sample", on=cst.Attribute, names=("fit_sample",))
def renamed(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `sampler.fit_sample(X, y)` as `sampler.fit_resample(X, y)`."""
    parent = context.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.Del)):
        return None
    match = method_matches(context, node, ("fit_sample",), (), distinctive=True)
    if match is Match.NO:
        return None
    call = parent if isinstance(parent, cst.Call) and parent.func is node else None
    if match is Match.UNKNOWN or (call is not None and _takes_no_classes(call)):
        return Unsure(unknown_object(context, node))
    changes = [Change(node, node.with_changes(attr=cst.Name("fit_resample")))]
    needed: list[NewImport] = []
    for drawn in [] if call is None else context.uses(call):
        if not isinstance(drawn, cst.Name) or not _gets_names(context, drawn):
            continue
        numpy, imports = context.module(drawn, "numpy", "np")
        changes.append(Change(drawn, expression(f"{numpy}.asarray({drawn.value})")))
        needed += imports
    return Fix(tuple(changes), tuple(needed))


def _takes_no_classes(call: cst.Call) -> bool:
    """Return whether a call has fewer than two arguments: rows without classes."""
    return len(call.args) < 2 and not any(arg.star for arg in call.args)


def _gets_names(context: Context, drawn: cst.Name) -> bool:
    """Return whether it goes into a table with column names of its own, not of another table."""
    cell, place = context.program.place(drawn)
    call = cell.places[place.parent].parent if isinstance(place.parent, cst.Arg) else None
    if not isinstance(call, cst.Call) or argument(call, "data", 0) is not place.parent:
        return False
    columns = argument(call, "columns", 2)
    if columns is None or not context.refers_to(call.func, "pandas.DataFrame"):
        return False
    written = context.written(columns.value)
    return ".columns" not in context.code(written)

"""`loglog` takes one base for both axes since matplotlib 3.5.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.5.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name, without
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NEW = {"base": "base", "subs": "subs", "nonpos": "nonpositive"}
_OLD = {f"{old}{axis}": (axis, new) for old, new in _NEW.items() for axis in "xy"}
"""Axis and new name by the old name of an argument."""


@codemod("matplotlib-log-nonpos", "matplotlib-log-base", on=cst.Call, names=("loglog",))
def scales(context: Context, node: cst.Call) -> Answer:
    """`plt.loglog(x, y, basex=2)` → `plt.loglog(x, y)` and `plt.xscale('log', base=2)` below it.

    If both axes get the same, `basex=2, basey=2` → `base=2`.
    """
    args = [arg for arg in node.args if arg.keyword and arg.keyword.value in _OLD]
    if not args:
        return None
    by_axis: dict[str, dict[str, str]] = {"x": {}, "y": {}}
    for arg in args:
        assert arg.keyword is not None
        axis, new = _OLD[arg.keyword.value]
        by_axis[axis][new] = context.code(arg.value)
    if by_axis["x"] == by_axis["y"]:
        return one(node, _for_both(node, args))
    line = context.statement(node)
    if (
        line is None
        or len(line.body) > 1
        or not isinstance(line.body[0], cst.Expr)
        or line.body[0].value is not node
        or not isinstance(node.func, cst.Attribute)
        or not dotted_name(node.func.value)
    ):
        return Unsure("its axes differ, which takes lines of their own")
    owner = node.func.value
    method = "" if context.refers_to(owner, "matplotlib.pyplot") else "set_"
    first = line.with_changes(body=[cst.Expr(without(node, args))])
    rest = [
        cst.parse_statement(
            f"{context.code(owner)}.{method}{axis}scale('log', "
            f"{', '.join(f'{name}={value}' for name, value in given.items())})"
        )
        for axis, given in by_axis.items()
        if given
    ]
    return Fix((Change(line, cst.FlattenSentinel([first, *rest])),))


def _for_both(node: cst.Call, args: list[cst.Arg]) -> cst.Call:
    """Return the call with the first axis's arguments for both, without those of the other axis."""
    names = {arg: _OLD[arg.keyword.value] for arg in args if arg.keyword}
    renamed = [
        arg.with_changes(keyword=cst.Name(names[arg][1])) if arg in names else arg
        for arg in node.args
        if arg not in names or names[arg][0] == "x"
    ]
    unwanted = [arg for arg, (axis, _) in names.items() if axis == "y"]
    kept = iter(renamed)
    return without(
        node.with_changes(args=[one if one in unwanted else next(kept) for one in node.args]),
        unwanted,
    )

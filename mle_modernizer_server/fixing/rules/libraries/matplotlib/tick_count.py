"""Since matplotlib 3.3 there must be as many labels as ticks; more were ignored, fewer left blanks.

https://github.com/matplotlib/matplotlib/issues/18766
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, receiver_text
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_COUNTS = re.compile(r"locations \((\d+)\).* labels \((\d+)\)")


@codemod("matplotlib-tick-count", on=cst.Call, names=("set_xticklabels", "set_yticklabels"))
def of_axes(context: Context, node: cst.Call) -> Answer:
    """`ax.set_xticklabels(names)` → `ax.set_xticklabels(list(names)[:len(ax.get_xticks())])`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    axis = node.func.attr.value[4]
    ticks = f"{receiver_text(node.func.value)}.get_{axis}ticks()"
    return _as_many(context, node, argument(node, "labels", 0), ticks)


@codemod("matplotlib-tick-count", on=cst.Call, names=("set_thetagrids",))
def of_angles(context: Context, node: cst.Call) -> Answer:
    """`ax.set_thetagrids(angles, names)` → without the angle that closes the circle again."""
    angles, labels = argument(node, "angles", 0), argument(node, "labels", 1)
    counts = next((_COUNTS.search(error.evalue) for error in context.failing()), None)
    if angles is None or labels is None or counts is None or not context.evidence(node):
        return None
    if int(counts[1]) != int(counts[2]) + 1 or f"len({context.code(labels.value)})" in context.code(
        angles.value
    ):
        return None
    text = f"{receiver_text(angles.value)}[:len({context.code(labels.value)})]"
    return one(angles.value, expression(text))


@codemod("matplotlib-tick-count", on=cst.Call, names=("xticks", "yticks"))
def of_places(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.xticks(places, names)` as `plt.xticks(places, list(names)[:len(places)])`."""
    if not context.comes_from(node.func, "matplotlib.pyplot"):
        return None
    ticks = argument(node, "ticks", 0)
    if ticks is None:
        return None
    return _as_many(context, node, argument(node, "labels", 1), context.code(ticks.value))


def _as_many(context: Context, node: cst.Call, labels: cst.Arg | None, ticks: str) -> Answer:
    if labels is None or labels.star or not context.evidence(node):
        return None
    counts = next((_COUNTS.search(error.evalue) for error in context.failing()), None)
    code = context.code(labels.value)
    if counts is None or f"len({ticks})" in code:
        return None
    listed = code if isinstance(labels.value, (cst.List, cst.ListComp)) else f"list({code})"
    if int(counts[1]) < int(counts[2]):
        return one(labels.value, expression(f"{listed}[:len({ticks})]"))
    return one(labels.value, expression(f"{listed} + [''] * (len({ticks}) - len({code}))"))

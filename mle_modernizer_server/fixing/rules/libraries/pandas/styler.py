"""`set_precision` and `set_na_rep` of a Styler were removed in pandas 2.0: `format` takes both.

https://pandas.pydata.org/docs/reference/api/pandas.io.formats.style.Styler.format.html

Each call of `format` undoes the one before, unlike the old methods: one call gets all arguments.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, method_name, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches

_KEYWORDS = {"set_precision": "precision", "set_na_rep": "na_rep"}


@codemod("pandas-styler-methods", on=cst.Call, names=tuple(_KEYWORDS))
def formatted(context: Context, node: cst.Call) -> Answer:
    """Rewrite `t.style.set_precision(2).format(f)` as `t.style.format(f, precision=2)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    owner = ("pandas.Styler",)
    if method_matches(context, node.func, (node.func.attr.value,), owner, True) is not Match.YES:
        return None
    calls = _chain(context, node)
    formats = [call for call in calls if method_name(call) == "format"]
    setters = [call for call in calls if method_name(call) in _KEYWORDS]
    if setters[0] is not node:
        return None  # the first setter handles all of them
    given = {_KEYWORDS[method_name(call)]: call.args[0].value for call in setters if call.args}
    if len(given) < len(setters) or len(formats) > 1 or _formatted_elsewhere(context, calls):
        return Unsure("it is formatted more than once")
    if formats and (argument(formats[0], "subset", 1) or any(a.star for a in formats[0].args)):
        return Unsure("some columns are formatted on their own")
    place = formats[0] if formats else setters[-1]
    return one(calls[0], _rebuilt(calls[0], place, given))


def _chain(context: Context, node: cst.Call) -> list[cst.Call]:
    """Return the calls of a chain of methods, the last one first."""
    last = node
    while (
        isinstance(above := context.parent(last), cst.Attribute)
        and isinstance(call := context.parent(above), cst.Call)
        and call.func is above
    ):
        last = call
    calls = [last]
    while isinstance(calls[-1].func, cst.Attribute):
        owner = calls[-1].func.value
        if not isinstance(owner, cst.Call):
            break
        calls.append(owner)
    return calls


def _formatted_elsewhere(context: Context, calls: list[cst.Call]) -> bool:
    """Return whether the Styler has a name by which it is formatted, too."""
    uses = [use for use in context.uses(calls[0]) if isinstance(use, cst.Name)]
    first = calls[-1].func
    if isinstance(first, cst.Attribute) and isinstance(first.value, cst.Name):
        uses.append(first.value)
    asked = "|".join(("format", *_KEYWORDS))
    ours = [context.code(calls[0])]
    return any(
        re.search(rf"\b{use.value}\b[^\n]*\.({asked})\(", cell.source.replace(ours[0], ""))
        for use in uses
        for cell in context.program.cells
    )


def _rebuilt(
    node: cst.BaseExpression, place: cst.Call, given: dict[str, cst.BaseExpression]
) -> cst.BaseExpression:
    """Return the chain with all arguments in one call of `format`."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return node
    inner = _rebuilt(node.func.value, place, given)
    if node is not place and method_name(node) in _KEYWORDS:
        return inner
    called = node.with_changes(func=node.func.with_changes(value=inner))
    if node is not place:
        return called
    if method_name(node) in _KEYWORDS:
        func = node.func.with_changes(value=inner, attr=cst.Name("format"))
        called = called.with_changes(func=func, args=[])
    for keyword, value in given.items():
        called = with_keyword(called, keyword, value)
    return called

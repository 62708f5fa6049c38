"""Checks whether a call or attribute belongs to the functions or methods of a rule."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from enum import Enum

import libcst as cst

from mle_modernizer_server.code.tree import method_name
from mle_modernizer_server.code.types.type import Type
from mle_modernizer_server.fixing.rules.engine.context import Context, Unsure


class Match(Enum):
    """How sure it is."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


_ALIVE_ELSEWHERE = {
    "as_matrix": ("spatial.transform",),
    "get_values": ("gspread",),
    "has_key": ("bs4", "BeautifulSoup"),
    "is_numeric": ("polars",),
    "get_feature_names": ("featuretools",),
}
"""Words by which a notebook shows that it uses a library that has a method of that name today:
`Rotation.as_matrix()` of SciPy, and `has_key` of a tag, which asks for attributes; `in` does not.
"""
_ACCESSORS = ("pandas.dt", "pandas.str")
"""`x.dt.week`: the name identifies the method, whatever `x` is."""


def method_matches(
    context: Context,
    node: cst.Attribute,
    names: Collection[str],
    on: Collection[str],
    distinctive: bool = False,
) -> Match:
    """Return whether the attribute is one of the methods `names` of an object of the classes `on`.

    A distinctive name is enough for an object of unknown class, unless a class of the notebook has
    one of that name: then the fix is marked as uncertain.
    """
    name = node.attr.value
    if name not in names or context.qualnames(node):
        return Match.NO
    inferred = context.type_of(node.value)
    if inferred is not None and inferred.name in on:
        return Match.YES
    if inferred is not None and (on or not _may_have(context, inferred, name)):
        return Match.NO
    if context.evidence(node):
        return Match.YES
    if context.program.own_classes.may_have(name):
        return Match.UNKNOWN
    if inferred is None and _lives_elsewhere(context, name):
        return Match.UNKNOWN
    if inferred is None and (guess := context.guess(node.value)) is not None:
        distinctive = distinctive or (guess.name in _ACCESSORS and guess.name in on)
    if not distinctive or (_is_of_groups(node.value) and not any("GroupBy" in one for one in on)):
        return Match.UNKNOWN
    kinds = " or ".join(sorted({one.rpartition(".")[2] for one in on})[:2])
    code = context.code(node.value)
    context.assume(f"`{code}` is a {kinds}" if kinds else f"`{code}` has the library's `{name}`")
    return Match.YES


def _lives_elsewhere(context: Context, name: str) -> bool:
    words = _ALIVE_ELSEWHERE.get(name, ())
    return any(word in cell.source for cell in context.program.cells for word in words)


def _is_of_groups(node: cst.BaseExpression) -> bool:
    """Return whether it is `x.groupby('a')`, `x.groupby('a').b` or `x.groupby('a')['b']`, for any
    `x`.
    """
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return method_name(node) == "groupby"


def _may_have(context: Context, inferred: Type, name: str) -> bool:
    """Return whether an object may have a removed method: not if it has one of its own now."""
    library, _, last = inferred.name.partition(".")
    if library == "notebook":
        return context.program.own_classes.inherits(last, name)
    return library != "builtins" or not hasattr(getattr(builtins, last, None), name)


def unknown_object(context: Context, node: cst.Attribute) -> str:
    """Return the remark for a method of an object of unknown class."""
    return f"what `{context.code(node.value)}` is cannot be told from the code"


def undecided(context: Context, node: cst.Attribute, match: Match) -> Unsure | None:
    """Return the doubt about a method of an object of unknown class; None if it is another's."""
    return Unsure(unknown_object(context, node)) if match is Match.UNKNOWN else None

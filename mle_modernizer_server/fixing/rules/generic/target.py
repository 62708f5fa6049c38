"""Does a call or attribute belong to the functions or methods an entry speaks of?"""

from __future__ import annotations

import builtins
from collections.abc import Collection
from enum import Enum

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Scene
from mle_modernizer_server.fixing.rules.types.type import Kind


class Match(Enum):
    """How sure it is."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


_ACCESSORS = ("pandas.dt", "pandas.str")
"""`x.dt.week`: a name of theirs is guessed well, whatever `x` is."""


def function_matches(scene: Scene, func: cst.CSTNode, functions: Collection[str]) -> bool:
    """Whether the expression stands for one of the functions."""
    return any(name in functions for name in scene.qualnames(func))


def method_matches(
    scene: Scene,
    node: cst.Attribute,
    names: Collection[str],
    on: Collection[str],
    distinctive: bool = False,
) -> Match:
    """Whether the attribute is one of the methods `names` of an object of the classes `on`.

    A distinctive method is taken for what its name says where nothing is known of the object,
    unless a class of the notebook has one of that name: then the fix is not certain, and says so.
    """
    name = node.attr.value
    if name not in names or scene.qualnames(node):
        return Match.NO
    kind = scene.kind(node.value)
    if kind is not None and kind.name in on:
        return Match.YES
    if kind is not None and (on or not _may_have(scene, kind, name)):
        return Match.NO
    if scene.evidence(node):
        return Match.YES
    if scene.program.own_classes.may_have(name):
        return Match.UNKNOWN
    if kind is None and (guess := scene.guess(node.value)) is not None:
        distinctive = distinctive or (guess.name in _ACCESSORS and guess.name in on)
    if not distinctive:
        return Match.UNKNOWN
    scene.assume(f"`{scene.code(node.value)}` is what usually has `{name}`")
    return Match.YES


def _may_have(scene: Scene, kind: Kind, name: str) -> bool:
    """Whether an object may have a method that is gone: not where it has one of its own now."""
    library, _, last = kind.name.partition(".")
    if library == "notebook":
        return scene.program.own_classes.inherits(last, name)
    return library != "builtins" or not hasattr(getattr(builtins, last, None), name)


def unknown_object(scene: Scene, node: cst.Attribute) -> str:
    """The remark for a method of an object whose class cannot be told."""
    return f"what `{scene.code(node.value)}` is cannot be told from the code"

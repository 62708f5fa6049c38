"""Does a call or attribute belong to the functions or methods an entry speaks of?"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Scene


class Match(Enum):
    """How sure it is."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


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
    """Whether the attribute is one of the methods `names` of an object of the classes `on`."""
    if node.attr.value not in names or scene.qualnames(node):
        return Match.NO
    kind = scene.kind(node.value)
    if kind is not None and on:
        return Match.YES if kind.name in on else Match.NO
    if distinctive or scene.evidence(node):
        return Match.YES
    return Match.UNKNOWN


def unknown_object(scene: Scene, node: cst.Attribute) -> str:
    """The remark for a method of an object whose class cannot be told."""
    return f"what `{scene.code(node.value)}` is cannot be told from the code"

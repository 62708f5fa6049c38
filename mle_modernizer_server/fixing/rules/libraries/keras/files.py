"""File names in Keras code: the literal that a path ends with, and all equal literals."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import string
from mle_modernizer_server.fixing.rules.engine.context import Change, Context


def tail(context: Context, value: cst.BaseExpression) -> cst.SimpleString | None:
    """Return the string literal a path ends with; None if unknown."""
    if isinstance(value, cst.SimpleString):
        return value
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
        return tail(context, value.right)
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        if value.func.attr.value == "format":
            return tail(context, value.func.value)
        if value.func.attr.value == "join" and value.args:
            return tail(context, value.args[-1].value)
    given = context.written(value)
    return None if given is value else tail(context, given)


def renamed(context: Context, old: cst.SimpleString, text: str) -> tuple[Change, ...]:
    """Return changes that replace every literal of the notebook with that text."""
    value = string(old)
    return tuple(
        Change(node, cst.SimpleString(node.prefix + node.quote + text + node.quote))
        for node in context.nodes(cst.SimpleString)
        if string(node) == value
    )


def with_ending(name: str, ending: str, known: tuple[str, ...]) -> str:
    """Return the file name with another ending in place of a known one."""
    for old in known:
        if name.endswith(old):
            return name[: len(name) - len(old)] + ending
    return name + ending

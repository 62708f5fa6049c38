"""`Series.str.replace` takes its pattern literally since pandas 2.0 unless `regex=True`.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes

A pattern of one character was literal before, too; one without special characters is no different.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, literal, string, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import unknown_object

_SPECIAL = frozenset(".^$*+?{}[]\\|()")
_LONG = r"\w+"
"""Placeholder for a pattern that is certainly longer than one character."""


@codemod("pandas-str-replace-regex", on=cst.Call, names=("replace",))
def as_pattern(context: Context, node: cst.Call) -> Answer:
    r"""Rewrite `s.str.replace(r'\d+', '')` as `s.str.replace(r'\d+', '', regex=True)`."""
    if not isinstance(node.func, cst.Attribute) or argument(node, "regex", 5):
        return None
    inferred = context.guess(node.func.value)
    if inferred is None or inferred.name != "pandas.str":
        return None
    if context.type_of(node.func.value) is None:
        if context.program.own_classes.may_have("str"):
            return Unsure(unknown_object(context, node.func))
        context.assume(f"`{context.code(node.func.value)}` belongs to a column")
    pattern = argument(node, "pat", 0)
    if pattern is None or any(arg.star for arg in node.args):
        return None
    texts = _texts(context, pattern.value)
    if texts is None:
        name = context.code(pattern.value)
        return Unsure(f"whether `{name}` is one character, and so no pattern, cannot be told")
    if all(len(text) == 1 or not _SPECIAL & set(text) for text in texts):
        return None
    if any(len(text) == 1 for text in texts):
        several = cst.parse_expression(f"len({context.code(pattern.value)}) > 1")
        return one(node, with_keyword(node, "regex", several))
    return one(node, with_keyword(node, "regex", cst.Name("True")))


def _texts(context: Context, pattern: cst.BaseExpression) -> list[str] | None:
    """Return the possible texts of a pattern; a compiled one is a long text. None if unknown."""
    text = string(pattern)
    if text is not None:
        return [text]
    called = pattern.func if isinstance(pattern, cst.Call) else pattern
    if context.refers_to(called, "re.compile"):
        return [_LONG]
    if isinstance(pattern, (cst.BinaryOperation, cst.FormattedString)):
        return [_LONG]
    found: list[str] = []
    for bound in context.bounds(pattern):
        if not isinstance(bound, Assigned):
            return None
        texts = _texts_of(context, bound)
        if texts is None:
            return None
        found += texts
    return found or None


def _texts_of(context: Context, bound: Assigned) -> list[str] | None:
    """Return the possible texts of a name with one value, or of a loop variable over a list."""
    if not bound.path:
        return None if isinstance(bound.value, cst.Name) else _texts(context, bound.value)
    elements = literal(context.written(bound.value))
    if bound.path != (None,) or not isinstance(elements, list):
        return None
    texts = [one for one in elements if isinstance(one, str)]
    return texts if len(texts) == len(elements) else None

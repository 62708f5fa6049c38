"""`re.split` splits at empty matches, too, since Python 3.7: `\\W*` splits into single letters.

https://docs.python.org/3/whatsnew/3.7.html#changes-in-the-python-api
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_REPEATED = re.compile(r"(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\]().*+?{}|^$])\*")
"""Any number of one character, or of one of several."""
_LONGEST = 200


@codemod("python-re-empty-matches", on=cst.Call, names=("split", "compile"))
def at_something(context: Context, node: cst.Call) -> Answer:
    r"""Rewrite `re.split(r'\W*', text)` as `re.split(r'\W+', text)`."""
    if not context.refers_to(node.func, "re.split") and not _only_splits(context, node):
        return None
    pattern = argument(node, "pattern", 0)
    if pattern is None or not isinstance(pattern.value, cst.SimpleString):
        return None
    text = pattern.value
    if _REPEATED.fullmatch(text.raw_value):
        value = f"{text.prefix}{text.quote}{text.raw_value[:-1]}+{text.quote}"
        return one(text, cst.SimpleString(value, lpar=text.lpar, rpar=text.rpar))
    return Unsure("the pattern also matches nothing") if _matches_nothing(text) else None


def _only_splits(context: Context, node: cst.Call) -> bool:
    """Return whether a compiled pattern is only used to split."""
    if not context.refers_to(node.func, "re.compile"):
        return False
    parts = [context.parent(use) for use in context.uses(node)]
    asked = [part for part in parts if not isinstance(part, (cst.Assign, cst.AssignTarget))]
    return bool(asked) and all(
        isinstance(part, cst.Attribute) and part.attr.value == "split" for part in asked
    )


def _matches_nothing(text: cst.SimpleString) -> bool:
    pattern = text.evaluated_value
    if not isinstance(pattern, str) or len(pattern) > _LONGEST:
        return False
    try:
        return re.fullmatch(pattern, "") is not None
    except re.error:
        return False  # another rule's, or the notebook's own mistake

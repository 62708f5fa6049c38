"""Inline flags must be at the start of a pattern since Python 3.11.

https://docs.python.org/3/whatsnew/3.11.html#re
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")
_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")


@codemod("python-re-flags", on=cst.Call, functions=[f"re.{name}" for name in _NAMES])
def in_front(context: Context, node: cst.Call) -> Answer:
    """Rewrite `re.compile(r'a(?i)b')` as `re.compile(r'(?i)ab')`."""
    pattern = argument(node, "pattern", 0)
    if pattern is None or not isinstance(pattern.value, cst.SimpleString):
        return None
    text = pattern.value
    inside = text.raw_value
    found = [match for match in _FLAGS.finditer(inside) if not _quoted(inside, match.start())]
    if not found or (len(found) == 1 and found[0].start() == 0):
        return None
    rest = inside
    for match in reversed(found):
        rest = rest[: match.start()] + rest[match.end() :]
    letters = "".join(dict.fromkeys("".join(match[0][2:-1] for match in found)))
    value = f"{text.prefix}{text.quote}(?{letters}){rest}{text.quote}"
    return one(text, cst.SimpleString(value, lpar=text.lpar, rpar=text.rpar))


def _quoted(text: str, at: int) -> bool:
    """Return whether the position is behind a backslash, or inside a character class."""
    before = text[:at]
    escaped = (len(before) - len(before.rstrip("\\"))) % 2 == 1
    return escaped or before.rfind("[") > before.rfind("]")

"""Short explanations of a rule's edit: the name that was replaced, and the code in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from mle_modernizer_server.fixing.rules.rule import (
    ChangeKind,
    MethodRename,
    Move,
    Rule,
    Template,
)

_LONGEST_CODE = 60
"""Characters of new code in an explanation."""
_MOST = 2
"""Replaced names or pieces of new code in an explanation."""
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z`])")


def old_name(node: cst.CSTNode) -> str:
    """Return the name that an expression reads or calls, as in `np.float` or `.append`.

    Empty for anything but a name, an attribute, or a call of one.
    """
    called = node.func if isinstance(node, cst.Call) else node
    if isinstance(called, cst.Name):
        return called.value
    if not isinstance(called, cst.Attribute):
        return ""
    owner = old_name(called.value) if isinstance(called.value, (cst.Name, cst.Attribute)) else ""
    return f"{owner}.{called.attr.value}"


def brief(rule: Rule, names: Sequence[str], codes: Sequence[str]) -> str:
    """Return the explanation of the edits of one rule in one cell, in a sentence or two.

    Args:
        rule: The rule.
        names: The replaced names, as `old_name` gives them.
        codes: The code in their places; empty if a place has none.
    """
    what = _removed(rule, list(dict.fromkeys(names))) or _first_sentence(rule.what)
    if rule.silent and rule.kind is not ChangeKind.DEFAULT_CHANGED:
        what = f"No error, but a different result: {what}"
    return f"{what} {_fix(rule, list(dict.fromkeys(codes)))}".rstrip()


def _removed(rule: Rule, names: Sequence[str]) -> str:
    """Return that a library removed these names; empty if the rule is about something else."""
    moved = bool(rule.fixes) and all(
        isinstance(fix, (Move, MethodRename, Template)) for fix in rule.fixes
    )
    if rule.kind is not ChangeKind.REMOVED or not moved or not all(names):
        return ""
    if any(isinstance(fix, MethodRename) or getattr(fix, "methods", ()) for fix in rule.fixes):
        names = list(dict.fromkeys(f".{name.rpartition('.')[2]}" for name in names))
    if not 0 < len(names) <= _MOST:
        return ""
    said = " and ".join(f"`{name}`" for name in names)
    return f"{said} {'was' if len(names) == 1 else 'were'} removed in {_version(rule)}."


def _version(rule: Rule) -> str:
    """Return library and version as the rule's own text writes them: `scikit-learn 1.2`."""
    found = re.search(rf"([\w-]+) {re.escape(rule.since)}(?![\d.]*\d)", rule.what)
    return found[0] if found else f"{rule.library} {rule.since}"


def _fix(rule: Rule, codes: Sequence[str]) -> str:
    fits = all(code and "\n" not in code and len(code) <= _LONGEST_CODE for code in codes)
    if 0 < len(codes) <= _MOST and fits:
        return f"Fix: {', '.join(f'`{code}`' for code in codes)}."
    return _first_sentence(rule.replacement)


def _first_sentence(text: str) -> str:
    return _SENTENCE.split(text, maxsplit=1)[0].rstrip(";")

"""Short explanations of a rule's edit: the name that was replaced, and the code in its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import libcst as cst

from mle_modernizer_server.fixing.rules.rule import ChangeKind, MethodRename, Move, Rule, Template

_LONGEST_CODE = 60
"""Characters of new code in an explanation."""
_MOST = 2
"""Replaced names or pieces of new code in an explanation."""
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z`])")


def old_name(node: cst.CSTNode) -> str:
    """Return the name that code reads, calls or imports, as in `np.float` or `.append`.

    Empty for anything but a name, an attribute, a call of one, or the import of one name.
    """
    if isinstance(node, cst.ImportFrom) and node.module is not None:
        names = [] if isinstance(node.names, cst.ImportStar) else node.names
        imported = [old_name(one.name) for one in names]
        return f"{old_name(node.module)}.{imported[0]}" if len(imported) == 1 else ""
    called = node.func if isinstance(node, cst.Call) else node
    if isinstance(called, cst.Name):
        return called.value
    if not isinstance(called, cst.Attribute):
        return ""
    owner = old_name(called.value) if isinstance(called.value, (cst.Name, cst.Attribute)) else ""
    return f"{owner}.{called.attr.value}"


def brief(rule: Rule, names: Sequence[str], codes: Sequence[str], fails: bool) -> str:
    """Return the explanation of the edits of one rule in one cell, in a sentence or two.

    Args:
        rule: The rule.
        names: The replaced names, as `old_name` gives them.
        codes: The code in their places; empty if a place has none.
        fails: Whether the run failed because of the change.
    """
    what = _removed(rule, list(dict.fromkeys(names))) or _first_sentence(rule.what)
    if rule.silent and not fails and rule.kind is not ChangeKind.DEFAULT_CHANGED:
        what = f"No error, but a different result: {what}"
    return f"{what} {_fix(rule, list(dict.fromkeys(codes)))}".rstrip()


def _removed(rule: Rule, names: Sequence[str]) -> str:
    """Return that a library removed these names; empty if the rule is about something else."""
    if rule.kind is not ChangeKind.REMOVED:
        return ""
    said = list(dict.fromkeys(_name_in(rule, name) for name in names))
    if not 0 < len(said) <= _MOST or "" in said:
        return ""
    told = " and ".join(f"`{name}`" for name in said)
    return f"{told} {'was' if len(said) == 1 else 'were'} removed in {_version(rule)}."


def _name_in(rule: Rule, name: str) -> str:
    """Return a name as the rule removes it, a method without its object; empty if it does not."""
    last = name.rpartition(".")[2]
    for fix in rule.fixes:
        if isinstance(fix, (MethodRename, Template)) and last in _methods(fix):
            return f".{last}"
        if isinstance(fix, (Move, Template)) and any(
            name.startswith(f"{address}.") or re.split(r"[.:]", address)[-1] == last
            for address in _addresses(fix)
        ):
            return name
    return ""


def _methods(fix: MethodRename | Template) -> Collection[str]:
    return fix.names if isinstance(fix, MethodRename) else fix.methods


def _addresses(fix: Move | Template) -> Collection[str]:
    return fix.names if isinstance(fix, Move) else fix.functions


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

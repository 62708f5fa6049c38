"""What the knowledge of breaking changes proves to mean the same: names, values, defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from mle_modernizer_server.code.code_names import tail
from mle_modernizer_server.domain.proposal import LEARNED
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import CallFix, MethodRename, Move

_OTHER_ELSEWHERE = frozenset({"predict_proba", "predict_classes", "decision_function"})
"""Methods that one library gave up for another name, and that mean something else in others."""


@dataclass
class Known:
    """Old and new forms that a documented change makes equal.

    Attributes:
        names: New last parts of a name by the old one.
        arguments: New names of an argument by the old one.
        values: New literals by argument and old literal.
        defaults: Arguments and literals that were once a default.
        gone: Function (the last part of its name) and argument that it no longer takes.
    """

    names: dict[str, set[str]] = field(default_factory=dict)
    arguments: dict[str, set[str]] = field(default_factory=dict)
    values: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    defaults: set[tuple[str, str]] = field(default_factory=set)
    gone: set[tuple[str, str]] = field(default_factory=set)


@cache
def known() -> Known:
    """All that the rules know, once; what a model's fix taught is no knowledge."""
    found = Known()
    for rule in all_rules():
        if rule.id.startswith(LEARNED):
            continue
        for fix in rule.fixes:
            if isinstance(fix, (Move, MethodRename)):
                for old, new in fix.names.items():
                    if tail(old) != tail(new) and tail(old) not in _OTHER_ELSEWHERE:
                        found.names.setdefault(tail(old), set()).add(tail(new))
            elif isinstance(fix, CallFix):
                _add_call(found, fix)
    return found


def _add_call(found: Known, fix: CallFix) -> None:
    for old, new in fix.rename.items():
        found.arguments.setdefault(old, set()).add(new)
    for name, values in fix.values.items():
        names = {name, fix.rename.get(name, name)}
        for old, new in values.items():
            for one in names:
                found.values.setdefault((one, old), set()).add(new)
    found.defaults |= set(fix.add.items())
    functions = {tail(name) for name in (*fix.functions, *fix.methods, *fix.of)}
    for name in (*fix.remove, *fix.remove_values):
        found.gone |= {(function, name) for function in functions}

"""Look up names, values and defaults that mean the same, from known breaking changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from mle_modernizer_server.code.calls import table
from mle_modernizer_server.code.expressions import tail
from mle_modernizer_server.domain.proposal import LEARNED
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import CallFix, MethodRename, Move

_TABLE: dict[str, Any] = table(__file__)
_RENAMED: Mapping[str, str] = _TABLE["names"]
_VALUES: Mapping[str, Mapping[str, str]] = _TABLE["values"]
_DEFAULTS: Mapping[str, str] = _TABLE["defaults"]
TYPES = tuple(frozenset(names.split()) for names in _TABLE["types"])
"""Names of one data type each."""
UNITS: Mapping[str, str] = _TABLE["units"]
"""Today's units of frequencies by the old one."""
TEXTS = frozenset(frozenset(pair.split()) for pair in _TABLE["texts"])
"""Pairs of texts that mean the same."""
STAND_INS = {old: frozenset(names.split()) for old, names in _TABLE["stand_ins"].items()}
"""Calls that replace a removed one with the same result, by the last part of its name."""
_OTHER_ELSEWHERE = frozenset({"predict_proba", "predict_classes", "decision_function"})
"""Methods that one library renamed, and that mean something else in others."""


@dataclass
class Equivalences:
    """Old and new forms that a documented change makes equal.

    Attributes:
        names: New last parts of a name by the old one.
        arguments: New names of an argument by the old one.
        values: New literals by argument and old literal.
        defaults: Arguments and literals that were once a default.
        removed: Function (the last part of its name) and argument that it no longer takes.
    """

    names: dict[str, set[str]] = field(default_factory=dict)
    arguments: dict[str, set[str]] = field(default_factory=dict)
    values: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    defaults: set[tuple[str, str]] = field(default_factory=set)
    removed: set[tuple[str, str]] = field(default_factory=set)


@cache
def equivalences() -> Equivalences:
    """Return all that the rules know, once; a rule that a model's fix taught is no knowledge."""
    equal = Equivalences()
    for rule in all_rules():
        if rule.id.startswith(LEARNED):
            continue
        for fix in rule.fixes:
            if isinstance(fix, (Move, MethodRename)):
                for old, new in fix.names.items():
                    if tail(old) != tail(new) and tail(old) not in _OTHER_ELSEWHERE:
                        equal.names.setdefault(tail(old), set()).add(tail(new))
            elif isinstance(fix, CallFix):
                _add_call(equal, fix)
    return equal


def _add_call(equal: Equivalences, fix: CallFix) -> None:
    for old, new in fix.rename.items():
        equal.arguments.setdefault(old, set()).add(new)
    for name, values in fix.values.items():
        names = {name, fix.rename.get(name, name)}
        for old, new in values.items():
            for one in names:
                equal.values.setdefault((one, old), set()).add(new)
    equal.defaults |= set(fix.add.items())
    functions = {tail(name) for name in (*fix.functions, *fix.methods, *fix.of)}
    for name in (*fix.remove, *fix.remove_values):
        equal.removed |= {(function, name) for function in functions}


def same_value(name: str, old: str, new: str) -> bool:
    """Return whether two values are equal, or a library only renamed the one to the other."""
    if old == new or new in _VALUES.get(name, {}).get(old, "").split():
        return True
    if {old, new} in ({"True", "1"}, {"False", "0"}):
        return True
    try:
        return float(old) == float(new)
    except ValueError:
        return False


def is_old_default(name: str, value: str) -> bool:
    """Return whether a value was once the default."""
    return value in _DEFAULTS.get(name, "").split()


def is_gone(name: str) -> bool:
    """Return whether libraries removed a name, by its last part."""
    return name in _RENAMED or name in equivalences().names


def is_rename(old: str, new: str) -> bool:
    """Return whether a dotted name is another's successor: it moved to another module, is spelled
    in another way, or is a known new name.

    Other names (`mean` → `median`) are no rename.
    """
    before, after = tail(old), tail(new)
    if before == after or after in _RENAMED.get(before, "").split():
        return True
    if after in equivalences().names.get(before, ()):
        return True
    return _squashed(old) == _squashed(new) or _squashed(before) == _squashed(after)


def _squashed(name: str) -> str:
    return name.replace(".", "").replace("_", "").lower()


def same_place(old: str, new: str) -> bool:
    """Return whether two trainings use the same variables, or two metrics measure the same ones.

    Args:
        old: The key of a fact, see `FactKind.TRAINED_ON` and `FactKind.MEASURED`.
        new: Another one.
    """
    before, after = old.partition("("), new.partition("(")
    if before[0] != after[0] and before[1] and not is_rename(before[0], after[0]):
        return False
    one, other = (
        {word for word in (part[2] or part[0]).strip("()").split(", ") if word}
        for part in (before, after)
    )
    return one == other or not (one and other)

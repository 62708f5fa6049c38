"""Which of the experiment's settings a change really changes, from the facts before and after."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.experiment.parameters import (
    MATTERS,
    SEEDS,
    TRAINING_LENGTH,
    parameter_name,
    spellings,
)
from mle_modernizer_server.fixing.integrity.equivalences import (
    equivalences,
    is_old_default,
    same_value,
)

_WITHOUT_EFFECT = frozenset({("decay", "0.0"), ("decay", "0"), ("random_state", "None")})
"""Settings that mean the same as none."""


@dataclass(frozen=True)
class SettingChange:
    """A setting that has another value, is no longer set, or is set for the first time.

    Attributes:
        name: Its name, one for all libraries.
        old: The removed fact; None if there is none.
        new: The added fact; None if there is none.
    """

    name: str
    old: Fact | None
    new: Fact | None


def settings_changed(before: Counter[Fact], after: Counter[Fact]) -> list[SettingChange]:
    """Return the settings that differ, without those that a known change of a library explains.

    No difference are a setting in another call, a keyword instead of a position, another name or a
    value of the same meaning, and an old default that is written out.
    """
    removed = _of(before - after)
    added = _of(after - before)
    changes: list[SettingChange] = []
    for old in removed:
        twin = next((new for new in added if _same(old, new)), None)
        if twin is not None:
            added.remove(twin)
        elif not _explained(old, before, after):
            other = next((new for new in added if new.key == old.key), None)
            if other is not None:
                added.remove(other)
            changes.append(SettingChange(old.key, old, other))
    written = {fact.key for fact in before if fact.kind is FactKind.WRITTEN}
    for new in added:
        is_explained = new.value == "…" or (new.value in written and new.key not in SEEDS)
        is_explained = is_explained or _renamed(new, before, after)
        if not (is_explained or _is_default(new)):
            changes.append(SettingChange(new.key, None, new))
    return changes


def matters_when_new(change: SettingChange) -> bool:
    """Return whether setting something for the first time deserves a note to the reviewer."""
    return change.old is not None or change.name in TRAINING_LENGTH | SEEDS


def _of(facts: Counter[Fact]) -> list[Fact]:
    return [fact for fact in facts.elements() if fact.kind is FactKind.PARAMETER]


def _same(old: Fact, new: Fact) -> bool:
    if old.key == new.key:
        if same_value(old.key, old.value, new.value):
            return True
        return new.value in equivalences().values.get((old.key, old.value), ())
    # gensim's iter is epochs, Conv2D's subsample is strides
    renamed = map(parameter_name, _successors(old.key))
    return old.value == new.value and new.key in renamed


def _explained(old: Fact, before: Counter[Fact], after: Counter[Fact]) -> bool:
    """Return whether a known change removed or renamed an argument."""
    if (old.key, old.value) in _WITHOUT_EFFECT:
        return True
    added = {name for _, name in _arguments(after - before)}
    return any(
        (function, name) in equivalences().removed
        or any(parameter_name(one) not in MATTERS for one in added & _successors(name))
        for function, name in _arguments(before - after)
        if parameter_name(name) == old.key
    )


def _renamed(new: Fact, before: Counter[Fact], after: Counter[Fact]) -> bool:
    """Return whether a known change renamed a removed argument to a new one."""
    lost = _arguments(before - after)
    return any(new.key in map(parameter_name, _successors(name)) for _, name in lost)


def _arguments(facts: Counter[Fact]) -> set[tuple[str, str]]:
    """Return the named arguments, each with its function."""
    keys = (fact.key.rpartition(".") for fact in facts if fact.kind is FactKind.ARGUMENT)
    return {(function, name) for function, _, name in keys}


def _successors(name: str) -> set[str]:
    """Return the new names of an argument."""
    return equivalences().arguments.get(name, set())


def _is_default(fact: Fact) -> bool:
    if is_old_default(fact.key, fact.value):
        return True
    return any(
        value == fact.value and parameter_name(name) == fact.key
        for name, value in equivalences().defaults
    )


def is_less(old: str, new: str) -> bool:
    """Return whether a number became smaller."""
    try:
        return float(new) < float(old)
    except ValueError:
        return False


def was_set(source: str, name: str, value: str) -> bool:
    """Return whether some text sets a parameter to a value, under any of its names."""
    pattern = (
        rf"\b(?:{'|'.join(map(re.escape, spellings(name)))})\s*=\s*{re.escape(value)}(?![\w.])"
    )
    return bool(re.search(pattern, source))

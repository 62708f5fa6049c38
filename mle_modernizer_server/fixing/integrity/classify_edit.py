"""Classify the meaning of an edit for the experiment from the differences of both versions."""

from __future__ import annotations

from collections import Counter

from mle_modernizer_server.code.differences import (
    Difference,
    Kind,
    compare_cells,
    compare_expressions,
)
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.experiment.parameters import MATTERS, parameter_name
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import GRAVITY, CellEdit, EditKind, Meaning
from mle_modernizer_server.fixing.integrity import constants
from mle_modernizer_server.fixing.integrity.equivalences import STAND_INS, is_rename, same_place
from mle_modernizer_server.fixing.integrity.settings_changed import settings_changed

_STEPS = (FactKind.TRAINING, FactKind.FEATURE, FactKind.MODEL)
_EXPERIMENT_FACTS = (*_STEPS, FactKind.THINNING, FactKind.TRANSFORMER)
_SPEED_ARGUMENTS = frozenset({"n_jobs", "device", "low_memory", "engine", "nthread", "num_threads"})
_MEANINGS = {
    Kind.RESPELLED: Meaning.RENAME,
    Kind.DISPLAYED: Meaning.DISPLAY,
    Kind.MACHINE: Meaning.SPEED,
    Kind.UNITS: Meaning.EXPERIMENT,
    Kind.LENGTH: Meaning.EXPERIMENT,
    Kind.ROWS: Meaning.EXPERIMENT,
    Kind.COLUMNS: Meaning.EXPERIMENT,
    Kind.OUTSIDE_VALUES: Meaning.EXPERIMENT,
    Kind.SCORES: Meaning.EXPERIMENT,
    Kind.OTHER: Meaning.OTHER,
}
"""Of the differences that mean the same whatever differs."""


def classify(edit: CellEdit) -> Meaning:
    """Return the meaning of an edit.

    It errs on the safe side: differences that are not known to be harmless are `other`, and those
    in data, features, models, parameters, seeds or splits are `experiment`.
    """
    if edit.cell_type is not CellType.CODE:
        return Meaning.DISPLAY
    try:
        cell = compare_cells(edit.base_source, edit.new_source, is_rename)
    except SyntaxError:
        return Meaning.OTHER  # e.g. Python 2: nothing to compare with
    if cell.is_same_code:  # only comments and layout differ
        return Meaning.DISPLAY
    if cell.is_same_form:  # e.g. chained assignment and its `loc` form
        return Meaning.BEHAVIOUR_RESTORED
    meanings = {_meaning(one) for one in cell.differences}
    adds_steps = edit.kind is not EditKind.MODIFY and any(
        fact.kind in _STEPS for fact in (*cell.old, *cell.new)
    )
    if adds_steps or _changes_experiment(cell.old, cell.new):
        meanings.add(Meaning.EXPERIMENT)
    stands_in = any(
        name in cell.removed and cell.added.keys() & others for name, others in STAND_INS.items()
    )
    if Meaning.OTHER in meanings and stands_in:
        meanings = (meanings - {Meaning.OTHER}) | {Meaning.BEHAVIOUR_RESTORED}
    return max(meanings, key=GRAVITY.index, default=Meaning.DISPLAY)


def _meaning(one: Difference) -> Meaning:
    if one.kind is Kind.NAME:
        return Meaning.RENAME if is_rename(str(one.old), str(one.new)) else Meaning.OTHER
    if one.kind is Kind.LITERAL:
        return constants.compare(one.old, one.new, one.places)
    if one.kind is Kind.SHOWN_KEY:  # the training's score for the validation's
        meaning = constants.compare(one.old, one.new, frozenset())
        return meaning if meaning is Meaning.EXPERIMENT else Meaning.DISPLAY
    if one.kind is Kind.ARGUMENT_ADDED:
        return Meaning.SPEED if one.new in _SPEED_ARGUMENTS else Meaning.DEFAULT_PINNED
    if one.kind is Kind.ENTRY:
        is_pinned = one.new is not None and parameter_name(str(one.new)) in MATTERS
        return Meaning.DEFAULT_PINNED if is_pinned else Meaning.OTHER
    return _MEANINGS[one.kind]


def _changes_experiment(before: Counter[Fact], after: Counter[Fact]) -> bool:
    for kind in _EXPERIMENT_FACTS:
        if _differ(_of(before - after, kind), _of(after - before, kind)):
            return True
    for kind in (FactKind.TRAINED_ON, FactKind.MEASURED):
        removed, added = _of(before - after, kind), _of(after - before, kind)
        for old, new in zip(removed, added, strict=False):
            if not same_place(old.key, new.key):
                return True
    had, has = (_of(facts, FactKind.MEASURED).total() for facts in (before, after))
    if has < had or _of(after - before, FactKind.CONDITION):
        return True
    asserted, asserts = (_of(facts, FactKind.ASSERTION) for facts in (before, after))
    lost = asserted - asserts
    if asserts.total() < asserted.total() and any("version" not in one.key for one in lost):
        return True
    return _loosened(lost, asserts - asserted) or bool(settings_changed(before, after))


def _loosened(removed: Counter[Fact], added: Counter[Fact]) -> bool:
    """Return whether an assertion checks something else than the one that it replaces."""
    for old, new in zip(removed.elements(), added.elements(), strict=False):
        try:
            differences = compare_expressions(old.key, new.key, is_rename)
        except SyntaxError:
            continue  # a long one, of which the key is the beginning
        bold = {Meaning.OTHER, Meaning.EXPERIMENT} & set(map(_meaning, differences))
        if bold and "version" not in old.key:
            return True
    return False


def _differ(removed: Counter[Fact], added: Counter[Fact]) -> bool:
    """Return whether facts were added or removed that are not each other under another name."""
    remaining = list(added.elements())
    for fact in removed.elements():
        twin = next((new for new in remaining if is_rename(fact.key, new.key)), None)
        if twin is None:
            return True
        remaining.remove(twin)
    return bool(remaining)


def _of(facts: Counter[Fact], kind: FactKind) -> Counter[Fact]:
    return Counter({fact: number for fact, number in facts.items() if fact.kind is kind})

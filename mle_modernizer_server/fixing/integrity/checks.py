"""The notes a reviewer needs on a patch; blockers make it unacceptable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from mle_modernizer_server.code.canonical.library_forms import ONE_VS_REST
from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.experiment.learning import measured_pairs, mixed_with
from mle_modernizer_server.code.experiment.parameters import SEEDS, SPLITS, TRAINING_LENGTH
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    IntegrityNote,
    IntegritySeverity,
)
from mle_modernizer_server.fixing.integrity.changes import Located, PatchChange, changes_of
from mle_modernizer_server.fixing.integrity.comparison import in_one_form, patched_sources
from mle_modernizer_server.fixing.integrity.equivalences import is_gone, is_rename, same_place
from mle_modernizer_server.fixing.integrity.lineage import lineage_notes
from mle_modernizer_server.fixing.integrity.notes import BLOCKING, note
from mle_modernizer_server.fixing.integrity.settings_changed import (
    is_less,
    matters_when_new,
    settings_changed,
    was_set,
)

_THINNED = frozenset(
    {"thinned.nrows", "thinned.n_rows", "thinned.skiprows", "thinned.skipfooter"}
    | {"thinned.sample", "thinned.slice"}
)
"""Ways to use fewer data that have a text of their own."""
_OF_DATA = frozenset({"training-data-changed", "metric-changed"})
"""Codes of the notes on other variables that are trained on or measured."""
# Models that only got another name.
_RENAMED_MODELS = {("RandomizedPCA", "PCA"), ("GMM", "GaussianMixture")}


def check_patch(
    notebook: Notebook,
    edits: Sequence[CellEdit],
    *,
    competition: Competition | None = None,
    errors: Sequence[CellError] = (),
) -> tuple[IntegrityNote, ...]:
    """Return the notes on the effects of a patch on the honesty of the experiment.

    Args:
        notebook: The notebook without the patch.
        edits: The patch. For edits that a rule made and that do not touch the experiment, only
            blockers are looked for: their effect on parameters is known and tested.
        competition: Names the columns with predictions, if known.
        errors: Of the run that the edits were made for: names that it did not find, and near ones.

    Returns:
        Blockers first, then warnings.
    """
    targets = frozenset(competition.target_columns) if competition else frozenset()
    notes = list(static_notes(notebook, edits, targets))
    if any(one.code in _OF_DATA for one in notes):
        plain = in_one_form(notebook, edits, errors)
        in_plain = notes if plain == tuple(edits) else static_notes(notebook, plain, targets)
        real = {(one.code, one.cell_id) for one in in_plain}
        notes = [
            one for one in notes if one.code not in _OF_DATA or (one.code, one.cell_id) in real
        ]
    notes += lineage_notes(notebook, edits, targets)
    unique = {(one.code, one.message, one.cell_id): one for one in reversed(notes)}
    ordered = list(reversed(unique.values()))
    return tuple(sorted(ordered, key=lambda one: one.severity is IntegritySeverity.WARNING))


def static_notes(
    notebook: Notebook, edits: Sequence[CellEdit], targets: frozenset[str]
) -> tuple[IntegrityNote, ...]:
    """Return the notes that follow from the changed code alone, cell by cell."""
    change = changes_of(notebook, edits)
    return (
        *_blockers(change),
        *_losses(change),
        *_warnings(change),
        *_target_constants(change, targets),
        *_mixed_with_truth(notebook, edits),
    )


def _blockers(change: PatchChange) -> Iterator[IntegrityNote]:
    for kind in FactKind:
        for located in change.added(kind) if kind.value in BLOCKING else ():
            if not _was_written(located):
                yield located.note(kind.value, key=located.fact.key)
    for located in change.added(FactKind.LIBRARY_FUNCTION):
        if not is_gone(located.fact.key.rpartition(".")[2]):
            yield located.note(FactKind.REPLACED.value, key=located.fact.key)


def _was_written(located: Located) -> bool:
    """Return whether the old cell has the same thing in a form that reads otherwise, as Python
    2's."""
    key = located.fact.key
    if located.fact.kind is FactKind.PROCESS and key == "exec":
        return bool(re.search(r"\bexec(?:file)?\b", located.edit.base_source))
    if located.fact.kind is FactKind.PROCESS and key.endswith(".loads"):  # `cPickle` of Python 2
        return ".loads(" in located.edit.base_source
    if located.fact.kind is FactKind.NETWORK:  # `urllib.urlretrieve` of Python 2
        words = {key.partition(".")[0], key.rpartition(".")[2]}
        return bool(words & set(re.findall(r"\w+", located.edit.base_source)))
    number = key.lstrip("-").replace(".", "", 1).isdigit()
    return located.fact.kind is FactKind.FIXED_SCORE and number and key in located.edit.base_source


def _losses(change: PatchChange) -> Iterator[IntegrityNote]:
    """Yield notes on models and training steps that are removed."""
    if change.loses(FactKind.TRAINING):
        for located in change.removed(FactKind.TRAINING)[:1]:
            yield located.note("training-dropped")
    had, has = (
        sum(number for fact, number in facts.items() if fact.kind is FactKind.MODEL and _fits(fact))
        for facts in (change.before, change.after)
    )
    if has < had:
        come = {located.fact.key for located in change.added(FactKind.MODEL)}
        removed = [one for one in change.removed(FactKind.MODEL) if _fits(one.fact)]
        for located in removed[:1]:
            if located.fact.key not in come:
                yield located.note("model-dropped", key=located.fact.key)


def _fits(fact: Fact) -> bool:
    """Return whether a model is one by itself, not a way to train another."""
    return fact.key != ONE_VS_REST


def _warnings(change: PatchChange) -> Iterator[IntegrityNote]:
    for located in change.added(FactKind.THINNING):
        key = located.fact.key
        code = f"thinned.{key}"
        what = coded(code) if code in _THINNED else coded("thinned.part", name=key)
        if not located.is_known:
            yield located.note(FactKind.THINNING.value, what=what)
    if change.loses(FactKind.FEATURE, FactKind.TRAINING):
        for located in change.removed(FactKind.FEATURE)[:1]:
            yield located.note("feature-step-dropped")
    yield from _changed_models(change)
    yield from _changed_parameters(change)
    yield from _changed_places(change)


def _changed_models(change: PatchChange) -> Iterator[IntegrityNote]:
    gone = sorted({located.fact.key for located in change.removed(FactKind.MODEL)})
    for located in change.added(FactKind.MODEL):
        name = located.fact.key
        renamed = any((old, name) in _RENAMED_MODELS or is_rename(old, name) for old in gone)
        if gone and not renamed and not located.is_known:
            yield located.note("model-changed", gone=", ".join(gone), name=name)


def _changed_parameters(change: PatchChange) -> Iterator[IntegrityNote]:
    places = {
        **{located.fact: located for located in change.removed(FactKind.PARAMETER)},
        **{located.fact: located for located in change.added(FactKind.PARAMETER)},
    }
    for one in settings_changed(change.before, change.after):
        old = None if one.old is None else places.get(one.old)
        new = None if one.new is None else places.get(one.new)
        where = new or old
        if where is None or where.is_known or not matters_when_new(one):
            continue
        if old is None and new is not None:
            if was_set(new.edit.base_source, one.name, new.fact.value):
                continue  # in code that only Python 2 reads
            yield _changed(one.name, coded("setting.new", name=one.name, new=new.fact.value), new)
        elif old is not None:
            yield _parameter_note(one.name, old, new)


def _parameter_note(name: str, old: Located, new: Located | None) -> IntegrityNote:
    before = old.fact.value
    if new is None:
        return _changed(name, coded("setting.gone", name=name, old=before), old)
    after = new.fact.value
    if name in TRAINING_LENGTH and is_less(before, after):
        return new.note("training-cut", name=name, old=before, new=after)
    return _changed(name, coded("setting.changed", name=name, old=before, new=after), new)


def _changed(name: str, change: Messages, located: Located) -> IntegrityNote:
    if name in SEEDS:
        code = "seed-changed"
    elif name in SPLITS:
        code = "split-changed"
    else:
        code = "hyper-parameter-changed"
    return located.note(code, change=change)


def _changed_places(change: PatchChange) -> Iterator[IntegrityNote]:
    """Yield notes on removed assertions, on other data and metrics, and on new conditions."""
    moved = {located.fact.key for located in change.added(FactKind.ASSERTION)}
    for located in change.removed(FactKind.ASSERTION) if change.loses(FactKind.ASSERTION) else ():
        if located.fact.key not in moved:
            yield located.note("assertion-dropped", key=located.fact.key)
    for kind, code in (
        (FactKind.TRAINED_ON, "training-data-changed"),
        (FactKind.MEASURED, "metric-changed"),
    ):
        gone, come = change.removed(kind), change.added(kind)
        for old, new in zip_longest(gone, come):
            if old is None or (new is not None and same_place(old.fact.key, new.fact.key)):
                continue
            where = new or old
            is_noted = kind is FactKind.TRAINED_ON and new is None  # a loss that has its own note
            if not (is_noted or where.is_known):
                became = coded("metric-given.nothing") if new is None else new.fact.key
                yield where.note(code, old=old.fact.key, new=became)
    for located in change.added(FactKind.CONDITION):
        if not located.is_known:
            yield located.note("training-conditional", key=located.fact.key)


def _mixed_with_truth(notebook: Notebook, edits: Sequence[CellEdit]) -> Iterator[IntegrityNote]:
    """Yield notes on predictions of a metric that an edit computes from the true values."""
    trees = [shared_tree(source) for _, source in patched_sources(notebook, edits)]
    pairs = {pair for tree in trees for pair in measured_pairs(tree)}
    for edit in edits:
        if edit.cell_type is CellType.CODE and pairs:
            had = {key for key, _ in mixed_with(shared_tree(edit.base_source), pairs)}
            for key, line in mixed_with(shared_tree(edit.new_source), pairs):
                if key not in had:
                    yield note("prediction-from-truth", edit.cell_id, line, key=key)


def _target_constants(change: PatchChange, targets: frozenset[str]) -> Iterator[IntegrityNote]:
    for located in change.added(FactKind.CONSTANT_COLUMN):
        if located.fact.key in targets:
            yield located.note(FactKind.CONSTANT_PREDICTION.value, key=located.fact.key)

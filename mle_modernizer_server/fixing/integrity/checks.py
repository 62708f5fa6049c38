"""The notes a reviewer needs on a patch; blockers make it unacceptable."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    IntegrityNote,
    IntegritySeverity,
    Meaning,
)
from mle_modernizer_server.fixing.integrity.changes import Located, PatchChange, changes_of
from mle_modernizer_server.fixing.integrity.code_facts import FactKind
from mle_modernizer_server.fixing.integrity.lineage import lineage_notes
from mle_modernizer_server.fixing.integrity.parameters import (
    SEEDS,
    SPLITS,
    TRAINING_LENGTH,
    is_less,
    is_old_default,
    same_value,
)
from mle_modernizer_server.fixing.integrity.renames import is_rename
from mle_modernizer_server.fixing.integrity.wording import note

_BLOCKED = (
    FactKind.PRIVATE,
    FactKind.OLD_SUBMISSION,
    FactKind.CONSTANT_PREDICTION,
    FactKind.FIXED_SCORE,
    FactKind.NETWORK,
    FactKind.PROCESS,
    FactKind.DELETION,
    FactKind.SWALLOWED,
    FactKind.KNOWS_NOTHING,
    FactKind.REPLACED,
    FactKind.FIXED_METRIC,
    FactKind.OTHER_DATA,
    FactKind.ENDED,
)
_THINNED = {
    "nrows": "Fewer rows are read (nrows).",
    "n_rows": "Fewer rows are read (n_rows).",
    "skiprows": "Rows are skipped when reading (skiprows).",
    "skipfooter": "Rows are skipped when reading (skipfooter).",
    "sample": "The data is sampled (.sample).",
    "slice": "The data is cut by a slice.",
}
# Models that only got another name.
_RENAMED_MODELS = {("RandomizedPCA", "PCA"), ("GMM", "GaussianMixture")}


def check_patch(
    notebook: Notebook, edits: Sequence[CellEdit], *, competition: Competition | None = None
) -> tuple[IntegrityNote, ...]:
    """What a patch does to the honesty of the experiment.

    Args:
        notebook: What the edits were made for.
        edits: The patch. For edits that a rule made and that do not touch the experiment, only
            blockers are looked for: their effect on parameters is known and tested.
        competition: Names the columns that hold predictions, where it is known.

    Returns:
        Blockers first, then warnings.
    """
    targets = frozenset(competition.target_columns) if competition else frozenset()
    notes = list(static_notes(notebook, edits, targets))
    notes += lineage_notes(notebook, edits, targets)
    unique = {(one.code, one.message, one.cell_id): one for one in reversed(notes)}
    ordered = list(reversed(unique.values()))
    return tuple(sorted(ordered, key=lambda one: one.severity is IntegritySeverity.WARNING))


def static_notes(
    notebook: Notebook, edits: Sequence[CellEdit], targets: frozenset[str]
) -> tuple[IntegrityNote, ...]:
    """What the changed code alone says, cell by cell."""
    change = changes_of(notebook, edits)
    return (
        *_blockers(change),
        *_losses(change),
        *_warnings(change),
        *_target_constants(change, targets),
    )


def _blockers(change: PatchChange) -> Iterator[IntegrityNote]:
    for kind in _BLOCKED:
        for found in change.added(kind):
            yield note(kind.value, found.edit.cell_id, found.line, key=found.fact.key)


def _losses(change: PatchChange) -> Iterator[IntegrityNote]:
    """Models and training steps that are gone."""
    if change.count(FactKind.TRAINING, after=True) < change.count(FactKind.TRAINING, after=False):
        for found in change.removed(FactKind.TRAINING)[:1]:
            yield note("training-dropped", found.edit.cell_id, found.line, key="")
    if change.count(FactKind.MODEL, after=True) < change.count(FactKind.MODEL, after=False):
        come = {found.fact.key for found in change.added(FactKind.MODEL)}
        for found in change.removed(FactKind.MODEL)[:1]:
            if found.fact.key not in come:
                yield note("model-dropped", found.edit.cell_id, found.line, key=found.fact.key)


def _warnings(change: PatchChange) -> Iterator[IntegrityNote]:
    for found in change.added(FactKind.THINNING):
        key = found.fact.key
        what = _THINNED.get(key, f"Only a part of the data is used (.{key}).")
        if not _known_rule(found.edit):
            yield note(FactKind.THINNING.value, found.edit.cell_id, found.line, what=what)
    features = (FactKind.FEATURE, FactKind.TRAINING)
    if sum(change.count(kind, after=True) for kind in features) < sum(
        change.count(kind, after=False) for kind in features
    ):
        for found in change.removed(FactKind.FEATURE)[:1]:
            yield note("feature-step-dropped", found.edit.cell_id, found.line)
    yield from _changed_models(change)
    yield from _changed_parameters(change)
    yield from _changed_places(change)


def _changed_models(change: PatchChange) -> Iterator[IntegrityNote]:
    gone = sorted({found.fact.key for found in change.removed(FactKind.MODEL)})
    for found in change.added(FactKind.MODEL):
        name = found.fact.key
        renamed = any((old, name) in _RENAMED_MODELS or is_rename(old, name) for old in gone)
        if gone and not renamed and not _known_rule(found.edit):
            yield note(
                "model-changed", found.edit.cell_id, found.line, gone=", ".join(gone), name=name
            )


def _changed_parameters(change: PatchChange) -> Iterator[IntegrityNote]:
    gone: dict[str, list[Located]] = defaultdict(list)
    come: dict[str, list[Located]] = defaultdict(list)
    for collected, facts in (
        (gone, change.removed(FactKind.PARAMETER)),
        (come, change.added(FactKind.PARAMETER)),
    ):
        for found in facts:
            if not _known_rule(found.edit):
                collected[found.fact.key].append(found)
    for name in {**gone, **come}:
        for old in gone[name]:
            if any(same_value(name, old.fact.value, new.fact.value) for new in come[name]):
                continue
            yield _parameter_note(name, old, come[name][0] if come[name] else None)
        if not gone[name] and name in TRAINING_LENGTH | SEEDS:
            for new in come[name]:
                if new.fact.value != "…" and not is_old_default(name, new.fact.value):
                    what = f"{name} is now set to {new.fact.value}."
                    yield _changed(name, what, new)


def _parameter_note(name: str, old: Located, new: Located | None) -> IntegrityNote:
    before = old.fact.value
    if new is None:
        return _changed(name, f"{name} is no longer set to {before}.", old)
    after = new.fact.value
    if name in TRAINING_LENGTH and is_less(before, after):
        return note("training-cut", new.edit.cell_id, new.line, name=name, old=before, new=after)
    return _changed(name, f"{name} was {before} and is {after}.", new)


def _changed(name: str, change: str, found: Located) -> IntegrityNote:
    if name in SEEDS:
        code = "seed-changed"
    elif name in SPLITS:
        code = "split-changed"
    else:
        code = "hyper-parameter-changed"
    return note(code, found.edit.cell_id, found.line, change=change)


def _changed_places(change: PatchChange) -> Iterator[IntegrityNote]:
    """Assertions that are gone, data and metrics that are others, conditions that are new."""
    kept = Counter(found.fact.key for found in change.added(FactKind.ASSERTION))
    for found in change.removed(FactKind.ASSERTION):
        lost = change.count(FactKind.ASSERTION, after=False) > change.count(
            FactKind.ASSERTION, after=True
        )
        if lost and not kept[found.fact.key]:
            yield note("assertion-dropped", found.edit.cell_id, found.line, key=found.fact.key)
    for kind, code in (
        (FactKind.TRAINED_ON, "training-data-changed"),
        (FactKind.MEASURED, "metric-changed"),
    ):
        for old, new in zip(change.removed(kind), change.added(kind), strict=False):
            if _same_words(old.fact.key, new.fact.key) or _known_rule(new.edit):
                continue
            yield note(code, new.edit.cell_id, new.line, old=old.fact.key, new=new.fact.key)
    for found in change.added(FactKind.CONDITION):
        if not _known_rule(found.edit):
            yield note("training-conditional", found.edit.cell_id, found.line, key=found.fact.key)


def _same_words(old: str, new: str) -> bool:
    """Whether the same variables are spoken of, or one name stands for several."""
    before, after = set(old.split(", ")), set(new.split(", "))
    return before == after or not (before and after) or old.partition("(")[2] == "" == new


def _known_rule(edit: CellEdit) -> bool:
    return bool(edit.rules) and edit.meaning is not Meaning.EXPERIMENT


def _target_constants(change: PatchChange, targets: frozenset[str]) -> Iterator[IntegrityNote]:
    for found in change.added(FactKind.CONSTANT_COLUMN):
        if found.fact.key in targets:
            code = FactKind.CONSTANT_PREDICTION.value
            yield note(code, found.edit.cell_id, found.line, key=found.fact.key)

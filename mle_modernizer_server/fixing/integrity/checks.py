"""The notes a reviewer needs on a patch; blockers make it unacceptable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    IntegrityNote,
    IntegritySeverity,
    Meaning,
)
from mle_modernizer_server.fixing.integrity.changes import PatchChange, changes_of
from mle_modernizer_server.fixing.integrity.code_facts import FactKind
from mle_modernizer_server.fixing.integrity.parameters import (
    SEEDS,
    SPLITS,
    TRAINING_LENGTH,
    is_less,
    is_old_default,
    same_value,
)

_BLOCKED = {
    FactKind.PRIVATE: "It reads the answers of the competition ({key}).",
    FactKind.OLD_SUBMISSION: "It reads a submission that already exists ({key}).",
    FactKind.CONSTANT_PREDICTION: "It writes a constant as prediction (column {key}).",
    FactKind.FIXED_SCORE: "It writes a score down instead of computing it ({key}).",
    FactKind.NETWORK: "It reaches for the network ({key}).",
    FactKind.PROCESS: "It runs code or commands that cannot be reviewed ({key}).",
    FactKind.DELETION: "It deletes files ({key}).",
    FactKind.SWALLOWED: "It swallows errors around a training.",
}
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
    change = changes_of(notebook, edits)
    notes = [*_blockers(change), *_losses(change), *_warnings(change)]
    notes += _target_constants(change, targets)
    unique = dict.fromkeys(notes)
    return tuple(sorted(unique, key=lambda note: note.severity is IntegritySeverity.WARNING))


def _note(kind: str, message: str, edit: CellEdit, *, warning: bool = False) -> IntegrityNote:
    return IntegrityNote(
        severity=IntegritySeverity.WARNING if warning else IntegritySeverity.BLOCKER,
        code=kind,
        message=message,
        cell_id=edit.cell_id,
    )


def _blockers(change: PatchChange) -> Iterator[IntegrityNote]:
    for kind, message in _BLOCKED.items():
        for fact, edit in change.added(kind):
            yield _note(kind.value, message.format(key=fact.key), edit)


def _losses(change: PatchChange) -> Iterator[IntegrityNote]:
    """Models and training steps that are gone."""
    for kind, code, message in (
        (FactKind.TRAINING, "training-dropped", "A training step is gone."),
        (FactKind.MODEL, "model-dropped", "A model is gone."),
    ):
        if change.count(kind, after=True) < change.count(kind, after=False):
            for fact, edit in change.removed(kind)[:1]:
                named = f"{message[:-1]}: {fact.key}." if fact.key else message
                yield _note(code, named, edit)


def _warnings(change: PatchChange) -> Iterator[IntegrityNote]:
    for fact, edit in change.added(FactKind.THINNING):
        message = _THINNED.get(fact.key, f"Only a part of the data is used (.{fact.key}).")
        if not _known_rule(edit):
            yield _note(FactKind.THINNING.value, message, edit, warning=True)
    features = (FactKind.FEATURE, FactKind.TRAINING)
    if sum(change.count(kind, after=True) for kind in features) < sum(
        change.count(kind, after=False) for kind in features
    ):
        for _, edit in change.removed(FactKind.FEATURE)[:1]:
            message = "A step that prepares features is gone (.fit_transform)."
            yield _note("feature-step-dropped", message, edit, warning=True)
    yield from _changed_models(change)
    yield from _changed_parameters(change)


def _changed_models(change: PatchChange) -> Iterator[IntegrityNote]:
    gone = sorted({fact.key for fact, _ in change.removed(FactKind.MODEL)})
    come = [(fact.key, edit) for fact, edit in change.added(FactKind.MODEL)]
    for name, edit in come:
        if gone and not any((old, name) in _RENAMED_MODELS for old in gone):
            message = f"Another model: {', '.join(gone)} became {name}."
            if not _known_rule(edit):
                yield _note("model-changed", message, edit, warning=True)


def _changed_parameters(change: PatchChange) -> Iterator[IntegrityNote]:
    gone: dict[str, list[tuple[str, CellEdit]]] = defaultdict(list)
    come: dict[str, list[tuple[str, CellEdit]]] = defaultdict(list)
    for found, facts in (
        (gone, change.removed(FactKind.PARAMETER)),
        (come, change.added(FactKind.PARAMETER)),
    ):
        for fact, edit in facts:
            if not _known_rule(edit):
                found[fact.key].append((fact.value, edit))
    for name in {**gone, **come}:
        for old, edit in gone[name]:
            if any(same_value(name, old, new) for new, _ in come[name]):
                continue
            if not come[name]:
                yield _parameter_note(name, f"{name} is no longer set to {old}.", edit)
                continue
            new, where = come[name][0]
            if name in TRAINING_LENGTH and is_less(old, new):
                message = f"Training is cut: {name} was {old} and is {new}."
                yield _note("training-cut", message, where, warning=True)
            else:
                yield _parameter_note(name, f"{name} was {old} and is {new}.", where)
        if not gone[name] and name in TRAINING_LENGTH | SEEDS:
            for new, edit in come[name]:
                if new != "…" and not is_old_default(name, new):
                    yield _parameter_note(name, f"{name} is now set to {new}.", edit)


def _parameter_note(name: str, message: str, edit: CellEdit) -> IntegrityNote:
    if name in SEEDS:
        code = "seed-changed"
    elif name in SPLITS:
        code = "split-changed"
    else:
        code = "hyper-parameter-changed"
    return _note(code, message, edit, warning=True)


def _known_rule(edit: CellEdit) -> bool:
    return bool(edit.rules) and edit.meaning is not Meaning.EXPERIMENT


def _target_constants(change: PatchChange, targets: frozenset[str]) -> Iterator[IntegrityNote]:
    for fact, edit in change.added(FactKind.CONSTANT_COLUMN):
        if fact.key in targets:
            message = _BLOCKED[FactKind.CONSTANT_PREDICTION].format(key=fact.key)
            yield _note(FactKind.CONSTANT_PREDICTION.value, message, edit)

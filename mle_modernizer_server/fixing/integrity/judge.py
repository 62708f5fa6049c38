"""Judge a patch edit by edit: leave out a bad one and its dependents, accept the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.names import names_in
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import (
    GRAVITY,
    CellEdit,
    EditKind,
    IntegrityNote,
    IntegritySeverity,
    Meaning,
    Proposal,
)
from mle_modernizer_server.fixing.integrity.checks import check_patch
from mle_modernizer_server.fixing.integrity.classify_edit import classify
from mle_modernizer_server.fixing.integrity.comparison import in_one_form
from mle_modernizer_server.fixing.integrity.experiment_changes import changes_over_cells
from mle_modernizer_server.fixing.integrity.lineage import predicts
from mle_modernizer_server.fixing.integrity.missing_names import near_names, with_near_names

_FEWER = frozenset({"training-dropped", "model-dropped"})


@dataclass(frozen=True)
class LeftOut:
    """An edit that is left out.

    Attributes:
        edit: The edit.
        notes: Problems of the edit; empty if it only depends on another that is left out.
        needs: Ids of the cells whose edits were left out and that it depends on.
    """

    edit: CellEdit
    notes: tuple[IntegrityNote, ...] = ()
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """The accepted part of a patch.

    Attributes:
        edits: The accepted edits in their order; each finds the cells it names.
        notes: Notes on them for the reviewer; none of them blocks.
        left_out: The other edits.
    """

    edits: tuple[CellEdit, ...]
    notes: tuple[IntegrityNote, ...]
    left_out: tuple[LeftOut, ...] = ()


def judge_edits(
    notebook: Notebook,
    edits: Sequence[CellEdit],
    *,
    competition: Competition | None = None,
    errors: Sequence[CellError] = (),
    outside_data: bool = False,
    fewer_models: bool = False,
) -> Judgement:
    """Judge a patch edit by edit.

    Args:
        notebook: The notebook without the patch.
        edits: The patch.
        competition: Names the columns with predictions, if known.
        errors: Of the run that the edits were made for: names that it did not find, and near ones.
        outside_data: Data that libraries bring may be used: there is no competition to be fair to.
        fewer_models: Allow fewer models and training steps, if a fitted model certainly predicts
            all that is submitted: the score is the aim.
    """
    standing = list(edits)
    left_out: list[LeftOut] = []
    had = frozenset(name for cell in notebook.code_cells() for name in _bound(cell.source))
    while True:
        notes = check_patch(notebook, standing, competition=competition, errors=errors)
        if outside_data:
            notes = tuple(one for one in notes if one.code != "outside-data")
        if fewer_models and predicts(notebook, standing):
            notes = tuple(one for one in notes if one.code not in _FEWER)
        blockers = [one for one in notes if one.severity is IntegritySeverity.BLOCKER]
        if not blockers:
            return Judgement(with_meanings(notebook, standing, errors), notes, tuple(left_out))
        blamed = _blamed(notebook, standing, blockers, competition)
        removed = [LeftOut(edit, tuple(reasons)) for edit, reasons in blamed]
        removed += _dependents([one.edit for one in removed], standing, had)
        left_out += removed
        ids = {one.edit.id for one in removed}
        standing = _reattached([edit for edit in standing if edit.id not in ids], removed)


def with_meanings(
    notebook: Notebook, edits: Sequence[CellEdit], errors: Sequence[CellError] = ()
) -> tuple[CellEdit, ...]:
    """Return the edits with their meanings in view of the whole notebook and patch.

    A change of the experiment in one cell may be none in all of them: a variable with another name,
    for example. Edits by a rule that a model's fix taught are judged as if the model had written
    them here.

    Args:
        notebook: The notebook without the patch.
        edits: The patch.
        errors: As for `judge_edits`.
    """
    if not errors and all(edit.known for edit in edits):
        return tuple(edits)
    plain = in_one_form(notebook, edits, errors)
    bold = changes_over_cells(notebook, plain)
    near = with_near_names(edits, near_names(errors))
    respelled = {new.id for old, new in zip(edits, near, strict=True) if old != new}
    judged = []
    for edit, plain_edit in zip(edits, plain, strict=True):
        meaning = _meaning(edit, plain_edit, bold)
        if edit.id in respelled:
            meaning = max(meaning, Meaning.RENAME, key=GRAVITY.index)
        judged.append(edit.model_copy(update={"meaning": meaning}))
    return tuple(judged)


def _meaning(edit: CellEdit, plain: CellEdit, bold: Collection[str]) -> Meaning:
    """Return the meaning of an edit, from its plain form and the cells with changes over all
    cells."""
    if edit.cell_id in bold and not edit.known:
        return Meaning.EXPERIMENT
    judged = edit.learned or (edit.meaning is Meaning.EXPERIMENT and not edit.known)
    if not judged:
        return edit.meaning
    meaning = classify(plain)
    if edit.learned and meaning is not Meaning.EXPERIMENT:
        return edit.meaning
    return meaning


def sound_part(
    proposal: Proposal,
    notebook: Notebook,
    *,
    competition: Competition | None = None,
    errors: Sequence[CellError] = (),
    fewer_models: bool = False,
) -> Proposal:
    """Return the accepted part of a proposal, with its notes and a remark for each other edit.

    If no edit is accepted, return the whole proposal with the notes that block it. The arguments
    are those of `judge_edits`.
    """
    judgement = judge_edits(
        notebook,
        proposal.edits,
        competition=competition,
        errors=errors,
        fewer_models=fewer_models,
    )
    if not judgement.edits and judgement.left_out:
        blocking = tuple(note for one in judgement.left_out for note in one.notes)
        return proposal.model_copy(update={"notes": blocking})
    return proposal.model_copy(
        update={
            "edits": judgement.edits,
            "notes": judgement.notes,
            "remarks": proposal.remarks + remarks(judgement.left_out),
        }
    )


def without(proposal: Proposal, edits: Sequence[CellEdit], why: Messages) -> Proposal:
    """Return a proposal without some of its edits and all that depend on them.

    Args:
        proposal: The proposal.
        edits: Edits of it that are left for later.
        why: Reason for the reviewer.
    """
    removed = [LeftOut(edit) for edit in edits]
    removed += _dependents(edits, proposal.edits)
    ids = {one.edit.id for one in removed}
    remaining = [edit for edit in proposal.edits if edit.id not in ids]
    cells = {edit.cell_id for edit in remaining}
    return proposal.model_copy(
        update={
            "edits": tuple(_reattached(remaining, removed)),
            "plan": _plan_of(proposal, remaining, [one.edit for one in removed]),
            "notes": tuple(note for note in proposal.notes if note.cell_id in (None, *cells)),
            "remarks": proposal.remarks + why,
        }
    )


def _plan_of(
    proposal: Proposal, remaining: Sequence[CellEdit], removed: Sequence[CellEdit]
) -> Messages:
    """Return the steps of the plan that are still true: those of more than the removed edits."""
    stay = {part.what for edit in remaining for part in edit.parts}
    lost = {part.what for edit in removed for part in edit.parts} - stay
    # The step of corrected paths also lists them.
    said = {step: str(step.parameters.get("what", "")) for step in proposal.plan}
    return tuple(step for step in proposal.plan if not any(what in said[step] for what in lost))


def dependents(removed: Sequence[CellEdit], edits: Sequence[CellEdit]) -> tuple[CellEdit, ...]:
    """Return the edits of a patch that cannot be applied without some others of it."""
    return tuple(one.edit for one in _dependents(removed, edits))


def _remark(left_out: LeftOut) -> Messages:
    """Return the reason for the reviewer why an edit was left out."""
    cell = left_out.edit.cell_id
    if not left_out.notes:
        return coded("left-out.needs", cell=cell, needs=", ".join(left_out.needs))
    lines = {note.line for note in left_out.notes if note.line is not None}
    reasons = tuple(dict.fromkeys(one for note in left_out.notes for one in note.message))
    if lines:
        return coded("left-out.why-in-line", cell=cell, line=min(lines), why=reasons)
    return coded("left-out.why", cell=cell, why=reasons)


def remarks(left_out: Sequence[LeftOut]) -> Messages:
    """Return the reasons why edits were left out, one after the other."""
    return tuple(one for edit in left_out for one in _remark(edit))


def _blamed(
    notebook: Notebook,
    edits: Sequence[CellEdit],
    blockers: Sequence[IntegrityNote],
    competition: Competition | None,
) -> list[tuple[CellEdit, list[IntegrityNote]]]:
    """Return the edits that cause some blockers: by the cell they name, else by trying without
    each."""
    by_cell = {edit.cell_id: edit for edit in edits}
    by_edit: dict[str, tuple[CellEdit, list[IntegrityNote]]] = {}
    open_notes = []
    for note in blockers:
        edit = by_cell.get(note.cell_id or "")
        if edit is None:
            open_notes.append(note)
        else:
            by_edit.setdefault(edit.id, (edit, []))[1].append(note)
    if by_edit:
        return list(by_edit.values())
    for edit in edits:
        without = _reattached([one for one in edits if one is not edit], [LeftOut(edit)])
        rest = check_patch(notebook, without, competition=competition)
        codes = [note.code for note in rest if note.severity is IntegritySeverity.BLOCKER]
        if len(codes) < len(open_notes):
            return [(edit, open_notes)]
    return [(edit, open_notes) for edit in edits]


def _dependents(
    removed: Sequence[CellEdit], edits: Sequence[CellEdit], had: frozenset[str] = frozenset()
) -> list[LeftOut]:
    """Return the edits in a group with a removed one, and those that read a name of one only.

    Args:
        removed: Edits that are left out.
        edits: The patch.
        had: Names that the notebook binds without the patch.
    """
    missing: dict[str, str] = {}
    groups = {edit.group: edit.cell_id for edit in removed if edit.group}
    mates = [edit for edit in edits if edit not in removed and edit.group in groups]
    others = [edit for edit in edits if edit not in removed and edit not in mates]
    for edit in removed:
        for name in _bound(edit.new_source) - _bound(edit.base_source) - had:
            missing[name] = edit.cell_id
    for edit in others:
        for name in _bound(edit.new_source):
            missing.pop(name, None)
    needing = [LeftOut(edit, needs=(groups[edit.group],)) for edit in mates]
    for edit in others:
        if edit.cell_type is CellType.CODE:
            read = names_in(edit.new_source).read.keys() - names_in(edit.base_source).read.keys()
            cells = dict.fromkeys(missing[name] for name in sorted(read & missing.keys()))
            if cells:
                needing.append(LeftOut(edit, needs=tuple(cells)))
    if needing:
        more = _dependents([*removed, *(one.edit for one in needing)], edits, had)
        ids = {one.edit.id for one in needing}
        needing += [one for one in more if one.edit.id not in ids]
    return needing


def _reattached(edits: Sequence[CellEdit], removed: Sequence[LeftOut]) -> list[CellEdit]:
    """Return the edits, none after a new cell that is left out."""
    lost = {one.edit.cell_id: one.edit.after for one in removed if one.edit.kind is EditKind.INSERT}
    reattached = []
    for edit in edits:
        after = edit.after
        while after in lost:
            after = lost[after]
        reattached.append(edit if after == edit.after else edit.model_copy(update={"after": after}))
    return reattached


def _bound(source: str) -> frozenset[str]:
    names = names_in(source)
    return frozenset((*names.bound, *names.outer))

"""Makes a part of a proposal of paths that were led to the files that are meant."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.message import Message, Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, source_hash
from mle_modernizer_server.domain.proposal import (
    GRAVITY,
    CellEdit,
    EditKind,
    EditPart,
    FixerName,
    Meaning,
    Proposal,
)
from mle_modernizer_server.fixing.rules.engine.staging import plan_step
from mle_modernizer_server.fixing.rules.paths.relocate import Relocated, Seen

RULE = "files-elsewhere"
"""The id of its edits, in place of a rule's id."""
_READ = "Files are read from where they are."
_WRITTEN = "Files are written beside the notebook."


def patched(notebook: Notebook, relocated: Relocated) -> Notebook:
    """Return the notebook with the paths changed."""
    cells = tuple(
        cell.model_copy(update={"source": relocated.sources.get(cell.id, cell.source)})
        for cell in notebook.cells
    )
    return notebook.model_copy(update={"cells": cells})


def paths_step(notebook: Notebook, relocated: Relocated) -> Message:
    """Return the step of the plan that describes the changes."""
    what = ". ".join(
        f"{what} {'; '.join(moves)}".rstrip() for what, moves in _moves(relocated).items()
    )
    return plan_step(notebook, relocated.sources, what)


def _moves(relocated: Relocated, cell_id: str | None = None) -> dict[str, list[str]]:
    """Return old and new paths of a cell, or of all cells, by the kind of access."""
    taken = [
        one
        for one in relocated.findings
        if one.taken is not None and (cell_id is None or one.cell_id == cell_id)
    ]
    moves = {
        what: list(
            dict.fromkeys(f"{one.path} → {one.taken}" for one in taken if one.written is written)
        )
        for what, written in ((_READ, False), (_WRITTEN, True))
    }
    return {what: paths for what, paths in moves.items() if paths} or {_READ: []}


def with_paths(
    proposal: Proposal | None,
    notebook: Notebook,
    relocated: Relocated,
    *,
    fix_type: FixType,
    scope: FixScope,
) -> Proposal | None:
    """Return a proposal with the paths changed as well; None if there is nothing to propose.

    Args:
        proposal: The rules' proposal for the patched notebook; None: none.
        notebook: The sources before the paths were changed.
        relocated: The result for the paths.
        fix_type: The purpose of the fix.
        scope: The cells it could change.
    """
    if not relocated.sources:
        return proposal
    name = uuid.uuid4().hex if proposal is None else proposal.id
    made = {} if proposal is None else {edit.cell_id: edit for edit in proposal.edits}
    edits = [
        _joined(cell.id, cell.source, relocated, made.get(cell.id))
        if cell.id in relocated.sources
        else made[cell.id]
        for cell in notebook.cells
        if cell.id in relocated.sources or cell.id in made
    ]
    edits += [edit for edit in made.values() if edit.kind is EditKind.INSERT]
    group = f"{name}-paths" if len(relocated.sources) > 1 else ""
    numbered = tuple(
        edit.model_copy(
            update={
                "id": f"{name}-{number}",
                "group": edit.group or (group if edit.cell_id in relocated.sources else ""),
            }
        )
        for number, edit in enumerate(edits, start=1)
    )
    step = paths_step(notebook, relocated)
    if proposal is None:
        return Proposal(
            id=name,
            fixer=FixerName.RULES,
            fix_type=fix_type,
            scope=scope,
            plan=(step,),
            edits=numbered,
        )
    return proposal.model_copy(update={"plan": (step, *proposal.plan), "edits": numbered})


def choose_among(relocated: Relocated, seen: Seen | None = None) -> Messages:
    """Return advice on the paths without a proposal; empty if there are none.

    Args:
        relocated: The result for the paths.
        seen: Facts from a run: it names the file if the code has only a part of its path.
    """
    missing = {} if seen is None else seen.missing
    found: Messages = ()
    told: set[str] = set()
    for one in relocated.findings:
        path = missing.get(one.cell_id, one.path) if "*" in one.path else one.path
        if one.taken is not None or path in told:
            continue
        told.add(path)
        if one.candidates:
            found += coded("files.choose", path=one.path, candidates=_either(one.candidates))
        elif one.outside:
            found += coded("files.outside", path=path)
        elif not one.written:
            found += coded("files.nowhere", path=path)
    return found


def _either(names: Sequence[str]) -> str:
    shown = list(names[:4])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _joined(cell_id: str, source: str, relocated: Relocated, edit: CellEdit | None) -> CellEdit:
    """Return the edit of a cell's paths, combined with the rules' edit of the cell."""
    reason = " ".join(relocated.reasons.get(cell_id, ()))
    part = EditPart(rule=RULE, what=" ".join(_moves(relocated, cell_id)), reason=reason)
    if edit is None:
        return CellEdit(
            id="",
            kind=EditKind.MODIFY,
            cell_id=cell_id,
            base_source=source,
            base_hash=source_hash(source),
            new_source=relocated.sources[cell_id],
            reason=reason,
            meaning=Meaning.PATH,
            rules=(RULE,),
            parts=(part,),
        )
    return edit.model_copy(
        update={
            "base_source": source,
            "base_hash": source_hash(source),
            "reason": f"{reason} {edit.reason}".strip(),
            "meaning": max(Meaning.PATH, edit.meaning, key=GRAVITY.index),
            "rules": (RULE, *edit.rules),
            "parts": (part, *edit.parts),
        }
    )

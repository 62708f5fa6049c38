"""The offline fixer: chooses rules by error, installed version and code, and stages a patch."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

import libcst as cst

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.execution import CellError, CellStatus
from mle_modernizer_server.domain.notebook import Notebook, source_hash
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    FixerName,
    Meaning,
    Proposal,
)
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix, OnText
from mle_modernizer_server.fixing.rules.cellcode import CellCode
from mle_modernizer_server.fixing.rules.engine import Outcome, Wanted, modernize, touched
from mle_modernizer_server.fixing.rules.entry import ChangeKind, Confirm, Entry
from mle_modernizer_server.fixing.rules.knowledge import all_rules, installed_version
from mle_modernizer_server.fixing.rules.scene import Run, Scene

_GRAVITY = (
    Meaning.DISPLAY,
    Meaning.RENAME,
    Meaning.SPEED,
    Meaning.PATH,
    Meaning.DEFAULT_PINNED,
    Meaning.BEHAVIOUR_RESTORED,
    Meaning.OTHER,
    Meaning.EXPERIMENT,
)
_MAYBE_NEVER_RUN = (cst.FunctionDef, cst.Lambda, cst.If, cst.Try, cst.IfExp)


class RulesFixer:
    """Proposes what the knowledge of breaking changes has to offer; needs no network."""

    name = FixerName.RULES

    async def propose(self, request: FixRequest, on_text: OnText) -> Proposal | NoFix:
        """Stage the edits of all rules that apply, or say plainly that none does."""
        answer = await asyncio.to_thread(propose, request)
        if isinstance(answer, Proposal):
            on_text("\n".join(answer.plan))
        return answer


def propose(request: FixRequest) -> Proposal | NoFix:
    """The same, synchronously: a pure function of the request (but for the proposal's id)."""
    if request.notebook.language != "python":
        return NoFix(reason="The rules know Python notebooks only.")
    editable: frozenset[str] | None = None
    if request.scope is FixScope.CELL:
        root = request.diagnosis.first_root()
        if root is None:
            return NoFix(reason="No cell fails; choose the whole file as the scope of the fix.")
        editable = frozenset({root.error.cell_id})
    errors = tuple(error for error in request.execution.errors if error.raised)
    run = Run(
        errors=errors,
        warned=frozenset(
            cell.cell_id
            for cell in request.execution.cells
            if any("ChainedAssignmentError" in warning for warning in cell.warnings)
        ),
    )
    entries = _entries(request, errors)
    rejected = {
        line
        for attempt in request.attempts
        if attempt.fixer is FixerName.RULES and not attempt.accepted
        for line in attempt.plan
    }
    while True:
        outcome = modernize(request.notebook, entries, run, _wanted(request), editable)
        plan = _plan(request.notebook, outcome, errors)
        refused = {entry.id for entry, line in plan if line in rejected}
        if not refused:
            break
        entries = [entry for entry in entries if entry.id not in refused]
    edits = _edits(request.notebook, outcome, [entry for entry, _ in plan], errors)
    remarks = _remarks(outcome)
    if not edits:
        return NoFix(reason=" ".join((_no_fix(request, bool(rejected)), *remarks)))
    proposal_id = uuid.uuid4().hex
    return Proposal(
        id=proposal_id,
        fixer=FixerName.RULES,
        fix_type=request.fix_type,
        scope=request.scope,
        plan=tuple(line for _, line in plan),
        edits=tuple(
            edit.model_copy(update={"id": f"{proposal_id}-{number}"})
            for number, edit in enumerate(edits, start=1)
        ),
        remarks=remarks,
    )


def _entries(request: FixRequest, errors: Sequence[CellError]) -> list[Entry]:
    """Entries that may take part, the most important first."""
    environment = request.execution.environment
    calibrating = request.fix_type is FixType.SCORE_CALIBRATION
    chosen = []
    for entry in all_rules():
        if not entry.automatic or not entry.concerns(installed_version(entry, environment)):
            continue
        seen = any(entry.matches(error) for error in errors)
        if calibrating and not (entry.silent or seen):
            continue
        if not calibrating and not seen:
            if request.fix_type is FixType.RUNTIME_REDUCTION:
                continue
            if entry.silent and entry.kind is ChangeKind.DEFAULT_CHANGED:
                continue
        if entry.confirm is Confirm.ERROR and not seen:
            continue
        chosen.append(entry)
    return sorted(chosen, key=lambda entry: -entry.weight)


def _wanted(request: FixRequest) -> Wanted:
    """The question the engine asks at each node: may the entry act here?"""
    status = {run.cell_id: run.status for run in request.execution.cells}

    def wanted(entry: Entry, cell: CellCode, node: cst.CSTNode, scene: Scene) -> bool:
        if entry.silent and not scene.failing():
            return True
        if entry.confirm is Confirm.ERROR:
            return True
        if status.get(cell.cell_id) is not CellStatus.OK:
            return True
        # The cell ran to its end: what stands at its top level evidently works. What stands in
        # a function may not have run, or may have failed when another cell called it.
        inside = any(isinstance(above, _MAYBE_NEVER_RUN) for above in cell.ancestors(node))
        seen = any(entry.matches(error) for error in scene.run.errors)
        return inside and (entry.confirm is Confirm.NOTHING or seen)

    return wanted


def _number(notebook: Notebook, cell_id: str) -> int:
    """Which code cell it is, from 1."""
    return [cell.id for cell in notebook.code_cells()].index(cell_id) + 1


def _numbers(notebook: Notebook, cell_ids: Sequence[str]) -> str:
    numbers = sorted(_number(notebook, cell_id) for cell_id in cell_ids)
    word = "cell" if len(numbers) == 1 else "cells"
    return f"{word} {', '.join(map(str, numbers))}"


def _plan(
    notebook: Notebook, outcome: Outcome, errors: Sequence[CellError]
) -> list[tuple[Entry, str]]:
    """One line an entry: those that mend an error of the run first, then by weight."""
    cells: dict[str, list[str]] = {}
    entries: dict[str, Entry] = {}
    for one in outcome.applied:
        entries.setdefault(one.entry.id, one.entry)
        if one.cell_id not in cells.setdefault(one.entry.id, []):
            cells[one.entry.id].append(one.cell_id)

    def rank(entry: Entry) -> tuple[int, int, int]:
        matching = [error.index for error in errors if entry.matches(error)]
        first = min(notebook.index(cell_id) for cell_id in cells[entry.id])
        return (min(matching, default=len(notebook.cells)), -entry.weight, first)

    return [
        (
            entry,
            f"{_capital(_numbers(notebook, cells[entry.id]))}: {entry.what} {entry.replacement}",
        )
        for entry in sorted(entries.values(), key=rank)
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _edits(
    notebook: Notebook, outcome: Outcome, planned: Sequence[Entry], errors: Sequence[CellError]
) -> list[CellEdit]:
    edits = []
    for old, new in zip(notebook.cells, outcome.notebook.cells, strict=True):
        if old.source == new.source:
            continue
        here = touched(outcome.applied, old.id)
        entries = [entry for entry in planned if entry in here]
        gravest = max(entries, key=lambda entry: _GRAVITY.index(entry.meaning))
        edits.append(
            CellEdit(
                id="",
                kind=EditKind.MODIFY,
                cell_id=old.id,
                base_source=old.source,
                base_hash=source_hash(old.source),
                new_source=new.source,
                reason=" ".join(_reason(notebook, entry, old.id, errors) for entry in entries),
                meaning=gravest.meaning,
                rules=tuple(entry.id for entry in entries),
                link=gravest.link,
            )
        )
    return edits


def _reason(notebook: Notebook, entry: Entry, cell_id: str, errors: Sequence[CellError]) -> str:
    matching = [error for error in errors if entry.matches(error)]
    here = [error for error in matching if error.cell_id == cell_id] or matching
    if here:
        first = here[0]
        message = entry.matching_line(first)
        if len(message) > 160:
            message = f"{message[:157]}…"
        why = f"Fails in cell {_number(notebook, first.cell_id)}: {message.rstrip('.')}."
    elif entry.kind is ChangeKind.DEFAULT_CHANGED:
        why = "The default has changed:"
    elif entry.silent:
        why = "Without an error the result is another one:"
    else:
        why = "Would fail next:"
    return f"{why} {entry.what} {entry.replacement}"


def _remarks(outcome: Outcome) -> tuple[str, ...]:
    lines = list(outcome.remarks)
    for doubt in outcome.doubts:
        if doubt.failing:
            lines.append(
                f"Cell {doubt.number}: not changed, because {doubt.why} "
                f"({doubt.entry.what.rstrip('.')})."
            )
    if outcome.program is not None:
        lines.extend(
            f"Cell {cell.number} was left alone: {cell.why}." for cell in outcome.program.unparsed
        )
    return tuple(dict.fromkeys(lines))


def _no_fix(request: FixRequest, refused: bool) -> str:
    """Why the rules have nothing to offer, naming the error that is in the way."""
    again = " other than those you rejected" if refused else ""
    if request.fix_type is FixType.RUNTIME_REDUCTION:
        return "No rule makes this notebook faster: that needs the language model or your hand."
    root = request.diagnosis.first_root()
    if request.fix_type is FixType.SCORE_CALIBRATION and root is None:
        return f"No default and no behaviour that changed is found in this notebook{again}."
    if root is None:
        return f"No rule applies to this notebook{again}."
    number = _number(request.notebook, root.error.cell_id)
    return f"No rule{again} covers the {root.error.ename} in cell {number}."

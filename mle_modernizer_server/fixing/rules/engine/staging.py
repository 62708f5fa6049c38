"""Converts changes of codemods to a patch: plan, edits with their reasons, remarks."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.message import Message, Messages, Parameter, coded, verbatim
from mle_modernizer_server.domain.notebook import Notebook, source_hash
from mle_modernizer_server.domain.proposal import (
    GRAVITY,
    CellEdit,
    EditKind,
    EditPart,
    FixerName,
    KnownChange,
    Meaning,
    Proposal,
)
from mle_modernizer_server.fixing.rules.engine.brief import brief
from mle_modernizer_server.fixing.rules.engine.engine import ChangedPlace, Doubt, Outcome, touched
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Rule

_NAMED = 3
"""Number of cells that a step of a plan names."""


def stage(
    notebook: Notebook,
    outcome: Outcome,
    planned: Sequence[tuple[Rule, Message]],
    *,
    fix_type: FixType,
    scope: FixScope,
    errors: Sequence[CellError] = (),
    remarks: Messages = (),
) -> Proposal | None:
    """Return the proposal with the codemods' changes; None if there are none.

    Args:
        notebook: The sources before.
        outcome: Their result.
        planned: The plan, as `plan` gives it.
        fix_type: The purpose of the fix.
        scope: The cells it could change.
        errors: Of the run; none before the first one.
        remarks: Further remarks for the user.
    """
    edits = _edits(notebook, outcome, [rule for rule, _ in planned], errors)
    if not edits:
        return None
    proposal_id = uuid.uuid4().hex
    return Proposal(
        id=proposal_id,
        fixer=FixerName.RULES,
        fix_type=fix_type,
        scope=scope,
        plan=tuple(step for _, step in planned),
        edits=tuple(
            edit.model_copy(update={"id": f"{proposal_id}-{number}"})
            for number, edit in enumerate(_grouped(edits, outcome.together, proposal_id), start=1)
        ),
        remarks=tuple(dict.fromkeys(remarks_on(outcome) + remarks)),
    )


def plan_step(notebook: Notebook, cell_ids: Collection[str], what: Parameter) -> Message:
    """Return the step of a plan that changes these cells."""
    numbers = sorted(notebook.code_number(cell_id) for cell_id in cell_ids)
    cells, more = ", ".join(map(str, numbers[:_NAMED])), len(numbers) - _NAMED
    if more > 0:
        return Message(
            code="plan.step-and-more", parameters={"cells": cells, "more": more, "what": what}
        )
    return Message(
        code="plan.step", parameters={"count": len(numbers), "cells": cells, "what": what}
    )


def plan(
    notebook: Notebook, outcome: Outcome, errors: Sequence[CellError]
) -> list[tuple[Rule, Message]]:
    """Return one step a rule: those that fix an error of the run first, then by weight.

    Before the first run there are no errors: the rules against one go first.
    """
    cells: dict[str, list[str]] = {}
    rules: dict[str, Rule] = {}
    for one in outcome.applied:
        rules.setdefault(one.rule.id, one.rule)
        if one.cell_id not in cells.setdefault(one.rule.id, []):
            cells[one.rule.id].append(one.cell_id)

    def rank(rule: Rule) -> tuple[int, bool, int, int]:
        matching = [error.index for error in errors if rule.matches(error)]
        first = min(notebook.index(cell_id) for cell_id in cells[rule.id])
        failing = min(matching, default=len(notebook.cells))
        return (failing, rule.silent and not errors, -rule.weight, first)

    return [
        (rule, plan_step(notebook, cells[rule.id], f"{rule.what} {rule.replacement}"))
        for rule in sorted(rules.values(), key=rank)
    ]


def _edits(
    notebook: Notebook, outcome: Outcome, planned: Sequence[Rule], errors: Sequence[CellError]
) -> list[CellEdit]:
    edits = []
    for old, new in zip(notebook.cells, outcome.notebook.cells, strict=True):
        if old.source == new.source:
            continue
        here = touched(outcome.applied, old.id)
        rules = [rule for rule in planned if rule in here]
        first = max(rules, key=lambda rule: GRAVITY.index(rule.meaning))
        edits.append(
            CellEdit(
                id="",
                kind=EditKind.MODIFY,
                cell_id=old.id,
                base_source=old.source,
                base_hash=source_hash(old.source),
                new_source=new.source,
                reason=" ".join(_reason(notebook, rule, old.id, errors) for rule in rules),
                meaning=first.meaning,
                rules=tuple(rule.id for rule in rules),
                link=first.link,
                changes=tuple(
                    dict.fromkeys(
                        KnownChange(name=f"{rule.library} {rule.since}", link=rule.link)
                        for rule in rules
                    )
                ),
                parts=tuple(
                    _part(notebook, rule, old.id, outcome.places, errors) for rule in rules
                ),
            )
        )
    return edits


def _part(
    notebook: Notebook,
    rule: Rule,
    cell_id: str,
    places: Sequence[ChangedPlace],
    errors: Sequence[CellError],
) -> EditPart:
    here = [place for place in places if place.rule == rule and place.cell_id == cell_id]
    fails = any(rule.matches(error) for error in errors)
    return EditPart(
        rule=rule.id,
        what=f"{rule.what} {rule.replacement}",
        reason=_reason(notebook, rule, cell_id, errors),
        short=brief(rule, [place.name for place in here], [place.code for place in here], fails),
        link=rule.link,
        lines=tuple(sorted({place.line for place in here if place.line is not None})),
        places=max(len(here), 1),
    )


def _grouped(
    edits: Sequence[CellEdit], together: Sequence[frozenset[str]], proposal_id: str
) -> list[CellEdit]:
    """Return the edits; those that need each other (cells that share a fix, in a chain) get one
    name.
    """
    groups: list[set[str]] = []
    for cells in together:
        linked = [group for group in groups if group & cells]
        groups = [group for group in groups if not group & cells]
        groups.append(set(cells).union(*linked))
    edited = {edit.cell_id for edit in edits}
    names = {
        cell_id: f"{proposal_id}-group-{number}"
        for number, group in enumerate(groups, start=1)
        if len(group & edited) > 1
        for cell_id in group
    }
    return [edit.model_copy(update={"group": names.get(edit.cell_id, "")}) for edit in edits]


def _reason(notebook: Notebook, rule: Rule, cell_id: str, errors: Sequence[CellError]) -> str:
    matching = [error for error in errors if rule.matches(error)]
    here = [error for error in matching if error.cell_id == cell_id] or matching
    if here:
        first = here[0]
        message = rule.matching_line(first)
        if len(message) > 160:
            message = f"{message[:157]}…"
        failing = notebook.cell(first.cell_id)
        there = "here" if failing is None or failing.id == cell_id else f"in {failing.snippet}"
        why = f"Fails {there}: {message.rstrip('.')}."
    elif rule.kind is ChangeKind.DEFAULT_CHANGED:
        why = "The default has changed:"
    elif rule.meaning is Meaning.SPEED:
        return f"{rule.what} {rule.replacement}"
    elif rule.some_run or (rule.silent and rule.symptoms):
        why = "Would fail, or give another result without an error:"
    elif rule.silent:
        why = "No error, but a different result:"
    else:
        why = "Would fail next" if errors else "Would fail"
        why += ", or give another result:" if rule.kind is ChangeKind.BEHAVIOUR else ":"
    return f"{why} {rule.what} {rule.replacement}"


def remarks_on(outcome: Outcome) -> Messages:
    """Return the codemods' assumptions, their doubts, and the cells they left unchanged."""
    told = [verbatim(remark) for remark in outcome.remarks]
    if outcome.assumed:
        told.append(coded("rules.assumed", what="; ".join(outcome.assumed)))
    told.extend(_left_undone(doubt, outcome) for doubt in outcome.doubts if doubt.failing)
    if outcome.program is not None:
        told.extend(
            coded("rules.cell-left-alone", cell=cell.number, why=cell.why)
            for cell in outcome.program.unparsed
        )
        told.append(not_finished(outcome.program, outcome.unexamined))
    return tuple(dict.fromkeys(one for said in told for one in said))


def not_finished(program: Program, unexamined: Collection[str]) -> Messages:
    """Return which cells were not examined to the end; empty for none."""
    numbers = [cell.number for cell in program.cells if cell.cell_id in unexamined]
    numbers = sorted([*numbers, *program.unread.values()])
    if not numbers:
        return ()
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    shown = ", ".join("–".join(map(str, ends)) for ends in ranges)
    return coded("rules.not-finished", count=len(numbers), cells=shown)


def _left_undone(doubt: Doubt, outcome: Outcome) -> Messages:
    """Return the place that a rule left unchanged: a cell, or a line if it changed others of it."""
    cell, why, change = doubt.number, doubt.why, doubt.rule.what
    if doubt.line is not None and doubt.rule in touched(outcome.applied, doubt.cell_id):
        return coded("rules.line-not-changed", cell=cell, line=doubt.line, why=why, change=change)
    return coded("rules.cell-not-changed", cell=cell, why=why, change=change)

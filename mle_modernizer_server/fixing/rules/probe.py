"""The silent changes that are worth an experiment, its runs, and its result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.era import Era, Standing
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import (
    CellFacts,
    Contrast,
    Foreseen,
    Impact,
    Observed,
    Probed,
    Told,
)
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.text import same_text
from mle_modernizer_server.fixing.rules.era.era import is_python2, standing
from mle_modernizer_server.fixing.rules.knowledge import all_rules, concerned, installed_version
from mle_modernizer_server.fixing.rules.rule import Confirm, Rule

_MOST_LISTED = 12
_SETTING = re.compile(r"(?:\w+|value of the cell)\.\w+")
"""Pattern of the name of an estimator's parameter."""
_ONLY_SETTINGS = "of a setting; no result in this cell shows it"


@dataclass(frozen=True)
class Suspect:
    """A silent change that affects some cells of the notebook."""

    rule: Rule
    cell_ids: tuple[str, ...]


def suspects(items: Sequence[Foreseen], only: str | None = None) -> list[Suspect]:
    """Return the silent changes among the predictions, the most likely cause first.

    Args:
        items: The predictions of a preflight.
        only: Id of the one change to look at; None: all.
    """
    cells: dict[str, list[str]] = {}
    for item in items:
        if item.impact in (Impact.RESULT, Impact.DEFAULT) and only in (None, item.rule):
            known = cells.setdefault(item.rule, [])
            if item.cell_id not in known:
                known.append(item.cell_id)
    found = [Suspect(one, tuple(cells[one.id])) for one in all_rules() if one.id in cells]
    return sorted(found, key=lambda one: -one.rule.weight)


def fixed_sources(
    notebook: Notebook, environment: Environment, era: Era, without: Rule | None = None
) -> Notebook:
    """Return the notebook with all known fixes but one, so that it runs today.

    Args:
        notebook: The sources.
        environment: Installed versions.
        era: Of the notebook.
        without: The change under suspicion, whose fix is left out, and with it those of rules
            that the same codemod fixes.
    """
    # They load the parser, which few commands need.
    from mle_modernizer_server.fixing.rules.engine.context import Run
    from mle_modernizer_server.fixing.rules.engine.engine import modernize

    rules = [
        rule
        for rule in sorted(all_rules(), key=lambda one: -one.weight)
        if rule.is_fixable(environment.packages)
        and rule.confirm is not Confirm.ERROR
        and concerned(rule, environment)
        and not (rule.silent and standing(era, rule.library, rule.since) is Standing.AFTER)
        and not (without is not None and _same_fix(rule, without))
    ]
    return modernize(notebook, rules, Run(), lambda *_: True, python2=is_python2(era)).notebook


def _same_fix(rule: Rule, other: Rule) -> bool:
    from mle_modernizer_server.fixing.rules.engine.registry import hand_written

    if rule.id == other.id:
        return True
    modules = {one.module for one in hand_written().get(rule.id, ())}
    return any(one.module in modules for one in hand_written().get(other.id, ()))


def had_it_already(rule: Rule, then: Environment) -> str:
    """Return the reason why the old libraries cannot show a change; empty if they can.

    They may have it already.
    """
    version = installed_version(rule, then)
    if version is None:
        return f"{rule.library} is not installed in the old Python"
    if rule.concerns(version):
        return f"the old Python has {rule.library} {version}, which has the change already"
    return ""


def judge(
    rule: Rule,
    cell_id: str,
    then: Observed,
    now: Observed,
    fixed: Observed | None,
) -> Probed:
    """Judge a change in a cell by the three runs.

    Args:
        rule: The change.
        cell_id: The cell.
        then: With the old libraries, the original notebook.
        now: With today's, all fixes but this change's applied.
        fixed: With today's, all fixes applied; None if this change's fix does not apply.
    """
    cells = (then.cell(cell_id), now.cell(cell_id), fixed.cell(cell_id) if fixed else None)
    why = _in_the_way("with the old libraries", then, cells[0]) or _in_the_way(
        "with today's libraries", now, cells[1]
    )
    if fixed is not None:
        why = why or _in_the_way("with the fix", fixed, cells[2])
    contrasts, compared, incomparable = _contrasts(*cells)
    verdict, reason = Told.UNTOLD, why
    if not why:
        verdict, reason = _verdict(contrasts, compared, fixed is not None)
    contrasts.sort(key=lambda one: not one.explained)
    return untold(rule, cell_id, reason).model_copy(
        update={
            "verdict": verdict,
            "contrasts": tuple(contrasts[:_MOST_LISTED]),
            "unlisted": max(0, len(contrasts) - _MOST_LISTED),
            "compared": compared,
            "incomparable": incomparable,
        }
    )


def untold(rule: Rule, cell_id: str, why: str) -> Probed:
    """Return the result if there was nothing to run."""
    return Probed(
        cell_id=cell_id,
        rule=rule.id,
        library=rule.library,
        since=rule.since,
        what=rule.what,
        link=rule.link,
        verdict=Told.UNTOLD,
        why=why,
    )


def _in_the_way(where: str, run: Observed, cell: CellFacts | None) -> str:
    if cell is None:
        return f"{where} the cell did not end: {run.ended or 'it was not run'}"
    return f"{where} the cell fails: {cell.error}" if cell.error else ""


def _contrasts(
    then: CellFacts | None, now: CellFacts | None, fixed: CellFacts | None
) -> tuple[list[Contrast], int, int]:
    """Return the values that differ, and the numbers of comparable and incomparable values."""
    runs = [dict(cell.facts) if cell else {} for cell in (then, now, fixed)]
    found, compared, incomparable = [], 0, 0
    for name in dict.fromkeys((*runs[0], *runs[1])):
        old, new, mended = (run.get(name) for run in runs)
        if old is None or new is None:
            incomparable += 1
            continue
        compared += 1
        differs = not same_text(old, new)
        restored = differs and mended is not None and same_text(old, mended)
        if differs or (mended is not None and not same_text(new, mended)):
            found.append(Contrast(name=name, then=old, now=new, fixed=mended, explained=restored))
    return found, compared, incomparable


def _verdict(contrasts: Sequence[Contrast], compared: int, mended: bool) -> tuple[Told, str]:
    if not compared:
        return Told.UNTOLD, "the cell has no value that could be compared"
    explained = [one.name for one in contrasts if one.explained]
    if explained:
        only_settings = all(map(_SETTING.fullmatch, explained))
        return Told.EXPLAINS, _ONLY_SETTINGS if only_settings else ""
    if not any(not same_text(one.then, one.now) for one in contrasts):
        return Told.NO_DIFFERENCE, ""
    if not mended:
        return Told.UNTOLD, "values differ, but there is no fix that could be tried alone"
    if any(one.fixed is not None and not same_text(one.now, one.fixed) for one in contrasts):
        return Told.UNTOLD, "the fix moves values, but not to the old ones"
    return Told.NO_DIFFERENCE, "what differs has another cause: the fix does not move it"

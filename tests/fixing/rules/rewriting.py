"""Runs chosen rules over cells given as text."""

from __future__ import annotations

from functools import cache
from textwrap import dedent

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import Outcome, modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import Rule


def notebook(*sources: str) -> Notebook:
    """A notebook of code cells with ids a, b, c, …"""
    return Notebook(
        cells=tuple(
            Cell(id=chr(ord("a") + number), type=CellType.CODE, source=source)
            for number, source in enumerate(sources)
        )
    )


def rule_of(entry_id: str) -> Rule:
    """The rule of that id."""
    return _entries()[entry_id]


@cache
def _entries() -> dict[str, Rule]:
    return {one.id: one for one in all_rules()}


def error(cell_id: str, ename: str, evalue: str, line: int | None = None) -> CellError:
    """An error a cell raised."""
    return CellError(
        cell_id=cell_id,
        index=ord(cell_id) - ord("a"),
        ename=ename,
        evalue=evalue,
        traceback=(),
        raised=True,
        line=line,
    )


def outcome(*sources: str, rules: tuple[str, ...], errors: tuple[CellError, ...] = ()) -> Outcome:
    """What these rules make of these cells; applying them once more must change nothing."""
    rules = [rule_of(one) for one in rules]
    run = Run(errors=errors)
    first = modernize(notebook(*sources), rules, run, lambda *_: True)
    again = modernize(first.notebook, rules, run, lambda *_: True)
    assert again.notebook == first.notebook, "a second application changes nothing"
    return first


def cells(*sources: str, rules: tuple[str, ...], errors: tuple[CellError, ...] = ()) -> list[str]:
    """Sources after the rules."""
    return [cell.source for cell in outcome(*sources, rules=rules, errors=errors).notebook.cells]


def assert_rewrites(rule: str, before: str, after: str, setup: str = "") -> None:
    """One cell, perhaps behind another one with imports and data, becomes another text."""
    before, after, setup = dedent(before), dedent(after), dedent(setup)
    assert cells(setup, before, rules=(rule,)) == [setup, after]


def assert_stays(rule: str, source: str, setup: str = "") -> None:
    """A cell is left byte for byte as it is."""
    assert_rewrites(rule, source, source, setup)

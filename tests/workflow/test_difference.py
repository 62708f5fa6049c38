from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import EditKind, apply_edits
from mle_modernizer_server.workflow.fix.difference import difference, joined
from tests import values

_SOURCES = st.sampled_from(["", "x = 1", "y = 2\n", "print('ä')"])


@st.composite
def _edited(draw: st.DrawFn) -> tuple[Notebook, Notebook]:
    """A notebook and what modifying, deleting and inserting cells made of it."""
    before = values.notebook(*draw(st.lists(_SOURCES, max_size=6)))
    after: list[Cell] = []
    for number in range(draw(st.integers(0, 2))):
        after.append(Cell(id=f"top{number}", type=CellType.CODE, source=draw(_SOURCES)))
    for cell in before.cells:
        if draw(st.booleans()):
            after.append(cell.model_copy(update={"source": draw(_SOURCES)}))
        if draw(st.booleans()):
            after.append(Cell(id=f"new-{cell.id}", type=CellType.MARKDOWN, source=draw(_SOURCES)))
    return before, before.model_copy(update={"cells": tuple(after)})


@given(_edited())
def test_difference_applied_to_the_first_gives_the_second(
    pair: tuple[Notebook, Notebook],
) -> None:
    before, after = pair
    assert apply_edits(before, difference(before, after, {})) == after


def test_a_cell_that_did_not_change_is_not_in_the_difference() -> None:
    before = values.notebook("a", "b")
    after = values.notebook("a", "c")
    assert [edit.cell_id for edit in difference(before, after, {})] == ["c1"]


def test_reasons_of_all_fixes_of_a_cell_are_kept_in_order() -> None:
    first = values.modification("c0", "a", "b", reason="first.")
    second = values.modification("c0", "b", "c", reason="second.")
    history = joined(joined({}, (first,)), (second,))
    (edit,) = difference(values.notebook("a"), values.notebook("c"), history)
    assert edit.kind is EditKind.MODIFY
    assert edit.reason == "first. second."
    assert (edit.base_source, edit.new_source) == ("a", "c")

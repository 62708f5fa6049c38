"""The review: nothing happens to the document but what was accepted, and undo takes it back."""

from __future__ import annotations

import pytest
from conftest import example, target_score
from lab import Lab
from panel import Panel
from playwright.sync_api import expect


@pytest.fixture
def proposed(figure1: Lab) -> Panel:
    """A proposal for Figure 1's notebook, waiting."""
    panel = Panel(figure1.page)
    panel.modernize(target_score(example("figure1_wine_xgboost_labels")))
    panel.expect_proposal()
    return panel


def code_cell(lab: Lab, number: int) -> int:
    """Position in the notebook of a code cell that is counted without the text cells."""
    kinds = [cell.cell_type for cell in example("figure1_wine_xgboost_labels").cells]
    return [index for index, kind in enumerate(kinds) if kind == "code"][number]


def test_rejecting_changes_nothing(figure1: Lab, proposed: Panel) -> None:
    original = figure1.sources()
    proposed.button("Reject all").click()
    proposed.expect_edits("Rejected")
    expect(proposed.review).to_contain_text("the notebook is as it was")
    assert figure1.sources() == original


def test_undo_in_the_cell_takes_one_accepted_edit_back(figure1: Lab, proposed: Panel) -> None:
    original = figure1.sources()
    card = proposed.edits().first
    cell = code_cell(figure1, proposed.cell_of(card))
    card.get_by_role("button", name="Accept", exact=True).click()
    expect(card).to_contain_text("Accepted")
    accepted = figure1.sources()
    assert [index for index, source in enumerate(accepted) if source != original[index]] == [cell]

    figure1.undo_in_cell(cell)
    expect(card).to_contain_text("Accepted, then undone")
    assert figure1.sources() == original

    card.get_by_role("button", name="Apply again").click()
    expect(card).not_to_contain_text("undone")
    assert figure1.sources() == accepted


def test_one_undo_takes_all_accepted_edits_back(figure1: Lab, proposed: Panel) -> None:
    original = figure1.sources()
    proposed.button("Accept all").click()
    proposed.expect_edits("Accepted")
    assert figure1.sources() != original

    figure1.undo_in_notebook()
    proposed.expect_edits("Accepted, then undone")
    assert figure1.sources() == original


def test_an_edit_of_a_cell_that_changed_is_out_of_date(figure1: Lab, proposed: Panel) -> None:
    card = proposed.edits().first
    cell = code_cell(figure1, proposed.cell_of(card))
    figure1.type_into(cell, "my_own = 'work'")
    expect(card).to_contain_text("Out of date")
    expect(card.get_by_role("button", name="Accept", exact=True)).to_have_count(0)

    proposed.button("Accept all").click()
    expect(proposed.review.get_by_role("status")).to_contain_text("Everything is reviewed")
    expect(card).to_contain_text("Out of date")
    assert figure1.sources()[cell] == "my_own = 'work'"


def test_the_keyboard_is_enough(figure1: Lab, proposed: Panel) -> None:
    original = figure1.sources()
    keyboard = figure1.page.keyboard
    proposed.region.get_by_role("button", name="Review").focus()
    for _ in range(30):
        keyboard.press("Tab")
        if proposed.review.locator(":focus").count():
            break
    expect(proposed.review.locator(":focus")).to_have_count(1)
    keyboard.press("j")
    expect(figure1.page.locator("article:focus")).to_have_count(1)

    total = proposed.edits().count()
    for done in range(1, total + 1):
        keyboard.press("a")
        expect(proposed.section("Proposed fix")).to_contain_text(f"{done} of {total} reviewed")
        if done < total:
            # The server has the decision; the next one can be made.
            expect(proposed.button("Accept all")).to_be_enabled()
    proposed.expect_edits("Accepted")
    assert figure1.sources() != original


def test_the_review_opens_in_a_tab_too(figure1: Lab, proposed: Panel) -> None:
    proposed.button("Open wide view").click()
    wide = figure1.page.get_by_role("main").get_by_role("group", name="Changes to review")
    expect(wide.get_by_role("article").first).to_contain_text("To review")
    wide.get_by_role("button", name="Reject all").click()
    expect(wide).to_contain_text("the notebook is as it was")
    proposed.expect_edits("Rejected")

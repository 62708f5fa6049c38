"""The review: nothing happens to the document but what was accepted, and undo takes it back."""

from __future__ import annotations

import pytest
from conftest import OpenNotebook, example, target_score, written
from lab import Lab
from panel import Panel
from playwright.sync_api import expect

OLD = ("import numpy as np\nx = np.float(3)", "y = np.int(x)")


@pytest.fixture
def proposed(figure1: Lab) -> Panel:
    """A proposal for Figure 1's notebook, waiting: two edits that depend on each other."""
    panel = Panel(figure1.page)
    panel.modernize(target_score(example("figure1_wine_xgboost_labels")))
    panel.expect_proposal()
    return panel


def code_cell(lab: Lab, number: int) -> int:
    """Position in the notebook of a code cell that is counted without the text cells."""
    kinds = [cell.cell_type for cell in example("figure1_wine_xgboost_labels").cells]
    return [index for index, kind in enumerate(kinds) if kind == "code"][number]


def test_what_is_decided_is_taken_back_until_all_is_as_it_was(
    figure1: Lab, proposed: Panel
) -> None:
    original = figure1.sources()
    reject_all_and_reconsider(figure1, proposed, original)
    accept_and_undo_what_needs_each_other(figure1, proposed, original)
    decide_by_the_keyboard_alone(figure1, proposed, original)
    accept_one_alone_after_a_warning(figure1, proposed, original)


def reject_all_and_reconsider(figure1: Lab, proposed: Panel, original: list[str]) -> None:
    """Rejecting changes nothing."""
    proposed.button("Reject all").click()
    proposed.expect_edits("Rejected")
    expect(proposed.review).to_contain_text("the notebook is unchanged")
    assert figure1.sources() == original

    proposed.current_edit().get_by_role("button", name="Undo", exact=True).click()
    proposed.expect_edits("To review")
    proposed.expect_stand("Your review")


def accept_and_undo_what_needs_each_other(
    figure1: Lab, proposed: Panel, original: list[str]
) -> None:
    """Edits that depend on each other are accepted and undone together."""
    cells = [code_cell(figure1, proposed.cell_of(proposed.edits().nth(n))) for n in range(2)]
    card = proposed.current_edit()
    expect(card).to_contain_text("Goes together with cell")
    card.get_by_role("button", name="Accept in 2 cells").click()
    proposed.expect_edits("Accepted")
    accepted = figure1.sources()
    assert [i for i, source in enumerate(accepted) if source != original[i]] == sorted(cells)

    card.get_by_role("button", name="Undo", exact=True).click()
    proposed.expect_edits("To review")
    assert figure1.sources() == original


def decide_by_the_keyboard_alone(figure1: Lab, proposed: Panel, original: list[str]) -> None:
    """The keyboard is enough."""
    keyboard = figure1.page.keyboard
    listed = proposed.review.get_by_role("listbox")
    listed.focus()
    expect(proposed.edits().first).to_have_attribute("aria-selected", "true")
    keyboard.press("j")
    expect(proposed.edits().last).to_have_attribute("aria-selected", "true")
    expect(listed).to_be_focused()
    keyboard.press("a")
    proposed.expect_edits("Accepted")
    assert figure1.sources() != original
    keyboard.press("u")
    proposed.expect_edits("To review")
    assert figure1.sources() == original


def accept_one_alone_after_a_warning(figure1: Lab, proposed: Panel, original: list[str]) -> None:
    """One of two that depend on each other is accepted after a warning, and undone in its cell."""
    card = proposed.current_edit()
    card.get_by_role("button", name="Only this cell…").click()
    dialog = figure1.page.get_by_role("dialog")
    expect(dialog).to_contain_text("depend on each other")
    dialog.get_by_role("button", name="Cancel").click()
    assert figure1.sources() == original

    cell = code_cell(figure1, proposed.cell_of(proposed.edits().first))
    card.get_by_role("button", name="Only this cell…").click()
    dialog.get_by_role("button", name="Only this cell").click()
    expect(proposed.edits().first).to_contain_text("Accepted")
    expect(proposed.edits().last).to_contain_text("To review")
    changed = [i for i, source in enumerate(figure1.sources()) if source != original[i]]
    assert changed == [cell]

    figure1.undo_in_cell(cell)
    expect(proposed.edits().first).to_contain_text("Accepted, then undone")
    assert figure1.sources() == original


@pytest.fixture
def short(open_notebook: OpenNotebook) -> Lab:
    """A short notebook with a proposal for each of its two cells."""
    lab = open_notebook(written(*OLD))
    panel = Panel(lab.page)
    panel.modernize()
    panel.expect_proposal()
    return lab


def test_one_undo_of_the_notebook_takes_all_accepted_edits_back(short: Lab) -> None:
    panel = Panel(short.page)
    panel.button("Accept all").click()
    panel.expect_edits("Accepted")
    assert all(source != old for source, old in zip(short.sources(), OLD, strict=True))

    short.undo_in_notebook()
    panel.expect_edits("Accepted, then undone")
    assert short.sources() == list(OLD)


def test_an_edit_of_a_cell_that_changed_is_out_of_date(short: Lab) -> None:
    panel = Panel(short.page)
    row = panel.edits().first
    cell = panel.cell_of(row)
    short.type_into(cell, "my_own = 'work'")
    expect(row).to_contain_text("Out of date")

    panel.button("Accept all").click()
    expect(panel.review.get_by_role("status")).to_contain_text("Everything is reviewed")
    expect(row).to_contain_text("Out of date")
    assert short.sources()[cell] == "my_own = 'work'"


def test_the_tab_compares_two_versions_side_by_side(short: Lab) -> None:
    panel = Panel(short.page)
    panel.more()
    panel.button("Open wide view").click()
    wide = short.page.get_by_role("main").get_by_role("group", name="Changes to review")
    row = wide.get_by_role("article").first
    expect(row).to_contain_text("To review")
    expect(row.get_by_role("textbox", name="left")).to_contain_text("np.float(3)")
    expect(row.get_by_role("textbox", name="right")).not_to_contain_text("np.float")
    wide.get_by_role("button", name="Accept all").click()
    panel.expect_edits("Accepted")
    expect(row.get_by_role("textbox")).to_have_count(0)
    wide.get_by_label("Left").select_option("Original")
    expect(row.get_by_role("textbox", name="left")).to_contain_text("np.float(3)")
    expect(row.get_by_role("textbox", name="right")).not_to_contain_text("np.float")
    expect(wide.get_by_role("status")).to_contain_text("cells are the same")

"""The review: nothing happens to the document but what was accepted, and undo takes it back."""

from __future__ import annotations

import pytest
from accessibility import expect_accessible_in_every_theme
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
    proposed.edits().first.click()
    proposed.current_cell().get_by_role("button", name="Reject in 2 cells").click()
    proposed.expect_edits("Rejected")
    expect(proposed.review).to_contain_text("the notebook is unchanged")
    assert figure1.sources() == original

    proposed.bar.get_by_role("button", name="Undo").click()
    proposed.expect_edits("To review")
    proposed.expect_stand("Your review")


def accept_and_undo_what_needs_each_other(
    figure1: Lab, proposed: Panel, original: list[str]
) -> None:
    """Edits that depend on each other are accepted and undone together."""
    cells = [code_cell(figure1, proposed.cell_of(proposed.edits().nth(n))) for n in range(2)]
    card = proposed.current_cell()
    expect(card).to_contain_text("Goes together with cell")
    card.get_by_role("button", name="Accept in 2 cells").click()
    proposed.expect_edits("Accepted")
    accepted = figure1.sources()
    assert [i for i, source in enumerate(accepted) if source != original[i]] == sorted(cells)

    proposed.bar.get_by_role("button", name="Undo").click()
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
    card = proposed.current_cell()
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


def test_a_review_is_begun_passed_over_and_made_in_a_tab(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written(*OLD))
    begin_by_the_keyboard(lab)
    run_past_the_review(lab)
    compare_side_by_side(lab)
    take_all_back_by_one_undo(lab)


def begin_by_the_keyboard(lab: Lab) -> None:
    """The keyboard keeps its place when a run begins and ends."""
    panel = Panel(lab.page)
    panel.open()
    panel.button("Modernize").focus()
    lab.page.keyboard.press("Enter")
    expect(panel.button("Cancel")).to_be_focused()
    panel.expect_proposal()
    expect(panel.region.get_by_role("button", name="Review")).to_be_focused()


def run_past_the_review(lab: Lab) -> None:
    """A run past a review is asked about, and rejects nothing."""
    panel = Panel(lab.page)
    panel.toolbar_button().click()
    dialog = lab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Run without these 2 changes?")
    expect_accessible_in_every_theme(lab, "a question")
    dialog.get_by_role("button", name="Back to the review").click()
    expect(panel.edits().first).to_contain_text("To review")

    panel.toolbar_button().click()
    dialog.get_by_role("button", name="Run without them").click()
    expect(panel.button("Cancel")).to_be_visible()
    panel.expect_proposal()
    panel.unfold("History")
    expect(panel.section("History").get_by_role("listitem")).to_have_count(3)


def compare_side_by_side(lab: Lab) -> None:
    """The tab compares two versions, and can be read in any theme."""
    panel = Panel(lab.page)
    bar = lab.page.get_by_role("toolbar", name="Review of the proposed changes")
    bar.get_by_role("button", name="Next change (J)").click()
    panel.more()
    panel.button("Open wide view").click()
    wide = lab.page.get_by_role("main").get_by_role("group", name="Changes to review")
    row = wide.get_by_role("article").first
    expect(row).to_contain_text("To review")
    expect(row.get_by_role("textbox", name="left")).to_contain_text("np.float(3)")
    expect(row.get_by_role("textbox", name="right")).not_to_contain_text("np.float")
    places = (".jp-mle-InCell", ".jp-mle-Inline", ".jp-mle-Review")
    expect_accessible_in_every_theme(lab, "in review", places)

    wide.get_by_role("button", name="Accept all").click()
    panel.expect_edits("Accepted")
    expect(row.get_by_role("textbox")).to_have_count(0)
    wide.get_by_label("Left").select_option("Original")
    expect(row.get_by_role("textbox", name="left")).to_contain_text("np.float(3)")
    expect(row.get_by_role("textbox", name="right")).not_to_contain_text("np.float")
    expect(wide.get_by_role("status")).to_contain_text("cells are the same")


def take_all_back_by_one_undo(lab: Lab) -> None:
    """One undo of the notebook takes all accepted edits back."""
    panel = Panel(lab.page)
    lab.page.get_by_role("main").get_by_role("tab", name=lab.notebook).click()
    assert all(source != old for source, old in zip(lab.sources(), OLD, strict=True))
    lab.undo_in_notebook()
    panel.expect_edits("Accepted, then undone")
    assert lab.sources() == list(OLD)

"""A notebook without anything to mend, and one that nothing helps: one next thing in both."""

from __future__ import annotations

from accessibility import expect_accessible, shown
from conftest import OpenNotebook, written
from lab import Lab
from panel import GOAL, RUN_LIMIT, Panel, expect_quiet
from playwright.sync_api import expect


def test_few_controls_where_nothing_helps(open_notebook: OpenNotebook) -> None:
    errors = [f"print(1 / 0)  # {number}" for number in range(8)]
    notebook = written(*errors)  # of an old format, which is Python's
    del notebook.metadata["language_info"]
    del notebook.metadata["kernelspec"]["language"]
    lab = open_notebook(notebook)
    lab.page.set_viewport_size({"width": 1440, "height": 900})
    panel = Panel(lab.page)
    panel.open()
    expect(panel.region).not_to_contain_text("Not a Python notebook")
    panel.modernize()
    expect(panel.section("Errors")).to_contain_text("8 root errors", timeout=RUN_LIMIT)
    expect_quiet(lab.page, "eight errors")
    expect_accessible(lab.page, shown(lab.page), "eight errors")


def test_notebook_that_runs_from_its_target_to_a_second_session(
    open_notebook: OpenNotebook,
) -> None:
    lab = open_notebook(written("print('fine')"))
    lab.page.set_viewport_size({"width": 1440, "height": 900})
    find_each_command_once_in_the_palette(lab)
    refuse_a_target_that_is_no_number(lab)
    run_without_a_target(lab)
    begin_a_new_session_and_keep_the_old_one(lab)


def find_each_command_once_in_the_palette(lab: Lab) -> None:
    """Each command is in the palette once, without the product's name."""
    page = lab.page
    page.keyboard.press("Control+Shift+C")
    page.get_by_placeholder("SEARCH", exact=True).last.fill("MLE Modernizer")
    ours = page.locator(".lm-CommandPalette-item[data-command^='mle-modernizer:']")
    expect(ours.filter(has_text="Modernize a Notebook")).to_be_visible()
    labels = ours.locator(".lm-CommandPalette-itemLabel").all_inner_texts()
    assert len(labels) > 10 and len(labels) == len(set(labels)), sorted(labels)
    assert not [label for label in labels if "MLE Modernizer" in label]
    page.keyboard.press("Escape")


def refuse_a_target_that_is_no_number(lab: Lab) -> None:
    """A target that is no number is refused at the field."""
    panel = Panel(lab.page)
    panel.open()
    panel.unfold(GOAL)
    expect(panel.region).to_contain_text("Without a target score")
    panel.field("Target score").fill("about 0.8")
    expect(panel.alert).to_contain_text("Type a number")
    expect(panel.button("Modernize")).to_be_disabled()
    panel.field("Target score").fill("-0.25")
    expect(panel.alert).to_have_count(0)
    expect(panel.button("Modernize")).to_be_enabled()
    panel.field("Target score").fill("")


def run_without_a_target(lab: Lab) -> None:
    """Without a target and saved outputs a run says what happened, and no more."""
    panel = Panel(lab.page)
    panel.toolbar_button().click()
    panel.expect_stand("Runs without errors")
    expect(panel.section("Errors")).to_contain_text("Every cell ran to completion.")
    expect(panel.region.get_by_text("Finished", exact=True)).to_have_count(0)
    expect(panel.button("Propose a fix")).to_have_count(0)
    assert lab.sources() == ["print('fine')"]


def begin_a_new_session_and_keep_the_old_one(lab: Lab) -> None:
    """A new session is asked about, and the old one is kept until it is deleted."""
    page, panel = lab.page, Panel(lab.page)
    panel.unfold("History")
    panel.button("New session").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Begin a new session?")
    dialog.get_by_role("button", name="New session").click()
    expect(panel.button("Modernize")).to_be_visible()

    lab.type_into(0, "print('other')")
    panel.button("Modernize").click()
    expect(panel.section("Errors")).to_contain_text("Every cell ran", timeout=RUN_LIMIT)
    panel.unfold("History")
    panel.region.get_by_text("2 sessions").click()
    sessions = panel.region.get_by_role("list", name="Sessions").get_by_role("listitem")
    expect(sessions.first).to_contain_text("shown here")
    expect(sessions.last).to_contain_text("1 run · 0 fixes")
    expect_accessible(page, shown(page), "sessions")
    sessions.last.get_by_role("button", name="Restore").click()
    expect(sessions.last).to_contain_text("shown here")
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[0]"
        ".getSource() === \"print('fine')\""
    )
    sessions.first.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(panel.region.get_by_text("1 session", exact=True)).to_be_visible()
    expect(panel.section("Errors")).to_contain_text("Every cell ran")
    sessions.first.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(panel.button("Modernize")).to_be_visible()
    expect(panel.region.get_by_role("heading", name="History")).to_have_count(0)

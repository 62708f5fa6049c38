"""One next thing: wide enough at first, few controls in any state, no violation of axe's rules."""

from __future__ import annotations

import pytest
from accessibility import THEMES, expect_accessible
from conftest import OpenNotebook, example, target_score, written
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect

MOST_VISIBLE, MOST_UNFOLDED = 12, 25
OLD = ("import numpy as np\nx = np.float(3)", "y = np.int(x)")
CONTROLS = """() => {
  const panel = document.querySelector('[role=region][aria-label="MLE Modernizer"]');
  const { bottom, top } = panel.getBoundingClientRect();
  const shown = [...panel.querySelectorAll('button, a[href], input, select, textarea, summary')]
    .filter(item => item.checkVisibility() && item.getClientRects().length > 0);
  const within = shown.filter(item => {
    const box = item.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  return [within.length, shown.length];
}"""


@pytest.fixture(autouse=True)
def small_window(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})


def expect_quiet(page: Page, state: str) -> None:
    """At most twelve controls to be seen, and twenty-five before anything is unfolded."""
    visible, unfolded = page.evaluate(CONTROLS)
    assert 0 < visible <= MOST_VISIBLE, f"{visible} controls are visible: {state}"
    assert unfolded <= MOST_UNFOLDED, f"{unfolded} controls before unfolding: {state}"


def shown(page: Page) -> list[str]:
    """The panel, and a dialog that is open."""
    places = ("#mle-modernizer-panel", ".jp-Dialog")
    return [place for place in places if page.locator(place).count() > 0]


def expect_contrast_in_every_theme(lab: Lab, state: str) -> None:
    """Every rule of axe is kept in the tests' theme, and that of contrast in the others."""
    for theme in (*THEMES[1:], THEMES[0]):
        lab.theme(theme)
        expect_accessible(lab.page, shown(lab.page), state)


def test_the_panel_takes_400_pixels_the_first_time_and_then_what_it_is_given(figure1: Lab) -> None:
    panel = Panel(figure1.page)
    panel.open()
    figure1.page.wait_for_function(
        "() => document.getElementById('mle-modernizer-panel').offsetWidth >= 395"
    )
    figure1.widen_right_area(300)
    width = panel.region.bounding_box()
    assert width is not None and width["width"] < 310
    figure1.page.get_by_role("tab", name="MLE Modernizer").click()
    figure1.page.get_by_role("tab", name="MLE Modernizer").click()
    again = panel.region.bounding_box()
    assert again is not None and again["width"] < 310


def test_few_controls_and_no_violation_in_every_state_and_theme(figure1: Lab) -> None:
    page, panel = figure1.page, Panel(figure1.page)
    panel.open()

    def check(state: str) -> None:
        expect_quiet(page, state)
        expect_accessible(page, shown(page), state)

    expect_quiet(page, "before the first run")
    expect_contrast_in_every_theme(figure1, "before the first run")
    panel.modernize(target_score(example("figure1_wine_xgboost_labels")))
    expect(panel.button("Cancel")).to_be_visible()
    check("at work")
    panel.expect_proposal()
    expect_quiet(page, "in review")
    expect_contrast_in_every_theme(figure1, "in review")
    panel.button("Accept all").click()
    expect(panel.button("Run again")).to_be_visible()
    check("reviewed")
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    check("reproducible")
    for part in ("What happened", "Settings", "History"):
        panel.unfold(part)
    expect_contrast_in_every_theme(figure1, "all unfolded")


def test_few_controls_where_nothing_helps(open_notebook: OpenNotebook) -> None:
    errors = [f"print(1 / 0)  # {number}" for number in range(8)]
    lab = open_notebook(written(*errors))
    panel = Panel(lab.page)
    panel.modernize()
    expect(panel.section("Errors")).to_contain_text("8 root errors", timeout=RUN_LIMIT)
    expect_quiet(lab.page, "eight errors")
    expect_accessible(lab.page, shown(lab.page), "eight errors")


def test_each_command_is_in_the_palette_once_without_the_products_name(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook(written("print('fine')")).page
    page.keyboard.press("Control+Shift+C")
    page.get_by_placeholder("SEARCH", exact=True).last.fill("MLE Modernizer")
    ours = page.locator(".lm-CommandPalette-item[data-command^='mle-modernizer:']")
    expect(ours.filter(has_text="Modernize a Notebook")).to_be_visible()
    labels = ours.locator(".lm-CommandPalette-itemLabel").all_inner_texts()
    assert len(labels) > 10 and len(labels) == len(set(labels)), sorted(labels)
    assert not [label for label in labels if "MLE Modernizer" in label]


def test_a_run_past_a_review_is_asked_about_and_rejects_nothing(
    open_notebook: OpenNotebook,
) -> None:
    lab = open_notebook(written(*OLD))
    page, panel = lab.page, Panel(lab.page)
    panel.modernize()
    panel.expect_proposal()
    panel.toolbar_button().click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Run without these 2 changes?")
    expect_contrast_in_every_theme(lab, "a question")
    dialog.get_by_role("button", name="Back to the review").click()
    expect(panel.edits().first).to_contain_text("To review")

    panel.toolbar_button().click()
    dialog.get_by_role("button", name="Run without them").click()
    expect(panel.button("Cancel")).to_be_visible()
    panel.expect_proposal()
    panel.unfold("History")
    expect(panel.section("History").get_by_role("listitem")).to_have_count(3)


def test_the_keyboard_keeps_its_place_when_a_run_begins_and_ends(
    open_notebook: OpenNotebook,
) -> None:
    lab = open_notebook(written(*OLD))
    panel = Panel(lab.page)
    panel.open()
    panel.button("Modernize").focus()
    lab.page.keyboard.press("Enter")
    expect(panel.button("Cancel")).to_be_focused()
    panel.expect_stand("Your review")
    expect(panel.region.get_by_role("button", name="Review")).to_be_focused()


def test_a_new_session_is_asked_about_and_the_old_one_is_kept(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("print('fine')"))
    page, panel = lab.page, Panel(lab.page)
    panel.modernize()
    expect(panel.section("Errors")).to_contain_text("Every cell ran", timeout=RUN_LIMIT)
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


def test_a_notebook_of_an_old_format_is_pythons(open_notebook: OpenNotebook) -> None:
    notebook = written("print 1")
    del notebook.metadata["language_info"]
    del notebook.metadata["kernelspec"]["language"]
    lab = open_notebook(notebook)
    panel = Panel(lab.page)
    panel.open()
    expect(panel.region).not_to_contain_text("Not a Python notebook")

"""The way through: run, look, review, run again."""

from __future__ import annotations

import re

import pytest
from accessibility import expect_accessible, expect_accessible_in_every_theme, shown
from conftest import OpenNotebook, example, target_score, written
from finishing import CHECKED, MODEL, answer, expect_notification, expect_saved, outputs_of, saved
from lab import Lab
from panel import RUN_LIMIT, Panel, expect_quiet
from playwright.sync_api import expect

CELL_2_OF_3 = re.compile(r"^cell 2 of 3 · ")


def test_figure_1_becomes_reproducible_and_is_finished(figure1: Lab) -> None:
    figure1.page.set_viewport_size({"width": 1440, "height": 900})
    take_400_pixels_and_then_what_is_given(figure1)
    find_the_error_and_its_fix(figure1)
    accept_and_run_again(figure1)
    finish_undo_and_finish_a_copy(figure1)
    link_the_data_for_a_check(figure1)
    change_the_finished_code(figure1)


def take_400_pixels_and_then_what_is_given(figure1: Lab) -> None:
    """The panel is wide enough at first, and then as wide as it is made."""
    panel = Panel(figure1.page)
    panel.open()
    figure1.page.wait_for_function(
        "() => document.getElementById('mle-modernizer-panel').offsetWidth >= 395"
    )
    expect_quiet(figure1.page, "before the first run")
    expect_accessible_in_every_theme(figure1, "before the first run")
    figure1.widen_right_area(300)
    width = panel.region.bounding_box()
    assert width is not None and width["width"] < 310
    figure1.page.get_by_role("tab", name="MLE Modernizer").click()
    figure1.page.get_by_role("tab", name="MLE Modernizer").click()
    again = panel.region.bounding_box()
    assert again is not None and again["width"] < 310
    figure1.widen_right_area(400)


def find_the_error_and_its_fix(figure1: Lab) -> None:
    """The run shows the error, and a proposal leaves the document alone."""
    page, panel = figure1.page, Panel(figure1.page)
    original = figure1.sources()
    panel.modernize(target_score(example("figure1_wine_xgboost_labels")))
    expect(panel.button("Cancel")).to_be_visible()
    expect_quiet(page, "at work")
    expect_accessible(page, shown(page), "at work")

    panel.expect_proposal()
    expect_quiet(page, "in review")
    expect_accessible_in_every_theme(figure1, "in review")
    panel.unfold("Run details")
    expect(panel.section("Errors")).to_contain_text("ValueError")
    expect(panel.traceback()).to_contain_text("Invalid classes inferred")
    expect(panel.section("Score")).to_contain_text("CSV")
    # its one change says the same
    expect(panel.region.get_by_text(re.compile("^Plan: "))).to_have_count(0)
    expect(panel.edits().first).to_be_visible()
    assert figure1.sources() == original, "a proposal alone must not touch the document"
    panel.region.get_by_role("heading", name="Run details", exact=True).click()


def accept_and_run_again(figure1: Lab) -> None:
    """The accepted fix makes it reproducible."""
    page, panel = figure1.page, Panel(figure1.page)
    original = figure1.sources()
    panel.accept_all()
    panel.expect_edits("Accepted")
    changed = figure1.sources()
    assert changed != original
    expect(panel.button("Run again")).to_be_visible()
    expect_quiet(page, "reviewed")
    expect_accessible(page, shown(page), "reviewed")

    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    expect_quiet(page, "reproducible")
    expect_accessible(page, shown(page), "reproducible")
    for part in ("Run details", "Settings", "History"):
        panel.unfold(part)
    expect(panel.section("Score")).to_contain_text("off the target 0.96667")
    expect(panel.section("Score")).to_contain_text("inside the band")
    expect(panel.section("Errors")).to_contain_text("Every cell ran to completion.")
    assert figure1.sources() == changed, "a run must not touch the document"
    expect_accessible_in_every_theme(figure1, "all unfolded")


def finish_undo_and_finish_a_copy(figure1: Lab) -> None:
    """The run's outputs go into the notebook, are taken out again, and into a copy."""
    page, panel = figure1.page, Panel(figure1.page)
    before = saved(figure1)
    panel.button("Finish").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The outputs and execution counts of run 2 go into the notebook")
    assert dialog.locator(".jp-mod-accept").count() == 1, "one blue button"
    answer(page, "Finish this notebook")
    expect(panel.status).to_contain_text("outputs of today’s run")
    expect_saved(page)
    content = saved(figure1)
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    shown = "".join(code[1]["outputs"][0]["text"])
    assert shown.count("sample_submission.csv") == 1, "put in place of the output, not after it"
    assert outputs_of(content) != outputs_of(before)
    said = content["metadata"]["mle_modernizer"]["provenance"]
    assert said["outcome"] == "reproduced" and said["run"] == 2
    assert content["metadata"]["language_info"]["version"] == said["python"]
    expect(panel.button("Check in JupyterLab’s kernel")).to_be_visible()

    panel.button("Undo Finish").click()
    expect(panel.button("Finish")).to_be_visible()
    expect_saved(page)
    assert "provenance" not in saved(figure1)["metadata"].get("mle_modernizer", {})
    assert outputs_of(saved(figure1)) == outputs_of(before)

    panel.button("Finish").click()
    answer(page, "Finish a copy")
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.context?.path.endsWith('-modernized.ipynb')"
    )
    assert "provenance" not in saved(figure1)["metadata"].get("mle_modernizer", {})
    expect(panel.status).to_contain_text("outputs of today’s run")
    expect(panel.button("Modernize")).to_have_count(0)
    figure1.ready()
    panel.toolbar_button().last.click()
    expect(page.get_by_role("dialog")).to_contain_text("Modernize it again?")
    answer(page, "Cancel")


def link_the_data_for_a_check(figure1: Lab) -> None:
    """A check in JupyterLab's kernel links the data it lacks, and changes no output."""
    page, panel = figure1.page, Panel(figure1.page)
    path = page.evaluate("() => window.jupyterapp.shell.currentWidget.context.path")
    before = outputs_of(saved(figure1, path))
    panel.button("Check in JupyterLab’s kernel").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("JupyterLab’s kernel does not find")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    answer(page, "Cancel")
    panel.button("Check in JupyterLab’s kernel").click()
    answer(page, "Link the data here")
    expect_notification(page, CHECKED, timeout=RUN_LIMIT)
    assert outputs_of(saved(figure1, path)) == before


def change_the_finished_code(figure1: Lab) -> None:
    """Somebody who changes the code is told, and offered what there is to do."""
    page, panel = figure1.page, Panel(figure1.page)
    page.evaluate(f"() => {MODEL}.cells.at(-1).setSource('print(1)')")
    expect(panel.status).to_contain_text("Its code has changed since")
    expect(panel.button("Modernize")).to_be_visible()


@pytest.mark.thorough
def test_a_moved_default_shows_as_a_deviation_and_is_pinned(open_notebook: OpenNotebook) -> None:
    notebook = example("diabetes_2019_svr_default_gamma")
    lab = open_notebook(notebook)
    panel = Panel(lab.page)
    panel.modernize(target_score(notebook))

    panel.expect_proposal()
    panel.unfold("Run details")
    expect(panel.section("Score")).to_contain_text("outside the band")
    expect(panel.field("Fix type")).to_have_value("score-calibration")
    panel.accept_all()
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")


def test_auto_mode_asks_for_one_review_at_the_end(figure1: Lab) -> None:
    panel = Panel(figure1.page)
    original = figure1.sources()
    panel.open()
    panel.field("Target score").fill(target_score(example("figure1_wine_xgboost_labels")))
    panel.unfold("Settings")
    panel.field("Mode").select_option("auto")
    panel.toolbar_button().click()

    panel.expect_stand("Your review")
    expect(panel.section("All changes")).to_contain_text("reviewed")
    panel.unfold("Run details")
    expect(panel.section("Score")).to_contain_text("inside the band")
    assert figure1.sources() == original, "auto mode works on a copy"

    panel.accept_all()
    panel.expect_edits("Accepted")
    assert figure1.sources() != original
    panel.expect_stand("Reproducible")


def test_a_run_shows_its_errors_and_goes_on_over_a_reload(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("1 / 0", "import time\ntime.sleep(600)", "sum([1, 2, 3])"))
    panel = Panel(lab.page)
    panel.modernize()
    expect(panel.progress).to_have_attribute("aria-valuetext", CELL_2_OF_3, timeout=RUN_LIMIT)
    expect(panel.section("Errors so far")).to_contain_text("ZeroDivisionError", timeout=RUN_LIMIT)
    expect(panel.progress).to_be_visible()

    lab.reload()
    expect(panel.status).to_contain_text("Running", timeout=RUN_LIMIT)
    expect(panel.progress).to_have_attribute("aria-valuetext", CELL_2_OF_3)
    expect(panel.section("Errors so far")).to_contain_text("ZeroDivisionError")

    panel.button("Cancel").click()
    panel.expect_stand("Cancelled")
    expect(panel.progress).to_have_count(0)
    expect(panel.button("Run again")).to_be_enabled()

"""The way through: run, look, review, run again."""

from __future__ import annotations

import re

from conftest import OpenNotebook, example, target_score, written
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import expect

CELL_2_OF_3 = re.compile(r"^cell 2 of 3 · ")


def test_figure_1_becomes_reproducible(figure1: Lab) -> None:
    panel = Panel(figure1.page)
    original = figure1.sources()
    panel.modernize(target_score(example("figure1_wine_xgboost_labels")))

    panel.expect_proposal()
    panel.unfold("What happened")
    expect(panel.section("Errors")).to_contain_text("ValueError")
    expect(panel.traceback()).to_contain_text("Invalid classes inferred")
    expect(panel.section("Score")).to_contain_text("CSV")
    expect(panel.plan.get_by_role("listitem").first).to_be_visible()
    expect(panel.edits().first).to_be_visible()
    assert figure1.sources() == original, "a proposal alone must not touch the document"

    panel.button("Accept all").click()
    panel.expect_edits("Accepted")
    changed = figure1.sources()
    assert changed != original

    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    expect(panel.section("Score")).to_contain_text("off the target 0.96667")
    expect(panel.section("Score")).to_contain_text("inside the band")
    expect(panel.section("Errors")).to_contain_text("Every cell ran to completion.")
    assert figure1.sources() == changed, "a run must not touch the document"


def test_a_moved_default_shows_as_a_deviation_and_is_pinned(open_notebook: OpenNotebook) -> None:
    notebook = example("diabetes_2019_svr_default_gamma")
    lab = open_notebook(notebook)
    panel = Panel(lab.page)
    panel.modernize(target_score(notebook))

    panel.expect_proposal()
    panel.unfold("What happened")
    expect(panel.section("Score")).to_contain_text("outside the band")
    expect(panel.field("Fix type")).to_have_value("score-calibration")
    panel.button("Accept all").click()
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
    panel.unfold("What happened")
    expect(panel.section("Score")).to_contain_text("inside the band")
    assert figure1.sources() == original, "auto mode works on a copy"

    panel.button("Accept all").click()
    panel.expect_edits("Accepted")
    assert figure1.sources() != original
    panel.expect_stand("Reproducible")


def test_a_reload_in_mid_run_shows_the_run_going_on(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("rows = [1, 2, 3]", "import time\ntime.sleep(600)", "sum(rows)"))
    panel = Panel(lab.page)
    panel.modernize()
    expect(panel.progress).to_have_attribute("aria-valuetext", CELL_2_OF_3, timeout=RUN_LIMIT)

    lab.reload()
    expect(panel.status).to_contain_text("Running", timeout=RUN_LIMIT)
    expect(panel.progress).to_have_attribute("aria-valuetext", CELL_2_OF_3)

    panel.button("Cancel").click()
    panel.expect_stand("Cancelled")
    expect(panel.progress).to_have_count(0)
    expect(panel.button("Run again")).to_be_enabled()


def test_an_error_shows_while_the_run_goes_on(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("1 / 0", "import time\ntime.sleep(600)"))
    panel = Panel(lab.page)
    panel.modernize()
    expect(panel.section("Errors so far")).to_contain_text("ZeroDivisionError", timeout=RUN_LIMIT)
    expect(panel.progress).to_be_visible()
    panel.button("Cancel").click()
    panel.expect_stand("Cancelled")

"""A better score is looked for in the panel, and the better version accepted in its cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import OpenNotebook, written
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect
from server import LabServer

from tests.improving.steps import BOOSTING, LOAD, SUBMIT, make_steps


def test_a_better_version_is_found_reviewed_and_accepted(
    open_notebook: OpenNotebook, data_root: Path
) -> None:
    make_steps(data_root)
    lab = open_notebook(written(LOAD, BOOSTING, SUBMIT))
    panel = Panel(lab.page)
    panel.modernize()
    panel.expect_stand("Runs without errors")

    panel.unfold("Improve")
    panel.field("Folds").select_option("3")
    panel.button("Look for a better score").click()
    versions = panel.region.get_by_role("list", name="Compared versions")
    better = versions.get_by_role("listitem").filter(has_text="early stopping").first
    expect(better).to_contain_text("✓better", timeout=RUN_LIMIT)
    panel.expect_stand("Runs without errors")
    assert "n_iter_no_change" not in lab.sources()[1]

    better.get_by_role("button", name="Review this version").click()
    panel.expect_stand("Your review")
    assert "n_iter_no_change" not in lab.sources()[1]
    panel.edits().first.click()
    panel.current_cell().get_by_role("checkbox", name="Yes, I want this change").check()
    panel.accept_all()
    panel.expect_edits("Accepted")
    assert "n_iter_no_change=20" in lab.sources()[1]

    panel.button("Run again").first.click()
    panel.expect_stand("Runs without errors")


@pytest.mark.thorough
def test_a_first_notebook_is_made_for_a_task_and_runs(
    page: Page, server: LabServer, data_root: Path
) -> None:
    make_steps(data_root)
    lab = Lab(page, server, "", workspace="task")
    page.goto(f"{server.url}/lab/workspaces/task?token={server.token}&reset")
    page.locator(".jp-LauncherCard").filter(has_text="New Notebook from a Task").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox").select_option("steps")
    dialog.get_by_role("button", name="Make").click()
    lab.ready()
    assert any("submission.csv" in source for source in lab.sources())

    panel = Panel(page)
    panel.toolbar_button().click()
    panel.expect_stand("Runs without errors")
    expect(panel.section("Score")).to_contain_text(re.compile(r"Score \d"))

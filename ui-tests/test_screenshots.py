"""Writes the pictures of the documentation: `make screenshots`."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import OpenNotebook, example, target_score
from lab import Lab
from panel import Panel
from playwright.sync_api import expect

IMAGES = Path(__file__).parents[1] / "docs" / "images"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

pytestmark = pytest.mark.screenshots


@pytest.mark.parametrize("shade", THEMES)
def test_picture_of_the_review_and_of_the_end(open_notebook: OpenNotebook, shade: str) -> None:
    name = "figure1_wine_xgboost_labels"
    notebook = example(name)
    lab = open_notebook(notebook, f"{shade}/{name}.ipynb")
    try:
        lab.theme(THEMES[shade])
        take_pictures(lab, target_score(notebook), shade)
    finally:
        lab.theme(THEMES["light"])


def take_pictures(lab: Lab, target: str, shade: str) -> None:
    """The panel with a proposal, then with the notebook made reproducible."""
    page, panel = lab.page, Panel(lab.page)
    page.get_by_role("tab", name="File Browser").click()
    panel.open()
    panel.modernize(target)
    panel.expect_proposal()
    panel.edits().first.click()
    panel.current_edit().scroll_into_view_if_needed()
    page.screenshot(path=IMAGES / f"review-{shade}.png", animations="disabled")

    panel.button("Accept all").click()
    panel.expect_edits("Accepted")
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    panel.status.scroll_into_view_if_needed()
    expect(panel.section("Score")).to_contain_text("inside the band")
    page.screenshot(path=IMAGES / f"reproducible-{shade}.png", animations="disabled")

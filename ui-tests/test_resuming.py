"""In the scope of one cell, one click goes on from the cell that failed."""

from __future__ import annotations

from conftest import OpenNotebook, written
from panel import Panel
from playwright.sync_api import expect

OLD = (
    "import numpy as np\nimport time\ntime.sleep(1)",
    "kinds = np.array([1, 2], dtype=np.int)",
    "shares = np.array([1, 2], dtype=np.float)",
    "print(kinds + shares)",
)


def test_one_click_goes_on_from_the_failing_cell(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written(*OLD))
    panel = Panel(lab.page)
    panel.open()
    panel.unfold("Settings")
    panel.field("When a cell fails").select_option("cell")
    panel.button("Modernize").click()

    panel.expect_proposal()
    expect(panel.region.get_by_text("The kernel is paused at cell 2 until")).to_be_visible()
    panel.accept_all()
    panel.expect_edits("Accepted")
    expect(panel.button("Run again")).to_be_visible()
    panel.button("Continue from cell 2").click()

    panel.expect_proposal()
    expect(panel.region.get_by_text("The kernel is paused at cell 3 until")).to_be_visible()
    panel.accept_all()
    panel.button("Continue from cell 3").click()

    panel.expect_stand("Runs without errors")
    expect(panel.section("Errors")).to_contain_text("Every cell ran to completion.")
    expect(panel.button("Run again")).to_be_visible()
    expect(panel.region.get_by_text("The kernel is paused")).to_have_count(0)

"""In the scope of one cell, one click goes on from the cell that failed."""

from __future__ import annotations

import re

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
    expect(
        panel.region.get_by_text(re.compile(r"The kernel is paused at cell \[.*kinds.* until"))
    ).to_be_visible()
    panel.accept_all()
    panel.expect_edits("Accepted")
    expect(panel.button("Run again")).to_be_visible()
    panel.region.get_by_role(
        "button", name=re.compile(r"^Continue from cell \[.*kinds")
    ).first.click()

    panel.expect_proposal()
    expect(
        panel.region.get_by_text(re.compile(r"The kernel is paused at cell \[.*shares.* until"))
    ).to_be_visible()
    panel.accept_all()
    panel.region.get_by_role(
        "button", name=re.compile(r"^Continue from cell \[.*shares")
    ).first.click()

    panel.expect_stand("Runs without errors")
    expect(panel.section("Errors")).to_contain_text("Every cell ran to completion.")
    expect(panel.button("Run again")).to_be_visible()
    expect(panel.region.get_by_text("The kernel is paused")).to_have_count(0)

"""A notebook without a competition comes out as its saved outputs say."""

from __future__ import annotations

import pytest
from conftest import OpenNotebook, with_outputs, written
from panel import RUN_LIMIT, Panel
from playwright.sync_api import expect

CELLS = ("x = 2", "print(x + 1)", "print('x is', x)")


@pytest.mark.thorough
def test_saved_outputs_are_the_outcome_where_nothing_is_graded(
    open_notebook: OpenNotebook,
) -> None:
    lab = open_notebook(with_outputs(written(*CELLS), "", "3\n", "x is 2\n"))
    panel = Panel(lab.page)
    panel.modernize()
    panel.expect_stand("Reproduces its saved outputs")
    expect(panel.status).to_contain_text("All 2 outputs that can be compared match.")
    expect(panel.button("Finish")).to_be_visible()
    for part in ("Score", "Saved outputs", "Fix"):
        expect(panel.section(part)).to_have_count(0)
    expect(panel.region.get_by_text("No competition is selected")).to_have_count(0)

    lab.type_into(0, "x = 3")
    panel.button("Run again").click()
    panel.expect_stand("Runs, but outputs differ")
    expect(panel.status).to_contain_text("0 of 2 outputs that can be compared match.")
    saved = panel.section("Saved outputs")
    expect(saved).to_contain_text("Cell [")
    expect(panel.button("Propose a fix")).to_be_visible()

    lab.type_into(0, "x = 1 / 0")
    panel.button("Run again").click()
    expect(panel.section("Errors")).to_contain_text("1 root error", timeout=RUN_LIMIT)
    panel.unfold("History")
    expect(panel.section("History")).to_contain_text("Runs with errors")

"""What an auto run will cost, what it costs while it goes on, and what it led to."""

from __future__ import annotations

import json

import pytest
from conftest import OpenNotebook, written
from panel import Panel
from playwright.sync_api import expect

from tests.llm_server import Answer, LlmServer
from tests.llm_server.answers import in_turn

REPLY = """\
=== PLAN ===
- The divisor counts from 1.
=== REPLACE CELL $CELL(divisor)$ ===
divisor = 0
print(1 / max(divisor, 1))
=== END ===
"""


@pytest.mark.thorough
def test_an_auto_run_from_its_estimate_to_its_statistics(
    open_with_model: OpenNotebook, model: LlmServer
) -> None:
    model.choose = in_turn([Answer("I had rather not."), Answer(REPLY, cached_tokens=400)])
    lab = open_with_model(written("divisor = 0\nprint(1 / divisor)"), "priced/divided.ipynb")
    page, panel = lab.page, Panel(lab.page)
    panel.open()
    lab.widen_right_area(560)
    estimate = panel.region.get_by_role("group", name="Estimated cost")
    expect(estimate).to_have_count(0)
    panel.unfold("Settings")
    panel.field("Mode").select_option("auto")
    expect(estimate).to_contain_text("prices of 2026-02-01")
    expect(estimate).to_contain_text("the figures of the paper")

    panel.modernize()
    panel.agree_to_model()
    panel.expect_stand("Your review")
    total = panel.region.get_by_role("group", name="Cost of this session")
    expect(total).to_contain_text("2 calls")
    expect(total).to_contain_text("prices of 2026-02-01")
    panel.unfold("History")
    history = panel.section("History")
    expect(history).to_contain_text("1 edit tried")
    history.get_by_text("Statistics", exact=True).click()
    fixes = history.get_by_role("table", name="Fixes by type, and what they led to")
    expect(fixes.get_by_role("row", name="Error repair 1 1")).to_be_visible()
    expect(history.get_by_role("table", name="Root errors by number of fixes")).to_contain_text(
        "ZeroDivisionError"
    )
    history.get_by_text("Statistics", exact=True).scroll_into_view_if_needed()

    panel.button("All sessions").click()
    tab = page.get_by_role("tabpanel", name="Modernization statistics")
    expect(tab.get_by_role("img", name="What fixes of each type led to")).to_be_visible()
    expect(tab.get_by_role("table", name="Cost by fix type")).to_contain_text("Error repair")
    lab.theme("JupyterLab Dark")
    beginning = tab.get_by_label("Notebooks whose path begins with")
    beginning.fill("nowhere")
    expect(tab).to_contain_text("No session’s notebook has a path that begins like this.")
    expect(tab.get_by_role("table")).to_have_count(0)
    beginning.fill("priced/")
    expect(tab.get_by_role("table", name="Cost by fix type")).to_contain_text("Error repair")
    with page.expect_download() as download:
        tab.get_by_role("button", name="Download JSON").click()
    assert json.loads(download.value.path().read_text())["usage"]["calls"] == 2
    lab.theme("JupyterLab Light")

"""A notebook that wants the network: allowed by the person for its runs, or not at all."""

from __future__ import annotations

from conftest import OpenNotebook, written
from panel import RUN_LIMIT, Panel
from playwright.sync_api import expect

SOURCE = "from urllib.request import urlopen\nprint(len(urlopen('https://example.org/').read()))"


def test_the_network_is_allowed_after_a_question(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written(SOURCE))
    panel = Panel(lab.page)
    panel.modernize()
    card = panel.region.get_by_role("group", name="Files of the network")
    expect(card).to_contain_text("The notebook wants the network.", timeout=RUN_LIMIT)
    allow = card.get_by_role("button", name="Run with the network…")
    allow.click()
    dialog = lab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Let this notebook reach the network?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(card).to_be_visible()
    allow.click()
    dialog.get_by_role("button", name="Allow and run").click()
    panel.unfold("What happened")
    expect(panel.region).to_contain_text("This run had network access", timeout=RUN_LIMIT)
    panel.more_settings()
    expect(panel.field("Network")).to_have_value("public")
    assert lab.sources() == [SOURCE]

"""Bad input gets a clear sentence and loses nothing."""

from __future__ import annotations

import nbformat
from conftest import OpenNotebook, written
from lab import Lab
from nbformat import NotebookNode
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect
from server import LabServer

READ = "import pandas as pd\npd.read_csv('../input/no-such/train.csv')"
LOAD = "from urllib.request import urlopen\nprint(len(urlopen('https://example.org/').read()))"


def test_a_request_without_the_token_is_refused(server: LabServer) -> None:
    for path, method in (("info", "GET"), ("sessions", "GET"), ("sessions", "POST")):
        assert server.api(path, method=method)[0] == 403, (path, method)
    assert server.api("detect", method="POST")[0] == 403
    assert server.api("info", token=server.token[::-1])[0] == 403


def test_missing_file_is_named_and_network_allowed_on_request(
    open_notebook: OpenNotebook,
) -> None:
    lab = open_notebook(written(READ, LOAD))
    panel = Panel(lab.page)
    panel.open()
    expect(panel.field("Competition")).to_have_value("")
    expect(panel.section("Competition and target score")).to_contain_text("no-such")
    panel.toolbar_button().click()
    expect(panel.section("Errors")).to_contain_text("FileNotFoundError", timeout=RUN_LIMIT)
    missing = panel.region.get_by_role("group", name="Missing data")
    expect(missing).to_contain_text("../input/no-such/train.csv")
    expect(missing.get_by_role("button", name="Look for data again")).to_be_enabled()
    allow_the_network(lab)
    assert lab.sources() == [READ, LOAD]


def allow_the_network(lab: Lab) -> None:
    """The notebook wants the network: allowed by the person for its runs, or not at all."""
    panel = Panel(lab.page)
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
    panel.unfold("Run details")
    expect(panel.region).to_contain_text("This run had network access", timeout=RUN_LIMIT)
    panel.more_settings()
    expect(panel.field("Network")).to_have_value("true")


def test_other_language_is_reported_until_the_kernel_is_python(
    page: Page, server: LabServer
) -> None:
    notebook: NotebookNode = written("x <- 1")
    notebook.metadata["language_info"] = {"name": "R"}
    notebook.metadata["kernelspec"] = {"display_name": "R", "language": "R", "name": "ir"}
    nbformat.write(notebook, server.root / "of-another-language.ipynb")
    lab = Lab(page, server, "of-another-language.ipynb", workspace="of-another-language")
    lab.show(own_kernel=True)
    page.get_by_role("dialog").get_by_role("button", name="No Kernel").click()
    panel = Panel(page)
    panel.show()
    expect(panel.region).to_contain_text("Only Python notebooks can be modernized.")

    lab.set_metadata("kernelspec", {"display_name": "P", "language": "python", "name": "python3"})
    expect(panel.button("Modernize")).to_be_visible()

"""Bad input gets a clear sentence and loses nothing."""

from __future__ import annotations

import nbformat
import pytest
from conftest import OpenNotebook, written
from lab import Lab
from nbformat import NotebookNode
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect
from server import LabServer


@pytest.mark.parametrize(
    ("path", "method"),
    [("info", "GET"), ("sessions", "GET"), ("sessions", "POST"), ("detect", "POST")],
)
def test_a_request_without_a_token_is_refused(server: LabServer, path: str, method: str) -> None:
    status, _ = server.api(path, method=method)
    assert status == 403


def test_a_request_with_a_wrong_token_is_refused(server: LabServer) -> None:
    status, _ = server.api("info", token=server.token[::-1])
    assert status == 403


def test_without_a_target_the_panel_says_what_it_can_do(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("print('fine')"))
    panel = Panel(lab.page)
    panel.open()
    expect(panel.region).to_contain_text("Without a target score")
    panel.toolbar_button().click()
    expect(panel.section("Errors")).to_contain_text(
        "Every cell ran to completion.", timeout=RUN_LIMIT
    )
    assert lab.sources() == ["print('fine')"]


def test_a_target_that_is_no_number_is_refused_at_the_field(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("1"))
    panel = Panel(lab.page)
    panel.open()
    panel.field("Target score").fill("about 0.8")
    expect(panel.alert).to_contain_text("The target score must be a number")
    expect(panel.button("Modernize")).to_be_disabled()
    panel.field("Target score").fill("-0.25")
    expect(panel.alert).to_have_count(0)
    expect(panel.button("Modernize")).to_be_enabled()


def test_a_competition_nobody_has_is_named(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("import pandas as pd\npd.read_csv('../input/no-such/train.csv')"))
    panel = Panel(lab.page)
    panel.open()
    expect(panel.field("Competition")).to_have_value("")
    expect(panel.section("Target")).to_contain_text("no-such")
    panel.toolbar_button().click()
    expect(panel.section("Errors")).to_contain_text("FileNotFoundError", timeout=RUN_LIMIT)
    missing = panel.region.get_by_role("group", name="Missing data")
    expect(missing).to_contain_text("../input/no-such/train.csv")
    expect(missing.get_by_role("button", name="Look for data again")).to_be_enabled()


def test_a_notebook_in_another_language_is_told_apart_until_its_kernel_is_pythons(
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


def test_an_empty_notebook_is_refused_with_a_sentence(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written())
    panel = Panel(lab.page)
    panel.modernize()
    expect(panel.alert).to_contain_text("no code", timeout=RUN_LIMIT)

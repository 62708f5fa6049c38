"""A short way through the product in another JupyterLab or Notebook: `scripts/other-jupyter`."""

from __future__ import annotations

import pytest
from conftest import OpenNotebook, written
from panel import RUN_LIMIT, Panel
from playwright.sync_api import expect

pytestmark = pytest.mark.compat

OLD = "import numpy as np\nprint(np.float(3))"


def test_a_notebook_is_modernized_and_finished(open_notebook: OpenNotebook) -> None:
    failures: list[str] = []
    lab = open_notebook(written(OLD, "print('last')"))
    page, panel = lab.page, Panel(lab.page)
    page.on("pageerror", lambda error: failures.append(str(error)))
    if lab.server.app == "notebook":
        page.evaluate("() => window.jupyterapp.commands.execute('mle-modernizer:open-panel')")
        # Asked for twice, it is still there: Notebook closes what is activated while it is open.
        expect(panel.region).to_be_visible()
        page.evaluate("() => window.jupyterapp.commands.execute('mle-modernizer:open-panel')")
    panel.open()
    expect(panel.status).to_contain_text("1 cell will fail", timeout=RUN_LIMIT)
    panel.button("Modernize").click()
    panel.expect_proposal()
    in_cell = page.get_by_role("main").locator(".jp-mle-Inline")
    expect(in_cell.first).to_be_visible(timeout=30_000)
    in_cell.first.get_by_role("button", name="Accept").first.click()
    expect(panel.edits().first).to_contain_text("Accepted")
    assert "np.float(" not in lab.sources()[0]

    panel.button("Run again").click()
    panel.button("Finish").click(timeout=RUN_LIMIT)
    page.get_by_role("dialog").get_by_role("button", name="Finish this notebook").click()
    expect(panel.status).to_contain_text("outputs of today’s run")
    expect(page.get_by_role("main").get_by_text("3.0")).to_be_visible()
    panel.button("Compare with the original").click()
    if lab.server.app == "jupyterlab":
        expect(page.locator(".jp-mle-SideBySide .cm-merge-b .cm-line").first).to_be_visible()
    assert failures == []

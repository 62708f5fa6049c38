"""The first mile: JupyterLab in one environment, the kernel in another, the data beside it."""

from __future__ import annotations

from pathlib import Path

from lab import Lab
from panel import Panel
from playwright.sync_api import Page, expect
from server import LabServer

from tests.examples.desk import add_kernel, moved


def test_notebook_with_its_data_in_a_foreign_kernel_works(
    page: Page, server: LabServer, data_root: Path
) -> None:
    add_kernel(server.root.parent / "share", "first-mile")
    folder = server.root / "desk"
    folder.mkdir()
    name = "wine_2021_one_hot_forest"
    moved(name, data_root, folder, kernel="first-mile")
    data = {path: path.read_bytes() for path in (folder / "data").iterdir()}
    lab = Lab(page, server, f"desk/{name}.ipynb", workspace="first-mile")
    lab.open(own_kernel=True)
    panel = Panel(page)
    original = lab.sources()
    panel.modernize()

    panel.expect_proposal()
    assert lab.sources() == original
    panel.accept_all()
    panel.expect_edits("Accepted")
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    panel.unfold("Settings")
    environment = panel.section("Settings").get_by_text("Kernel first-mile: all")
    expect(environment).to_contain_text("imports are available")
    assert {path: path.read_bytes() for path in (folder / "data").iterdir()} == data

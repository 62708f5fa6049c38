"""From a batch's folder in the file browser to the review of what it proposes for a notebook."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import nbformat
from conftest import written
from lab import Lab, open_folder
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect
from server import LabServer

from mle_modernizer_server.batch.folder import StudyFolder

OLD = "import numpy as np\nvalue = np.float(2)\nprint(value)"
FINE = "print(1 + 1)"


def batch_of(root: Path, sources: dict[str, str]) -> StudyFolder:
    """A batch of notebooks below the file browser's folder, as the command works through it."""
    (root / "course").mkdir()
    for name, source in sources.items():
        nbformat.write(written(source), root / "course" / name)
    program = "from mle_modernizer_server.cli.command import command; command()"
    flags = ("--out", "kept-alive", "--arms", "rules", "--sandbox", "process", "--workers", "1")
    subprocess.run((sys.executable, "-c", program, "batch", "course", *flags), cwd=root, check=True)
    return StudyFolder(root / "kept-alive")


def test_what_a_batch_proposes_is_accepted_in_its_notebook(page: Page, server: LabServer) -> None:
    folder = batch_of(server.root, {"old.ipynb": OLD, "fine.ipynb": FINE})
    old = server.root / "course/old.ipynb"
    before = old.read_bytes()
    open_folder(page, server, "", workspace="batch")
    files = page.locator(".jp-DirListing-content")
    files.locator(".jp-DirListing-item", has_text="kept-alive").click(button="right")
    page.get_by_role("menuitem", name="Open as a Batch of Notebooks").click()

    tab = page.get_by_role("tabpanel", name="kept-alive")
    table = tab.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(3, timeout=RUN_LIMIT)
    expect(table.get_by_role("row", name="old.ipynb")).to_contain_text("Runs without errors")
    expect(tab.get_by_role("img", name="How many notebooks went")).to_be_visible()
    tab.get_by_label("Outcome", exact=True).select_option("to-review")
    expect(table.get_by_role("row")).to_have_count(2)
    page.screenshot(path=Path(__file__).parent / "test-results" / "batch.png")

    # what is finished meanwhile comes by itself
    (key,) = (one for one in folder.done() if one.startswith("fine"))
    more = json.loads((folder.root / f"results/{key}.json").read_text())
    more["key"] = more["line"]["name"] = "later"
    (folder.root / "results/later.json").write_text(json.dumps(more))
    tab.get_by_label("Outcome", exact=True).select_option("")
    expect(table.get_by_role("row")).to_have_count(4)

    tab.get_by_role("button", name="Review the changes of old.ipynb").click()
    lab = Lab(page, server, "course/old.ipynb", workspace="batch")
    panel = Panel(page)
    panel.expect_stand("Your review")
    assert "np.float(2)" in lab.sources()[0] and old.read_bytes() == before
    panel.accept_all()
    panel.expect_edits("Accepted")
    assert "np.float" not in lab.sources()[0]
    panel.button("Modernize").first.click()
    panel.expect_stand("Runs without errors")

"""Two people on one notebook with `jupyter-collaboration`: `scripts/other-jupyter` runs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from conftest import written
from lab import Lab
from panel import Panel
from playwright.sync_api import Browser, expect
from server import LabServer, running_lab

pytestmark = pytest.mark.compat

FIRST = "import numpy as np\nfirst = np.float(1)"
SECOND = "second = np.float(2)"
MINE = "second = 'mine'"
ACCEPT_ALL = "() => { void window.jupyterapp.commands.execute('mle-modernizer:accept-all'); }"
WHOLE = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"


@pytest.fixture
def shared_server(data_root: Path, tmp_path: Path) -> Iterator[LabServer]:
    folder = tmp_path / "lab"
    folder.mkdir()
    with running_lab(folder, data_root=data_root) as lab:
        yield lab


def test_two_people_accept_the_same_and_change_what_was_proposed(
    browser: Browser, shared_server: LabServer
) -> None:
    nbformat.write(written(FIRST, SECOND), shared_server.root / "both.ipynb")
    people = []
    for name in ("one", "two"):
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        lab = Lab(page, shared_server, "both.ipynb", workspace=name)
        lab.open()
        people.append((lab, Panel(page)))
        if name == "one":
            people[0][1].modernize()
            people[0][1].expect_proposal()
    (one, mine), (two, theirs) = people
    assert one.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.path") != (
        "both.ipynb"
    ), "without jupyter-collaboration nothing is shared"
    theirs.open_again()
    theirs.expect_proposal()
    expect(mine.edits()).to_have_count(2)

    # What the other one writes makes a change out of date; it is not written over.
    two.type_into(1, MINE)
    expect(mine.edits().nth(1)).to_contain_text("Out of date")

    # Both accept at the same time: the change is there once, in both browsers.
    for lab in (one, two):
        lab.page.evaluate(ACCEPT_ALL)
    for _, panel in people:
        expect(panel.edits().first).to_contain_text("Accepted", timeout=30_000)
    one.page.wait_for_timeout(1500)  # for whatever might still be on its way
    assert one.sources() == two.sources()
    first, second = one.sources()
    assert first == FIRST.replace("np.float(", "float(") and second == MINE
    for lab, _ in people:
        lab.page.context.close()

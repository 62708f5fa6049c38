"""Two people on one notebook, with `jupyter-collaboration`: `scripts/other-jupyter` runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from conftest import written
from lab import Lab
from panel import Panel
from playwright.sync_api import Browser, expect
from server import LabServer, running_lab

pytestmark = pytest.mark.together

FIRST = "import numpy as np\nfirst = np.float(1)"
SECOND = "second = np.float(2)"
MENDED = [FIRST.replace("np.float(", "float("), SECOND.replace("np.float(", "float(")]
OTHERS = "second = 'written by the other person'"
ACCEPT_ALL = "() => { void window.jupyterapp.commands.execute('mle-modernizer:accept-all'); }"
SOURCES = (
    "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"
    ".map(cell => cell.getSource())"
)

Person = tuple[Lab, Panel]


@pytest.fixture
def shared_server(data_root: Path, tmp_path: Path) -> Iterator[LabServer]:
    """A server of this test alone: what it keeps of shared documents ends with it."""
    if "LAB_PYTHON" not in os.environ:
        pytest.skip("run by scripts/other-jupyter jupyterlab jupyter-collaboration")
    folder = tmp_path / "lab"
    folder.mkdir()
    with running_lab(folder, data_root=data_root) as lab:
        yield lab


@pytest.fixture
def people(browser: Browser, shared_server: LabServer) -> Iterator[tuple[Person, Person]]:
    """Two browsers on one notebook with a proposal of two changes, seen by both."""
    nbformat.write(written(FIRST, SECOND), shared_server.root / "both.ipynb")
    one, two = (
        Lab(
            browser.new_context(viewport={"width": 1440, "height": 900}).new_page(),
            shared_server,
            "both.ipynb",
            workspace=name,
        )
        for name in ("one", "two")
    )
    for lab in (one, two):
        # On a busy machine the shared document takes longer than jupyter-collaboration expects.
        slow = lab.page.get_by_role("dialog").get_by_role("button", name="Continue waiting")
        lab.page.add_locator_handler(slow, lambda button: button.click())
    mine, theirs = Panel(one.page), Panel(two.page)
    one.open()
    mine.modernize()
    mine.expect_proposal()
    two.open()
    theirs.open_again()
    theirs.expect_proposal()
    yield (one, mine), (two, theirs)
    for lab in (one, two):
        lab.page.context.close()


def expect_sources(lab: Lab, sources: list[str]) -> None:
    """Wait until the document has these texts: what the other one writes takes a moment."""
    lab.page.wait_for_function(
        f"wanted => JSON.stringify({SOURCES}) === JSON.stringify(wanted)",
        arg=sources,
        timeout=20_000,
    )


def test_simultaneous_acceptances_apply_the_change_once(
    people: tuple[Person, Person],
) -> None:
    for lab, _ in people:
        lab.page.evaluate(ACCEPT_ALL)
    for lab, panel in people:
        for n in range(2):
            expect(panel.edits().nth(n)).to_contain_text("Accepted", timeout=30_000)
        expect_sources(lab, MENDED)
        expect(panel.alert).to_have_count(0)
    people[0][0].page.wait_for_timeout(1500)  # for whatever might still be on its way
    for lab, _ in people:
        assert lab.sources() == MENDED

    # What one takes back is back for both.
    (_, mine), (two, theirs) = people
    mine.edits().first.click()
    mine.bar.get_by_role("button", name="Undo").click()
    expect(theirs.edits().first).to_contain_text("To review", timeout=30_000)
    expect_sources(two, [FIRST, MENDED[1]])


def test_foreign_edit_outdates_a_change_and_stays(
    people: tuple[Person, Person],
) -> None:
    (one, mine), (two, _) = people
    two.type_into(1, OTHERS)
    expect_sources(one, [FIRST, OTHERS])
    expect(mine.edits().nth(1)).to_contain_text("Out of date")
    mine.accept_all()
    for lab, panel in people:
        expect(panel.edits().first).to_contain_text("Accepted", timeout=30_000)
        expect(panel.edits().nth(1)).to_contain_text("Out of date")
        expect_sources(lab, [MENDED[0], OTHERS])

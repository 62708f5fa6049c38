"""A short way through the product in this JupyterLab; in others and in Notebook with
`scripts/other-jupyter`.
"""

from __future__ import annotations

from accessibility import expect_accessible_in_every_theme
from conftest import OpenNotebook, written
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect

OLD = "import numpy as np\nprint(np.float(3))", "print(np.int(4))"
SLOW = "import time\ntime.sleep(4)"
# The parts of the review that stand at the cells, and backgrounds of cells and their prompts.
AT_CELLS = (".jp-mle-ReviewBar", ".jp-mle-Inline", ".jp-mle-CellError", ".jp-mle-Mark")
PICTURES = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell, .jp-InputPrompt')]
  .map(node => getComputedStyle(node).backgroundImage)"""


def test_a_notebook_is_modernized_and_finished(open_notebook: OpenNotebook) -> None:
    failures: list[str] = []
    lab = open_notebook(written(*OLD, SLOW))
    page, panel = lab.page, Panel(lab.page)
    page.on("pageerror", lambda error: failures.append(str(error)))
    if lab.server.app == "notebook":
        page.evaluate("() => window.jupyterapp.commands.execute('mle-modernizer:open-panel')")
        # Asked for twice, it is still there: Notebook closes what is activated while it is open.
        expect(panel.region).to_be_visible()
        page.evaluate("() => window.jupyterapp.commands.execute('mle-modernizer:open-panel')")
    panel.open()
    expect(panel.status).to_contain_text("2 cells will fail", timeout=RUN_LIMIT)
    panel.button("Modernize").click()
    panel.expect_proposal()
    in_cell = page.get_by_role("main").locator(".jp-mle-Inline")
    expect(in_cell.first).to_be_visible(timeout=30_000)
    expect_accessible_in_every_theme(lab, "in review", places(page))
    expect_mark_of_its_own(page)

    in_cell.first.get_by_role("button", name="Accept").first.click()
    expect(panel.edits().first).to_contain_text("Accepted")
    assert "np.float(" not in lab.sources()[0]
    expect_accessible_in_every_theme(lab, "one is accepted", places(page))
    page.keyboard.press("a")
    expect(panel.bar).to_contain_text("All reviewed")
    panel.expect_recorded()
    assert lab.sources() == [OLD[0].replace("np.float", "float"), "print(int(4))", SLOW]
    expect_accessible_in_every_theme(lab, "all are accepted", places(page))

    panel.button("Run again").click()
    expect(page.locator(".jp-InputPrompt", has_text="[*]")).to_be_visible(timeout=RUN_LIMIT)
    panel.button("Finish").click(timeout=RUN_LIMIT)
    finish = page.get_by_role("dialog").get_by_role("button", name="Finish this notebook")
    expect(finish).to_be_visible()
    expect_accessible_in_every_theme(lab, "asked whether to finish")
    finish.click()
    expect(panel.status).to_contain_text("outputs of today’s run")
    expect(page.get_by_role("main").get_by_text("3.0")).to_be_visible()
    expect(page.locator(".jp-Notebook .jp-Cell.jp-mod-dirty")).to_have_count(0)
    expect_accessible_in_every_theme(lab, "finished")
    panel.button("Compare with the original").click()
    if lab.server.app == "jupyterlab":
        expect(page.locator(".jp-mle-SideBySide .cm-merge-b .cm-line").first).to_be_visible()
    assert failures == []


def places(page: Page) -> list[str]:
    """Return what the product shows: the panel, and its parts at the cells."""
    shown = (place for place in AT_CELLS if page.locator(place).count() > 0)
    return ["#mle-modernizer-panel", *shown]


def expect_mark_of_its_own(page: Page) -> None:
    """The mark at a cell is an element, no background: Notebook has its own backgrounds."""
    assert set(page.evaluate(PICTURES)) == {"none"}
    mark = page.get_by_role("img", name="A change is proposed for this cell").first.bounding_box()
    assert mark is not None and mark["width"] <= 8

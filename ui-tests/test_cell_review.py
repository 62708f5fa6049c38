"""The review in the notebook's cells: in the editors, between the cells, and in the bar."""

from __future__ import annotations

import re

import pytest
from accessibility import THEMES
from conftest import OpenNotebook, written
from lab import Lab
from panel import Panel
from playwright.sync_api import Locator, expect

CELLS = (
    "import numpy as np\nx = np.float(3)\nprint(x)\n\ny = np.int(4)\nz = 1",
    "print('nothing here')",
    "w = np.float(5)",
)

# What sticks out of the panel, and text that is cut off without an ellipsis.
CUT_OFF = """() => {
  const panel = document.getElementById('mle-modernizer-panel');
  const { left, right } = panel.getBoundingClientRect();
  return [...panel.querySelectorAll('*')]
    .filter(item => item.checkVisibility() && item.getClientRects().length > 0)
    .filter(item => !item.closest('pre, svg, .cm-editor, .jp-mle-Unseen'))
    .filter(item => {
      const box = item.getBoundingClientRect();
      const style = getComputedStyle(item);
      const isOut = box.right > right + 1 || box.left < left - 1;
      const isCut = item.scrollWidth > item.clientWidth + 1 && style.overflowX === 'hidden';
      return isOut || (isCut && style.textOverflow !== 'ellipsis');
    })
    .map(item => `${item.className}: ${item.textContent.slice(0, 60)}`);
}"""


@pytest.fixture
def proposed(open_notebook: OpenNotebook) -> Lab:
    """A notebook with three places to mend in two cells, the proposal waiting."""
    lab = open_notebook(written(*CELLS))
    panel = Panel(lab.page)
    panel.modernize()
    panel.expect_stand("Your review")
    expect(bar(lab)).to_be_visible()
    return lab


def bar(lab: Lab) -> Locator:
    """The bar that walks through the edits."""
    return lab.page.get_by_role("toolbar", name="Review of the proposed changes")


def cell(lab: Lab, index: int) -> Locator:
    """A cell of the notebook."""
    return lab.page.get_by_role("main").locator(".jp-Notebook .jp-Cell").nth(index)


def test_a_change_is_decided_in_its_cell_and_in_one_bar(proposed: Lab) -> None:
    take_hunk_by_hunk_and_back(proposed)
    expect_one_line(proposed)
    walk_and_decide_by_the_bars_keys(proposed)
    turn_it_off_and_on(proposed)
    go_from_the_error_to_its_line_and_back(proposed)
    type_and_accept_all(proposed)
    run_what_is_accepted(proposed)


def take_hunk_by_hunk_and_back(proposed: Lab) -> None:
    """A change in a cell is taken hunk by hunk, and back."""
    # The document has its old text.
    assert proposed.sources() == list(CELLS)
    first = cell(proposed, 0).get_by_role("group", name="Change 1 of 2")
    expect(first.get_by_role("button", name="Accept")).to_be_visible()
    expect(cell(proposed, 0)).to_contain_text("x = float(3)")
    expect(cell(proposed, 1).get_by_role("button", name="Accept")).to_have_count(0)
    for button in cell(proposed, 0).get_by_role("button", name="Accept").all():
        box = button.bounding_box()
        assert box is not None and box["height"] >= 24 and box["width"] >= 24

    first.get_by_role("button", name="Accept").click()
    expect(first).to_contain_text("Accepted")
    assert proposed.sources()[0] == CELLS[0].replace("np.float", "float")
    first.get_by_role("button", name="Undo").click()
    expect(first.get_by_role("button", name="Accept")).to_be_visible()
    assert proposed.sources() == list(CELLS)


def expect_one_line(proposed: Lab) -> None:
    """The bar is one line in windows of two widths."""
    for width in (1440, 980):
        proposed.page.set_viewport_size({"width": width, "height": 900})
        proposed.page.wait_for_timeout(300)  # for the layout
        toolbar = bar(proposed).bounding_box()
        assert toolbar is not None and toolbar["height"] < 48, width
        boxes = [item.bounding_box() for item in bar(proposed).get_by_role("button").all()]
        middles = [box["y"] + box["height"] / 2 for box in boxes if box is not None]
        assert len(middles) == 5 and max(middles) - min(middles) < 4, width


def go_from_the_error_to_its_line_and_back(proposed: Lab) -> None:
    """The error stands below its cell, leads to its line, and stays when the change is taken."""
    error = cell(proposed, 0).get_by_role("group", name="Error of the run")
    expect(error).to_contain_text("AttributeError")
    error.get_by_role("button", name=re.compile(r"^Cell \[.*, line 2$")).click()
    expect(proposed.page.get_by_text("Ln 2, Col 1")).to_be_visible()
    cell(proposed, 0).get_by_role("button", name="Accept cell").click()
    before = cell(proposed, 0).get_by_role("group", name="Error of the run before this change")
    expect(before).to_contain_text("Before this change: AttributeError")
    first = cell(proposed, 0).get_by_role("group", name="Change 1 of 2")
    cell(proposed, 0).get_by_role("button", name="Undo").first.click()
    cell(proposed, 0).get_by_role("button", name="Undo").first.click()
    expect(first.get_by_role("button", name="Accept")).to_be_visible()
    assert proposed.sources() == list(CELLS)


def walk_and_decide_by_the_bars_keys(proposed: Lab) -> None:
    """The bar walks, and its keys decide."""
    keyboard = proposed.page.keyboard
    bar(proposed).get_by_role("button", name="Next change (J)").click()
    expect(bar(proposed)).to_contain_text("2 of 3")
    keyboard.press("k")
    expect(bar(proposed)).to_contain_text("1 of 3")
    keyboard.type("aar")
    expect(bar(proposed)).to_contain_text("All reviewed")
    assert proposed.sources() == [
        CELLS[0].replace("np.float", "float").replace("np.int", "int"),
        *CELLS[1:],
    ]
    for number in (3, 2, 1):
        keyboard.press("u")
        expect(bar(proposed)).to_contain_text(f"{number} of 3")
    expect(cell(proposed, 0).get_by_role("button", name="Accept").first).to_be_visible()
    assert proposed.sources() == list(CELLS), "no key reached the notebook"


def turn_it_off_and_on(proposed: Lab) -> None:
    """Without it the change is in the panel alone."""
    panel = Panel(proposed.page)
    try:
        set_in_cells(proposed, False)
        panel.show()
        panel.expect_proposal()
        expect(bar(proposed)).to_have_count(0)
        expect(cell(proposed, 0).get_by_role("button", name="Accept")).to_have_count(0)
        expect(panel.current_edit().get_by_role("textbox")).to_contain_text("np.float")
    finally:
        set_in_cells(proposed, True)
    expect(bar(proposed)).to_be_visible()


def set_in_cells(lab: Lab, is_on: bool) -> None:
    """Change the setting, and open the page again."""
    lab.page.evaluate(
        """isOn => window.jupyterapp.serviceManager.settings.save(
          'mle-modernizer:plugin',
          JSON.stringify({ openForOldNotebooks: false, reviewInCells: isOn }))""",
        is_on,
    )
    lab.reload()


def type_and_accept_all(proposed: Lab) -> None:
    """What is typed meanwhile stays and touches only its own hunk; a changed cell is left alone."""
    panel = Panel(proposed.page)
    editor = cell(proposed, 0).locator(".cm-content")
    editor.click()
    proposed.page.keyboard.press("Control+Home")
    proposed.page.keyboard.type("# mine\n")
    expect(cell(proposed, 0).get_by_role("group", name="Change 2 of 2")).to_be_visible()
    proposed.type_into(2, "my_own = 'work'")
    expect(panel.edits().last).to_contain_text("Out of date")
    expect(bar(proposed).get_by_role("button", name="Run again")).to_have_count(0)
    bar(proposed).get_by_role("button", name="Accept all").click()
    expect(bar(proposed)).to_contain_text("All reviewed")
    expect(panel.edits().last).to_contain_text("Out of date")
    mended = CELLS[0].replace("np.float", "float").replace("np.int", "int")
    assert proposed.sources() == [f"# mine\n{mended}", CELLS[1], "my_own = 'work'"]


def run_what_is_accepted(proposed: Lab) -> None:
    """The bar has the next thing once all is accepted."""
    run = bar(proposed).get_by_role("button", name="Run again")
    run.click()
    panel = Panel(proposed.page)
    panel.expect_stand("Runs without errors")
    expect(run).to_have_count(0)


def test_nothing_is_cut_off_and_a_rule_is_accepted_everywhere(
    open_notebook: OpenNotebook,
) -> None:
    long = "frame = frame.append(frame, ignore_index=True)" + 12 * ".reset_index(drop=True)"
    append = f"import pandas as pd\nframe = pd.DataFrame()\n{long}"
    lab = open_notebook(written(*CELLS, append))
    panel = Panel(lab.page)
    panel.modernize()
    panel.expect_proposal()
    for theme in THEMES:
        lab.theme(theme)
        for width in (250, 400):
            lab.widen_right_area(width)
            lab.page.wait_for_timeout(300)  # for the layout
            assert lab.page.evaluate(CUT_OFF) == [], (theme, width)
            code = panel.edits().first.locator("code").bounding_box()
            assert code is not None and code["width"] > 100, (theme, width)
    lab.theme(THEMES[0])
    # The reason beside a line that is longer than the view breaks its lines in the view.
    reason = cell(lab, 3).get_by_text("DataFrame.append and Series.append were removed").first
    box, view = reason.bounding_box(), cell(lab, 3).locator(".cm-scroller").bounding_box()
    assert box is not None and view is not None
    assert box["x"] + box["width"] <= view["x"] + view["width"]

    rules = panel.review.get_by_role("list", name="By rule")
    rules.get_by_role("button", name="Accept 3").click()
    expect(rules).to_contain_text("3 accepted")
    panel.expect_recorded()
    assert lab.sources()[3] == append
    assert not any("np.float" in source for source in lab.sources())

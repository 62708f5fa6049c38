"""A review from opening to *Finish*, by mouse and by keys: no key reaches the code."""

from __future__ import annotations

from typing import Any, cast

from conftest import OpenNotebook, with_outputs, written
from finishing import CHECKED, expect_notification, expect_saved, outputs_of, saved
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Locator, expect

FILLER = "\n".join(f"filler_{line} = {line}" for line in range(25))
CELLS = (
    "import numpy as np",
    f"{FILLER}\na = np.float(1)\n{FILLER}\nb = np.int(2)",
    *(f"{FILLER}\nc_{n} = np.float({n})" for n in range(4)),
    "print(a + b)",
)
FIXED = [cell.replace("np.float(", "float(").replace("np.int(", "int(") for cell in CELLS]

# What has the focus: nothing, an editor, or something else by its classes.
FOCUS = """() => {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) { return 'nothing'; }
  return activeElement.closest('.cm-content') ? 'editor' : activeElement.className;
}"""
# How far the middle of the current change is from the middle of the notebook's view, as a part
# of the view's height; 1 if any of it is hidden.
OFF_CENTRE = """() => {
  const node = document.querySelector('.jp-mle-Inline.jp-mod-current');
  const view = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)')
    .querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
  const bar = document.querySelector('.jp-mle-ReviewBar').getBoundingClientRect();
  const box = node?.getBoundingClientRect();
  const gone = node?.previousElementSibling?.getBoundingClientRect();
  if (!box || !gone || gone.top < view.top || box.bottom > bar.top) { return 1; }
  return Math.abs((gone.top + box.bottom) / 2 - (view.top + bar.top) / 2) / view.height;
}"""
# Everything to press that belongs to the review: in the notebook, and in the panel's upper part.
CONTROLS = """() => {
  const panel = document.getElementById('mle-modernizer-panel');
  const places = [...document.querySelectorAll('.jp-mle-InCell, .jp-mle-Inline'),
    panel.querySelector('.jp-mle-Status'), panel.querySelector('.jp-mle-Review').parentElement];
  return places.flatMap(place => [...place.querySelectorAll(
      'button, a[href], input, select, summary, [role=listbox]')])
    .filter(item => item.checkVisibility()).map(item => item.textContent || item.ariaLabel);
}"""


def bar(lab: Lab) -> Locator:
    """The bar that walks through the changes."""
    return lab.page.get_by_role("toolbar", name="Review of the proposed changes")


def current(lab: Lab) -> Locator:
    """The change that is looked at."""
    return lab.page.locator(".jp-mle-Inline.jp-mod-current")


def expect_centred(lab: Lab) -> None:
    """Wait until the change that is looked at is in the middle, with the focus outside of code."""
    expect(current(lab)).to_have_count(1)
    lab.page.wait_for_function(f"() => ({OFF_CENTRE})() < 0.15")
    assert focus(lab) not in ("nothing", "editor")


def focus(lab: Lab) -> str:
    return cast(str, lab.page.evaluate(FOCUS))


def opened(open_notebook: OpenNotebook, cells: tuple[str, ...] = CELLS) -> Lab:
    texts = [""] * (len(cells) - 1)
    lab = open_notebook(with_outputs(written(*cells), *texts, "3.0\n"))
    lab.page.set_viewport_size({"width": 1280, "height": 800})
    return lab


def outputs(lab: Lab) -> list[Any]:
    """The outputs of the open document."""
    return cast(
        list[Any],
        lab.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"
            ".map(cell => cell.toJSON().outputs)"
        ),
    )


def test_review_by_mouse_until_finish_and_back(open_notebook: OpenNotebook) -> None:
    lab = opened(open_notebook)
    page, panel = lab.page, Panel(lab.page)
    before = outputs(lab)
    panel.open()
    panel.button("Propose all known fixes").click(timeout=RUN_LIMIT)
    panel.expect_proposal()
    place = bar(lab).get_by_role("button", name="Accept all").bounding_box()
    panel.button("Review 6 changes").click()
    expect_centred(lab)
    assert outputs(lab) == before

    # The keys after a click of the mouse are the review's.
    current(lab).get_by_role("button", name="Accept").click()
    expect(bar(lab)).to_contain_text("2 of 6")
    expect_centred(lab)
    page.keyboard.press("j")
    expect(bar(lab)).to_contain_text("3 of 6")
    page.keyboard.press("a")
    expect(bar(lab)).to_contain_text("4 of 6")
    expect_centred(lab)
    bar(lab).get_by_role("button", name="Previous change (K)").click()
    expect_centred(lab)
    assert bar(lab).get_by_role("button", name="Accept all").bounding_box() == place
    bar(lab).get_by_role("button", name="Accept all").click()
    expect(bar(lab)).to_contain_text("All reviewed")
    assert lab.sources() == FIXED, "no letter in the code"
    assert focus(lab) not in ("nothing", "editor")
    assert outputs(lab) == before

    bar(lab).get_by_role("button", name="Modernize").click()
    panel.button("Finish").click(timeout=RUN_LIMIT)
    assert outputs(lab) == before
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".jp-mod-accept").count() == 1, "one blue button"
    dialog.get_by_role("button", name="Finish this notebook").click()
    expect(panel.status).to_contain_text("Saved. 5 cells changed, outputs of today’s run.")
    expect(panel.region.locator(".jp-mod-primary")).to_have_count(0)
    expect(page.locator(".jp-Notebook .jp-Cell.jp-mod-dirty")).to_have_count(0)
    expect_saved(page)
    finished = outputs(lab)
    panel.button("Check in JupyterLab’s kernel").click()
    expect_notification(page, CHECKED, timeout=RUN_LIMIT)
    assert outputs(lab) == finished
    lab.reload()
    panel.open_again()
    panel.button("Undo Finish").click()
    expect_saved(page)
    assert outputs_of(saved(lab)) == [output for output in before if output is not None]


def test_review_by_keys_until_finish(open_notebook: OpenNotebook) -> None:
    lab = opened(open_notebook)
    page, panel = lab.page, Panel(lab.page)
    keyboard = page.keyboard
    panel.open()
    panel.button("Propose all known fixes").focus()
    keyboard.press("Enter")
    panel.expect_proposal()
    expect(panel.button("Review 6 changes")).to_be_focused()
    keyboard.press("Enter")
    expect_centred(lab)

    # Decided faster than the server answers, and taken back one by one.
    keyboard.type("aara")
    expect(bar(lab)).to_contain_text("5 of 6")
    expect_centred(lab)
    expect(panel.review.locator("xpath=..")).to_contain_text("4 of 6 reviewed")
    keyboard.press("u")
    expect(bar(lab)).to_contain_text("4 of 6")
    keyboard.press("u")
    expect(bar(lab)).to_contain_text("3 of 6")
    page.wait_for_function(
        "() => !window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[1]"
        ".getSource().includes('np.')"
    )
    assert lab.sources() == [*FIXED[:2], *CELLS[2:]]
    keyboard.type("kjaaaa")
    expect(bar(lab)).to_contain_text("All reviewed")
    assert lab.sources() == FIXED, "no letter in the code"
    assert focus(lab) not in ("nothing", "editor")

    decide_from_a_cell(lab)
    finish_from_the_palette(lab)


def decide_from_a_cell(lab: Lab) -> None:
    """The keys work in command mode; in an editor that the user entered they are letters."""
    page, keyboard = lab.page, lab.page.keyboard
    keyboard.press("u")
    expect(bar(lab)).to_contain_text("6 of 6")
    page.locator(".jp-Notebook .jp-InputPrompt").first.click()
    keyboard.press("a")
    expect(bar(lab)).to_contain_text("All reviewed")
    keyboard.press("u")
    expect(bar(lab)).to_contain_text("6 of 6")
    page.locator(".jp-Notebook .cm-content").last.click()
    keyboard.press("Control+End")
    keyboard.type("# jaru")
    assert lab.sources() == [*FIXED[:5], CELLS[5], f"{CELLS[6]}# jaru"]
    keyboard.press("Escape")
    keyboard.press("Shift+A")
    expect(bar(lab)).to_contain_text("All reviewed")
    assert lab.sources() == [*FIXED[:6], f"{CELLS[6]}# jaru"]


def finish_from_the_palette(lab: Lab) -> None:
    """The next step is in the bar, and finishing in the palette."""
    page, panel, keyboard = lab.page, Panel(lab.page), lab.page.keyboard
    run = bar(lab).get_by_role("button", name="Modernize")
    for _ in range(6):
        if run.evaluate("node => node === document.activeElement"):
            break
        keyboard.press("Tab")
    expect(run).to_be_focused()
    keyboard.press("Enter")
    expect(panel.button("Finish")).to_be_visible(timeout=RUN_LIMIT)
    keyboard.press("Control+Shift+C")
    page.get_by_placeholder("SEARCH", exact=True).last.fill("MLE Modernizer Finish")
    keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Finish this notebook?")
    keyboard.press("Enter")
    expect(panel.status).to_contain_text("Saved. 5 cells changed")
    assert lab.sources() == [*FIXED[:6], f"{CELLS[6]}# jaru"]


def test_single_change_offers_few_controls(open_notebook: OpenNotebook) -> None:
    lab = opened(open_notebook, ("import numpy as np\nx = np.float(3)", "print(x)"))
    panel = Panel(lab.page)
    panel.open()
    panel.button("Propose all known fixes").click(timeout=RUN_LIMIT)
    panel.expect_proposal()
    panel.button("Review 1 change").click()
    expect_centred_or_at_top(lab)
    controls = lab.page.evaluate(CONTROLS)
    assert len(controls) <= 8, controls
    accept = lab.page.get_by_role("button", name="Accept")
    expect(accept).to_have_count(1)
    # No background of the cell is the mark: Notebook has its own.
    backgrounds = lab.page.evaluate(
        "() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')]"
        ".map(cell => getComputedStyle(cell).backgroundImage)"
    )
    assert set(backgrounds) == {"none"}
    mark = lab.page.get_by_role("img", name="A change is proposed for this cell").bounding_box()
    assert mark is not None and mark["width"] <= 8


def expect_centred_or_at_top(lab: Lab) -> None:
    """Wait for the change of a notebook that is shorter than the window."""
    expect(current(lab)).to_be_in_viewport()
    assert focus(lab) not in ("nothing", "editor")

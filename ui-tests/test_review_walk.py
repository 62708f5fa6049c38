"""A review from opening to *Finish*, by mouse and by keys: no key reaches the code."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from conftest import OpenNotebook, with_outputs, written
from finishing import CHECKED, MODEL, expect_notification, expect_saved, outputs_of, saved
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Locator, Route, expect

FILLER = "\n".join(f"filler_{line} = {line}" for line in range(25))
CELLS = (
    "import numpy as np",
    f"{FILLER}\na = np.float(1)\n{FILLER}\nb = np.int(2)",
    *(f"{FILLER}\nc_{n} = np.float({n})" for n in range(4)),
    "print(a + b)",
)
FIXED = [cell.replace("np.float(", "float(").replace("np.int(", "int(") for cell in CELLS]

# Where the focus is: nowhere, in an editor, or elsewhere.
FOCUS = """() => {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) { return 'nowhere'; }
  return activeElement.closest('.cm-content') ? 'editor' : 'elsewhere';
}"""
# Records each key, and where the focus is when it is pressed.
RECORD = f"""() => {{
  window.pressed = [];
  addEventListener('keydown', ({{ key }}) => pressed.push([key, ({FOCUS})()]), true);
}}"""
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
# Counts the frames from a click until a button that was pressed cannot be pressed once more.
COUNT = """() => {
  const isBusy = () => document.querySelector('.jp-mle-Status-actions button:disabled') !== null;
  const look = frames => {
    if (isBusy()) { window.framesPassed = frames; }
    else { requestAnimationFrame(() => look(frames + 1)); }
  };
  addEventListener('click', () => look(0), { capture: true, once: true });
}"""
MOST_FRAMES = 6
"""A tenth of a second; frames of a busy machine take longer."""


def opened(open_notebook: OpenNotebook, cells: tuple[str, ...] = CELLS) -> Lab:
    """Open a notebook whose last cell has an output."""
    texts = [""] * (len(cells) - 1)
    lab = open_notebook(with_outputs(written(*cells), *texts, "3.0\n"))
    lab.page.set_viewport_size({"width": 1280, "height": 800})
    Panel(lab.page).open()
    return lab


def hunk(lab: Lab) -> Locator:
    """Return the current change."""
    return lab.page.locator(".jp-mle-Inline.jp-mod-current")


def expect_centred(lab: Lab) -> None:
    """Wait until the current change is in the middle, with the focus outside of code."""
    expect(hunk(lab)).to_have_count(1)
    lab.page.wait_for_function(f"() => ({OFF_CENTRE})() < 0.15")
    assert lab.page.evaluate(FOCUS) == "elsewhere"


def outputs(lab: Lab) -> list[Any]:
    """Return the outputs of the open document's cells."""
    script = f"() => {MODEL}.cells.map(cell => cell.toJSON().outputs)"
    return cast(list[Any], lab.page.evaluate(script))


def test_review_by_mouse_until_finish_and_back(open_notebook: OpenNotebook) -> None:
    lab = opened(open_notebook)
    page, panel = lab.page, Panel(lab.page)
    bar, before = panel.bar, outputs(lab)
    page.evaluate(RECORD)

    def press(button: Locator, then: Callable[[], None]) -> None:
        button.click(timeout=RUN_LIMIT)
        then()
        assert outputs(lab) == before

    def at(number: int) -> Callable[[], None]:
        def expect_place() -> None:
            expect(bar).to_contain_text(f"{number} of 6")
            expect_centred(lab)

        return expect_place

    press(panel.button("Fix them"), panel.expect_proposal)
    place = bar.get_by_role("button", name="Accept all").bounding_box()
    press(panel.button("Review 6 changes"), at(1))
    press(hunk(lab).get_by_role("button", name="Accept"), at(2))
    press(bar.get_by_role("button", name="Next change (J)"), at(3))
    press(hunk(lab).get_by_role("button", name="Reject"), at(4))
    press(bar.get_by_role("button", name="Undo"), at(3))
    press(bar.get_by_role("button", name="Previous change (K)"), at(2))
    assert bar.get_by_role("button", name="Accept all").bounding_box() == place
    press(
        bar.get_by_role("button", name="Accept all"),
        lambda: expect(bar).to_contain_text("All reviewed"),
    )
    assert lab.sources() == FIXED
    assert page.evaluate(FOCUS) == "elsewhere"
    finish = panel.button("Finish")
    press(
        bar.get_by_role("button", name="Modernize"),
        lambda: expect(finish).to_be_visible(timeout=RUN_LIMIT),
    )
    dialog = page.get_by_role("dialog")
    press(finish, lambda: expect(dialog.locator(".jp-mod-accept")).to_have_count(1))
    dialog.get_by_role("button", name="Finish this notebook").click()
    expect_finished(lab)

    finished = outputs(lab)
    panel.button("Check in JupyterLab’s kernel").click()
    expect_notification(page, CHECKED, timeout=RUN_LIMIT)
    assert outputs(lab) == finished
    assert all(key == "Escape" for key, _ in page.evaluate("pressed")), "of the notification"
    lab.reload()
    panel.open_again()
    panel.button("Undo Finish").click()
    expect_saved(page)
    assert outputs(lab) == before
    assert [bool(one) for one in outputs_of(saved(lab))] == [False] * 6 + [True]


def expect_finished(lab: Lab) -> None:
    """Wait for the goal: nothing there recommends a step, and no cell counts as changed."""
    panel = Panel(lab.page)
    expect(panel.status).to_contain_text("Saved. 5 cells changed, outputs of today’s run.")
    expect(panel.region.locator(".jp-mod-primary")).to_have_count(0)
    expect(lab.page.locator(".jp-Notebook .jp-Cell.jp-mod-dirty")).to_have_count(0)
    expect_saved(lab.page)
    assert [bool(one) for one in outputs(lab)] == [False] * 6 + [True]


def test_review_by_keys_until_finish(open_notebook: OpenNotebook) -> None:
    lab = opened(open_notebook)
    page, panel, keyboard = lab.page, Panel(lab.page), lab.page.keyboard
    bar, before = panel.bar, outputs(lab)
    page.evaluate(RECORD)
    panel.button("Fix them").focus()
    keyboard.press("Enter")
    panel.expect_proposal()
    expect(panel.button("Review 6 changes")).to_be_focused()
    keyboard.press("Enter")
    expect_centred(lab)

    # Decided faster than the server answers, and taken back one by one.
    keyboard.type("aara")
    expect(bar).to_contain_text("5 of 6")
    expect_centred(lab)
    expect(panel.region).to_contain_text("4 of 6 reviewed")
    for number in (4, 3):
        keyboard.press("u")
        expect(bar).to_contain_text(f"{number} of 6")
    panel.expect_recorded()
    assert lab.sources() == [*FIXED[:2], *CELLS[2:]]
    keyboard.type("kjaaaa")
    expect(bar).to_contain_text("All reviewed")
    panel.expect_recorded()
    assert lab.sources() == FIXED
    assert outputs(lab) == before

    decide_at_a_cell(lab)
    pressed = page.evaluate("pressed")
    assert "".join(key for key, _ in pressed if len(key) == 1) == "aarauukjaaaa" + "uuaua"
    assert {focus for _, focus in pressed} == {"elsewhere"}
    type_in_an_editor(lab)
    finish_from_the_palette(lab)
    assert lab.sources() == [*FIXED[:6], f"{CELLS[6]}# jaru"]


def decide_at_a_cell(lab: Lab) -> None:
    """The keys work after a click on a button within code, and in command mode."""
    page, panel, keyboard = lab.page, Panel(lab.page), lab.page.keyboard
    bar = panel.bar
    keyboard.press("u")
    expect(bar).to_contain_text("6 of 6")
    keyboard.press("u")
    expect(bar).to_contain_text("5 of 6")
    hunk(lab).get_by_role("button", name="Accept").click()
    keyboard.press("a")
    expect(bar).to_contain_text("All reviewed")
    keyboard.press("u")
    expect(bar).to_contain_text("6 of 6")
    page.locator(".jp-Notebook .jp-InputPrompt").first.click()
    keyboard.press("a")
    expect(bar).to_contain_text("All reviewed")
    panel.expect_recorded()
    assert lab.sources() == FIXED


def type_in_an_editor(lab: Lab) -> None:
    """In an editor that the user clicked into, the keys are letters."""
    lab.page.locator(".jp-Notebook .cm-content").last.click()
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.type("# jaru")
    assert lab.sources() == [*FIXED[:6], f"{CELLS[6]}# jaru"]
    lab.page.keyboard.press("Escape")


def finish_from_the_palette(lab: Lab) -> None:
    """The next step is in the bar, and finishing in the palette."""
    page, panel, keyboard = lab.page, Panel(lab.page), lab.page.keyboard
    run = panel.bar.get_by_role("button", name="Modernize")
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
    expect(panel.status).to_contain_text("Saved. 6 cells changed")


def test_single_change_offers_few_controls(open_notebook: OpenNotebook) -> None:
    lab = opened(open_notebook, ("import numpy as np\nx = np.float(3)", "print(x)"))
    page, panel = lab.page, Panel(lab.page)
    expect_feedback(lab, panel.button("Fix it"))
    panel.expect_proposal()
    panel.button("Review 1 change").click()
    expect(hunk(lab)).to_be_in_viewport()
    controls = page.evaluate(CONTROLS)
    assert len(controls) <= 8, controls
    expect(page.get_by_role("button", name="Accept")).to_have_count(1)


def expect_feedback(lab: Lab, button: Locator) -> None:
    """Press a button and expect feedback at once, even if the server does not answer."""
    page, held, api = lab.page, list[Route](), "**/mle-modernizer/api/**"
    expect(button).to_be_enabled(timeout=RUN_LIMIT)
    page.route(api, lambda route: held.append(route))
    page.evaluate(COUNT)
    button.click()
    page.wait_for_function("() => window.framesPassed !== undefined")
    assert page.evaluate("framesPassed") <= MOST_FRAMES
    for route in list(held):
        route.continue_()
    page.unroute(api)


def test_figure_1_is_finished_with_five_clicks(figure1: Lab) -> None:
    page, panel = figure1.page, Panel(figure1.page)
    accept = hunk(figure1).get_by_role("button", name="Accept in 2 cells")
    run = panel.bar.get_by_role("button", name="Run again")
    sure = page.get_by_role("dialog").get_by_role("button", name="Finish this notebook")
    expect_feedback(figure1, panel.toolbar_button())
    for button in (accept, run, panel.button("Finish"), sure):
        expect(button).to_be_in_viewport(timeout=RUN_LIMIT)
        button.click()
    expect(panel.status).to_contain_text(re.compile("2 cells changed, outputs of today"))
    expect_saved(page)
    assert "train['Cultivar'] - 1" in str(saved(figure1)["cells"])

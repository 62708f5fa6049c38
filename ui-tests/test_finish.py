"""The finish line after a reload: what came out of the sandbox is shown, and never run."""

from __future__ import annotations

from conftest import OpenNotebook, with_outputs, written
from finishing import CHECKED, answer, expect_notification, expect_saved, outputs_of, saved
from panel import RUN_LIMIT, Panel
from playwright.sync_api import expect

HOSTILE = (
    "from IPython.display import HTML, Javascript, display\n"
    "display(HTML('<img src=x onerror=\"window.image = 1\"><b>bold</b>'))\n"
    "display(Javascript('window.script = 1'))"
)
RAN = "() => (window.image ?? 0) + (window.script ?? 0)"  # in whichever order they come


def test_finish_is_undone_after_a_reload_and_runs_no_output(
    open_notebook: OpenNotebook,
) -> None:
    notebook = with_outputs(written("x = 1", "print(x)", HOSTILE), "", "1 (long ago)\n", "")
    notebook.nbformat_minor = 4  # its cells have no ids that last
    for cell in notebook.cells:
        del cell["id"]
    lab = open_notebook(notebook)
    page, panel = lab.page, Panel(lab.page)
    shown = page.get_by_role("main").locator(".jp-OutputArea-output")
    before = outputs_of(saved(lab))
    panel.modernize()
    panel.button("Finish").click(timeout=RUN_LIMIT)
    answer(page, "Finish this notebook")
    expect(shown.filter(has_text="bold").first).to_be_visible()
    expect(panel.button("Undo Finish")).to_be_visible()
    expect_saved(page)
    assert page.evaluate(RAN) == 0
    assert outputs_of(saved(lab)) != before

    lab.reload()
    expect(shown.filter(has_text="bold").first).to_be_visible()
    assert page.evaluate(RAN) == 0
    panel.open_again()
    panel.button("Undo Finish").click()
    expect(panel.button("Finish")).to_be_visible()
    expect_saved(page)
    assert outputs_of(saved(lab)) == before
    assert "provenance" not in saved(lab)["metadata"].get("mle_modernizer", {})
    lab.reload()
    panel.open_again()
    expect(panel.button("Finish")).to_be_visible()
    expect(panel.button("Undo Finish")).to_have_count(0)

    panel.button("Finish").click()
    answer(page, "Finish this notebook")
    expect(shown.filter(has_text="bold").first).to_be_visible()
    assert page.evaluate(RAN) == 0
    panel.button("Check in JupyterLab’s kernel").click()
    expect_notification(page, CHECKED, timeout=RUN_LIMIT)
    assert page.evaluate(RAN) == 0, "a check shows no output"

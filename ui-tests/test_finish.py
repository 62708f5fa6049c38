"""The finish line: the run's outputs in the notebook, a copy that says what it is, a check here."""

from __future__ import annotations

import json
import re
from typing import Any

from conftest import OpenNotebook, example, target_score, with_outputs, written
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect

MODEL = "window.jupyterapp.shell.currentWidget.content.model.sharedModel"
HOSTILE = (
    "from IPython.display import HTML, Javascript, display\n"
    "display(HTML('<img src=x onerror=\"window.image = 1\"><b>bold</b>'))\n"
    "display(Javascript('window.script = 1'))"
)
RAN = "() => (window.image ?? 0) + (window.script ?? 0)"  # in whichever order they come


def saved(lab: Lab, name: str | None = None) -> dict[str, Any]:
    """The notebook as it lies on the disk."""
    path = lab.server.root / (name or lab.notebook)
    return dict(json.loads(path.read_text()))


def outputs_of(notebook: dict[str, Any]) -> list[object]:
    """The outputs of its code cells."""
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def answer(page: Page, button: str) -> None:
    """Press a button of the dialog."""
    page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()


def expect_saved(page: Page) -> None:
    page.wait_for_function(
        "() => !window.jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000
    )


def test_a_notebook_is_finished_undone_copied_and_run_here(figure1: Lab) -> None:
    page, panel = figure1.page, Panel(figure1.page)
    before = saved(figure1)
    panel.modernize(target_score(example("figure1_wine_xgboost_labels")))
    panel.expect_proposal()
    panel.button("Accept all").click()
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")

    panel.button("Finish").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The outputs and execution counts of run 2 go into the notebook")
    answer(page, "Finish this notebook")
    expect(panel.status).to_contain_text("This notebook was modernized on")
    expect_saved(page)
    content = saved(figure1)
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    shown = "".join(code[1]["outputs"][0]["text"])
    assert shown.count("sample_submission.csv") == 1, "put in place of the output, not after it"
    assert outputs_of(content) != outputs_of(before)
    said = content["metadata"]["mle_modernizer"]["provenance"]
    assert said["outcome"] == "reproduced" and said["run"] == 2
    assert content["metadata"]["language_info"]["version"] == said["python"]
    expect(panel.button("Run all here")).to_be_visible()

    panel.button("Undo Finish").click()
    expect(panel.button("Finish")).to_be_visible()
    expect_saved(page)
    assert "provenance" not in saved(figure1)["metadata"].get("mle_modernizer", {})
    assert outputs_of(saved(figure1)) == outputs_of(before)

    panel.button("Finish").click()
    answer(page, "Finish a copy")
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.context?.path.endsWith('-modernized.ipynb')"
    )
    assert "provenance" not in saved(figure1)["metadata"].get("mle_modernizer", {})
    expect(panel.status).to_contain_text("This notebook was modernized on")
    expect(panel.button("Modernize")).to_have_count(0)
    figure1.ready()
    panel.toolbar_button().last.click()
    expect(page.get_by_role("dialog")).to_contain_text("Modernize it again?")
    answer(page, "Cancel")

    panel.button("Run all here").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("which JupyterLab’s own kernel does not find")
    command = re.search(r"mkdir -p .* && ln -s \S+ (\S+)", dialog.inner_text())
    assert command, dialog.inner_text()
    answer(page, "Cancel")

    # Somebody who changes the code is told, and offered what there is to do.
    page.evaluate(f"() => {MODEL}.cells.at(-1).setSource('print(1)')")
    expect(panel.status).to_contain_text("Its code has changed since")
    expect(panel.button("Modernize")).to_be_visible()


def test_finishing_is_taken_back_after_a_reload(open_notebook: OpenNotebook) -> None:
    notebook = with_outputs(written("x = 1", "print(x)"), "", "1 (long ago)\n")
    notebook.nbformat_minor = 4  # its cells have no ids that last
    for cell in notebook.cells:
        del cell["id"]
    lab = open_notebook(notebook)
    page, panel = lab.page, Panel(lab.page)
    before = outputs_of(saved(lab))
    panel.modernize()
    panel.button("Finish").click(timeout=RUN_LIMIT)
    answer(page, "Finish this notebook")
    expect(panel.button("Undo Finish")).to_be_visible()
    expect_saved(page)
    assert outputs_of(saved(lab)) != before

    lab.reload()
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


def test_what_came_out_of_the_sandbox_is_shown_and_never_run(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("print('fine')", HOSTILE))
    page, panel = lab.page, Panel(lab.page)
    panel.modernize()
    panel.button("Finish").click(timeout=RUN_LIMIT)
    answer(page, "Finish this notebook")
    outputs = page.get_by_role("main").locator(".jp-OutputArea-output")
    expect(outputs.filter(has_text="bold").first).to_be_visible()
    expect_saved(page)
    assert page.evaluate(RAN) == 0
    lab.reload()
    expect(outputs.filter(has_text="bold").first).to_be_visible()
    assert page.evaluate(RAN) == 0

    panel.open_again()
    panel.button("Run all here").click()
    # Here its owner ran it.
    page.wait_for_function(f"() => ({RAN})() === 2", timeout=RUN_LIMIT)

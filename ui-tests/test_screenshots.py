"""Writes the pictures of the documentation: `make screenshots`."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import EXAMPLES, OpenNotebook, example, target_score, written
from finishing import answer, expect_saved
from lab import Lab
from panel import RUN_LIMIT, Panel
from PIL import Image
from playwright.sync_api import Page, expect
from server import LabServer

from tests.improving.steps import BOOSTING, LOAD, SUBMIT, make_steps

IMAGES = Path(__file__).parents[1] / "docs" / "images"
PAPER = Path(__file__).parents[1] / "tests" / "reproducing" / "papers" / "wine.tex"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
OLD = (
    "import numpy as np\nimport pandas as pd\n\ndata = pd.DataFrame({'hours': [1.0, 2.0, 4.0]})",
    "data = data.append({'hours': np.float(3)}, ignore_index=True)\ndata.ix[0]",
    "from sklearn.cross_validation import train_test_split\n\n"
    "train, test = train_test_split(data, random_state=0)\ntrain.as_matrix()",
)

pytestmark = pytest.mark.screenshots


def picture(page: Page, name: str) -> None:
    """Write what the window shows."""
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")


def picture_of_panel(lab: Lab, name: str) -> None:
    """Write the panel, all of it, at the width it has when it is first opened."""
    lab.page.mouse.move(0, 0)
    lab.page.locator("#mle-modernizer-panel").screenshot(
        path=IMAGES / f"{name}.png", animations="disabled"
    )


def small(page: Page, height: int = 800) -> None:
    """A window that can still be read in the width of a page of the documentation."""
    page.set_viewport_size({"width": 1280, "height": height})
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")


@pytest.mark.parametrize("shade", THEMES)
def test_pictures_of_the_review_and_of_the_end(open_notebook: OpenNotebook, shade: str) -> None:
    name = "figure1_wine_xgboost_labels"
    notebook = example(name)
    lab = open_notebook(notebook, f"{shade}/{name}.ipynb")
    try:
        lab.theme(THEMES[shade])
        take_pictures(lab, target_score(notebook), shade)
    finally:
        lab.theme(THEMES["light"])


def test_moving_picture_from_open_to_finish(open_notebook: OpenNotebook) -> None:
    name = "figure1_wine_xgboost_labels"
    notebook = example(name)
    lab = open_notebook(notebook, f"walk/{name}.ipynb")
    page, panel = lab.page, Panel(lab.page)
    small(page, 760)
    frames: list[tuple[Image.Image, int]] = []

    def frame(milliseconds: int) -> None:
        page.mouse.move(0, 0)
        shot = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
        shot.thumbnail((960, 960))
        frames.append((shot.convert("RGB").quantize(96), milliseconds))

    frame(1500)
    panel.open()
    expect(panel.status).to_contain_text("Written for", timeout=RUN_LIMIT)
    frame(2000)
    panel.modernize(target_score(notebook))
    expect(panel.button("Cancel")).to_be_visible()
    frame(1500)
    panel.expect_proposal()
    panel.edits().first.click()
    frame(4000)
    panel.accept_all()
    panel.expect_edits("Accepted")
    frame(2000)
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    panel.status.scroll_into_view_if_needed()
    frame(3000)
    panel.button("Finish").click()
    frame(2000)
    answer(page, "Finish this notebook")
    expect(panel.status).to_contain_text("outputs of today’s run")
    expect_saved(page)
    frame(4000)
    first, *others = (shot for shot, _ in frames)
    first.save(
        IMAGES / "walk.gif",
        save_all=True,
        append_images=others,
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        optimize=True,
    )
    assert (IMAGES / "walk.gif").stat().st_size < 2_000_000


def take_pictures(lab: Lab, target: str, shade: str) -> None:
    """The panel with a proposal, then with the notebook made reproducible."""
    page, panel = lab.page, Panel(lab.page)
    page.get_by_role("tab", name="File Browser").click()
    panel.open()
    panel.modernize(target)
    panel.expect_proposal()
    panel.edits().first.click()
    picture(page, f"review-{shade}")
    if shade == "light":
        take_comparison(lab)

    panel.accept_all()
    panel.expect_edits("Accepted")
    panel.button("Run again").click()
    panel.expect_stand("Reproducible")
    panel.status.scroll_into_view_if_needed()
    expect(panel.section("Score")).to_contain_text("inside the band")
    picture(page, f"reproducible-{shade}")
    if shade == "light":
        take_end(lab)


def take_comparison(lab: Lab) -> None:
    """The tab that compares two versions."""
    page = lab.page
    Panel(page).more()
    Panel(page).button("Open wide view").click()
    wide = page.get_by_role("main").get_by_role("group", name="Changes to review")
    expect(wide.get_by_role("textbox", name="left").first).to_be_visible()
    page.wait_for_timeout(500)  # for the highlighting
    page.locator(".jp-mle-WideReview").screenshot(
        path=IMAGES / "compare.png", animations="disabled"
    )
    page.evaluate("() => window.jupyterapp.shell.currentWidget.close()")


def take_end(lab: Lab) -> None:
    """The history with what can be done with a run, the statistics, and the finished notebook."""
    page, panel = lab.page, Panel(lab.page)
    for part in ("Score", "Saved outputs", "Errors"):
        page.evaluate(FOLD, part)
    panel.unfold("History")
    page.set_viewport_size({"width": 1600, "height": 1100})
    picture_of_panel(lab, "history")
    panel.section("History").get_by_text("Statistics", exact=True).click()
    panel.button("All sessions").click()
    tab = page.get_by_role("tabpanel", name="Modernization statistics")
    expect(tab.get_by_role("img", name="What fixes of each type led to")).to_be_visible()
    tab.screenshot(path=IMAGES / "statistics.png", animations="disabled")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.close()")
    page.evaluate(FOLD, "History")
    small(page)
    panel.status.scroll_into_view_if_needed()
    panel.button("Finish").click()
    expect(page.get_by_role("dialog")).to_contain_text("go into the notebook")
    picture(page, "finish")
    page.get_by_role("dialog").get_by_role("button", name="Cancel", exact=True).click()


# Folds a part of the panel, by its heading.
FOLD = """title => {
  const folds = document.querySelectorAll('#mle-modernizer-panel details');
  [...folds].filter(fold => fold.querySelector(':scope > summary h3')?.textContent === title)
    .forEach(fold => fold.removeAttribute('open'));
}"""


def test_picture_before_the_first_run(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written(*OLD), "analysis-2016.ipynb")
    page, panel = lab.page, Panel(lab.page)
    small(page, 900)
    panel.open()
    expect(panel.status).to_contain_text("will fail", timeout=RUN_LIMIT)
    panel.unfold("Before the first run")
    panel.section("Before the first run").scroll_into_view_if_needed()
    picture(page, "before-run")


def test_picture_of_a_missing_package(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("import stop_words\nprint(stop_words)"), "old-words.ipynb")
    page, panel = lab.page, Panel(lab.page)
    small(page, 640)
    panel.open()
    panel.more_settings()
    panel.field("Environment").select_option("server")
    panel.unfold("Settings")
    panel.button("Modernize").click()
    card = panel.region.get_by_role("group", name="Missing packages")
    expect(card).to_be_visible(timeout=RUN_LIMIT)
    panel.status.scroll_into_view_if_needed()
    picture(page, "environment")


def test_picture_of_improving(open_notebook: OpenNotebook, data_root: Path) -> None:
    make_steps(data_root)
    lab = open_notebook(written(LOAD, BOOSTING, SUBMIT), "steps.ipynb")
    page, panel = lab.page, Panel(lab.page)
    small(page, 900)
    panel.modernize()
    panel.expect_stand("Runs without errors")
    panel.unfold("Improve")
    panel.field("Folds").select_option("3")
    panel.button("Look for a better score").click()
    versions = panel.region.get_by_role("list", name="Compared versions")
    better = versions.get_by_role("listitem").filter(has_text="early stopping").first
    expect(better).to_contain_text("✓better", timeout=RUN_LIMIT)
    panel.expect_stand("Runs without errors")
    panel.section("Improve").scroll_into_view_if_needed()
    picture(page, "improve")


def test_picture_of_a_paper(page: Page, server: LabServer) -> None:
    folder = server.root / "papers-shown"
    folder.mkdir()
    shutil.copy(PAPER, folder / "wine.tex")
    page.goto(server.address("papers-shown", "papers-shown"))
    page.locator(".jp-DirListing-item", has_text="wine.tex").click(button="right")
    page.get_by_role("menuitem", name="Reproduce This Paper").click()
    tab = page.get_by_role("tabpanel", name="wine.tex")
    facts = tab.get_by_role("region", name="Claims and method")
    facts.get_by_role("button", name="Table 1 row 2").click(timeout=RUN_LIMIT)
    facts.get_by_role("checkbox", name="98.9 Wine").check()
    small(page)
    picture(page, "paper")


def test_picture_of_a_batchs_report(page: Page, data_root: Path, tmp_path: Path) -> None:
    study = tmp_path / "study"
    chosen = tmp_path / "notebooks"
    shutil.copytree(EXAMPLES / "notebooks", chosen)
    command = ["jupyter", "modernize", "batch", str(chosen), "--data-root", str(data_root)]
    subprocess.run([*command, "--out", str(study)], check=False, timeout=600)
    page.set_viewport_size({"width": 1100, "height": 1000})
    page.goto((study / "report.html").as_uri())
    expect(page.get_by_role("heading").first).to_be_visible()
    picture(page, "batch-report")

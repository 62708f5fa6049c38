"""From a paper in the file browser to the notebook that does its experiment again."""

from __future__ import annotations

import json
from pathlib import Path

from lab import Lab, open_folder
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect
from server import LabServer

from tests.llm_server import Answer, LlmServer
from tests.llm_server.answers import in_turn

NO_FIX = Answer("=== PLAN ===\n- nothing\n=== NO FIX ===\nIt is met.\n=== END ===\n")
METHOD = """\
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def make_model():
    return LinearDiscriminantAnalysis()"""
EVALUATION = "results = {{'{claim}': 100 * float((make_model().fit(X, y).predict(X) == y).mean())}}"
PAPER = Path(__file__).parents[1] / "tests" / "reproducing" / "papers" / "wine.tex"


def test_a_paper_becomes_a_notebook(page: Page, server: LabServer) -> None:
    folder = server.root / "papers"
    folder.mkdir()
    (folder / "wine.tex").write_bytes(PAPER.read_bytes())
    (folder / "wine.pdf").write_bytes(PAPER.with_suffix(".pdf").read_bytes())
    (folder / "data.csv").write_text("a,b\n1,2\n")
    open_folder(page, server, "papers", workspace="paper")
    files = page.get_by_role("list", name="Files").or_(page.locator(".jp-DirListing-content"))
    item = "Reproduce This Paper"

    files.locator(".jp-DirListing-item", has_text="data.csv").click(button="right")
    expect(page.get_by_role("menuitem", name="Rename")).to_be_visible()
    expect(page.get_by_role("menuitem", name=item)).to_have_count(0)
    page.keyboard.press("Escape")

    files.locator(".jp-DirListing-item", has_text="wine.tex").click(button="right")
    page.get_by_role("menuitem", name=item).click()
    tab = page.get_by_role("tabpanel", name="wine.tex")
    text = tab.get_by_role("region", name="Text of the paper")
    facts = tab.get_by_role("region", name="Claims and method")
    expect(text).to_contain_text("Three Classifiers on Wine", timeout=RUN_LIMIT)
    expect(text.get_by_role("table")).to_contain_text("98.9")
    expect(facts.get_by_role("checkbox")).to_have_count(3)

    facts.get_by_role("button", name="Table 1 row 2").click()
    pointed = text.locator(".jp-mod-pointed")
    expect(pointed).to_have_text("LDA98.9")
    expect(pointed).to_be_in_viewport()
    facts.get_by_role("checkbox", name="98.9 Wine").check()
    expect(facts).to_contain_text("1 claim chosen")
    page.screenshot(path=Path(__file__).parent / "test-results" / "paper.png")

    facts.get_by_role("button", name="Make the notebook").click()
    notebook = page.get_by_role("main").locator(".jp-Notebook")
    expect(notebook).to_contain_text("Reproducing: Three Classifiers on Wine", timeout=RUN_LIMIT)
    made = json.loads((folder / "wine-reproduction.ipynb").read_text("utf-8"))
    kept = made["metadata"]["mle_modernizer"]["reproduction"]
    assert [one["claim"]["printed"] for one in kept["claims"]] == ["98.9"]
    assert "98.9" not in json.dumps(made["cells"])

    # The list moves when the new notebook appears in it: a click before that meets another file.
    expect(files.locator(".jp-DirListing-item", has_text="wine-reproduction")).to_be_visible()
    files.locator(".jp-DirListing-item", has_text="wine.pdf").click(button="right")
    page.get_by_role("menuitem", name=item).click()
    tab = page.get_by_role("tabpanel", name="wine.pdf")
    facts = tab.get_by_role("region", name="Claims and method")
    facts.get_by_role("button", name="Table 1 row 2").click(timeout=RUN_LIMIT)
    picture = tab.get_by_role("img", name="Page 1 of 1")
    expect(picture).to_be_visible(timeout=RUN_LIMIT)
    expect(tab.locator(".jp-mle-Page-mark").first).to_be_in_viewport()
    page.screenshot(path=Path(__file__).parent / "test-results" / "paper-page.png")
    tab.get_by_role("button", name="Show the text").click()
    expect(tab.get_by_role("region", name="Text of the paper")).to_contain_text("98.9")


def reply(**cells: str) -> Answer:
    parts = [f"=== REPLACE CELL {name} ===\n{source}\n" for name, source in cells.items()]
    return Answer("=== PLAN ===\n- write it\n" + "".join(parts) + "=== END ===\n")


def test_a_model_writes_the_notebook_for_review(
    page: Page, server_with_model: LabServer, model: LlmServer
) -> None:
    server, folder = server_with_model, server_with_model.root / "papers"
    folder.mkdir()
    (folder / "wine.tex").write_bytes(PAPER.read_bytes())
    model.choose = in_turn([NO_FIX])
    open_folder(page, server, "papers", workspace="writing")
    files = page.locator(".jp-DirListing-content")
    files.locator(".jp-DirListing-item", has_text="wine.tex").click(button="right")
    page.get_by_role("menuitem", name="Reproduce This Paper").click()
    facts = page.get_by_role("region", name="Claims and method")
    facts.get_by_role("checkbox", name="98.9 Wine").check(timeout=RUN_LIMIT)
    facts.get_by_role("button", name="Make the notebook").click()
    notebook = page.get_by_role("main").locator(".jp-Notebook")
    expect(notebook).to_contain_text("Reproducing: Three Classifiers on Wine", timeout=RUN_LIMIT)
    kept = json.loads((folder / "wine-reproduction.ipynb").read_text("utf-8"))
    claim = kept["metadata"]["mle_modernizer"]["reproduction"]["claims"][0]["claim"]["id"]
    evaluation = EVALUATION.format(claim=claim)
    model.choose = in_turn([reply(method=METHOD), reply(evaluation=evaluation), *[NO_FIX] * 9])

    panel = Panel(page)
    panel.open()
    panel.button("Have it written").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Have stand-in write this notebook?", timeout=RUN_LIMIT)
    expect(dialog).to_contain_text("asked 2–24 times and the notebook run 4–26 times")
    assert model.requests == []
    dialog.get_by_role("button", name="Write").click()
    stages = panel.region.get_by_role("list", name="Stages of writing")
    expect(stages.get_by_role("listitem")).to_have_count(5, timeout=RUN_LIMIT)
    expect(stages.get_by_role("listitem").last).to_contain_text("Clean run on all data")
    expect(stages.get_by_role("listitem").last).to_contain_text("done")
    panel.expect_proposal()
    page.screenshot(path=Path(__file__).parent / "test-results" / "writing.png")
    lab = Lab(page, server, "papers/wine-reproduction.ipynb", workspace="writing")
    assert METHOD not in lab.sources()
    panel.accept_all()
    panel.expect_edits("Accepted")
    assert {METHOD, evaluation} <= set(lab.sources())
    assert model.requests
    assert not any("98.9" in request.prompt for request in model.requests)

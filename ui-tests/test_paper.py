"""From a paper in the file browser to the notebook that does its experiment again."""

from __future__ import annotations

import json
from pathlib import Path

from panel import RUN_LIMIT
from playwright.sync_api import Page, expect
from server import LabServer

PAPER = Path(__file__).parents[1] / "tests" / "reproducing" / "papers" / "wine.tex"


def test_a_paper_becomes_a_notebook(page: Page, server: LabServer) -> None:
    folder = server.root / "papers"
    folder.mkdir()
    (folder / "wine.tex").write_bytes(PAPER.read_bytes())
    (folder / "data.csv").write_text("a,b\n1,2\n")
    page.goto(server.address("papers", "paper"))
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

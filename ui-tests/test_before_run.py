"""What is known to break is said, and mended, before anything runs."""

from __future__ import annotations

import re

from conftest import OpenNotebook, example, target_score, written
from lab import Lab
from panel import GOAL, Panel
from playwright.sync_api import Response, expect

TITLE = "Before the first run"
PROPOSE = "Fix them"
ROOM = """() => {
  const width = selector => document.querySelector(selector).getBoundingClientRect().width;
  return width('.jp-mle-Panel') <= 0.4 * innerWidth && width('.jp-Notebook') > 300;
}"""
PREFLIGHT = re.compile(r"/mle-modernizer/api/preflight\b")


def test_an_old_notebook_is_mended_before_its_first_run(open_notebook: OpenNotebook) -> None:
    notebook = example("biopsies_2017_imputer_cascade")
    lab = open_notebook(notebook)
    panel = Panel(lab.page)
    original = lab.sources()
    panel.open()
    expect(panel.status).to_contain_text("cells will fail")
    expect(panel.status).to_contain_text(re.compile(r"Written for .*sklearn 0\.1.*You have"))
    panel.unfold(TITLE)
    card = panel.section(TITLE)
    breaks = card.get_by_role("list", name="What will break")
    expect(breaks).to_contain_text("removed in pandas 1.0")
    expect(breaks.get_by_role("link", name="pandas 1.0").first).to_be_visible()
    link = breaks.get_by_role("button", name=re.compile(r"^Cell \[")).first
    link.hover()
    pointed = lab.page.get_by_role("main").locator(".jp-mle-mod-pointed")
    expect(pointed).to_have_count(1)
    link.click()
    expect(pointed).to_be_in_viewport()
    assert lab.sources() == original, "looking ahead touches nothing"

    panel.unfold(GOAL)
    panel.field("Target score").fill(target_score(notebook))
    panel.button(PROPOSE).click()
    panel.expect_proposal()
    expect(panel.section("Proposed fix")).to_contain_text("Before the first run")
    assert lab.sources() == original, "a proposal alone must not touch the document"
    panel.accept_all()
    panel.expect_edits("Accepted")
    assert lab.sources() != original

    panel.button("Modernize").click()
    panel.expect_stand("Reproducible")
    expect(panel.section("Errors")).to_contain_text("Every cell ran to completion.")
    expect(panel.section(TITLE)).to_have_count(0)


def test_the_card_follows_the_notebook_and_the_persons_word(open_notebook: OpenNotebook) -> None:
    forest = "from sklearn.ensemble import RandomForestClassifier\nRandomForestClassifier()"
    lab = open_notebook(written(forest, "import pandas as pd\npd.DataFrame().ix[0]"))
    panel = Panel(lab.page)
    panel.open()
    card = panel.section(TITLE)
    expect(panel.status).to_contain_text("1 cell will fail")
    lab.type_into(1, "x = 1")
    expect(panel.status).to_contain_text("No change is known that will certainly break it.")
    panel.more_settings()
    panel.field("Written in").fill("2018")
    expect(panel.status).to_contain_text("1 library change alters results")
    expect(panel.status).to_contain_text("You say it was written for sklearn")
    panel.field("Written in").fill("2024")
    expect(card).to_have_count(0)
    expect_no_card_of_todays(lab)
    expect_room_for_the_notebook(lab)


def expect_room_for_the_notebook(lab: Lab) -> None:
    """The panel takes at most 40 % of a window at 200 % zoom, and folds the left area."""
    page = lab.page
    page.set_viewport_size({"width": 720, "height": 450})
    page.evaluate("() => window.jupyterapp.shell.collapseRight()")
    Panel(page).show()
    page.wait_for_function(ROOM)


def expect_no_card_of_todays(lab: Lab) -> None:
    """Where the code is of today, nothing is found, whatever the notebook was before."""
    panel = Panel(lab.page)
    panel.field("Written in").fill("")
    expect(panel.section(TITLE)).to_be_visible()

    def is_of_what_was_typed(response: Response) -> bool:
        body = response.request.post_data or ""
        return bool(PREFLIGHT.search(response.url)) and "head(2)" in body

    with lab.page.expect_response(is_of_what_was_typed) as answer:
        lab.type_into(0, "import pandas as pd\npd.DataFrame().head(2)")
    assert answer.value.json()["items"] == []
    expect(panel.section(TITLE)).to_have_count(0)

"""The panel as a person finds it: by roles and labels, never by classes."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import Locator, Page, TimeoutError, expect

RUN_LIMIT = 240_000
"""Milliseconds a run may take on a slow machine; no test waits for it to pass."""
GOAL = "Competition and target score"
MOST_VISIBLE, MOST_UNFOLDED = 12, 25
CODE = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .filter(cell => cell.cell_type === 'code').map(cell => cell.getSource())"""
CONTROLS = """() => {
  const panel = document.querySelector('[role=region][aria-label="MLE Modernizer"]');
  const { bottom, top } = panel.getBoundingClientRect();
  const shown = [...panel.querySelectorAll('button, a[href], input, select, textarea, summary')]
    .filter(item => item.checkVisibility() && item.getClientRects().length > 0);
  const within = shown.filter(item => {
    const box = item.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  return [within.length, shown.length];
}"""


def expect_quiet(page: Page, state: str) -> None:
    """At most twelve controls to be seen, and twenty-five before anything is unfolded."""
    visible, unfolded = page.evaluate(CONTROLS)
    assert 0 < visible <= MOST_VISIBLE, f"{visible} controls are visible: {state}"
    assert unfolded <= MOST_UNFOLDED, f"{unfolded} controls before unfolding: {state}"


class Panel:
    """The panel beside the notebook, and the button in the notebook's toolbar."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.region = page.get_by_role("region", name="MLE Modernizer", exact=True)
        self.status = self.region.get_by_role("status").first
        self.alert = self.region.get_by_role("alert")
        self.progress = self.region.get_by_role("progressbar", name="Progress of the run")
        self.review = self.region.get_by_role("group", name="Changes to review")
        self.bar = page.get_by_role("toolbar", name="Review of the proposed changes")
        self.plan = self.region.get_by_role("list", name="Plan")

    def open(self) -> None:
        """Open the panel from the sidebar, if it is not open."""
        self.show()
        expect(self.button("Modernize")).to_be_visible()

    def open_again(self) -> None:
        """Open the panel from the sidebar, whatever it shows, if it is not open."""
        self.show()
        expect(self.status).to_be_visible()

    def show(self) -> None:
        """Click its tab until it is there: a click closes one that just opened by itself."""
        tab = self.page.get_by_role("tab", name="MLE Modernizer")
        expect(tab.or_(self.region).first).to_be_visible()
        for _ in range(4):
            if self.region.is_visible():
                break
            tab.click()
            with suppress(TimeoutError):
                self.region.wait_for(timeout=1000)
        expect(self.region).to_be_visible()

    def section(self, name: str) -> Locator:
        """A part of the panel, by its heading."""
        return self.region.get_by_role("region", name=name, exact=True)

    def unfold(self, name: str) -> None:
        """Open a part of the panel that is folded, by its heading."""
        heading = self.region.get_by_role("heading", name=name, exact=True)
        folded = heading.locator("xpath=ancestor::details[1]")
        expect(heading).to_be_visible(timeout=RUN_LIMIT)
        if folded.get_attribute("open") is None:
            heading.click()

    def more_settings(self) -> None:
        """Open what is seldom set."""
        self.unfold("Settings")
        self.region.get_by_text("More settings", exact=True).click()

    def more(self) -> None:
        """Open what else can be done with the proposal."""
        self.review.locator("xpath=following-sibling::details").locator("summary").click()

    def agree_to_model(self) -> None:
        """Say yes, this once, to the question whether the notebook may be sent to the model."""
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_contain_text("Send this notebook to a model?")
        expect(dialog).to_contain_text("first two rows")
        dialog.get_by_role("checkbox", name="Do not ask again").uncheck()
        dialog.get_by_role("button", name="Send it when needed").click()

    def field(self, name: str) -> Locator:
        """An input or a drop-down, by its label."""
        return self.region.get_by_label(name, exact=True)

    def button(self, name: str) -> Locator:
        """A button of the panel, by its text."""
        return self.region.get_by_role("button", name=name, exact=True)

    def toolbar_button(self) -> Locator:
        """The button in the notebook's toolbar."""
        toolbar = self.page.get_by_role("toolbar", name="main area toolbar")
        # JupyterLab names a button after its caption where it has one.
        name = re.compile(r"^(Modernize|Run this notebook in a sandbox)")
        return toolbar.get_by_role("button", name=name)

    def modernize(self, target_score: str | None = None) -> None:
        """Open the panel, say what is to be reached, and press the toolbar's button."""
        self.open()
        if target_score is not None:
            self.unfold(GOAL)
            self.field("Target score").fill(target_score)
        self.toolbar_button().click()

    def expect_stand(self, words: str) -> None:
        """Wait until the status line says where it stands, for example `Your review`."""
        expect(self.status).to_contain_text(words, timeout=RUN_LIMIT)

    def traceback(self) -> Locator:
        """The traceback of the first error, unfolded."""
        error = self.section("Errors").get_by_role("article").first
        text = error.locator("pre")
        if not text.is_visible():
            error.get_by_text(re.compile(r"^Traceback")).click()
        return text

    def edits(self) -> Locator:
        """The proposal's edits, a line each."""
        return self.review.get_by_role("option")

    def current_edit(self) -> Locator:
        """The edit that is looked at, if the notebook does not show it."""
        return self.review.get_by_role("article")

    def current_cell(self) -> Locator:
        """The cell of the notebook with the change that is looked at."""
        current = ".jp-mle-Inline, .jp-mle-AtCell, .jp-mle-Ghost"
        change = self.page.locator(f":is({current}).jp-mod-current")
        return self.page.locator(".jp-Notebook .jp-Cell", has=change)

    def accept_all(self) -> None:
        """Accept all changes: the button of the next step leads to the bar, and its keys."""
        self.region.get_by_role("button", name=re.compile("^Review [0-9]+ change")).click()
        expect(self.bar).to_be_focused()
        self.page.keyboard.press("Shift+A")

    def expect_edits(self, status: str) -> None:
        """Wait until every edit has this status, on the server and in the document, too."""
        cards = self.edits()
        for index in range(cards.count()):
            expect(cards.nth(index)).to_contain_text(status)
        self.expect_recorded()

    def expect_recorded(self) -> None:
        """Wait until no decision is on its way: the document changes once it is recorded."""
        expect(self.page.locator(".jp-mle-ReviewBar-line[aria-busy=true]")).to_have_count(0)

    def expect_proposal(self) -> None:
        """Wait until a proposal is there to be reviewed."""
        self.expect_stand("Your review")
        expect(self.edits().first).to_contain_text("To review")

    def cell_of(self, row: Locator) -> int:
        """Return the index of the code cell that an edit changes.

        Raises:
            ValueError: It changes no code cell.
        """
        text = row.inner_text()
        found = re.search(r"Change cell \[.*?\] ([^\n…]*)", text)
        if found is None:
            raise ValueError(f"no cell is named in {text!r}")
        sources: list[str] = self.page.evaluate(CODE)
        return next(at for at, source in enumerate(sources) if source.strip().startswith(found[1]))

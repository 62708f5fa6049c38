"""What axe finds in parts of the page."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from lab import Lab
from playwright.sync_api import Page

THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")
"""The first one is the tests'."""
VIOLATIONS = {"resultTypes": ["violations"]}
CONTRAST = {**VIOLATIONS, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""The one rule of axe whose result a theme changes."""


def expect_accessible(page: Page, places: Sequence[str], state: str) -> None:
    """Every rule of axe is kept in these places; in a theme beside the first one, that of contrast.

    Raises:
        AssertionError: One is broken; with axe's report.
    """
    theme = page.evaluate("() => document.body.dataset.jpThemeName")
    options = VIOLATIONS if theme == THEMES[0] else CONTRAST
    context = {"include": [[place] for place in places]}
    found = Axe().run(page, context=context, options=options)
    assert found.violations_count == 0, f"{state}, {theme}: {found.generate_report()}"


def shown(page: Page) -> list[str]:
    """The panel, and a dialog that is open."""
    places = ("#mle-modernizer-panel", ".jp-Dialog")
    return [place for place in places if page.locator(place).count() > 0]


def expect_accessible_in_every_theme(
    lab: Lab, state: str, places: Sequence[str] | None = None
) -> None:
    """Every rule of axe is kept in the tests' theme, and that of contrast in the others.

    Args:
        lab: Its page is looked at.
        state: What it shows, for the report.
        places: Where; by default in the panel and in a dialog that is open.

    Raises:
        AssertionError: As `expect_accessible`.
    """
    for theme in (*THEMES[1:], THEMES[0]):
        lab.theme(theme)
        expect_accessible(lab.page, places or shown(lab.page), state)

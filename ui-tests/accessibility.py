"""What axe finds in parts of the page."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
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

"""What the finish line leaves: the notebook on the disk, and the questions asked on the way."""

from __future__ import annotations

import json
from typing import Any

from lab import Lab
from playwright.sync_api import Page, expect

CHECKED = "Every cell also runs in JupyterLab’s kernel"
MODEL = "window.jupyterapp.shell.currentWidget.content.model.sharedModel"


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


def expect_notification(page: Page, text: str, *, timeout: float) -> None:
    """Wait for a notification, which the tests' settings keep in JupyterLab's own list."""
    page.locator(".jp-Notification-Status").click()
    expect(page.get_by_text(text)).to_be_visible(timeout=timeout)
    page.keyboard.press("Escape")

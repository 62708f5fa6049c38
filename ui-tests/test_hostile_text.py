"""What strangers wrote is shown as text: nothing of it runs, no element of it is in the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from conftest import notebook_name, written
from lab import Lab
from panel import GOAL, Panel
from playwright.sync_api import Page, expect
from server import LabServer, running_lab

from tests.llm_server import Answer, LlmServer
from tests.web.conftest import prepare_parity

RUN = "window.ranHostileText=1"
IMAGE = f"<img src=x onerror={RUN}>"
LINK = f'<a class=injected href="javascript:{RUN}">here</a>'
SCRIPT = f"<script class=injected>{RUN}</script>"
MARKDOWN_LINK = f"[click](javascript:{RUN})"
ANSI = "\x1b[31mred\x1b]8;;javascript:" + RUN + "\x1b\\linked\x1b]8;;\x1b\\\x1b[0m"
TITLE = f"Parity {IMAGE} {MARKDOWN_LINK}"
COLUMN = f"Odd{IMAGE}"
CELLS = (
    f"# {IMAGE} {LINK} {MARKDOWN_LINK}\n"
    f"import pandas as pd\npd.DataFrame({{'Id': [1], {COLUMN!r}: [1]}})"
    f".to_csv({('out ' + IMAGE + '.csv')!r}, index=False)",
    f"Hostile = type({IMAGE!r}, (Exception,), {{}})\n"
    f"print({(IMAGE + ANSI + SCRIPT)!r})\n"
    f"raise Hostile({(IMAGE + LINK + SCRIPT + ANSI + MARKDOWN_LINK)!r})",
)
REPLY = f"""\
=== PLAN ===
- {IMAGE} {LINK} {SCRIPT} {MARKDOWN_LINK} {ANSI} of the model.
=== REPLACE CELL $CELL(raise Hostile)$ ===
# {IMAGE} {LINK} {SCRIPT}
print({MARKDOWN_LINK!r})
=== END ===
"""
MODEL = f"model {IMAGE}"
INJECTED = (
    "img[src='x'], [onerror], .injected, a[href^='javascript' i], iframe[srcdoc*='ranHostileText']"
)


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A server whose competition and whose model are strangers'."""
    data_root = tmp_path_factory.mktemp("hostile-data")
    prepare_parity(data_root)
    description = data_root / "parity/competition.yaml"
    description.write_text(description.read_text().replace("name: Parity", f"name: {TITLE!r}"))
    with LlmServer(lambda _: Answer(REPLY), api_key="key") as model:
        variables = {
            "MLE_MODERNIZER_BASE_URL": model.base_url,
            "MLE_MODERNIZER_MODEL": MODEL,
            "MLE_MODERNIZER_API_KEY": "key",
        }
        folder = tmp_path_factory.mktemp("lab-of-strangers")
        with running_lab(folder, data_root=data_root, variables=variables) as lab:
            yield lab


@pytest.fixture
def lab(page: Page, hostile_server: LabServer, request: pytest.FixtureRequest) -> Lab:
    """A notebook whose name, cells, outputs and errors are HTML."""
    name = notebook_name(request)
    path = hostile_server.root / f"{name} {IMAGE}.ipynb"
    nbformat.write(written(*CELLS), path)
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog said {dialog.message}"))
    lab = Lab(page, hostile_server, path.name, workspace=name)
    lab.open()
    return lab


def expect_harmless(page: Page) -> None:
    """Nothing ran, and no element that a stranger wrote is anywhere in the page."""
    page.wait_for_timeout(300)  # an image that is not there takes a moment to fail
    assert page.evaluate("() => window.ranHostileText ?? null") is None
    assert page.locator(INJECTED).evaluate_all("found => found.map(one => one.outerHTML)") == []


def expect_an_injection_is_seen(page: Page) -> None:
    """What was looked for above would have been found."""
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", IMAGE + LINK)
    page.wait_for_function("() => window.ranHostileText === 1")
    assert page.locator(INJECTED).count() == 2


def test_a_run_its_errors_a_models_fix_and_the_reports_are_text(lab: Lab, tmp_path: Path) -> None:
    page, panel = lab.page, Panel(lab.page)
    panel.open()
    panel.unfold(GOAL)
    panel.field("Competition").select_option("parity")
    expect(panel.field("Competition")).to_contain_text(IMAGE)
    panel.toolbar_button().click()
    panel.agree_to_model()
    panel.expect_proposal()
    expect_harmless(page)

    # The traceback, the outputs' files and the grade.
    panel.unfold("Run details")
    errors = panel.section("Errors")
    expect(errors).to_contain_text(IMAGE)
    errors.get_by_role("article").first.locator("summary").first.click()
    traceback = errors.get_by_role("article").first.locator("pre")
    expect(traceback).to_contain_text(IMAGE + LINK + SCRIPT)
    assert "\x1b" not in traceback.inner_text()
    panel.region.evaluate(
        "region => region.querySelectorAll('details').forEach(d => d.open = true)"
    )
    expect(panel.region).to_contain_text(f"out {IMAGE}.csv")
    expect_harmless(page)

    # The model's words and code, and what was sent and answered.
    proposed = panel.section("Proposed fix")
    expect(proposed).to_contain_text(MODEL)
    expect(panel.plan).to_contain_text(f"{IMAGE} {LINK} {SCRIPT} {MARKDOWN_LINK}")
    assert page.get_by_role("link", name="click").count() == 0
    proposed.get_by_role("button", name="What was sent and answered").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Call 1: answered")
    dialog.evaluate("dialog => dialog.querySelectorAll('details').forEach(d => d.open = true)")
    expect(dialog).to_contain_text(IMAGE)
    expect_harmless(page)
    page.keyboard.press("Escape")

    # The diff in a tab, and the change in the notebook.
    panel.accept_all()
    panel.expect_edits("Accepted")
    assert lab.sources()[1].startswith(f"# {IMAGE} {LINK} {SCRIPT}")
    expect_harmless(page)

    # The report as a page of its own, as it is opened from the disk.
    status, found = lab.server.api("sessions", token=lab.server.token)
    assert status == 200
    sessions = found["sessions"]
    assert isinstance(sessions, list)
    session = sessions[0]["id"]
    answer = page.request.get(
        f"{lab.server.url}/mle-modernizer/api/sessions/{session}/report?format=html",
        headers={"Authorization": f"token {lab.server.token}"},
    )
    assert answer.ok and IMAGE not in answer.text()
    report = tmp_path / "report.html"
    report.write_bytes(answer.body())
    opened = page.context.new_page()
    opened.goto(report.as_uri())
    expect(opened.locator("body")).to_contain_text(IMAGE)
    expect_harmless(opened)
    expect_an_injection_is_seen(page)

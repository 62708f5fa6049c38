"""A model is asked where no rule helps; it is a stand-in that speaks the real protocol."""

from __future__ import annotations

import json

import pytest
from conftest import MODEL_KEY, OpenNotebook, written
from lab import Lab
from panel import Panel
from playwright.sync_api import expect

from tests.llm_server import Answer, LlmServer

REPLY = """\
=== PLAN ===
- The cell that divides: the divisor is never 0 in the data, so it counts from 1.
=== REPLACE CELL $CELL(divisor)$ ===
divisor = 0
print(1 / max(divisor, 1))
=== END ===
"""


@pytest.fixture
def lab(open_with_model: OpenNotebook, model: LlmServer) -> Lab:
    model.choose = lambda _: Answer(REPLY)
    return open_with_model(written("divisor = 0\nprint(1 / divisor)"))


def test_the_models_fix_is_reviewed_and_accepted_like_a_rules(lab: Lab, model: LlmServer) -> None:
    panel = Panel(lab.page)
    panel.modernize()
    panel.agree_to_model()
    panel.expect_proposal()
    expect(panel.section("Proposed fix")).to_contain_text("stand-in")
    expect(panel.plan).to_contain_text("counts from 1")
    assert "ZeroDivisionError" in model.requests[-1].prompt

    panel.button("Accept all").click()
    panel.expect_edits("Accepted")
    assert lab.sources() == ["divisor = 0\nprint(1 / max(divisor, 1))"]


def test_the_key_never_reaches_the_browser(lab: Lab) -> None:
    panel = Panel(lab.page)
    panel.open()
    status, info = lab.server.api("info", token=lab.server.token)
    assert status == 200
    llm = info["llm"]
    assert isinstance(llm, dict)
    assert (llm["configured"], llm["model"], llm["reason"]) == (True, "stand-in", "")
    assert MODEL_KEY not in json.dumps(info)
    assert MODEL_KEY not in lab.page.content()


def test_what_is_sent_can_be_seen_before_and_after(lab: Lab, model: LlmServer) -> None:
    panel = Panel(lab.page)
    panel.modernize()
    panel.agree_to_model()
    panel.expect_proposal()
    asked = len(model.requests)

    panel.unfold("What happened")
    panel.section("Fix").locator("summary").last.click()
    panel.button("What is sent").click()
    dialog = lab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("To stand-in at 127.0.0.1. Nothing has been sent.")
    expect(dialog).to_contain_text("Nothing is left out.")
    expect(dialog.get_by_role("region")).to_contain_text("ZeroDivisionError")
    assert len(model.requests) == asked
    expect(dialog.get_by_role("button", name="Close").last).to_be_focused()
    lab.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    proposed = panel.section("Proposed fix")
    panel.more()
    proposed.get_by_role("button", name="What was sent and answered").click()
    expect(dialog).to_contain_text("Call 1: answered")
    dialog.get_by_text("Sent, system").click()
    system, user, reply = dialog.get_by_role("region").all_inner_texts()
    sent = [message["content"].strip() for message in model.requests[-1].messages]
    assert [system.strip(), user.strip()] == sent
    assert "counts from 1" in reply
    assert MODEL_KEY not in dialog.inner_text()
    dialog.get_by_role("button", name="Close").last.click()
    expect(dialog).to_be_hidden()

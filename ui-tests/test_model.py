"""A model is asked where no rule helps; it is a stand-in that speaks the real protocol."""

from __future__ import annotations

import json

from conftest import MODEL_KEY, OpenNotebook, written
from lab import Lab
from panel import Panel
from playwright.sync_api import expect

from tests.llm_server import Answer, LlmServer

CELLS = ("seed = 1\nprint(seed)", "divisor = 0\nprint(1 / divisor)")
REPLY = """\
=== PLAN ===
- The cell that divides: the divisor is never 0 in the data, so it counts from 1; another seed.
=== REPLACE CELL $CELL(^seed)$ ===
seed = 7
print(seed)
=== REPLACE CELL $CELL(^divisor)$ ===
divisor = 0
print(1 / max(divisor, 1))
=== END ===
"""


def test_the_models_fix_is_reviewed_and_accepted_like_a_rules(
    open_with_model: OpenNotebook, model: LlmServer
) -> None:
    model.choose = lambda _: Answer(REPLY)
    lab = open_with_model(written(*CELLS))
    panel = Panel(lab.page)
    panel.open()
    expect_no_key(lab)
    panel.modernize()
    panel.agree_to_model()
    panel.expect_proposal()
    expect(panel.section("Proposed fix")).to_contain_text("stand-in")
    expect(panel.plan).to_contain_text("counts from 1")
    assert "ZeroDivisionError" in model.requests[-1].prompt

    see_what_would_be_sent(lab, model)
    see_what_was_sent(lab, model)
    accept_all_but_the_experiment(lab)
    expect_no_key(lab)


def expect_no_key(lab: Lab) -> None:
    """The key is in no answer and nowhere in the page."""
    status, info = lab.server.api("info", token=lab.server.token)
    assert status == 200
    llm = info["llm"]
    assert isinstance(llm, dict)
    assert (llm["configured"], llm["model"], llm["reason"]) == (True, "stand-in", "")
    assert MODEL_KEY not in json.dumps(info)
    assert MODEL_KEY not in lab.page.content()


def see_what_would_be_sent(lab: Lab, model: LlmServer) -> None:
    """What a model would get is seen before anything is sent."""
    panel = Panel(lab.page)
    asked = len(model.requests)
    panel.unfold("Run details")
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


def see_what_was_sent(lab: Lab, model: LlmServer) -> None:
    """What a model got and answered is seen afterwards, word for word."""
    panel = Panel(lab.page)
    panel.more()
    panel.section("Proposed fix").get_by_role("button", name="What was sent and answered").click()
    dialog = lab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Call 1: answered")
    dialog.get_by_text("Sent, system").click()
    system, user, reply = dialog.get_by_role("region").all_inner_texts()
    sent = [message["content"].strip() for message in model.requests[-1].messages]
    assert [system.strip(), user.strip()] == sent
    assert "counts from 1" in reply
    assert MODEL_KEY not in dialog.inner_text()
    dialog.get_by_role("button", name="Close").last.click()
    expect(dialog).to_be_hidden()


def accept_all_but_the_experiment(lab: Lab) -> None:
    """A change of the experiment is accepted by itself, with a tick; "Accept all" leaves it."""
    panel = Panel(lab.page)
    bold = panel.edits().filter(has_text="Changes the experiment")
    expect(bold).to_have_count(1)
    bold.click()
    card = panel.current_cell()
    expect(card.get_by_role("button", name="Accept")).to_be_disabled()

    panel.accept_all()
    expect(panel.edits().filter(has_text="Accepted")).to_have_count(1)
    assert lab.sources() == [CELLS[0], "divisor = 0\nprint(1 / max(divisor, 1))"]

    bold.click()
    card.get_by_role("checkbox", name="Yes, I want this change").check()
    card.get_by_role("button", name="Accept").click()
    panel.expect_edits("Accepted")
    assert lab.sources()[0] == "seed = 7\nprint(seed)"

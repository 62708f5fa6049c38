"""A change of the experiment is accepted by itself, with a tick; "Accept all" leaves it."""

from __future__ import annotations

from conftest import OpenNotebook, written
from panel import Panel
from playwright.sync_api import expect

from tests.llm_server import Answer, LlmServer

CELLS = ("seed = 1\nprint(seed)", "divisor = 0\nprint(1 / divisor)")
REPLY = """\
=== PLAN ===
- The divisor counts from 1, and another seed.
=== REPLACE CELL $CELL(^seed)$ ===
seed = 7
print(seed)
=== REPLACE CELL $CELL(^divisor)$ ===
divisor = 0
print(1 / max(divisor, 1))
=== END ===
"""


def test_a_change_of_the_experiment_needs_a_tick_of_its_own(
    open_with_model: OpenNotebook, model: LlmServer
) -> None:
    model.choose = lambda _: Answer(REPLY)
    lab = open_with_model(written(*CELLS))
    panel = Panel(lab.page)
    panel.modernize()
    panel.agree_to_model()
    panel.expect_proposal()
    bold = panel.edits().filter(has_text="Changes the experiment")
    expect(bold).to_have_count(1)
    bold.click()
    card = panel.current_edit()
    expect(card.get_by_role("button", name="Accept")).to_be_disabled()

    panel.button("Accept all").click()
    expect(panel.edits().filter(has_text="Accepted")).to_have_count(1)
    assert lab.sources() == [CELLS[0], "divisor = 0\nprint(1 / max(divisor, 1))"]

    card.get_by_role("checkbox", name="Yes, I want this change").check()
    card.get_by_role("button", name="Accept").click()
    panel.expect_edits("Accepted")
    assert lab.sources()[0] == "seed = 7\nprint(seed)"

"""After an outcome: run it again, and see the scores against target and band."""

from __future__ import annotations

from conftest import OpenNotebook, written
from panel import RUN_LIMIT, Panel
from playwright.sync_api import expect


def test_an_outcome_is_verified_by_repeated_runs(open_notebook: OpenNotebook) -> None:
    lab = open_notebook(written("import random\nrandom.seed(1)", "print('AUC: 0.81')"))
    panel = Panel(lab.page)
    lab.widen_right_area(480)
    panel.open()
    panel.field("Target score").fill("0.8")
    panel.more_settings()
    panel.region.get_by_role("checkbox", name="Read the score from an output").check()
    panel.field("Text around the number").fill("AUC: {}")
    panel.field("The target score was").select_option("printed")
    panel.button("Modernize").click()
    panel.expect_stand("Reproducible")

    section = panel.section("Verification")
    panel.unfold("What happened")
    panel.unfold("Verification")
    expect(section).to_contain_text("Verified quickly: one clean run (iteration 1)")
    panel.button("Verify strictly").click()
    expect(section).to_contain_text("reproducible (strict)", timeout=RUN_LIMIT)
    expect(section).to_contain_text("Ended after 3 of 10 runs: their scores are all the same.")
    expect(
        section.get_by_role("img", name="Scores of repeated runs: 0.81; 0.81; 0.81")
    ).to_be_visible()
    expect(section).to_contain_text("3 of 3 runs")
    panel.expect_stand("Reproducible")

    panel.button("Measure the noise").click()
    expect(section).to_contain_text("not random", timeout=RUN_LIMIT)
    expect(section).to_contain_text("Seeds in the notebook: random.seed(1)")
    assert lab.sources()[0].endswith("random.seed(1)"), "the notebook is as it was"

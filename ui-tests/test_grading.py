"""From labelled data to a score that is explained: a competition of one's own, in the panel."""

from __future__ import annotations

import pytest
from conftest import OpenNotebook, written
from lab import Lab
from panel import GOAL, RUN_LIMIT, Panel
from playwright.sync_api import expect
from server import LabServer

ROWS = "Id,width,kind\n" + "".join(f"{n},{n % 7},{n % 2}\n" for n in range(80))
READ = "import csv\nids = [row['Id'] for row in csv.DictReader(open('../input/flowers/test.csv'))]"
WRITE = """\
def write(name, header, value):
    with open(name, 'w') as file:
        file.write(header + '\\n' + ''.join(f'{id},{value(id)}\\n' for id in ids))

write('submission.csv', 'Id,kind', lambda id: int(id) % 2)
write('half.csv', 'Id,kind', lambda id: 0.5)
write('broken.csv', 'Nr,kind', lambda id: 0)"""
FOLDER, NAME = "garden", "flowers LB 0.98.ipynb"


def test_a_competition_is_made_chosen_and_its_score_explained(
    open_notebook: OpenNotebook, server: LabServer
) -> None:
    (server.root / FOLDER).mkdir()
    (server.root / FOLDER / "labelled.csv").write_text(ROWS)
    lab = open_notebook(written(READ, WRITE), f"{FOLDER}/{NAME}")
    panel = Panel(lab.page)
    lab.widen_right_area(480)
    panel.open()

    expect(panel.region.get_by_text("The title says “flowers LB 0.98”.")).to_be_visible()
    panel.button("Use 0.98").click()
    expect(panel.field("Target score")).to_have_value("0.98")

    panel.region.get_by_text("Make one from labelled data").click()
    expect(panel.field("Directory with the data")).to_have_value(FOLDER)
    panel.button("Look at the data").click()
    expect(panel.field("Id column")).to_have_value("Id")
    expect(panel.field("Target column")).to_have_value("kind")
    expect(panel.field("Metric")).to_have_value("roc_auc")
    panel.field("Share held out").fill("25")
    panel.field("Folder").fill("flowers")
    panel.button("Make the competition").click()
    expect(panel.field("Competition")).to_have_value("flowers")
    expect(panel.region.get_by_text("ROC AUC, higher is better")).to_be_visible()
    assert lab.metadata() is None, "choosing alone keeps nothing in the notebook"

    panel.button("Modernize").click()
    panel.expect_stand("Reproducible")
    score = panel.section("Score")
    expect(score).to_contain_text(
        "Relative to the floor, the best constant prediction’s score 0.5", timeout=RUN_LIMIT
    )
    score.get_by_text("2 other CSVs of this run").click()
    others = score.get_by_role("list", name="CSVs of this run").get_by_role("listitem")
    expect(others.nth(0)).to_contain_text("submission.csv 1")
    expect(others.filter(has_text="half.csv")).to_contain_text("0.5")
    expect(others.filter(has_text="broken.csv")).to_contain_text("invalid")
    assert lab.metadata() == {
        "competition": "flowers",
        "target_score": 0.98,
        "target_kind": "graded",
        "distance": "target",
    }


@pytest.mark.thorough
def test_printed_score_is_compared_with_its_kind_and_verified(
    open_notebook: OpenNotebook,
) -> None:
    lab = open_notebook(written("import random\nrandom.seed(1)", "print('Validation AUC: 0.81')"))
    panel = Panel(lab.page)
    lab.widen_right_area(480)
    panel.open()
    panel.unfold(GOAL)
    panel.field("Target score").fill("0.8")
    panel.more_settings()
    panel.region.get_by_role("checkbox", name="Read the score from an output").check()
    panel.field("Output of").select_option(label="Cell [ ] print('Validation AUC: …")
    panel.field("Text around the number").fill("Validation AUC: {}")
    panel.button("Modernize").click()
    score = panel.section("Score")
    expect(score).to_contain_text("Score: printed by a cell. Target: graded.", timeout=RUN_LIMIT)
    expect(score).to_contain_text("scores of different kinds are not compared")

    panel.unfold("Settings")
    panel.field("The target score was").select_option("printed")
    panel.region.get_by_role("button", name="Run again").click()
    expect(score).to_contain_text("0.81 is 1.3 % off the target 0.8", timeout=RUN_LIMIT)
    expect(score).to_contain_text("Score: printed by a cell. Target: printed by a cell.")
    panel.expect_stand("Reproducible")
    verify_by_repeated_runs(lab)


def verify_by_repeated_runs(lab: Lab) -> None:
    """After an outcome: run it again, and see the scores against target and band."""
    panel = Panel(lab.page)
    section = panel.section("Verification")
    panel.unfold("Run details")
    panel.unfold("Verification")
    expect(section).to_contain_text("Verified quickly: one clean run (iteration 2)")
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

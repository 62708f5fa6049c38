"""`jupyter modernize improve`: which version is better, on validation folds."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from mle_modernizer_server.cli.notebook_options import parse
from mle_modernizer_server.domain.improvement import BlockRole, Comparison, Improvement
from mle_modernizer_server.domain.verification import ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.study.improve import offer_of_one
from mle_modernizer_server.workflow.study.search_memory import (
    KeptChange,
    KeptSearch,
    SearchedTask,
)
from tests.cli.conftest import Cli, Write
from tests.improving.steps import BOOSTING, LOAD, PLAIN_LOAD, PLAIN_SUBMIT, SUBMIT, make_steps

BASELINE = "test['y'] = train['y'].mean()"
BETTER = "test['y'] = test['a'] * (train['y'] / train['a']).mean()"


LEAKY = (
    "slope = mean(y / a for a, y in zip(train['a'], train['y']))\n"
    "shift = mean(test['a']) - mean(train['a'])\n"
    "test['y'] = [slope * a + shift for a in test['a']]"
)


@pytest.fixture
def steps(data_root: Path) -> Path:
    return make_steps(data_root)


@pytest.mark.thorough
def test_what_is_better_is_told_from_what_is_not(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    better = write(LOAD, BETTER, SUBMIT, name="slope.ipynb")
    same = write(LOAD, BASELINE + "\nprint('score: 0.0')", SUBMIT, name="same.ipynb")
    worse = write(LOAD, "test['y'] = -1000", SUBMIT, name="worse.ipynb")
    broken = write(LOAD, "test['y'] = nowhere", SUBMIT, name="broken.ipynb")
    options = ("--folds", "3", "--sandbox", "process", "--report", base.with_suffix(".json"))
    ended = cli("improve", base, "--with", better, same, worse, broken, *options)
    assert ended.code == 0, ended.err
    table = {
        line.split("│")[1].strip(): [cell.strip() for cell in line.split("│")[2:-1]]
        for line in ended.out.splitlines()
        if line.count("│") > 5
    }
    assert table["slope"][0] == "better"
    assert table["same"][0] == "cannot be told apart"
    assert table["worse"][0] == "worse (on the first fold)"
    assert table["broken"][0].startswith("no score")
    assert [table[name][4] for name in ("Baseline", "slope", "worse", "broken")] == list("3311")
    assert (
        "3 validation folds of train.csv (120 rows, 40 held out in each), stratified" in ended.out
    )
    assert "slope is better than the notebook." in ended.out


@pytest.mark.thorough
def test_without_a_better_version_it_ends_with_one(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    same = write(LOAD, BASELINE + " + 0", SUBMIT, name="same.ipynb")
    ended = cli("improve", base, "--with", same, "--folds", "2", "--sandbox", "process")
    assert ended.code == 1
    assert "No version is better" in ended.out


@pytest.mark.thorough
def test_undecided_version_runs_on_other_partitions_of_the_rows(
    cli: Cli, write: Write, steps: Path
) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    better = write(LOAD, f"{BETTER} + test['a'].iloc[0] % 5", SUBMIT, name="slope.ipynb")
    report = base.with_suffix(".json")
    options = ("--folds", "2", "--partitions", "2", "--sandbox", "process", "--report", report)
    assert cli("improve", base, "--with", better, *options).code == 0
    found = Improvement.model_validate(json.loads(report.read_text("utf-8"))["improvement"])
    (slope,) = found.candidates
    assert (len(found.baseline.scores), len(slope.scores)) == (4, 4)
    assert slope.comparison is Comparison.BETTER
    assert slope.gain is not None and slope.gain.confidence == 0.975, "half for each look"
    shown = {one.kind: one.code for one in found.experiments}
    assert shown[ProofKind.HALF_ROWS] is ProofCode.ROWS_ALONE
    assert shown[ProofKind.LABEL_SHUFFLE] is ProofCode.NO_BETTER_THAN_FLOOR, "it is the mean"
    assert found.runs == 4 + 4 + 2


def test_dependence_on_other_test_rows_is_reported_above_scores(
    cli: Cli, write: Write, steps: Path
) -> None:
    base = write(PLAIN_LOAD, LEAKY, PLAIN_SUBMIT, name="base.ipynb")
    report = base.with_suffix(".json")
    options = ("--folds", "2", "--partitions", "1", "--sandbox", "process", "--report", report)
    ended = cli("improve", base, "--with", base, *options)
    found = Improvement.model_validate(json.loads(report.read_text("utf-8"))["improvement"])
    labels, half = found.experiments
    assert labels.code is ProofCode.LABELS_MATTER
    assert (half.outcome, half.code) == (ProofOutcome.FAILED, ProofCode.ROWS_TOGETHER)
    assert found.runs == 2 + 3 + 2 and found.seconds > half.seconds > 0
    line = "Half of the test rows, failed: Without the other half, 30 of 30 rows have another"
    first, second = (at.start() for at in re.finditer(line, ended.out))
    assert ended.out.index("Shuffled labels, passed: ") < first
    assert ended.out.rindex("This may make a score look better") < second
    assert second < ended.out.index("Comparison on validation folds")


def test_a_notebook_without_a_score_on_a_fold_is_no_baseline(
    cli: Cli, write: Write, steps: Path
) -> None:
    every_row = (
        "known = dict(zip(train['Id'], train['y']))\n"
        "test['y'] = [known[number] for number in range(120)]"
    )
    base = write(PLAIN_LOAD, every_row, PLAIN_SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--with", base, "--folds", "2", "--sandbox", "process")
    assert ended.code == 3
    assert "no score on validation fold 1" in ended.err


def test_what_cannot_be_cut_is_refused_before_any_run(cli: Cli, write: Write) -> None:
    base = write("print(1)", name="base.ipynb")
    ended = cli("improve", base, "--with", base, "--competition", "parity")
    assert ended.code in (2, 3)
    assert "No validation folds can be made because" in ended.err
    ended = cli("improve", base, "--with", base)
    assert "select a competition" in ended.err


EARLIER = KeptSearch(
    task=SearchedTask(classes=False, metric="rmse", rows=500, family="boosting"),
    changes=(
        KeptChange(kind="seeds", name="5 seeds", comparison=Comparison.WORSE),
        KeptChange(kind="early-stopping", name="early stopping", comparison=Comparison.BETTER),
    ),
)


@pytest.mark.thorough  # a UI test searches the same way
def test_known_changes_are_tried_and_the_best_is_written(
    cli: Cli, write: Write, steps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "searches.jsonl"
    memory.write_text(f"{EARLIER.model_dump_json()}\n")
    monkeypatch.setenv("MLE_MODERNIZER_MEMORY", str(memory))
    base = write(LOAD, BOOSTING, SUBMIT, name="base.ipynb")
    before, best = base.read_bytes(), base.with_name("best.ipynb")
    options = ("--folds", "2", "--partitions", "1", "--sandbox", "process", "--out", best)
    ended = cli("improve", base, *options)
    assert ended.code == 0, ended.err + ended.out
    assert "early stopping is better than the notebook." in ended.out
    assert "early stopping: GradientBoostingRegressor takes small steps" in ended.out
    assert f"The best version is in {best}" in ended.out
    assert "n_iter_no_change=20" in best.read_text()
    assert base.read_bytes() == before
    said = "on similar tasks, early stopping was better in 1 and worse in 0 of 1 search."
    assert said in " ".join(ended.out.split())
    kept = KeptSearch.model_validate_json(memory.read_text().splitlines()[1])
    assert kept.task == EARLIER.task.model_copy(update={"rows": 120})
    assert ("early stopping", Comparison.BETTER) in [
        (one.name, one.comparison) for one in kept.changes
    ]


@pytest.mark.thorough
def test_baseline_over_budget_is_refused_after_one_run(cli: Cli, write: Write, steps: Path) -> None:
    (steps / "steps/prepared/public/shops.csv").write_text("shop\n1\n")
    leaky = BOOSTING.replace("train[['a']], train", "train[['a']].assign(b=1), train")
    leaky = leaky.replace("test[['a']]", "test[['a']].assign(b=1)")
    leaky = f"from sklearn.preprocessing import StandardScaler\n{leaky}"
    leaky += "\nStandardScaler().fit(test[['a']])"
    base = write(LOAD, leaky, SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--folds", "3", "--sandbox", "process", "--budget", "0.0001")
    assert ended.code == 2
    assert "more than the budget" in ended.err
    assert "`, line 5: StandardScaler is fitted on rows of the test data." in ended.out
    assert "Public files that the code does not name: shops.csv." in ended.out
    assert ended.out.index("Cell number 2 `") < ended.out.index("Baseline, fold 1")


@pytest.mark.parametrize(
    ("seconds", "folds", "is_offered"),
    [(5.0, 5, True), (10.0, 5, True), (10.1, 5, False), (5.0, 1, False)],
)
def test_one_hold_out_set_is_offered_where_it_and_a_version_fit(
    seconds: float, folds: int, is_offered: bool
) -> None:
    offer = text(offer_of_one(seconds, folds, budget=20.0))
    assert ("A single hold-out set (1 fold) fits into the budget" in offer) is is_offered


@pytest.mark.thorough
def test_one_hold_out_set_is_weak_and_calls_nothing_better(
    cli: Cli, write: Write, steps: Path
) -> None:
    base = write(LOAD, BOOSTING, SUBMIT, name="base.ipynb")
    best, report = base.with_name("best.ipynb"), base.with_suffix(".json")
    options = ("--sandbox", "process", "--out", best, "--report", report)
    ended = cli("improve", base, "--folds", "1", *options)
    assert ended.code == 1, ended.err
    assert "A single hold-out set of train.csv (120 rows, 30 held out)" in ended.out
    assert "One hold-out set: weak evidence." in ended.out
    assert "so no version is called better" in ended.out
    assert not best.exists()
    found = Improvement.model_validate(json.loads(report.read_text())["improvement"])
    gains = {one.name: one.gain.mean for one in found.candidates if one.gain is not None}
    assert gains["early stopping"] > 0
    assert {one.comparison for one in found.candidates} == {Comparison.UNDECIDED}


def test_a_notebook_without_a_known_change_is_not_run(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--folds", "3", "--sandbox", "process")
    assert ended.code == 1
    assert "The code offers no change" in ended.out


@pytest.fixture
def products(data_root: Path) -> Path:
    """A competition whose target is the product of two features, nearly without noise."""
    public, private = data_root / "steps/prepared/public", data_root / "steps/prepared/private"
    public.mkdir(parents=True)
    private.mkdir()
    (data_root / "steps/competition.yaml").write_text("metric: rmse\nid_columns: [Id]\n")
    rows = [(i, i % 17, i * 7 % 13, (i % 17 - 8) * (i * 7 % 13 - 6) + i % 2) for i in range(240)]
    train = [f"{i},{a},{b},{y}\n" for i, a, b, y in rows]
    (public / "train.csv").write_text("Id,a,b,y\n" + "".join(train))
    (public / "test.csv").write_text("Id,a,b\n" + "".join(f"{i},{a},{b}\n" for i, a, b, _ in rows))
    answers = "Id,y\n" + "".join(f"{i},{y}\n" for i, _, _, y in rows)
    (public / "sample_submission.csv").write_text(answers)
    (private / "answers.csv").write_text(answers)
    return data_root


ENGINEERED = (
    "train['ab'] = (train['a'] - 8) * (train['b'] - 6)\n"
    "test['ab'] = (test['a'] - 8) * (test['b'] - 6)\n"
    "train['sum'] = train['a'] + train['b']\ntest['sum'] = test['a'] + test['b']"
)
FEW_TREES = (
    "from sklearn.ensemble import GradientBoostingRegressor\n"
    "model = GradientBoostingRegressor(n_estimators=1, n_iter_no_change=9, random_state=0)\n"
    "model.fit(train[['a', 'ab', 'sum']], train['y'])\n"
    "test['y'] = model.predict(test[['a', 'ab', 'sum']])"
)


@pytest.mark.thorough
def test_most_valuable_part_is_found_and_harmful_one_dropped(
    cli: Cli, write: Write, products: Path
) -> None:
    base = write(LOAD, ENGINEERED, FEW_TREES, SUBMIT, name="base.ipynb")
    best, report = base.with_name("best.ipynb"), base.with_suffix(".json")
    options = ("--folds", "3", "--sandbox", "process", "--out", best, "--report", report)
    ended = cli("improve", base, "--ablate", *options)
    assert ended.code == 0, ended.err + ended.out
    found = Improvement.model_validate(json.loads(report.read_text())["improvement"])
    effects = found.effects()
    assert effects[0].name == "without ab"
    blocks = {one.number: one for one in found.blocks}
    assert blocks[effects[0].block or 0].role is BlockRole.FEATURES
    assert effects[-1].name == "defaults of GradientBoostingRegressor"
    assert effects[-1].comparison is Comparison.BETTER
    assert len(effects[0].scores) == 3
    versions = (found.baseline, *found.candidates, *found.ablations)
    assert found.runs == sum(len(one.scores) for one in versions) + len(found.experiments)
    rows = [line.split("│") for line in ended.out.splitlines() if line.count("│") == 7]
    assert rows[0][1].strip() == "without ab"
    assert any("████" in row[5] for row in rows)
    assert "model = GradientBoostingRegressor(random_state=0)" in best.read_text()


LINEAR = (
    "from sklearn.linear_model import LinearRegression\nmodel = LinearRegression()\n"
    "model.fit(train[['a', 'b']], train['y'])\ntest['y'] = model.predict(test[['a', 'b']])"
)


@pytest.mark.thorough
def test_blend_of_no_worse_versions_is_written_and_judged(
    cli: Cli, write: Write, products: Path
) -> None:
    """A line and a step, with noise: linear model and trees each miss what the other has."""
    public, chance = products / "steps/prepared/public", random.Random(0)
    rows = [(i, chance.uniform(-3, 3), chance.uniform(-3, 3)) for i in range(240)]
    lines = [f"{i},{a},{b},{2 * a + 3 * (b > 1) + chance.gauss(0, 2)}\n" for i, a, b in rows]
    (public / "train.csv").write_text("Id,a,b,y\n" + "".join(lines))
    base = write(LOAD, LINEAR, SUBMIT, name="base.ipynb")
    report = base.with_suffix(".json")
    ended = cli("improve", base, "--folds", "3", "--sandbox", "process", "--report", report)
    assert ended.code in (0, 1), ended.err + ended.out
    found = Improvement.model_validate(json.loads(report.read_text())["improvement"])
    blend = found.candidates[-1]
    assert blend.kind == "blend"
    assert blend.comparison in (Comparison.BETTER, Comparison.UNDECIDED)
    assert "A weighted average of predictions: " in text(blend.what)
    assert blend.scores and all(score.score is not None for score in blend.scores)
    assert blend.gain is not None
    assert blend.gain.mean >= max(
        one.gain.mean for one in found.candidates[:-1] if one.gain is not None
    )


def test_blocks_are_shown_and_nothing_runs(cli: Cli, write: Write) -> None:
    base = write(LOAD, "raise SystemExit", BASELINE, "test.head()", SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--blocks")
    assert ended.code == 0, ended.err
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in ended.out.splitlines()
        if line.count("│") > 5
    ]
    assert rows[2] == ["3", "loading", "1", "3", "*", LOAD.splitlines()[2]]
    assert [row[1] for row in rows] == [
        *("imports", "other", "loading", "looking", "features", "looking", "submission")
    ]
    assert cli("improve", write("print 1", name="old.ipynb"), "--blocks").code == 1


def test_a_person_says_what_a_block_does(cli: Cli, write: Write) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--blocks", "--role", "4=Model", "2=cleaning")
    assert ended.code == 0, ended.err
    rows = [line.split("│") for line in ended.out.splitlines() if line.count("│") > 5]
    assert [role for row in rows if (role := row[2].strip())] == [
        *("imports", "cleaning (yours)", "loading", "model (yours)", "submission")
    ]
    unknown = cli("improve", base, "--blocks", "--role", "9=model")
    assert unknown.code == 2
    assert "There is no block 9; the notebook has 5." in unknown.err
    with pytest.raises(SystemExit, match="2"):
        cli("improve", base, "--blocks", "--role", "4=cooking")


def test_out_is_for_what_was_found(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    with pytest.raises(SystemExit) as ended:
        cli("improve", base, "--with", base, "--out", base.with_name("best.ipynb"))
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--rounds", "3"), "--rounds needs --refine"),
        (("--refine", "--steps", "21"), "from 0 to 20"),
        (("--refine", "--with", "other.ipynb"), "not for --with"),
    ],
)
def test_how_far_to_refine_is_for_a_refinement(
    flags: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(["improve", "base.ipynb", *flags])
    assert why in capsys.readouterr().err

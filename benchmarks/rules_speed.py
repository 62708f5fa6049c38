"""Time of the rules for a notebook of 100 cells: the preflight before a run, and the patch.

Prints and asserts nothing; the aim is less than a second for each.

    python benchmarks/rules_speed.py [--cells N] [--repeat N] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import time
from collections.abc import Callable

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules

START = (
    "import numpy as np\nimport pandas as pd\nimport matplotlib.pyplot as plt\n"
    "import seaborn as sns\nfrom sklearn.cross_validation import train_test_split, KFold\n"
    "from sklearn.ensemble import RandomForestClassifier\nimport xgboost as xgb\n"
    "%matplotlib inline",
    "train = pd.read_csv('../input/train.csv')\ntest = pd.read_csv('../input/test.csv')\n"
    "print(train.shape, test.shape)",
)
CELLS = (
    "train.head()",
    "train['Age'].fillna(train['Age'].median(), inplace=True)\n"
    "train['Family'] = train['SibSp'] + train['Parch'] + 1\n"
    "train.loc[train['Fare'] > 300, 'Fare'] = 300",
    "fig, ax = plt.subplots(1, 2, figsize=(12, 5))\n"
    "sns.distplot(train['Age'], ax=ax[0])\nsns.factorplot('Pclass', 'Survived', data=train)\n"
    "plt.show()",
    "# both together\nfull = train.append(test, ignore_index=True)\n"
    "dummies = pd.get_dummies(full[['Sex', 'Embarked']])\n"
    "full = pd.concat([full, dummies], 1).drop(['Sex', 'Embarked'], 1)",
    "def clean(frame, columns):\n    result = frame.copy()\n    for column in columns:\n"
    "        if result[column].dtype == np.object:\n"
    "            result[column] = result[column].map(lambda value: str(value).strip())\n"
    "        else:\n            result[column] = result[column].astype(np.float)\n"
    "    return result\n\ntrain = clean(train, train.columns)",
    "corr = train.corr()\nplt.figure(figsize=(10, 8))\nsns.heatmap(corr, annot=True)",
    "X = full.ix[:890, 1:].as_matrix()\ny = train['Survived'].values\n"
    "X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)",
    "model = RandomForestClassifier(n_estimators=100, max_features='auto', random_state=1)\n"
    "model.fit(X_train, y_train)\nprint(model.score(X_test, y_test))",
    "booster = xgb.XGBClassifier(max_depth=4, n_estimators=300, silent=True)\n"
    "booster.fit(X_train, y_train, early_stopping_rounds=20, eval_metric='auc',\n"
    "            eval_set=[(X_test, y_test)], verbose=False)\n"
    "prediction = booster.predict(X_test)",
    "scores = []\nfor fold, (a, b) in enumerate(KFold(len(X), n_folds=5, shuffle=True)):\n"
    "    model.fit(X[a], y[a])\n    scores.append(model.score(X[b], y[b]))\n"
    "print('mean %.4f' % np.mean(scores))",
)


def notebook_of(size: int) -> Notebook:
    """Return a notebook of that many code cells, in the style of about 2017."""
    sources = [*START, *(CELLS[at % len(CELLS)] for at in range(size - len(START)))]
    return Notebook(
        cells=tuple(
            Cell(id=str(at), type=CellType.CODE, source=source) for at, source in enumerate(sources)
        )
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5, help="measurements of each kind")
    parser.add_argument("--profile", action="store_true", help="where the time of a patch goes")
    arguments = parser.parse_args()
    notebook = notebook_of(arguments.cells)
    start = time.perf_counter()
    rules = [rule for rule in all_rules() if rule.automatic]
    print(f"{len(all_rules())} entries read in {time.perf_counter() - start:.2f} s, once a server")

    def patch(sources: Notebook) -> Notebook:
        return modernize(sources, rules, Run(), lambda *_: True).notebook

    after = patch(notebook)
    changed = sum(old != new for old, new in zip(notebook.cells, after.cells, strict=True))
    print(f"{arguments.cells} cells, {changed} of them changed")
    _print("patch", arguments.repeat, lambda: patch(notebook))
    _print("nothing left to do", arguments.repeat, lambda: patch(after))
    if arguments.profile:
        with cProfile.Profile() as profile:
            patch(notebook)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(30)


def _print(what: str, repeat: int, run: Callable[[], object]) -> None:
    seconds = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    print(f"{what}: {statistics.median(seconds):.2f} s (CPU, median of {repeat})")


if __name__ == "__main__":
    main()

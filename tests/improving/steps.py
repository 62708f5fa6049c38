"""A small competition in which a known change helps, and a notebook for it."""

from __future__ import annotations

from pathlib import Path

LOAD = (
    "import pandas as pd\nx = '../input/steps/'\n"
    "train, test = pd.read_csv(x + 'train.csv'), pd.read_csv(x + 'test.csv')"
)
SUBMIT = "test[['Id', 'y']].to_csv('submission.csv', index=False)"
PLAIN_LOAD = (
    "import csv\nfrom statistics import mean\n"
    "def read(name):\n    with open('../input/steps/' + name) as file:\n"
    "        rows = list(csv.DictReader(file))\n"
    "    return {name: [int(row[name]) for row in rows] for name in rows[0]}\n"
    "train, test = read('train.csv'), read('test.csv')"
)
"""`LOAD` without pandas, which takes longer to load than a run does."""
PLAIN_SUBMIT = (
    "with open('submission.csv', 'w') as file:\n"
    "    print('Id,y', *map('{},{}'.format, test['Id'], test['y']), sep='\\n', file=file)"
)
BOOSTING = (
    "from sklearn.ensemble import GradientBoostingRegressor\n"
    "model = GradientBoostingRegressor(n_estimators=1).fit(train[['a']], train['y'])\n"
    "test['y'] = model.predict(test[['a']])"
)


def make_steps(data_root: Path) -> Path:
    """A competition whose target is twice a feature, with a little noise."""
    public, private = data_root / "steps/prepared/public", data_root / "steps/prepared/private"
    if public.is_dir():
        return data_root  # made for another test
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

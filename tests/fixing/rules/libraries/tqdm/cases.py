from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case("tqdm-pandas-argument", "from tqdm import tqdm\n", "tqdm.pandas(tqdm(desc='x'))"),
    Case(
        "tqdm-nested",
        "from tqdm import tqdm\n",
        "result = list(tqdm([1], nested=True))",
        "result == [1]",
    ),
    Case(
        "tqdm-widgets",
        "from tqdm import tqdm_notebook\n",
        "result = list(tqdm_notebook([1]))",
        "result == [1]",
    ),
]

SILENT: list[Case] = []

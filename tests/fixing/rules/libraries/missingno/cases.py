from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "missingno-inline",
        "import matplotlib\nmatplotlib.use('Agg')\nimport missingno\nimport pandas as pd\n",
        "missingno.matrix(pd.DataFrame({'a': [1, None]}), inline=False)",
    ),
]

SILENT: list[Case] = []

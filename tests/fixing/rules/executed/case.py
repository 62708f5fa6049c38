"""What one executed example of a rule consists of, and the beginnings they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FRAME = """
import matplotlib
matplotlib.use('Agg')
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
other = pd.DataFrame({'a': [9], 'b': [9.], 't': ['z']})
when = pd.to_datetime(pd.Series(['2019-01-01', '2019-07-05']))
"""
DATA = """
import numpy as np
from sklearn.datasets import make_classification, make_regression
X, y = make_classification(n_samples=90, n_features=6, n_informative=4, n_classes=3, random_state=0)
Xr, yr = make_regression(n_samples=60, n_features=4, random_state=0)
"""
PLOTS = """
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
d = pd.DataFrame({'a': ['x', 'y'] * 5, 'b': range(10), 'c': range(10)})
"""
XGB = DATA + "import pandas as pd\nimport xgboost as xgb\nfrom xgboost import XGBClassifier\n"
LGB = DATA + "import lightgbm as lgb\nd = lgb.Dataset(X, y % 2)\nv = d.create_valid(X, y % 2)\n"
LGB += "p = {'objective': 'binary', 'metric': 'auc', 'verbose': -1}\n"


@dataclass(frozen=True)
class Case:
    """Old code: it fails, or silently gives something else.

    It is executed in every environment that has the rule's library. Where the rule concerns the
    installed version, the old code must fail with the rule's symptom (or, if silent, run and
    contradict `holds`), and what the rules make of it must run and fulfil `holds`. Where the
    library is older than the change, the old code itself must run and fulfil `holds`.
    """

    rule: str
    setup: str
    """What stands in the cell before."""
    code: str
    holds: str = "True"
    """An expression that is true after the mended code ran; `result` is what the line gives."""
    then: str = "result"
    """An expression of a later cell, for which the case's is a neighbour: where the old code works
    in one environment and the new code in another, both must give it the same value (its class,
    shape, names, types and numbers). Not asked where the code makes no `result`."""
    differs: str = ""
    """Why a later cell finds something else all the same."""
    line: int | None = None
    """Where the old code fails, to be checked; the rules are told where it really failed."""
    fix: bool = True
    """Whether the rules mend it; False: only that it fails, or gives something else, is proved."""
    also: tuple[str, ...] = ()
    """Further rules the old code needs, each where it concerns the installed version."""
    shell: bool = False
    """Run by IPython, as code with magics must be."""
    never_worked: str = ""
    """Why the old code need not work with the older version of an environment either."""
    without: Mapping[str, str] = field(default_factory=dict)
    """Environments in which it cannot be executed, and why."""

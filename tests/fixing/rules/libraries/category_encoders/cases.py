from __future__ import annotations

from tests.fixing.rules.executed.case import Case

TABLE = (
    "import pandas as pd\n"
    "import category_encoders as ce\n"
    "d = pd.DataFrame({'a': list('xyxyz')})\n"
    "t = pd.Series([0, 1, 1, 0, 1])\n"
)

LOUD: list[Case] = [
    Case(
        "category-encoders-impute-missing",
        TABLE,
        "e = ce.OneHotEncoder(cols=['a'], impute_missing=True).fit(d)",
        "e.handle_missing == 'value'",
    ),
    Case(
        "category-encoders-impute-missing",
        TABLE,
        "e = ce.OrdinalEncoder(impute_missing=False).fit(d)",
        "e.handle_missing == 'return_nan'",
    ),
    Case(
        "category-encoders-impute",
        TABLE,
        "e = ce.OrdinalEncoder(handle_unknown='impute').fit(d)\n"
        "result = e.transform(pd.DataFrame({'a': ['q']}))",
        "len(result) == 1",
        differs="the older version ignores the word, which meant -1 in versions before it",
    ),
    Case(
        "category-encoders-ignore",
        TABLE,
        "e = ce.TargetEncoder(handle_unknown='ignore').fit(d, t)\nresult = e.transform(d)",
        "len(result) == 5",
    ),
    Case(
        "category-encoders-randomized",
        TABLE,
        "e = ce.LeaveOneOutEncoder(randomized=False, sigma=0.1).fit(d, t)",
        "e.sigma is None",
    ),
    Case(
        "category-encoders-randomized",
        TABLE,
        "e = ce.LeaveOneOutEncoder(randomized=True).fit(d, t)",
        "e.sigma == 0.05",
    ),
]

SILENT: list[Case] = [
    Case(
        "category-encoders-pin-target",
        TABLE,
        "result = ce.TargetEncoder().fit(d, t).transform(d)['a'].round(6).tolist()",
        "[ce.TargetEncoder(min_samples_leaf=1, smoothing=1.0).fit(d, "
        "t).transform(d)['a'].round(6).tolist()] == [result]",
    ),
]

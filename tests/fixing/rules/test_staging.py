from __future__ import annotations

import pytest

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.rules.fixer import propose
from mle_modernizer_server.words import text
from tests.fixing.rules.rewriting import error
from tests.fixing.rules.test_fixer import request

ALIASES = (
    "import numpy as np\nimport pandas as pd\na = np.float(1)\nb = np.int(2)\n",
    "c = np.float(3)\ndf = pd.DataFrame()\ndf = df.append(df)\n",
)
FROM_ONE = error(
    "b",
    "ValueError",
    "Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got [1 2 3]",
)
SHIFTED = (
    "import pandas as pd\nfrom xgboost import XGBClassifier\n"
    "train = pd.read_csv('train.csv')\ny = train['kind']\n",
    "model = XGBClassifier()\nmodel.fit(train[['a']], y)\n",
    "answer = model.predict(train[['a']])\n",
)


def proposed(*sources: str, errors: tuple[CellError, ...] = ()) -> Proposal:
    answer = propose(request(*sources, errors=errors))
    assert isinstance(answer, Proposal)
    return answer


def codes(answer: Proposal) -> list[str]:
    return [remark.code for remark in answer.remarks]


def test_every_rule_says_what_it_does_where_in_a_cell() -> None:
    first, second = proposed(*ALIASES).edits
    (aliases,) = first.parts
    assert (aliases.rule, aliases.places, aliases.lines) == ("numpy-builtin-aliases", 2, (3, 4))
    by_rule = {part.rule: part for part in second.parts}
    assert by_rule["numpy-builtin-aliases"].lines == (1,)
    assert by_rule["numpy-builtin-aliases"].what == aliases.what
    assert {part.rule for part in second.parts} == set(second.rules)
    assert " ".join(part.reason for part in second.parts) == second.reason


@pytest.mark.parametrize(
    ("source", "short"),
    [
        (
            "import numpy as np\na = np.float(1)\nb = np.float(2)",
            "`np.float` was removed in NumPy 1.24. Fix: `float`.",
        ),
        (
            "import numpy as np\na = np.float(1)\nb = np.int(2)",
            "`np.float` and `np.int` were removed in NumPy 1.24. Fix: `float`, `int`.",
        ),
        (
            "from sklearn.cross_validation import KFold",
            "`sklearn.cross_validation.KFold` was removed in scikit-learn 0.20. "
            "Fix: `from sklearn.model_selection import KFold`.",
        ),
        (
            "import pandas as pd\ndf = pd.DataFrame([[1, 2]])\nx = df.head().as_matrix()",
            "`.as_matrix` was removed in pandas 1.0. Fix: `df.head().to_numpy()`.",
        ),
        (
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nx = df.ix[:, [6, 3]]",
            ".ix was removed in pandas 1.0. Fix: `df.iloc[:, [6, 3]]`.",
        ),
    ],
)
def test_part_names_replaced_name_and_new_code(source: str, short: str) -> None:
    failing = error("a", "AttributeError", "module 'numpy' has no attribute 'float'")
    (edit,) = proposed(source, errors=(failing,)).edits
    assert [part.short for part in edit.parts] == [short]


def test_long_new_code_is_described_in_words() -> None:
    long = "import pandas as pd\ndf = pd.DataFrame()\ndf = df.append({%s}, ignore_index=True)"
    (edit,) = proposed(long % ", ".join(f"'column{n}': {n}" for n in range(9))).edits
    assert edit.parts[0].short == (
        "DataFrame.append and Series.append were removed in pandas 2.0. "
        "pd.concat puts the same rows together."
    )


def test_cells_that_one_fix_changes_at_once_stand_in_one_group() -> None:
    edits = {edit.cell_id: edit for edit in proposed(*SHIFTED, errors=(FROM_ONE,)).edits}
    assert set(edits) == {"a", "c"}, "the target's definition and the prediction"
    assert edits["a"].new_source.endswith("train['kind'] - 1\n")
    assert edits["a"].group == edits["c"].group != ""
    assert edits["a"].parts[0].short.endswith("Fix: `train['kind'] - 1`.")


def test_edits_that_stand_by_themselves_are_in_no_group() -> None:
    assert {edit.group for edit in proposed(*ALIASES).edits} == {""}


REFUSED = error("b", "TypeError", "Invalid value 'yes' for dtype 'int64'", line=2)
TABLE = "import pandas as pd\ndf = pd.DataFrame({'s': [0, 1]})\n"


def test_line_inserted_before_the_failing_one_leaves_no_doubt() -> None:
    cell = "df['t'] = df['s']\ndf.loc[df.s == 1, 't'] = 'yes'\ndf.loc[df.s == 0, 't'] = 'no'\n"
    answer = proposed(TABLE, cell, errors=(REFUSED,))
    lines = cell.splitlines(keepends=True)
    lines.insert(1, "df['t'] = df['t'].astype(object)\n")
    assert answer.edits[0].new_source == "".join(lines)
    assert "rules.cell-not-changed" not in codes(answer)
    assert "rules.line-not-changed" not in codes(answer)


def test_undone_part_of_a_changed_cell_is_named_by_line() -> None:
    again = REFUSED.model_copy(update={"line": 3})
    cell = "df['t'] = df['s']\ndf.loc[df.s == 1, 't'] = 'yes'\ndf.iloc[0, k] = 'yes'\n"
    answer = proposed(TABLE, cell, errors=(REFUSED, again))
    assert "rules.line-not-changed" in codes(answer)
    assert "Cell 2: line 4 of the changed cell is left as it was, because the column" in text(
        answer.remarks
    )


def test_what_numpy_refuses_is_not_said_to_give_another_result() -> None:
    cells = ("import numpy as np\nprint 'old'\n", "x = np.concatenate(zip([1], [2]))\n")
    (_, edit) = proposed(*cells).edits
    assert "Would fail, or give another result" in edit.reason
    refused = error("b", "TypeError", "The first input argument needs to be a sequence", line=1)
    traceback = ("Cell In[2], line 1", "----> 1 x = np.concatenate(zip([1], [2]))")
    refused = refused.model_copy(update={"traceback": traceback})
    (_, edit) = proposed(*cells, errors=(refused,)).edits
    assert edit.rules == ("python2-lazy-arrays",)
    assert edit.reason.startswith("Fails here: TypeError: The first input argument needs")

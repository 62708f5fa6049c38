from __future__ import annotations

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.rules.fixer import propose
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


def test_every_rule_says_what_it_does_where_in_a_cell() -> None:
    first, second = proposed(*ALIASES).edits
    (aliases,) = first.parts
    assert (aliases.rule, aliases.places, aliases.lines) == ("numpy-builtin-aliases", 2, (3, 4))
    by_rule = {part.rule: part for part in second.parts}
    assert by_rule["numpy-builtin-aliases"].lines == (1,)
    assert by_rule["numpy-builtin-aliases"].what == aliases.what
    assert {part.rule for part in second.parts} == set(second.rules)
    assert " ".join(part.reason for part in second.parts) == second.reason


def test_cells_that_one_fix_changes_at_once_stand_in_one_group() -> None:
    edits = {edit.cell_id: edit for edit in proposed(*SHIFTED, errors=(FROM_ONE,)).edits}
    assert set(edits) == {"a", "c"}, "the target's definition and the prediction"
    assert edits["a"].new_source.endswith("train['kind'] - 1\n")
    assert edits["a"].group == edits["c"].group != ""


def test_edits_that_stand_by_themselves_are_in_no_group() -> None:
    assert {edit.group for edit in proposed(*ALIASES).edits} == {""}

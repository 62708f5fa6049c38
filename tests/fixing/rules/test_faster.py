"""The rules for notebooks that run out of time: the same result, on all cores."""

import importlib
import inspect

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, ExtraTreesRegressor, RandomForestClassifier
from sklearn.model_selection import RandomizedSearchCV, cross_val_score

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.execution import CellStatus, HotLine, Profile
from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.rules.fixer import propose
from mle_modernizer_server.fixing.rules.knowledge import faster_calls
from mle_modernizer_server.fixing.rules.rule import CallFix
from tests.fixing.rules.test_fixer import fixed, proposal, request

SLOW = (
    "from sklearn.ensemble import RandomForestClassifier as Forest\n"
    "from sklearn.model_selection import *\n",
    "model = Forest(n_estimators=500, random_state=0)  # many\n"
    "other = Forest(n_jobs=2)\n"
    "score = cross_val_score(model, X, y, n_jobs=1)\n",
)
ADDRESSES = [
    address
    for rule in faster_calls()
    for fix in rule.fixes
    if isinstance(fix, CallFix)
    for address in fix.functions
]


def test_a_notebook_out_of_time_gets_all_cores() -> None:
    asked = request(*SLOW, fix_type=FixType.RUNTIME_REDUCTION)
    assert fixed(asked)[1] == (
        "model = Forest(n_estimators=500, random_state=0, n_jobs=-1)  # many\n"
        "other = Forest(n_jobs=2)\n"
        "score = cross_val_score(model, X, y, n_jobs=-1)\n"
    )
    [edit] = proposal(asked).edits
    assert edit.meaning is Meaning.SPEED
    assert edit.reason.startswith("Without n_jobs"), "and nothing of another result"
    again = request(*fixed(asked), fix_type=FixType.RUNTIME_REDUCTION)
    assert isinstance(propose(again), NoFix)


@pytest.mark.parametrize(
    ("call", "offered"), [("sklearn.base.wrapper", True), ("pandas.core.frame.query", False)]
)
def test_cores_do_not_help_if_no_model_took_the_time(call: str, offered: bool) -> None:
    asked = request(*SLOW, fix_type=FixType.RUNTIME_REDUCTION)
    line = HotLine(cell_id="c1", index=1, line=3, source="…", seconds=60, share=0.9, call=call)
    profile = Profile(lines=(line,), seconds=66)
    ran = asked.execution.model_copy(update={"profile": profile})
    answer = propose(asked.model_copy(update={"execution": ran}))
    assert isinstance(answer, NoFix) is not offered


def test_a_model_inside_of_a_search_is_left_to_it() -> None:
    search = "search = GridSearchCV(Forest(random_state=0), {})\n"
    asked = request(SLOW[0], search, fix_type=FixType.RUNTIME_REDUCTION)
    assert fixed(asked)[1] == "search = GridSearchCV(Forest(random_state=0), {}, n_jobs=-1)\n"


def test_cell_after_the_slow_one_is_not_worth_a_run() -> None:
    asked = request("slow()", *SLOW, fix_type=FixType.RUNTIME_REDUCTION)
    first, *rest = asked.execution.cells
    for status, offered in ((CellStatus.UNFINISHED, False), (CellStatus.OK, True)):
        cells = (first.model_copy(update={"status": status}), *rest)
        ended = asked.execution.model_copy(update={"cells": cells})
        answer = propose(asked.model_copy(update={"execution": ended}))
        edits = () if isinstance(answer, NoFix) else answer.edits
        assert any("n_jobs=-1" in edit.new_source for edit in edits) is offered, status


def test_a_cell_that_failed_is_not_made_faster() -> None:
    asked = request(*SLOW, "slow()", fix_type=FixType.RUNTIME_REDUCTION)
    first, failed, slow = asked.execution.cells
    for status, offered in ((CellStatus.ERROR, False), (CellStatus.OK, True)):
        cells = (
            first.model_copy(update={"status": CellStatus.OK}),
            failed.model_copy(update={"status": status}),
            slow.model_copy(update={"status": CellStatus.UNFINISHED}),
        )
        ended = asked.execution.model_copy(update={"cells": cells})
        answer = propose(asked.model_copy(update={"execution": ended}))
        edits = () if isinstance(answer, NoFix) else answer.edits
        assert any("n_jobs=-1" in edit.new_source for edit in edits) is offered, status


def test_certain_failure_behind_the_slow_cell_is_fixed() -> None:
    later = "y = x.astype(np.float)", "t = pd.DataFrame(y)\nt.mean()\nt.corr()", "slow()"
    asked = request(
        "import numpy as np\nimport pandas as pd",
        "slow()",
        *later,
        fix_type=FixType.RUNTIME_REDUCTION,
    )
    assert isinstance(propose(asked), NoFix), "the run went through all cells"
    first, slow, *rest = asked.execution.cells
    cells = (
        first.model_copy(update={"status": CellStatus.OK}),
        slow.model_copy(update={"status": CellStatus.UNFINISHED}),
        *rest,
    )
    ended = asked.execution.model_copy(update={"cells": cells})
    edits = proposal(asked.model_copy(update={"execution": ended})).edits
    assert [edit.new_source for edit in edits] == ["y = x.astype(float)"]


@pytest.mark.parametrize("fix_type", [FixType.ERROR_REPAIR, FixType.SCORE_CALIBRATION])
def test_no_other_fix_makes_anything_faster(fix_type: FixType) -> None:
    answer = propose(request(*SLOW, fix_type=fix_type))
    edits = () if isinstance(answer, NoFix) else answer.edits
    assert not any("n_jobs=-1" in edit.new_source for edit in edits)


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_call_takes_n_jobs_and_works_on_one_core_without(address: str) -> None:
    module, _, name = address.rpartition(".")
    parameter = inspect.signature(getattr(importlib.import_module(module), name)).parameters
    assert parameter["n_jobs"].default is None


@pytest.mark.process
def test_the_result_is_the_same() -> None:
    x, y = load_iris(return_X_y=True)
    one, all_ = ({"n_jobs": jobs} for jobs in (1, -1))
    for kind in (RandomForestClassifier, ExtraTreesRegressor, BaggingClassifier):
        predictions = [
            kind(n_estimators=4, random_state=0, **jobs).fit(x, y).predict(x)
            for jobs in (one, all_)
        ]
        assert np.array_equal(*predictions)
    forest = RandomForestClassifier(n_estimators=5, random_state=0)
    scores = [cross_val_score(forest, x, y, **jobs) for jobs in (one, all_)]
    assert np.array_equal(*scores)
    found = [
        RandomizedSearchCV(forest, {"max_depth": range(1, 9)}, n_iter=2, random_state=0, **jobs)
        .fit(x, y)
        .cv_results_["mean_test_score"]
        for jobs in (one, all_)
    ]
    assert np.array_equal(*found)

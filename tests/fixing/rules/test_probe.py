"""What three runs say of a silent change."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import CellFacts, Observed, Probed, Told
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.preflight import preflight
from mle_modernizer_server.fixing.rules.probe import (
    fixed_sources,
    had_it_already,
    judge,
    suspects,
)
from mle_modernizer_server.fixing.rules.rule import Rule

TODAY = Environment(python="3.13.0", packages={"pandas": "3.0.0", "sklearn": "1.8.0"})
CODE = (
    "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\n"
    "from sklearn.svm import SVC\nt = pd.DataFrame({'a': [1, None]})",
    "t.ix[0]\nmodel = RandomForestClassifier()\nsvc = SVC()",
    "again = RandomForestClassifier()",
)
FOREST = "sklearn-pin-forest-size"


def notebook(*sources: str) -> Notebook:
    return Notebook(
        cells=tuple(
            Cell(id=f"c{number}", type=CellType.CODE, source=source)
            for number, source in enumerate(sources)
        )
    )


def rule_of(rule: str) -> Rule:
    return next(one for one in all_rules() if one.id == rule)


def observed(facts: dict[str, str], error: str = "") -> Observed:
    cell = CellFacts(cell="c1", error=error, facts=tuple(facts.items()))
    return Observed(environment=TODAY, cells=(cell,))


def said(
    then: dict[str, str], now: dict[str, str], fixed: dict[str, str] | None, error: str = ""
) -> Probed:
    return judge(
        rule_of(FOREST),
        "c1",
        observed(then, error),
        observed(now),
        None if fixed is None else observed(fixed),
    )


def test_silent_changes_are_suspected_and_errors_are_not() -> None:
    items = preflight(notebook(*CODE), TODAY, "process").items
    found = suspects(items)
    assert {one.rule.id: one.cell_ids for one in found}[FOREST] == ("c1", "c2")
    assert all(one.rule.silent for one in found)
    weights = [one.rule.weight for one in found]
    assert weights == sorted(weights, reverse=True)
    assert [one.rule.id for one in suspects(items, FOREST)] == [FOREST]
    assert suspects(items, "pandas-ix") == []


def test_all_fixes_but_the_suspected_one_are_there() -> None:
    every = fixed_sources(notebook(*CODE), TODAY, Era()).cells[1].source
    without = fixed_sources(notebook(*CODE), TODAY, Era(), rule_of(FOREST)).cells[1].source
    assert "n_estimators=10" in every
    assert "RandomForestClassifier()" in without
    for source in (every, without):
        assert ".ix" not in source, "what would fail is mended in both"
        assert "gamma='auto'" in source, "other defaults are restored in both"


def test_old_libraries_must_be_older_than_the_change() -> None:
    forest = rule_of(FOREST)
    assert had_it_already(forest, Environment(python="3.7.1", packages={"sklearn": "0.20.4"})) == ""
    newer = Environment(python="3.7.1", packages={"sklearn": "0.22"})
    assert "sklearn 0.22, which has the change already" in had_it_already(forest, newer)
    assert "not installed" in had_it_already(forest, Environment(python="3.7.1", packages={}))


def test_a_value_the_fix_brings_back_is_explained() -> None:
    found = said(
        {"n": "10", "type": "object", "gone": "1"},
        {"n": "100", "type": "str", "new": "1"},
        {"n": "10", "type": "str"},
    )
    assert found.verdict is Told.EXPLAINS
    assert [(one.name, one.then, one.now, one.fixed) for one in found.contrasts] == [
        ("n", "10", "100", "10"),
        ("type", "object", "str", "str"),
    ]
    assert [one.explained for one in found.contrasts] == [True, False]
    assert (found.compared, found.incomparable) == (2, 2)


def test_a_setting_that_no_result_shows_is_called_so() -> None:
    setting = {"model.tol": "0.001", "printed line 1": "RMSE 51.337072971230405"}
    today = {"model.tol": "0.0001", "printed line 1": "RMSE 51.33707297123041"}
    found = said(setting, today, setting)
    assert (found.verdict, len(found.contrasts)) == (Told.EXPLAINS, 1)
    assert "no result in this cell shows it" in found.why
    moved = said({**setting, "x": "1"}, {**today, "x": "2"}, {**setting, "x": "1"})
    assert (moved.verdict, moved.why) == (Told.EXPLAINS, "")


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ("0.96, 0.5", "0.9600000001, 0.5", True),
        ("score 0.96", "score 0.97", False),
        ("10000001", "10000002", False),
        ("1e-05", "1.00000001e-05", True),
        ("v1 is 2", "v2 is 2", False),
        ("0, 1", "0, 1, 2", False),
        ("nan", "nan", True),
        ("nan", "1", False),
    ],
)
def test_last_digits_are_no_difference(then: str, now: str, same: bool) -> None:
    found = said({"n": then}, {"n": now}, None)
    assert (found.verdict is Told.NO_DIFFERENCE) is same


@pytest.mark.parametrize(
    ("then", "now", "fixed", "verdict", "why"),
    [
        ({"n": "1"}, {"n": "1"}, {"n": "1"}, Told.NO_DIFFERENCE, ""),
        ({"n": "1"}, {"n": "1"}, None, Told.NO_DIFFERENCE, ""),
        ({"n": "0.3"}, {"n": "0.30000000001"}, {"n": "0.3"}, Told.NO_DIFFERENCE, ""),
        ({"n": "1"}, {"n": "2"}, {"n": "2"}, Told.NO_DIFFERENCE, "has another cause"),
        ({"n": "1"}, {"n": "2"}, {"n": "3"}, Told.UNTOLD, "but not to the old ones"),
        ({"n": "1"}, {"n": "2"}, None, Told.UNTOLD, "no fix that could be tried alone"),
        ({"n": "1"}, {"m": "1"}, {"m": "1"}, Told.UNTOLD, "no value that could be compared"),
    ],
)
def test_what_is_not_explained_is_said(
    then: dict[str, str],
    now: dict[str, str],
    fixed: dict[str, str] | None,
    verdict: Told,
    why: str,
) -> None:
    found = said(then, now, fixed)
    assert found.verdict is verdict
    assert why in found.why


def test_a_cell_that_fails_tells_nothing() -> None:
    found = said({"n": "10"}, {"n": "100"}, {"n": "10"}, error="ValueError: no")
    assert found.verdict is Told.UNTOLD
    assert found.why == "with the old libraries the cell fails: ValueError: no"


def test_a_run_that_did_not_get_there_tells_nothing() -> None:
    stopped = Observed(environment=TODAY, cells=(), ended="it died")
    found = judge(rule_of(FOREST), "c1", observed({"n": "1"}), stopped, None)
    assert found.verdict is Told.UNTOLD
    assert found.why == "with today's libraries the cell did not end: it died"


def test_of_many_values_the_explained_ones_are_listed() -> None:
    then = {f"v{number}": "0" for number in range(40)}
    now = dict.fromkeys(then, "1")
    found = said(then, now, {**now, "v39": "0"})
    assert found.contrasts[0].name == "v39"
    assert len(found.contrasts) + found.unlisted == 40

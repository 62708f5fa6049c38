"""A name that does not exist, replaced by the near one that a run lists, is a rename."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.execution import CellError, LiveFact
from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.integrity import judge_edits
from tests.fixing.integrity.corpus import edit, notebook_of

COLUMNS = "'Order', 'Year_Sold', 'Mo_Sold', 'LotArea'"


def error(ename: str, evalue: str, *facts: tuple[str, str]) -> CellError:
    told = tuple(LiveFact(name=name, value=value) for name, value in facts)
    return CellError(
        cell_id="c", index=1, ename=ename, evalue=evalue, traceback=(), raised=True, facts=told
    )


NEAR = error("KeyError", "'YrSold'", ("near columns of df", "Year_Sold, Mo_Sold"))
LISTED = error("KeyError", "\"['YrSold'] not in index\"", ("columns of df", COLUMNS))
NAME = error("NameError", "name 'X_trian' is not defined", ("near names", "X_train, X"))
THERE = error("KeyError", "'Mo_Sold'", ("columns of df", COLUMNS))


def meaning(before: str, after: str, seen: CellError) -> Meaning:
    book = notebook_of({"load": "import pandas as pd\ndf = pd.read_csv('a.csv')", "c": before})
    judgement = judge_edits(book, [edit("c", before, after)], errors=[seen])
    assert not judgement.left_out
    return judgement.edits[0].meaning


@pytest.mark.parametrize("seen", [NEAR, LISTED])
@pytest.mark.parametrize(
    "before",
    [
        "x = df['YrSold'] - df['Order']",
        "X = df[['YrSold', 'LotArea']]",
        "X = df.drop('YrSold', axis=1)",
        "df['YrSold'] = df['YrSold'].astype(str)",
    ],
)
def test_near_column_that_exists_is_a_rename(before: str, seen: CellError) -> None:
    assert meaning(before, before.replace("YrSold", "Year_Sold"), seen) is Meaning.RENAME


def test_near_variable_that_exists_is_a_rename() -> None:
    assert meaning("m.fit(X_trian, y)", "m.fit(X_train, y)", NAME) is Meaning.RENAME


@pytest.mark.parametrize(
    ("before", "after", "seen"),
    [
        ("x = df['YrSold'] + 1", "x = df['Mo_Sold'] + 1", NEAR),
        ("x = df['YrSold'] + 1", "x = df['Year_Sold'] + 2", NEAR),
        ("X = df[['YrSold', 'LotArea']]", "X = df[['LotArea']]", LISTED),
        ("x = df['Mo_Sold'] + 1", "x = df['Year_Sold'] + 1", THERE),
        ("m.fit(X_trian, y)", "m.fit(X, y)", NAME),
    ],
)
def test_other_column_or_variable_is_a_change(before: str, after: str, seen: CellError) -> None:
    assert meaning(before, after, seen) is Meaning.EXPERIMENT

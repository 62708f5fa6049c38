"""`jupyter modernize catalogue`."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Cli


def test_words_find_entries_and_an_id_shows_one_whole(cli: Cli) -> None:
    ended = cli("catalogue", "boosting", "for", "absolute", "errors")
    assert ended.code == 0
    assert "absolute-error-boosting" in ended.out
    whole = cli("catalogue", "absolute-error-boosting")
    assert 'HistGradientBoostingRegressor(loss="absolute_error", random_state=0)' in whole.out
    assert "needs sklearn 1.0" in whole.out


def test_all_are_listed_for_programs(cli: Cli) -> None:
    ended = cli("catalogue", "--json", "--task", "images")
    found = json.loads(ended.out)
    assert len(found) >= 5
    assert all("images" in one["tasks"] for one in found)
    assert cli("catalogue", "zzzz").code == 1


def test_the_web_is_asked_only_where_it_is_set_and_confirmed(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = cli("catalogue", "boosting", "--web")
    assert ended.code == 2
    assert "MLE_MODERNIZER_SEARCH" in ended.err
    monkeypatch.setenv("MLE_MODERNIZER_SEARCH", "searxng:http://127.0.0.1:9")
    ended = cli("catalogue", "boosting", "--web")
    assert ended.code == 1
    assert "Only this query is sent to 127.0.0.1: boosting" in ended.out
    ended = cli("catalogue", "boosting", "--web", "--yes")
    assert ended.code == 3
    assert "gave no results" in ended.err

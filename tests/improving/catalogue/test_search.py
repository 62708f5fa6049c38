"""The catalogue is searched by words; entries of the user's own stand beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.improving.catalogue.entry import TaskKind
from mle_modernizer_server.improving.catalogue.shelf import (
    all_entries,
    ranked,
    search,
    use_catalogue,
    words,
)

OWN = """\
- id: median-only
  title: The median for everything
  about: A model of my own that knows nothing, to compare with.
  tasks:
    - regression
  role: model
  source: https://example.org/
  in_place: sklearn.dummy.DummyRegressor(strategy="median")
  example: |
    score = 0.0
"""


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("gradient boosting regression numbers", "histogram-boosting-regression"),
        ("rare classes weights balanced accuracy", "balanced-class-weights"),
        ("text tf-idf words logistic", "tfidf-logistic"),
        ("lags rolling mean series", "lag-features"),
        ("stacking out-of-fold", "stacking"),
        ("categories with many values target encoding", "target-encoding"),
    ],
)
def test_words_find_their_entry(query: str, first: str) -> None:
    assert search(query)[0].id == first


def test_only_what_fits_the_task_is_found() -> None:
    found = search("boosting", tasks=[TaskKind.REGRESSION], metric=Metric.MAE)
    assert found[0].id == "absolute-error-boosting"
    assert all(TaskKind.REGRESSION in entry.tasks for entry in found)
    assert search("boosting", tasks=[TaskKind.REGRESSION], has=lambda name, least: False) == []
    assert search("zzz qqq") == []


def test_rare_words_and_short_texts_weigh_more() -> None:
    texts = ["boost tree tree", "boost boost", "boost forest", "a long text on boost and more"]
    assert ranked("forest boost", texts)[0][0] == 2
    assert ranked("boost", ["", ""]) == []
    assert ranked("boost", []) == []
    assert words("The Trees of a class") == ["tree", "class"]


@pytest.fixture
def folder(tmp_path: Path) -> object:
    (tmp_path / "mine.yaml").write_text(OWN)
    yield tmp_path
    use_catalogue(None)


def test_entries_of_ones_own_come_first_and_replace(folder: Path) -> None:
    (folder / "broken.yaml").write_text("- id: Not An Id\n")
    (folder / "odd.yaml").write_text("[")
    (folder / "other.yml").write_text(OWN.replace("median-only", "stacking"))
    problems = use_catalogue(folder)
    assert len(problems) == 2
    assert any("broken.yaml" in one and "id" in one for one in problems)
    assert {entry.id for entry in all_entries()[:2]} == {"median-only", "stacking"}
    assert [entry.id for entry in all_entries()].count("stacking") == 1
    assert search("median everything")[0].id in ("median-only", "stacking")
    with pytest.raises(BadSetting):
        use_catalogue(folder / "nowhere")

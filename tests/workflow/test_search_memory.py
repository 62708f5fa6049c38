"""What earlier searches found, for later ones on similar tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import Metric, SplitKind
from mle_modernizer_server.domain.improvement import (
    Comparison,
    FoldPlan,
    Gain,
    Improvement,
    PlanSource,
    TriedVersion,
)
from mle_modernizer_server.improving.candidates.variant import Facts
from mle_modernizer_server.workflow.study.search_memory import (
    KeptSearch,
    SearchedTask,
    earlier_results,
    promise,
    remember,
)
from tests.improving.sources import trained

LINEAR = "from sklearn.linear_model import Ridge\nmodel = Ridge()"
TREE = "from sklearn.tree import DecisionTreeRegressor\nmodel = DecisionTreeRegressor()"


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "kept" / "searches.jsonl"
    monkeypatch.setenv("MLE_MODERNIZER_MEMORY", str(file))
    return file


def search(*candidates: TriedVersion, rows: int = 300) -> Improvement:
    plan = FoldPlan(count=5, split=SplitKind.RANDOM, table="train.csv", rows=rows, held_out=(60,))
    baseline = TriedVersion(name="Baseline", notebook_hash="0" * 64)
    return Improvement(
        folds=plan, higher_is_better=False, baseline=baseline, candidates=candidates, done=True
    )


def tried(name: str, comparison: Comparison | None, **more: object) -> TriedVersion:
    about = {"kind": "boosting", "notebook_hash": "1" * 64, **more}
    return TriedVersion.model_validate({"name": name, "comparison": comparison, **about})


def task(model: str = LINEAR, rows: int = 300, classes: tuple[str, ...] = ()) -> SearchedTask:
    return SearchedTask.of(search(rows=rows), trained(model), Facts(Metric.RMSE, classes))


def found(of: SearchedTask) -> dict[str, tuple[int, int, int]]:
    return {one.name: (one.tried, one.better, one.worse) for one in earlier_results(of)}


def test_what_helped_often_comes_first() -> None:
    for verdict in (Comparison.BETTER, Comparison.BETTER, Comparison.UNDECIDED):
        changes = (tried("500 trees", Comparison.WORSE), tried("LightGBM (cell 3)", verdict))
        remember(task(), search(*changes))
    assert found(task()) == {"LightGBM": (3, 2, 0), "500 trees": (3, 0, 3)}
    earlier = earlier_results(task())
    assert [one.name for one in earlier] == ["LightGBM", "500 trees"]
    assert promise(earlier, "boosting", "LightGBM (cell 7)") == pytest.approx(0.6)
    assert promise(earlier, "boosting", "never tried") == 0.5
    assert promise(earlier, "boosting", "500 trees") == pytest.approx(0.2)


def test_only_similar_tasks_count() -> None:
    remember(task(), search(tried("LightGBM", Comparison.BETTER)))
    assert found(task(rows=3_000)) and found(task(rows=30))
    assert found(task(rows=3_001)) == found(task(TREE)) == found(task(classes=("a", "b"))) == {}


def test_known_changes_alone_are_kept_and_nothing_a_model_wrote(memory: Path) -> None:
    gain = Gain(mean=-1.0, low=-2.0, high=-0.5)
    remember(
        task(),
        search(
            tried("secret words", Comparison.BETTER, kind="refine", source=PlanSource.MODEL),
            tried("mine", Comparison.BETTER, kind=""),
            tried("a + b", Comparison.BETTER, kind="combined"),
            tried("broken", Comparison.FAILED),
            tried("left out", None),
            tried("a step back", Comparison.BETTER, step=gain),
        ),
    )
    assert found(task()) == {"a step back": (1, 0, 1)}
    assert "secret" not in memory.read_text()


def test_without_a_memory_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, memory: Path) -> None:
    monkeypatch.setenv("MLE_MODERNIZER_MEMORY", "no")
    remember(task(), search(tried("LightGBM", Comparison.BETTER)))
    assert found(task()) == {}
    assert not memory.exists()


def test_a_broken_line_and_a_broken_file_stop_no_search(
    memory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    remember(task(), search(tried("LightGBM", Comparison.BETTER)))
    memory.write_text("no json\n" + memory.read_text())
    assert found(task()) == {"LightGBM": (1, 1, 0)}
    assert "is no search that was kept" in caplog.text
    memory.unlink()
    memory.mkdir()
    remember(task(), search(tried("LightGBM", Comparison.BETTER)))
    assert found(task()) == {}
    assert "is not kept" in caplog.text


def test_the_file_does_not_grow_without_end(memory: Path) -> None:
    line = KeptSearch(task=task(), changes=()).model_dump_json()
    memory.parent.mkdir()
    memory.write_text(f"{line}\n" * 700)
    remember(task(), search(tried("LightGBM", Comparison.BETTER)))
    kept = memory.read_text().splitlines()
    assert len(kept) == 500 and "LightGBM" in kept[-1]

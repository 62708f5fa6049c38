"""Weights of a blend, and the notebook that blends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mle_modernizer_server.domain.competition import Competition, Metric
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.proofs import Predictions
from mle_modernizer_server.improving.blending import (
    FoldAnswers,
    blended,
    chosen_weights,
    may_be_blended,
)
from tests.improving.sources import notebook

ROWS = 80
COMPETITION = Competition(
    id="shop",
    name="Shop",
    metric=Metric.RMSE,
    higher_is_better=False,
    id_columns=("id",),
    target_columns=("y",),
    answer_columns=("y",),
)


def fold(truth: np.ndarray[tuple[int], np.dtype[np.float64]]) -> FoldAnswers:
    columns = {"id": [f"{at}" for at in range(ROWS)], "y": [repr(float(one)) for one in truth]}
    return FoldAnswers(COMPETITION, Table(("id", "y"), columns, range(2, ROWS + 2)))


def predicted(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Predictions:
    """Another order than the answers', as a submission may have."""
    return {f"{at}": (repr(float(values[at])),) for at in reversed(range(ROWS))}


def test_members_with_independent_errors_are_blended() -> None:
    random = np.random.default_rng(0)
    truths = [random.normal(size=ROWS) for _ in range(3)]
    noise = {"one": 0.5, "two": 0.5, "bad": 3.0}
    members = {
        name: [predicted(truth + random.normal(0, size, ROWS)) for truth in truths]
        for name, size in noise.items()
    }
    folds = [fold(truth) for truth in truths]
    weights = chosen_weights(members, folds, higher_is_better=False)
    assert set(weights) == {"one", "two"}
    assert sum(weights.values()) == pytest.approx(1)
    assert all(0.3 < weight < 0.7 for weight in weights.values())


def test_copies_and_noise_are_no_blend() -> None:
    random = np.random.default_rng(1)
    truths = [random.normal(size=ROWS) for _ in range(3)]
    folds = [fold(truth) for truth in truths]
    good = [predicted(truth + 0.01) for truth in truths]
    bad = [predicted(random.normal(0, 5, ROWS)) for _ in truths]
    assert chosen_weights({"a": good, "b": good}, folds, higher_is_better=False) == {}
    assert chosen_weights({"a": good, "b": bad}, folds, higher_is_better=False) == {}
    text: list[Predictions] = [{f"{at}": ("high",) for at in range(ROWS)} for _ in truths]
    assert chosen_weights({"a": good, "b": text}, folds, higher_is_better=False) == {}


def test_labels_are_not_averaged() -> None:
    assert may_be_blended(COMPETITION)
    labels = COMPETITION.model_copy(update={"metric": Metric.ACCURACY})
    assert not may_be_blended(labels)


def test_the_notebook_runs_all_members_and_writes_their_average(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("blend"))
    write = "import pandas as pd\npd.DataFrame({{'id': {ids}, 'y': {y}}})"
    write += ".to_csv('out.csv', index=False)"
    one = notebook(write.format(ids="['01', '02']", y="[1.0, 2.0]"))
    two = notebook(write.format(ids="['02', '01']", y="[6.0, 3.0]"))
    made = blended([("one", one, 0.75), ("two", two, 0.25)], COMPETITION, "out.csv")
    assert made.cells[0] == one.cells[0]
    assert len({cell.id for cell in made.cells}) == len(made.cells)
    names: dict[str, object] = {}
    for cell in made.code_cells():
        exec(cell.source, names)  # our own code
    assert Path("out.csv").read_text().split() == ["id,y", "01,1.5", "02,3.0"]

"""A competition of one's own: what is guessed, how rows are held out, what is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mle_modernizer_server.domain.competition import Metric, Split, SplitKind, Task
from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.grader import grade_csv
from mle_modernizer_server.grading.holdout import held_out
from mle_modernizer_server.grading.new_competition import (
    Found,
    Plan,
    look_at,
    make_competition,
)
from tests.refusals import refused

HOUSES = "Id,area,city,price\n" + "".join(f"{n},{n / 7},c{n % 4},{n * 1.5}\n" for n in range(50))
PETS = "PetId,age,kind\n" + "".join(f"p{n},{n},{'dog' if n % 3 else 'cat'}\n" for n in range(30))
RISKS = "row,x,y\n" + "".join(f"{n},{n},{n % 2}\n" for n in range(40))


def plan(found: Found, **fields: object) -> Plan:
    base: dict[str, object] = {
        "id_column": found.id_column,
        "target_columns": found.target_columns,
        "metric": found.metrics[0],
        "split": Split(),
        "name": "Mine",
    }
    return Plan(**{**base, **fields})  # type: ignore[arg-type]  # a plan's fields by name


@pytest.fixture
def folder(root: Path) -> Path:
    made = root / "mine"
    made.mkdir()
    return made


@pytest.mark.parametrize(
    ("train", "key", "targets", "task", "metric"),
    [
        (HOUSES, "Id", ("price",), Task.REGRESSION, Metric.RMSE),
        (PETS, "PetId", ("kind",), Task.BINARY, Metric.ACCURACY),
        (RISKS, None, ("y",), Task.BINARY, Metric.ROC_AUC),
    ],
)
def test_ids_targets_task_and_metric_are_guessed(
    folder: Path, train: str, key: str | None, targets: tuple[str, ...], task: Task, metric: Metric
) -> None:
    (folder / "train.csv").write_text(train)
    found = look_at(folder)
    assert (found.id_column, found.target_columns, found.task) == (key, targets, task)
    assert found.metrics[0] is metric


def test_targets_are_inferred_from_sample_submission_and_test(folder: Path) -> None:
    (folder / "training.csv").write_text("key,a,b,c\n1,2,3,4\n2,3,4,5\n")
    (folder / "test.csv").write_text("key,a\n3,4\n")
    assert look_at(folder, train=folder / "training.csv").target_columns == ("b", "c")
    (folder / "sample_submission.csv").write_text("key,c\n3,0\n")
    assert look_at(folder).target_columns == ("c",)


@pytest.mark.process
def test_new_competition_can_be_graded_without_public_answers(root: Path, folder: Path) -> None:
    (folder / "train.csv").write_text(HOUSES)
    found = look_at(folder)
    make_competition(folder, found, plan(found))
    competition = Competitions(root).get("mine")
    answers = folder / competition.answers
    assert grade_csv(answers, competition, root).score == 0.0
    assert len(answers.read_text().splitlines()) == 11
    public = folder / "prepared" / "public"
    assert (public / "test.csv").read_text().startswith("Id,area,city\n")
    held = {line.split(",")[0] for line in answers.read_text().splitlines()[1:]}
    kept = {line.split(",")[0] for line in (public / "train.csv").read_text().splitlines()[1:]}
    assert not held & kept
    assert len(held | kept) == 50
    sample = grade_csv(public / "sample_submission.csv", competition, root)
    assert sample.score == sample.baseline is not None
    assert "`price`" in Competitions(root).description("mine")


def test_data_without_ids_gets_some(root: Path, folder: Path) -> None:
    (folder / "train.csv").write_text("x,y\n" + "".join(f"{n % 3},{n % 2}\n" for n in range(20)))
    found = look_at(folder)
    make_competition(folder, found, plan(found))
    assert Competitions(root).get("mine").id_columns == ("row_id",)


def test_nothing_is_overwritten_unless_told(folder: Path) -> None:
    (folder / "train.csv").write_text(HOUSES)
    (folder / "competition.yaml").write_text("mine: true\n")
    found = look_at(folder)
    with refused(BadCompetition, match=r"competition\.yaml already.*--force"):
        make_competition(folder, found, plan(found))
    assert (folder / "competition.yaml").read_text() == "mine: true\n"
    assert not (folder / "prepared").exists()
    make_competition(folder, found, plan(found), force=True)


@pytest.mark.parametrize(
    ("content", "fields", "words"),
    [
        (HOUSES, {"split": Split(SplitKind.GROUP, column="town")}, "no column 'town'"),
        (HOUSES, {"split": Split(share=0.001)}, "one side of the split is empty"),
        (HOUSES, {"id_column": "city"}, "more than once in column 'city'"),
        (PETS, {"metric": Metric.RMSE}, "needs numbers"),
        (HOUSES, {"metric": Metric.ROC_AUC}, "needs targets of 0 and 1.*metrics that fit: rmse"),
        ("Id,price\n1,2\n2,\n3,4\n", {}, "Line 3 has no 'price'"),
    ],
)
def test_unfitting_plan_is_refused_before_anything_is_written(
    folder: Path, content: str, fields: dict[str, object], words: str
) -> None:
    (folder / "train.csv").write_text(content)
    found = look_at(folder)
    with refused(BadCompetition, match=words):
        make_competition(folder, found, plan(found, **fields))
    assert not (folder / "prepared").exists()


def test_labelled_data_that_cannot_be_told_is_asked_for(folder: Path) -> None:
    (folder / "a.csv").write_text(HOUSES)
    (folder / "b.csv").write_text(HOUSES)
    with refused(BadCompetition, match=r"a\.csv, b\.csv.*--train"):
        look_at(folder)
    with refused(BadCompetition, match="no column 'cost'"):
        look_at(folder, train=folder / "a.csv", targets=("cost",))


def test_a_split_is_the_same_with_the_same_seed() -> None:
    split = Split(share=0.3, seed=5)
    assert (held_out(split, 100) == held_out(split, 100)).all()
    assert (held_out(split, 100) != held_out(Split(share=0.3, seed=6), 100)).any()
    assert held_out(split, 100).sum() == 30


def test_strata_groups_and_time_are_respected_by_the_split() -> None:
    labels = ["a"] * 80 + ["b"] * 20
    mask = held_out(Split(SplitKind.STRATIFIED, 0.25), 100, labels)
    assert (mask[:80].sum(), mask[80:].sum()) == (20, 5)
    groups = [f"g{row % 10}" for row in range(100)]
    mask = held_out(Split(SplitKind.GROUP, 0.2), 100, groups)
    held = {groups[row] for row in np.flatnonzero(mask)}
    assert not held & {groups[row] for row in np.flatnonzero(~mask)}
    days = [f"2020-01-{31 - row:02d}" for row in range(30)]
    mask = held_out(Split(SplitKind.TIME, 0.1), 30, days)
    assert np.flatnonzero(mask).tolist() == [0, 1, 2]

"""Validation folds made of a competition's public training data."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.execution.sampling.watch import Watch
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.improving.fold_split import (
    CannotFold,
    Choice,
    half_of,
    held_out_rows,
)
from mle_modernizer_server.improving.folds import make_folds

YAML = """\
name: Farm
metric: accuracy
id_columns: [id]
target_columns: [y]
"""


def written(path: Path, header: list[str], rows: list[list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def competition(root: Path, rows: int = 200, **columns: object) -> Competitions:
    """200 training rows, a third of label `b`, with commas and quotes in a text column."""
    folder = root / "farm"
    public = folder / "prepared" / "public"
    extra = columns

    def row(number: int, *label: object) -> list[object]:
        more = [value(number) for value in extra.values()]  # type: ignore[operator]
        return [number, f'a, "{number}"', *more, *label]

    names = ["id", "text", *extra]
    written(
        public / "train.csv",
        [*names, "y"],
        [row(number, "b" if number % 3 == 0 else "a") for number in range(rows)],
    )
    written(public / "test.csv", names, [row(number) for number in range(rows, rows + 50)])
    sample = [[number, "a"] for number in range(rows, rows + 50)]
    written(public / "sample_submission.csv", ["id", "y"], sample)
    written(folder / "prepared" / "private" / "answers.csv", ["id", "y"], sample)
    (public / "notes.txt").write_text("not a table", "utf-8")
    (folder / "competition.yaml").write_text(YAML, "utf-8")
    return Competitions(root)


def test_row_is_held_out_once_and_its_label_is_nowhere_public(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")
    whole = {row["id"]: row for row in read(tmp_path / "data/farm/prepared/public/train.csv")}
    plan, folds = make_folds(known, "farm", tmp_path / "folds", Watch(60))
    assert (plan.count, plan.rows, plan.table, plan.reason) == (5, 200, "train.csv", "labels")
    held: list[str] = []
    for fold in folds:
        public = fold.root / "farm/prepared/public"
        train, test = read(public / "train.csv"), read(public / "test.csv")
        answers = read(fold.root / "farm/prepared/private/answers.csv")
        ids = [row["id"] for row in test]
        held += ids
        assert ids == [row["id"] for row in answers]
        assert ids == [row["id"] for row in read(public / "sample_submission.csv")]
        assert not {row["id"] for row in train} & set(ids)
        assert {row["id"] for row in train} | set(ids) == set(whole)
        assert list(test[0]) == ["id", "text"]
        assert all(whole[row["id"]] == row for row in train)
        assert all(whole[row["id"]]["text"] == row["text"] for row in test)
        assert [whole[key]["y"] for key in ids] == [row["y"] for row in answers]
        assert {row["y"] for row in read(public / "sample_submission.csv")} == {"a"}
        assert (public / "notes.txt").read_text("utf-8") == "not a table"
        share = sum(row["y"] == "b" for row in answers) / len(answers)
        assert share == pytest.approx(1 / 3, abs=0.03)
        assert fold.competitions.get("farm").metric.value == "accuracy"
    assert sorted(held) == sorted(whole)


def test_the_last_fold_has_a_half_with_the_same_training_data(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")
    _, folds = make_folds(known, "farm", tmp_path / "folds", Watch(60))
    assert [fold.half is not None for fold in folds] == [False] * 4 + [True]
    whole, half = folds[-1], folds[-1].half
    assert half is not None and (half.trained_on, half.held_out) == (160, 20)
    public, part = (one.root / "farm/prepared/public" for one in (whole, half))
    assert (public / "train.csv").read_bytes() == (part / "train.csv").read_bytes()
    rows, some = read(public / "test.csv"), read(part / "test.csv")
    assert some == rows[::2]
    ids = [row["id"] for row in some]
    assert ids == [row["id"] for row in read(part / "sample_submission.csv")]
    assert ids == [row["id"] for row in read(half.root / "farm/prepared/private/answers.csv")]


def test_a_half_keeps_groups_whole_and_the_earlier_rows() -> None:
    held = list(range(8))
    groups = ["a", "a", "b", "b", "a", "c", "c", "d"]
    assert half_of(Choice(SplitKind.GROUP, "g"), groups, held) == [0, 1, 4, 5, 6]
    assert half_of(Choice(SplitKind.GROUP, "g"), ["a"] * 8, held) == [0, 2, 4, 6]
    times = [f"2020-01-0{9 - at}" for at in range(8)]
    assert half_of(Choice(SplitKind.TIME, "t"), times, held) == [4, 5, 6, 7]
    assert half_of(Choice(SplitKind.RANDOM), (), [3, 5, 9]) == [3, 9]


def test_held_out_rows_that_are_trained_on_too_are_counted(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")
    choice = Choice(SplitKind.RANDOM)
    plan, _ = make_folds(known, "farm", tmp_path / "f", Watch(60), choice=choice)
    assert plan.copies == 0, "the text is another one in every row"
    public = tmp_path / "data/farm/prepared/public"
    rows = read(public / "train.csv")
    twice = [[row["id"], rows[at // 2]["text"], "a"] for at, row in enumerate(rows)]
    written(public / "train.csv", ["id", "text", "y"], twice)
    plan, folds = make_folds(known, "farm", tmp_path / "g", Watch(60), choice=choice)
    train, test = (
        {row["text"] for row in read(folds[-1].root / f"farm/prepared/public/{name}.csv")}
        for name in ("train", "test")
    )
    assert plan.copies > 0 and (plan.copies >= len(train & test))


def test_the_same_seed_gives_the_same_folds(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")

    def ids(name: str, seed: int) -> list[str]:
        _, folds = make_folds(known, "farm", tmp_path / name, Watch(60), seed=seed)
        return [row["id"] for row in read(folds[0].root / "farm/prepared/public/test.csv")]

    assert ids("one", 0) == ids("two", 0) != ids("three", 1)


def test_time_and_groups_are_separated_as_in_the_competition(tmp_path: Path) -> None:
    dated = competition(tmp_path / "a", day=lambda number: f"2019-{1 + number // 25:02}-01")
    plan, folds = make_folds(dated, "farm", tmp_path / "by-time", Watch(60), count=4)
    assert (plan.split, plan.column, plan.reason) == (SplitKind.TIME, "day", "time")
    for fold in folds:
        public = fold.root / "farm/prepared/public"
        latest = max(row["day"] for row in read(public / "train.csv"))
        assert latest <= min(row["day"] for row in read(public / "test.csv"))
    grouped = competition(tmp_path / "b", field=lambda number: f"f{number // 10}")
    plan, folds = make_folds(grouped, "farm", tmp_path / "by-group", Watch(60))
    assert (plan.split, plan.column, plan.reason) == (SplitKind.GROUP, "field", "group")
    for fold in folds:
        public = fold.root / "farm/prepared/public"
        known = {row["field"] for row in read(public / "train.csv")}
        assert not known & {row["field"] for row in read(public / "test.csv")}


def test_what_was_asked_for_is_done(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")
    choice = Choice(SplitKind.RANDOM, None, "asked")
    plan, _ = make_folds(known, "farm", tmp_path / "f", Watch(60), count=3, choice=choice)
    assert (plan.split, plan.count, plan.reason) == (SplitKind.RANDOM, 3, "asked")
    absent = Choice(SplitKind.GROUP, "nowhere", "asked")
    with pytest.raises(CannotFold, match=r"no-column.*nowhere"):
        make_folds(known, "farm", tmp_path / "g", Watch(60), choice=absent)


def test_too_few_rows_are_refused(tmp_path: Path) -> None:
    known = competition(tmp_path / "data", rows=100)
    with pytest.raises(CannotFold, match=r"few-rows.*30"):
        make_folds(known, "farm", tmp_path / "folds", Watch(60))


def test_one_class_is_refused(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")
    train = tmp_path / "data/farm/prepared/public/train.csv"
    rows = [[row["id"], row["text"], "a"] for row in read(train)]
    written(train, ["id", "text", "y"], rows)
    with pytest.raises(CannotFold, match="one-label"):
        make_folds(known, "farm", tmp_path / "folds", Watch(60))


def test_hold_out_set_is_a_fifth_of_the_rows_or_enough(tmp_path: Path) -> None:
    for rows, held in ((200, 40), (100, 34), (60, 30)):
        choice = Choice(SplitKind.RANDOM)
        ((kept, out),) = held_out_rows(choice, (), rows, 1, 0)
        assert (len(kept), len(out)) == (rows - len(out), len(out))
        assert abs(len(out) - held) <= 1
    with pytest.raises(CannotFold, match=r"few-rows"):
        held_out_rows(Choice(SplitKind.RANDOM), (), 59, 1, 0)
    times = [f"2020-01-{1 + day // 4:02d}" for day in range(120)]
    ((kept, out),) = held_out_rows(Choice(SplitKind.TIME, "day"), times, 120, 1, 0)
    assert kept.max() < out.min()


def test_labels_in_another_table_are_refused(tmp_path: Path) -> None:
    known = competition(tmp_path / "data")
    public = tmp_path / "data/farm/prepared/public"
    rows = read(public / "train.csv")
    written(public / "labels.csv", ["id", "y"], [[row["id"], row["y"]] for row in rows])
    written(public / "train.csv", ["id", "text"], [[row["id"], row["text"]] for row in rows])
    with pytest.raises(CannotFold, match="two-tables"):
        make_folds(known, "farm", tmp_path / "folds", Watch(60))

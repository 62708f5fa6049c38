"""Whether a sample's rows still belong together, on competitions made by rule."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from mle_modernizer_server.domain.verification import Sample
from mle_modernizer_server.execution.sampling.making import Layout, Watch, make_sample
from tests.thoroughness import some

from .competitions import column, series, tabular, with_pictures

PERSONS = Layout(("person_id",), ("target",), "sample_submission.csv")


def sampled(public: Path, layout: Layout, rows: int) -> tuple[Path, Sample]:
    target = public.parent / f"sample-{rows}"
    return target, make_sample(public, target, layout, rows, Watch(120))


def is_subsequence(part: list[bytes], whole: list[bytes]) -> bool:
    rest = iter(whole)
    return all(line in rest for line in part)


def assert_cut_from_the_same_lines(sample: Path, public: Path) -> None:
    """Every table is made of its file's own lines, header first, in their order."""
    for path in sample.rglob("*.csv"):
        lines = path.read_bytes().splitlines(keepends=True)
        whole = (public / path.relative_to(sample)).read_bytes().splitlines(keepends=True)
        assert lines[0] == whole[0]
        assert is_subsequence(lines[1:], whole[1:]), path.name


@pytest.mark.parametrize("seed", some(range(8), one_in=2))
@pytest.mark.parametrize("rows", [60, 400])
def test_rows_of_all_tables_belong_together(tmp_path: Path, seed: int, rows: int) -> None:
    public = tmp_path / "public"
    tabular(public, seed, train=3_000 + 400 * seed, test=300 + 500 * (seed % 3))
    sample, told = sampled(public, PERSONS, rows)
    assert_cut_from_the_same_lines(sample, public)

    train, test = (
        set(column(sample / "train.csv", "person_id")),
        column(sample / "test.csv", "person_id"),
    )
    assert set(column(sample / "train_labels.csv", "person_id")) == train
    assert column(sample / "sample_submission.csv", "person_id") == test
    people = train | set(test)
    visits = column(sample / "visits.csv", "person_id")
    assert set(visits) <= people
    seen = set(column(public / "visits.csv", "person_id"))
    assert set(visits) == people & seen
    assert set(column(sample / "bills.csv", "visit_id")) <= set(
        column(sample / "visits.csv", "visit_id")
    )
    for name in ("town", "kind"):
        everywhere = set(column(public / "train.csv", name))
        used = set(column(sample / "test.csv", name)) & everywhere
        assert used <= set(column(sample / "train.csv", name))
    for table in told.tables:
        assert table.rows <= 6 * rows
        lines = (sample / table.name).read_bytes().splitlines()
        assert table.rows == len(lines) - 1


@pytest.mark.parametrize("rows", [50, pytest.param(500, marks=pytest.mark.thorough)])
def test_a_stratified_split_into_ten_parts_works(tmp_path: Path, rows: int) -> None:
    public = tmp_path / "public"
    tabular(public, 3, train=9_000, test=900)
    sample, _ = sampled(public, PERSONS, rows)
    has = Counter(column(public / "train_labels.csv", "target"))
    kept = Counter(column(sample / "train_labels.csv", "target"))
    assert all(kept[label] >= min(10, count) for label, count in has.items())
    merged = pd.read_csv(sample / "train.csv").merge(pd.read_csv(sample / "train_labels.csv"))
    assert len(merged) == len(pd.read_csv(sample / "train.csv"))


def test_the_same_data_give_the_same_sample(tmp_path: Path) -> None:
    public = tmp_path / "public"
    tabular(public, 1, train=4_000, test=1_000)
    first, told = sampled(public, PERSONS, 100)
    first.rename(tmp_path / "first")
    second, again = sampled(public, PERSONS, 100)
    assert told == again
    for path in second.rglob("*.csv"):
        assert path.read_bytes() == (tmp_path / "first" / path.name).read_bytes()


def test_only_the_pictures_of_the_sampled_rows_are_there(tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    with_pictures(public, 400)
    sample, told = sampled(public, Layout(("id",), ("label",), "sample_submission.csv"), 100)
    named = {Path(name).stem for name in column(sample / "train.csv", "image")}
    assert {path.stem for path in (sample / "train").iterdir()} == named
    asked = set(column(sample / "sample_submission.csv", "id"))
    assert {path.stem for path in (sample / "test").iterdir()} == asked
    masks = {path.stem for path in (sample / "masks").iterdir()}
    assert masks == {f"{name}_{colour}" for name in named for colour in ("red", "green")}
    assert set(column(sample / "train.csv", "label")) == set("0123456")
    assert told.files_left_out > 900


def test_series_keep_their_order_and_their_days(tmp_path: Path) -> None:
    public = tmp_path / "public"
    series(public, days=900, stores=8)
    layout = Layout(("id",), ("sales",), "sample_submission.csv")
    sample, _ = sampled(public, layout, 200)
    assert_cut_from_the_same_lines(sample, public)
    assert column(sample / "test.csv", "date") == sorted(column(sample / "test.csv", "date"))
    data = pd.concat([pd.read_csv(sample / "train.csv"), pd.read_csv(sample / "test.csv")])
    joined = data.merge(
        pd.read_csv(sample / "transactions.csv"), on=["date", "store_nbr"], how="left"
    )
    assert joined["transactions"].notna().all()
    items = data.merge(pd.read_csv(sample / "items.csv"), on="item_nbr", how="left")
    assert items["family"].notna().all()
    assert set(data["store_nbr"]) == set(range(8))
    assert column(sample / "test.csv", "id") == column(sample / "sample_submission.csv", "id")

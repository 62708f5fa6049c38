"""Samples are made once, made again when the data change, and do not pile up."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mle_modernizer_server.execution.sampling import cache
from mle_modernizer_server.execution.sampling.cache import KeptSample, get_sample
from mle_modernizer_server.execution.sampling.making import CannotSample, Layout, Watch

from .competitions import write_csv

LAYOUT = Layout(("id",), ("y",), "sample_submission.csv")


def data(public: Path, rows: int = 3_000) -> Path:
    write_csv(public / "train.csv", ["id", "y"], [(at, at % 2) for at in range(rows)])
    return public


def get(public: Path, root: Path, rows: int = 100) -> KeptSample:
    return get_sample("mine", public, LAYOUT, rows, Watch(60), root)


def test_the_second_time_it_is_there(tmp_path: Path) -> None:
    public = data(tmp_path / "public")
    first = get(public, tmp_path / "samples")
    made = (first.public / "train.csv").stat().st_mtime_ns
    again = get(public, tmp_path / "samples")
    assert again == first
    assert (again.public / "train.csv").stat().st_mtime_ns == made


def test_other_data_or_rows_make_another_one(tmp_path: Path) -> None:
    public, root = data(tmp_path / "public"), tmp_path / "samples"
    first = get(public, root)
    fewer = get(public, root, rows=50)
    data(public, rows=3_500)
    changed = get(public, root)
    (public / "new.txt").write_text("more")
    added = get(public, root)
    assert len({first.public, fewer.public, changed.public, added.public}) == 4
    assert changed.sample.tables[0].of == 3_500


def test_a_damaged_one_is_made_again(tmp_path: Path) -> None:
    public, root = data(tmp_path / "public"), tmp_path / "samples"
    first = get(public, root)
    (first.public.parent / "sample.json").write_text("{")
    again = get(public, root)
    assert again == first
    assert len((again.public / "train.csv").read_text().splitlines()) > 100


def test_many_at_once_leave_one(tmp_path: Path) -> None:
    public, root = data(tmp_path / "public", 20_000), tmp_path / "samples"
    found: list[KeptSample] = []
    threads = [threading.Thread(target=lambda: found.append(get(public, root))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len({one.public for one in found}) == 1
    assert [path.name for path in root.iterdir()] == [found[0].public.parent.name]


@pytest.mark.process
def test_old_ones_and_leftovers_of_a_crash_are_removed(tmp_path: Path) -> None:
    public, root = data(tmp_path / "public"), tmp_path / "samples"
    long_ago = time.time() - 100_000
    kept = [get(public, root, rows=20 + number).public.parent for number in range(12)]
    for place in kept[:11]:
        os.utime(place / "sample.json", (long_ago, long_ago))
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    left = root / ".making-crashed"
    left.mkdir()
    (left / "owner").write_text(f"{gone.stdout.decode().strip()} {long_ago}")
    os.utime(left, (long_ago, long_ago))
    get(public, root, rows=99)
    assert not left.exists()
    assert len(list(root.iterdir())) <= cache._MOST
    assert kept[11].is_dir()


def test_nothing_is_left_of_one_that_failed(tmp_path: Path) -> None:
    public, root = data(tmp_path / "public", 20_000), tmp_path / "samples"
    with pytest.raises(CannotSample, match="too-"):
        get_sample("mine", public, LAYOUT, 100, Watch(0), root)
    assert list(root.iterdir()) == []


def test_no_place_to_keep_it_is_told(tmp_path: Path) -> None:
    public = data(tmp_path / "public")
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSample, match="not-kept"):
        get(public, tmp_path / "file" / "samples")

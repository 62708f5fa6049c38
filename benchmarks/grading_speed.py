"""Duration of grading a large submission, from the file on disk to the grade.

Everything counts: starting the process, importing, hashing, reading the answers, the sample
submission and the submission, checking and computing. The processor's time is printed, too,
because the clock is unreliable on a busy machine. Prints and asserts nothing.

    python benchmarks/grading_speed.py [--rows N] [--repeat N]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.grader import grade_csv

_GOAL = 3.0
"""Seconds for a million rows."""


def main() -> None:
    """Grade submissions of random numbers by a few metrics and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    print(f"{given.rows:,} rows; the goal is {_GOAL:g} s for a million")
    for metric in (Metric.RMSE, Metric.ROC_AUC, Metric.ACCURACY):
        for shuffled in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder)
                make(root, metric, given.rows, shuffled=shuffled)
                times, busy = zip(*(_graded(root) for _ in range(given.repeat)), strict=True)
            order = "other order" if shuffled else "same order"
            print(
                f"{metric.value:10} {order:12} first {times[0]:5.2f} s  best {min(times):5.2f} s  "
                f"median {statistics.median(times):5.2f} s  processor {min(busy):5.2f} s"
            )


def make(root: Path, metric: Metric, rows: int, *, shuffled: bool) -> None:
    """Write a competition `large` and a submission for it below a folder."""
    folder = root / "large"
    public, private = folder / "prepared" / "public", folder / "prepared" / "private"
    public.mkdir(parents=True)
    private.mkdir(parents=True)
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, rows)
    ids = np.arange(rows)
    _write(private / "answers.csv", ids, truth)
    _write(public / "sample_submission.csv", ids, np.zeros(rows, dtype=np.int64))
    order = random.permutation(rows) if shuffled else ids
    values = truth if metric is Metric.ACCURACY else random.random(rows)
    _write(root / "submission.csv", ids[order], values[order])
    description = f"metric: {metric.value}\nid_columns: [id]\ntarget_columns: [y]\n"
    (folder / "competition.yaml").write_text(description)


def _graded(root: Path) -> tuple[float, float]:
    """Return the seconds of the clock and of the processor (all processes)."""
    competition = Competitions(root).get("large")
    before = os.times()
    started = time.perf_counter()
    grade = grade_csv(root / "submission.csv", competition, root)
    seconds = time.perf_counter() - started
    after = os.times()
    if grade.score is None:
        raise RuntimeError(grade.reason)
    return seconds, sum(after[:4]) - sum(before[:4])


def _write(file: Path, ids: np.ndarray[tuple[int], np.dtype[np.int64]], values: np.ndarray) -> None:
    lines = (f"row_{key},{value}" for key, value in zip(ids, values, strict=True))
    file.write_text("id,y\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

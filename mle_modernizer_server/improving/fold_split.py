"""The rows that each validation fold holds out, and the reason for the kind of split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.holdout import order_by_time

MOST_CLASSES = 50
LEAST_ROWS = 30
"""Least rows that a fold must hold out to be informative."""
LEAST_OF_A_CLASS = 2
_HOLD_OUT_OF = (5, 4, 3, 2)
"""A single hold-out set is the last of so many folds: the first that leaves enough rows in it."""


class CannotFold(Exception):
    """The data cannot be split into folds; `message` is the reason, to follow on a `because`."""

    def __init__(self, message: Messages) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Choice:
    """Assignment of rows to folds.

    Attributes:
        split: The kind of split.
        column: The group's or the time's column.
        reason: Code of why: `asked`, `labels`, `time`, `group`, `default`.
    """

    split: SplitKind
    column: str | None = None
    reason: str = "default"


def choose_split(
    labels: Sequence[str],
    train: Mapping[str, Sequence[str]],
    test: Mapping[str, Sequence[str]],
    ids: Sequence[str],
) -> Choice:
    """Infer the competition's own kind of split: by time, by group, else by label.

    Args:
        labels: Of the training rows; empty if there are several columns of them.
        train: The training data's columns that the test data have too.
        test: The same columns there.
        ids: The id columns, which are neither time nor group.
    """
    for name, values in train.items():
        if name not in ids and _follows(values, test[name]):
            return Choice(SplitKind.TIME, name, "time")
    for name, values in train.items():
        if name not in ids and _is_group(values, test[name]):
            return Choice(SplitKind.GROUP, name, "group")
    counts = Counter(labels)
    if counts and len(counts) <= MOST_CLASSES and min(counts.values()) >= LEAST_OF_A_CLASS:
        return Choice(SplitKind.STRATIFIED, None, "labels")
    return Choice(SplitKind.RANDOM)


def held_out_rows(
    choice: Choice, cells: Sequence[str], rows: int, count: int, seed: int
) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Return the training and the held-out rows of each fold.

    By time every fold trains only on rows earlier than its held-out rows, and the earliest rows are
    never held out; otherwise every row is held out once.

    Args:
        choice: The assignment.
        cells: The labels, groups or times; empty for `RANDOM`.
        rows: Number of rows.
        count: Number of folds; 1 is a single hold-out set, of a fifth of the rows or more.
        seed: The same seed gives the same folds.

    Raises:
        CannotFold: A fold would hold out fewer than 30 rows, or there is only one class.
    """
    if count == 1:
        earliest = choice.split is SplitKind.TIME  # a part that is never held out
        enough = (one for one in _HOLD_OUT_OF if rows // (one + earliest) >= LEAST_ROWS)
        return held_out_rows(choice, cells, rows, next(enough, _HOLD_OUT_OF[-1]), seed)[-1:]
    random = np.random.default_rng(seed)
    if choice.split is SplitKind.TIME:
        parts = np.array_split(order_by_time(cells), count + 1)
        pairs = [
            (np.sort(np.concatenate(parts[: at + 1])), np.sort(parts[at + 1]))
            for at in range(count)
        ]
    else:
        fold = _assigned(choice, cells, rows, count, random)
        pairs = [(np.flatnonzero(fold != at), np.flatnonzero(fold == at)) for at in range(count)]
    least = min(len(held) for _, held in pairs)
    if least < LEAST_ROWS:
        raise CannotFold(
            coded("not-folded.few-rows", rows=rows, folds=count, least=least, needed=LEAST_ROWS)
        )
    return pairs


def half_of(choice: Choice, cells: Sequence[str], held: Sequence[int]) -> list[int]:
    """Return half of a fold's held-out rows, keeping rows that predict each other together.

    Whole groups and the earlier rows stay together, since a competition's data on a group or on the
    past may be used; else it is every second row.

    Args:
        choice: The assignment of rows to folds.
        cells: The labels, groups or times of all rows; empty for `RANDOM`.
        held: The rows that the fold holds out.
    """
    if choice.split is SplitKind.TIME:
        place = {int(row): at for at, row in enumerate(order_by_time(cells))}
        return sorted(sorted(held, key=lambda row: place[row])[: len(held) // 2])
    if choice.split is SplitKind.GROUP:
        groups = set(sorted({cells[row] for row in held})[::2])
        part = [row for row in held if cells[row] in groups]
        if len(part) < len(held):
            return part
    return list(held[::2])


def _assigned(
    choice: Choice, cells: Sequence[str], rows: int, count: int, random: np.random.Generator
) -> npt.NDArray[np.intp]:
    fold = np.zeros(rows, dtype=np.intp)
    if choice.split is SplitKind.RANDOM:
        fold[random.permutation(rows)] = np.arange(rows) % count
        return fold
    names, codes = np.unique(np.asarray(cells, dtype=object).astype(str), return_inverse=True)
    codes = codes.reshape(-1)
    if choice.split is SplitKind.STRATIFIED:
        if len(names) < 2:
            raise CannotFold(coded("not-folded.one-label"))
        begin = 0
        for code in range(len(names)):
            members = random.permutation(np.flatnonzero(codes == code))
            fold[members] = (begin + np.arange(len(members))) % count
            begin += len(members)
        return fold
    if len(names) < count:
        raise CannotFold(
            coded(
                "not-folded.few-values", column=str(choice.column), values=len(names), folds=count
            )
        )
    sizes = np.bincount(codes, minlength=len(names))
    filled = np.zeros(count, dtype=np.intp)
    order = random.permutation(len(names))
    for code in order[np.argsort(-sizes[order], kind="stable")]:
        smallest = int(filled.argmin())
        fold[codes == code] = smallest
        filled[smallest] += sizes[code]
    return fold


def _follows(train: Sequence[str], test: Sequence[str]) -> bool:
    """Return whether a column is a time and all test data are later than the training data."""
    times = [_time(text) for text in (*train[:200], *test[:200])]
    if not train or not test or not all(times):
        return False
    return max(train) < min(test)


def _time(text: str) -> bool:
    """Return whether a text is an ISO 8601 date, so that texts sort by time."""
    head = text.strip()[:10]
    return len(head) == 10 and head[4] == head[7] == "-" and head.replace("-", "").isdigit()


def _is_group(train: Sequence[str], test: Sequence[str]) -> bool:
    """Return whether each group of a column is wholly on one side of the competition's split."""
    known, other = set(train), set(test)
    if not known or not other or known & other:
        return False
    return 10 <= len(known) <= len(train) / 2 and len(other) <= len(test) / 2

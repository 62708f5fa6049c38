"""Roles of a competition's tables: the sample submission, the train and the test data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.execution.sampling.survey import Survey


@dataclass(frozen=True)
class Layout:
    """The competition's description of its files.

    Attributes:
        ids: Names of the id columns of a submission.
        targets: Names of the columns that are predicted.
        submission: Path of the sample submission below the public directory; empty if unknown.
        whole_test: Keep all test data, so that predictions for a sample can be graded.
    """

    ids: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    submission: str = ""
    whole_test: bool = False


@dataclass(frozen=True)
class Roles:
    """The tables by role; None if unknown."""

    train: Survey | None
    features: Survey | None
    """Table with the training features, if separate from the target table."""
    test: Survey | None
    submission: Survey | None


def roles(surveys: Sequence[Survey], layout: Layout) -> Roles:
    """Find the three by the competition's description, their columns and their names."""
    submission = next((one for one in surveys if one.table.name == layout.submission), None)
    if submission is None:
        named = [one for one in surveys if _named(one, "sample") and _named(one, "sub")]
        submission = named[0] if named else None
    others = [one for one in surveys if one is not submission]
    wanted = set(layout.targets)
    with_targets = [one for one in others if wanted and wanted <= set(one.table.columns)]
    with_targets = with_targets or [one for one in others if wanted & set(one.table.columns)]
    trains = with_targets or [one for one in others if _named(one, "train")]
    train = max(trains, key=_weight("train"), default=None)
    tests = [
        one
        for one in others
        if one not in with_targets and one is not train and _has_ids(one, submission, layout.ids)
    ]
    tests = tests or [one for one in others if one is not train and _named(one, "test")]
    test = max(tests, key=_weight("test"), default=None)
    return Roles(train, _features(others, train, test), test, submission)


def beginnings(value: bytes) -> Iterator[bytes]:
    """Yield a value and its parts before each separator, the longest first.

    `b"a1_red"` yields `b"a1_red"` and `b"a1"`: several rows or files may belong to one id.
    """
    yield value
    for at in range(len(value) - 1, 0, -1):
        if value[at] in b"_-. ":
            yield value[:at]


def _features(others: Sequence[Survey], train: Survey | None, test: Survey | None) -> Survey | None:
    """Return the table like the test data, if the one with the targets is less like it."""
    if train is None or test is None:
        return None
    columns = set(test.table.columns)

    def alike(found: Survey) -> int:
        return len(columns & set(found.table.columns))

    trains = [one for one in others if _named(one, "train") and one not in (train, test)]
    best = max(trains, key=alike, default=None)
    return best if best is not None and alike(best) > alike(train) else None


def _named(found: Survey, word: str) -> bool:
    return word in found.table.name.lower().rpartition("/")[2]


def _weight(word: str) -> Callable[[Survey], tuple[bool, int, int]]:
    return lambda found: (_named(found, word), len(found.table.columns), found.rows)


def _has_ids(found: Survey, submission: Survey | None, ids: Collection[str]) -> bool:
    """Return whether a table has an id column of the submission, with values in common."""
    if submission is None:
        return False
    for name in ids:
        if name in found.table.columns and name in submission.table.columns:
            either_partial = not (found.whole and submission.whole)
            shared = found.values(name) & submission.values(name)
            if shared or (either_partial and _named(found, "test")):
                return True
    return False

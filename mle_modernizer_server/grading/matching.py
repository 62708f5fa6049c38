"""Which row of a submission belongs to which row of the answers."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.domain.competition import Competition, Matching
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.cells import MISSING
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.refusal import (
    InvalidSubmission,
    Stage,
    UnusableAnswers,
    examples,
    shown,
)

Key = str | tuple[str, ...]
Rows = npt.NDArray[np.intp]
COUNTED = (Matching.ID, Matching.ORDERED, Matching.POSITION, Matching.SORTED)
"""The matchings for which a submission has exactly as many rows as the answers."""
_WHOLE = re.compile(r"\s*([+-]?\d+)(\.0*)?\s*", re.ASCII)
_MOST_DIGITS = 400
"""Turning a megabyte of digits into an integer takes minutes."""


@dataclass(frozen=True)
class Match:
    """Rows of the submission, each paired with its row of the answers.

    Attributes:
        rows: Positions in the submission.
        truth_rows: Positions in the answers.
        note: Faults that were ignored.
    """

    rows: Rows
    truth_rows: Rows
    note: Messages = ()


def match_rows(submission: Table, answers: Table, competition: Competition) -> Match:
    """Return the rows that belong together by the competition's rule.

    Raises:
        InvalidSubmission: The number of rows or the ids are not the competition's.
        UnusableAnswers: An id occurs more than once in the answers.
    """
    matching = competition.matching
    if matching in (Matching.ID, Matching.ORDERED, Matching.POSITION, Matching.SORTED) or not len(
        submission
    ):
        _check_count(submission, answers)
    every = np.arange(len(answers), dtype=np.intp)
    if matching is Matching.POSITION:
        return Match(every, every)
    if matching is Matching.SORTED:
        name = competition.id_columns[0]
        return Match(_sorted(submission.columns[name]), _sorted(answers.columns[name]))
    if matching is Matching.GROUP_POSITION:
        return _in_groups(submission, answers, competition.id_columns[0])
    if (
        matching is Matching.ID
        and (rows := _permuted(submission, answers, competition)) is not None
    ):
        return Match(rows, every)
    given, expected, note = _keys_of_both(submission, answers, competition.id_columns)
    if matching is Matching.ORDERED:
        _check_order(given, expected, submission, competition)
        return Match(every, every, note)
    return _by_id(given, expected, submission, competition, note)


def canonical_id(text: str) -> str:
    """Return an id with whole numbers in one spelling: `007`, `7` and `7.0` are the same."""
    match = _WHOLE.fullmatch(text) if len(text) <= _MOST_DIGITS else None
    return str(int(match.group(1))) if match else text


def _check_count(submission: Table, answers: Table) -> None:
    expected, found = len(answers), len(submission)
    if found == expected and not submission.more_rows:
        return
    if not found:
        raise InvalidSubmission(Stage.ROWS, coded("csv.no-rows", expected=expected))
    if submission.more_rows:
        raise InvalidSubmission(
            Stage.ROWS, coded("csv.too-many-rows", found=found, expected=expected)
        )
    raise InvalidSubmission(Stage.ROWS, coded("csv.rows", count=found, expected=expected))


def _keys(table: Table, columns: Sequence[str]) -> list[Key]:
    if len(columns) == 1:
        return list(table.columns[columns[0]])
    return list(zip(*(table.columns[name] for name in columns), strict=True))


def _canonical(keys: Sequence[Key]) -> list[Key]:
    """Return the keys with whole numbers in one spelling."""
    even: list[Key] = []
    for key in keys:
        parts = (key,) if isinstance(key, str) else key
        canonical = tuple(canonical_id(part) for part in parts)
        even.append(canonical[0] if isinstance(key, str) else canonical)
    return even


def _permuted(submission: Table, answers: Table, competition: Competition) -> Rows | None:
    """Return the submission's row for each row of the answers; None unless the ids are equal, each
    once.

    Compares sorted Python hashes of the ids (64 bits, with a secret of the process): looking a
    million ids up one by one takes four times as long, for memory is read all over the place.
    """
    columns = competition.id_columns
    given, expected = _keys(submission, columns), _keys(answers, columns)
    if columns not in answers.hashes:
        answers.hashes[columns] = _hashes(expected)
    order, there = answers.hashes[columns]
    if bool((there[1:] == there[:-1]).any()):
        return None
    if given == expected:
        return np.arange(len(answers), dtype=np.intp)
    standing, found = _hashes(given)
    if not np.array_equal(found, there):
        return None
    rows = np.empty(len(answers), dtype=np.intp)
    rows[order] = standing
    return rows


def _hashes(keys: list[Key]) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return the order of the keys' hashes, and the hashes in that order."""
    hashes = np.fromiter(map(hash, keys), np.int64, len(keys))
    order = np.argsort(hashes)
    return order, hashes[order]


def _keys_of_both(
    submission: Table, answers: Table, columns: Sequence[str]
) -> tuple[list[Key], list[Key], Messages]:
    """Return the ids of both sides, in one spelling if only the spelling differs."""
    given, expected = _keys(submission, columns), _keys(answers, columns)
    if given == expected:
        return given, expected, ()
    there = set(expected)
    if all(map(there.__contains__, given)):
        return given, expected, ()
    even = _canonical(expected)
    if len(set(even)) == len(there):
        one_spelling = _canonical(given)
        if len(set(one_spelling) & set(even)) > len(set(given) & there):
            return one_spelling, even, coded("csv.spelled-otherwise")
    return given, expected, ()


def _by_id(
    given: list[Key],
    expected: list[Key],
    submission: Table,
    competition: Competition,
    note: Messages,
) -> Match:
    matching = competition.matching
    name = ", ".join(shown(column) for column in competition.id_columns)
    # Whole dictionaries at a time: a million ids one by one take seconds.
    places = dict(zip(given, range(len(given)), strict=True))
    if len(places) < len(given) and matching is not Matching.REPEATED:
        raise InvalidSubmission(Stage.IDS, _twice(given, submission, name))
    truth = dict(zip(expected, range(len(expected)), strict=True))
    if len(truth) != len(expected) and matching is not Matching.REPEATED:
        raise UnusableAnswers(coded("answers.id-twice"))
    strangers = places.keys() != truth.keys()
    missing = [_id(key)[1:-1] for key in truth if key not in places] if strangers else []
    unknown = [_id(key)[1:-1] for key in places if key not in truth] if strangers else []
    if (missing and matching is not Matching.SUBSET) or (
        unknown and matching is not Matching.SUPERSET
    ):
        raise InvalidSubmission(
            Stage.IDS,
            coded(
                "csv.ids",
                column=name,
                missing=len(missing),
                first_missing=examples(missing),
                unknown=len(unknown),
                first_unknown=examples(unknown),
            ),
        )
    if matching is Matching.REPEATED:
        rows = np.arange(len(given), dtype=np.intp)
        return Match(rows, np.array([truth[key] for key in given], dtype=np.intp), note)
    if not strangers:
        chosen = np.fromiter(map(places.__getitem__, expected), np.intp, len(expected))
        return Match(chosen, np.arange(len(expected), dtype=np.intp), note)
    kept = [place for place, key in enumerate(expected) if key in places]
    chosen = np.array([places[expected[place]] for place in kept], dtype=np.intp)
    return Match(chosen, np.array(kept, dtype=np.intp), note)


def _twice(given: Sequence[Key], submission: Table, name: str) -> Messages:
    seen: dict[Key, int] = {}
    for place, key in enumerate(given):
        if key in seen:
            first, second = submission.lines[seen[key]], submission.lines[place]
            return coded("csv.id-twice", id=_id(key), column=name, first=first, second=second)
        seen[key] = place
    raise ValueError("no id occurs more than once")


def _check_order(
    given: list[Key], expected: list[Key], submission: Table, competition: Competition
) -> None:
    for place, (key, other) in enumerate(zip(given, expected, strict=True)):
        if key != other:
            raise InvalidSubmission(
                Stage.IDS,
                coded(
                    "csv.id-order",
                    line=submission.lines[place],
                    id=_id(key),
                    expected=_id(other),
                    competition=competition.id,
                ),
            )


def _sorted(ids: Sequence[str]) -> Rows:
    """Return the order of the ids: numbers by value, texts by character, missing ones last."""
    missing = [text in MISSING for text in ids]
    try:
        values = [
            math.nan if lacks else float(text) for text, lacks in zip(ids, missing, strict=True)
        ]
    except ValueError:
        known = [row for row, lacks in enumerate(missing) if not lacks]
        order = sorted(known, key=lambda row: ids[row])
        order += [row for row, lacks in enumerate(missing) if lacks]
        return np.array(order, dtype=np.intp)
    return np.argsort(np.array(values), kind="stable")


def _in_groups(submission: Table, answers: Table, column: str) -> Match:
    _check_count(submission, answers)
    rows: list[int] = []
    truth_rows: list[int] = []
    given = _groups(submission.columns[column])
    for name, wanted in _groups(answers.columns[column]).items():
        there = given.get(name, [])
        if len(there) != len(wanted):
            raise InvalidSubmission(
                Stage.ROWS,
                coded(
                    "csv.group-rows",
                    count=len(there),
                    group=shown(name),
                    column=shown(column),
                    expected=len(wanted),
                ),
            )
        rows += there
        truth_rows += wanted
    return Match(np.array(rows, dtype=np.intp), np.array(truth_rows, dtype=np.intp))


def _groups(cells: Sequence[str]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(cells):
        groups[text].append(row)
    return groups


def _id(key: Key) -> str:
    return shown(key if isinstance(key, str) else ", ".join(key))

"""Convert the texts of a CSV to numbers and labels; locate the cells that do not fit."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mle_modernizer_server.domain.competition import LabelRule
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.metrics.labels import Labels
from mle_modernizer_server.grading.metrics.numbers import Floats
from mle_modernizer_server.grading.refusal import InvalidSubmission, Stage, examples, shown

_NAN = {"nan", "na", "n/a", "<na>", "null", "none"}
_INFINITE = ("inf", "infinity")
_BOOLEANS = {"true": 1.0, "false": 0.0}
MISSING = frozenset(
    {
        *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND"),
        *("1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
    }
)
"""Texts that pandas reads as a missing value by default."""


def number(text: str) -> float | None:
    """Return the finite number a cell holds, or None."""
    clean = text.strip()
    if clean.lower() in _BOOLEANS:
        return _BOOLEANS[clean.lower()]
    if "_" in clean or not clean.isascii():  # Python accepts more than the numbers of a CSV
        return None
    try:
        value = float(clean)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def reads_as_number(text: str) -> bool:
    """Return whether a cell is valid in a column of numbers: a number, infinite too, or missing."""
    clean = text.strip()
    infinite = clean.lower().lstrip("+-") in _INFINITE
    return infinite or clean in MISSING or number(clean) is not None


def canonical_label(text: str) -> str:
    """Return a label in the spelling all equal ones share: `1.0` and `1` are the same."""
    value = number(text)
    return text if value is None else repr(value)


def numbers(cells: Sequence[str], lines: Sequence[int], column: str) -> Floats:
    """Return a column's numbers.

    Raises:
        InvalidSubmission: A cell is empty, NaN, infinite or no number; the message names cell and
            line.
    """
    values = _plain_numbers(cells)
    if values is not None:
        return values
    values = np.empty(len(cells), dtype=np.float64)
    booleans = all(text.strip().lower() in _BOOLEANS for text in cells)
    for position, text in enumerate(cells):
        # True and False are numbers if all cells are: among numbers they make a column of texts.
        among_numbers = not booleans and text.strip().lower() in _BOOLEANS
        value = None if among_numbers else number(text)
        if value is None:
            raise InvalidSubmission(Stage.VALUES, _why_no_number(text, lines[position], column))
        values[position] = value
    return values


def _plain_numbers(cells: Sequence[str]) -> Floats | None:
    """Return the numbers of a column without oddities: the fast way."""
    try:
        values = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        return None
    every = "".join(cells)
    odd = "_" in every or not every.isascii() or not bool(np.isfinite(values).all())
    return None if odd else values


def _why_no_number(text: str, line: int, column: str) -> Messages:
    column = shown(column)
    clean = text.strip().lower()
    if not clean:
        return coded("csv.number-empty", line=line, column=column)
    if clean in _NAN:
        return coded("csv.number-missing", line=line, column=column)
    if clean.lstrip("+-") in _INFINITE:
        return coded("csv.number-infinite", line=line, column=column)
    return coded("csv.no-number", line=line, column=column, value=shown(text))


def label_codes(
    truth: Sequence[str],
    predicted: Sequence[str],
    lines: Sequence[int],
    column: str,
    classes: Sequence[str],
    rule: LabelRule = LabelRule.EXACT,
) -> tuple[Labels, Labels, Messages]:
    """Return the codes of two columns of labels, and a note on oddities.

    Codes follow the order of `classes`, else that of the labels that occur: numbers by value, texts
    by alphabet.

    Args:
        truth: The answers' labels.
        predicted: The submission's, in the same order of rows.
        lines: The submission's line of each row, for messages.
        column: Name of the submission's column, for messages.
        classes: All labels there are, or empty if unknown.
        rule: How a cell is read.

    Raises:
        InvalidSubmission: A label is missing, of another kind than the answers', or none of the
            competition's.
        KeyError: A label of the answers is none of `classes`.
    """
    if rule is LabelRule.TEXT:
        return _text_codes(
            ["nan" if text in MISSING else text for text in truth],
            ["nan" if text in MISSING else text for text in predicted],
            lines,
            column,
            classes,
        )
    known = set(classes) or set(truth)
    if rule is LabelRule.FIRST_WORD:
        predicted = [_first_word(text, lines[row], column) for row, text in enumerate(predicted)]
    else:
        missing = {text for text in set(predicted) if not text.strip()}
        missing |= (MISSING - known).intersection(predicted)
        if missing:
            place = next(row for row, text in enumerate(predicted) if text in missing)
            raise InvalidSubmission(
                Stage.VALUES, _why_no_label(predicted[place], lines[place], column)
            )
    if all(number(text) is not None for text in known):
        return _numeric_codes(truth, predicted, lines, column, classes, rule)
    if not classes and predicted and all(number(text) is not None for text in set(predicted)):
        message = _no_common_label(column, predicted, sorted(known))
        raise InvalidSubmission(Stage.VALUES, message)
    return _text_codes(truth, predicted, lines, column, classes)


def _why_no_label(text: str, line: int, column: str) -> Messages:
    if not text.strip():
        return coded("csv.label-empty", line=line, column=shown(column))
    return coded("csv.label-missing", line=line, column=shown(column), value=shown(text))


def _text_codes(
    truth: Sequence[str],
    predicted: Sequence[str],
    lines: Sequence[int],
    column: str,
    classes: Sequence[str],
) -> tuple[Labels, Labels, Messages]:
    there, given = set(truth), set(predicted)
    order = list(classes) or sorted(there | given)
    if classes:
        _refuse_strangers(predicted, lines, column, set(order), list(classes))
    note = () if given & there else _no_common_label(column, predicted, sorted(there))
    codes = {label: code for code, label in enumerate(order)}
    return (
        np.array([codes[label] for label in truth], dtype=np.int64),
        np.array([codes[label] for label in predicted], dtype=np.int64),
        note,
    )


def _first_word(text: str, line: int, column: str) -> str:
    word = next(iter(text.split()), "")
    if not word.lstrip("+-").isdecimal():
        message = coded("csv.label-first", line=line, column=shown(column), value=shown(text))
        raise InvalidSubmission(Stage.VALUES, message)
    return word


def _numeric_codes(
    truth: Sequence[str],
    predicted: Sequence[str],
    lines: Sequence[int],
    column: str,
    classes: Sequence[str],
    rule: LabelRule,
) -> tuple[Labels, Labels, Messages]:
    there = numbers(truth, range(len(truth)), column)
    try:
        given = numbers(predicted, lines, column)
    except InvalidSubmission as error:
        hint = coded("csv.numeric-labels", labels=examples(sorted(set(truth))))
        raise InvalidSubmission(error.stage, error.message + hint) from error
    if rule is LabelRule.TRUNCATED:
        there, given = np.trunc(there), np.trunc(given)
    whole = bool((there == np.trunc(there)).all())
    broken = np.flatnonzero(given != np.trunc(given))
    if len(broken) and whole and not classes:
        position = int(broken[0])
        raise InvalidSubmission(
            Stage.VALUES,
            coded(
                "csv.label-not-whole",
                line=lines[position],
                column=shown(column),
                value=shown(predicted[position]),
            ),
        )
    if classes:
        order = np.array([number(text) or 0.0 for text in classes])
        known = set(order.tolist())
        _refuse_strangers(given.tolist(), lines, column, known, list(classes))
        for value, text in zip(there.tolist(), truth, strict=True):
            if value not in known:
                raise KeyError(text)
    else:
        order = np.unique(np.concatenate([there, given]))
    note: Messages = ()
    if not np.isin(given, there).any():
        note = _no_common_label(column, predicted, sorted(set(truth)))
    sorter = np.argsort(order)
    return (
        sorter[np.searchsorted(order, there, sorter=sorter)].astype(np.int64),
        sorter[np.searchsorted(order, given, sorter=sorter)].astype(np.int64),
        note,
    )


def _refuse_strangers(
    given: Sequence[object], lines: Sequence[int], column: str, known: set[object], names: list[str]
) -> None:
    for position, label in enumerate(given):
        if label not in known:
            raise InvalidSubmission(
                Stage.VALUES,
                coded(
                    "csv.strange-label",
                    line=lines[position],
                    column=shown(column),
                    value=shown(str(label)),
                    labels=examples(names, 10),
                ),
            )


def _no_common_label(column: str, given: Sequence[str], known: list[str]) -> Messages:
    return coded(
        "csv.no-common-label",
        column=shown(column),
        given=examples(sorted(set(given))),
        known=examples(known),
    )

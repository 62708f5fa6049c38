"""Texts of a CSV to numbers and labels, with the place of what does not fit."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from mle_modernizer_server.grading.metrics import Floats, Labels
from mle_modernizer_server.grading.refusal import InvalidSubmission, Stage, examples, shown

_WHOLE = re.compile(r"([+-]?\d+)(\.0*)?")
_NOT_A_NUMBER = {"nan", "na", "n/a", "<na>", "null", "none"}
_BOOLEANS = {"true": 1.0, "false": 0.0}


def canonical_id(text: str) -> str:
    """An id with the spelling of whole numbers evened out: `007`, `7` and `7.0` are the same."""
    match = _WHOLE.fullmatch(text.strip())
    # A bound on the digits: turning a megabyte of them into an integer takes minutes.
    return str(int(match.group(1))) if match and len(text) <= 400 else text.strip()


def number(text: str) -> float | None:
    """The finite number a cell holds, or None."""
    clean = text.strip()
    if clean.lower() in _BOOLEANS:
        return _BOOLEANS[clean.lower()]
    if "_" in clean:  # Python's digit separators are no CSV numbers
        return None
    try:
        value = float(clean)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def numbers(cells: Sequence[str], lines: Sequence[int], column: str) -> Floats:
    """A column's numbers.

    Raises:
        InvalidSubmission: A cell is empty, NaN, infinite or no number; says which and where.
    """
    values = np.empty(len(cells), dtype=np.float64)
    for position, text in enumerate(cells):
        value = number(text)
        if value is None:
            raise InvalidSubmission(Stage.VALUES, _why_no_number(text, lines[position], column))
        values[position] = value
    return values


def _why_no_number(text: str, line: int, column: str) -> str:
    where = f"Line {line}, column {shown(column)}"
    clean = text.strip().lower()
    if not clean:
        return f"{where} is empty; a number is expected."
    if clean in _NOT_A_NUMBER:
        return f"{where} is a missing value (NaN); a number is expected."
    if clean.lstrip("+-") in ("inf", "infinity"):
        return f"{where} is infinite; a finite number is expected."
    return f"{where} is {shown(text)}, which is not a finite number."


def label_codes(
    truth: Sequence[str],
    predicted: Sequence[str],
    lines: Sequence[int],
    column: str,
    classes: Sequence[str],
) -> tuple[Labels, Labels]:
    """Codes of two columns of labels; `1`, `1.0` and `True` are the same label among numbers.

    Codes follow the order of `classes`, else that of the labels that occur: numbers by value,
    texts by alphabet.

    Args:
        truth: The answers' labels.
        predicted: The submission's, in the same order of rows.
        lines: The submission's line of each row, for messages.
        column: Name of the submission's column, for messages.
        classes: All labels there are, or empty where they are not known.

    Raises:
        InvalidSubmission: A label is missing, of another kind than the answers', or none of
            the competition's.
    """
    for position, text in enumerate(predicted):
        if not text.strip():
            where = f"Line {lines[position]}, column {shown(column)}"
            raise InvalidSubmission(Stage.VALUES, f"{where} is empty; a label is expected.")
    known = list(classes) or sorted(set(truth))
    if all(number(text) is not None for text in known):
        return _numeric_codes(truth, predicted, lines, column, classes)
    there = [text.strip() for text in truth]
    given = [text.strip() for text in predicted]
    order = [text.strip() for text in classes] or sorted(set(there) | set(given))
    if classes:
        _refuse_strangers(given, lines, column, set(order), list(classes))
    elif not set(given) & set(there):
        raise InvalidSubmission(Stage.VALUES, _no_common_label(column, given, known))
    codes = {label: code for code, label in enumerate(order)}
    return (
        np.array([codes[label] for label in there], dtype=np.int64),
        np.array([codes[label] for label in given], dtype=np.int64),
    )


def _numeric_codes(
    truth: Sequence[str],
    predicted: Sequence[str],
    lines: Sequence[int],
    column: str,
    classes: Sequence[str],
) -> tuple[Labels, Labels]:
    for position, text in enumerate(predicted):
        if number(text) is None:
            message = _why_no_number(text, lines[position], column)
            hint = f" The labels are numbers such as {examples(sorted(set(truth)))}."
            raise InvalidSubmission(Stage.VALUES, message + hint)
    there = [number(text) or 0.0 for text in truth]
    given = [number(text) or 0.0 for text in predicted]
    order = [number(text) or 0.0 for text in classes] or sorted(set(there) | set(given))
    if classes:
        _refuse_strangers(given, lines, column, set(order), list(classes))
    elif all(value.is_integer() for value in there):
        for position, value in enumerate(given):
            if not value.is_integer():
                raise InvalidSubmission(
                    Stage.VALUES,
                    f"Line {lines[position]}, column {shown(column)} is "
                    f"{shown(predicted[position])}; a class label (a whole number) is expected.",
                )
    if not classes and not set(given) & set(there):
        known = sorted(set(truth))
        raise InvalidSubmission(Stage.VALUES, _no_common_label(column, list(predicted), known))
    codes = {value: code for code, value in enumerate(order)}
    return (
        np.array([codes[value] for value in there], dtype=np.int64),
        np.array([codes[value] for value in given], dtype=np.int64),
    )


def _refuse_strangers(
    given: Sequence[object], lines: Sequence[int], column: str, known: set[object], names: list[str]
) -> None:
    for position, label in enumerate(given):
        if label not in known:
            raise InvalidSubmission(
                Stage.VALUES,
                f"Line {lines[position]}, column {shown(column)} is {shown(str(label))}, which is "
                f"none of the labels {examples(names, 10)}.",
            )


def _no_common_label(column: str, given: list[str], known: list[str]) -> str:
    return (
        f"None of the labels in column {shown(column)} ({examples(sorted(set(given)))}) is one of "
        f"the competition's, which are of the kind {examples(known)}."
    )

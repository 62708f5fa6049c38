"""Compare the outputs of two runs, cell by cell."""

from __future__ import annotations

import base64
import binascii
import io
import math
import re
import struct
import warnings
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.diagnosis.saved_outputs.shortened import rows_of_both
from mle_modernizer_server.diagnosis.saved_outputs.tables import (
    HtmlTable,
    html_table,
    in_order_of,
    says_when,
    shown_by_both,
)
from mle_modernizer_server.diagnosis.saved_outputs.texts import (
    ADDRESS,
    LONGEST,
    Token,
    is_only_objects,
    shown_arguments,
    tokens,
    without_scalars,
    without_series_names,
)
from mle_modernizer_server.diagnosis.saved_outputs.wrapped import unwrapped
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.notebook import (
    CellAgreement,
    DifferenceKind,
    OutputAgreement,
    OutputDifference,
    OutputMatch,
)

_MOST_BYTES = 10_000_000
_MOST_PIXELS = 20_000_000
_SIDE = 16


def picture_likeness(saved: str, fresh: str) -> float | None:
    """Return the share of equal bits in the difference hashes of two PNG or JPEG pictures.

    Args:
        saved: A picture in Base64, as in notebooks.
        fresh: Another.

    Returns:
        1 for pictures that look alike, about 0.5 for unrelated ones; None if one cannot be read.

    Source: N. Krawetz, "Kind of Like That" (2013), the difference hash.
    """
    first, second = _difference_hash(saved), _difference_hash(fresh)
    if first is None or second is None:
        return None
    return sum(one == other for one, other in zip(first, second, strict=True)) / len(first)


def _difference_hash(picture: str) -> tuple[bool, ...] | None:
    from PIL import Image  # only if pictures are compared

    if len(picture) > _MOST_BYTES:
        return None
    try:
        content = base64.b64decode(picture)
        with warnings.catch_warnings():
            # Of large pictures, which are left out here anyway.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as image:
                if image.width * image.height > _MOST_PIXELS:
                    return None
                small = image.convert("L").resize((_SIDE + 1, _SIDE))
    except (Image.DecompressionBombError, struct.error, zlib.error, EOFError):
        return None  # larger than Pillow opens at all, or broken inside
    except (binascii.Error, OSError, ValueError, SyntaxError):
        return None  # damaged, or no picture: there is nothing to hint at
    pixels = small.tobytes()
    width = _SIDE + 1
    return tuple(
        pixels[row * width + column] < pixels[row * width + column + 1]
        for row in range(_SIDE)
        for column in range(_SIDE)
    )


Output = Mapping[str, object]
"""One output as nbformat 4 has it."""

_SHOWN = 200
_BEFORE = 60
"""Characters included before the first difference in a long text."""
_SET = re.compile(r"^set\(\[([^\[\]]*)\]\)$")
"""As Python 2 shows a set."""
_VALUE = re.compile(r"\s*(?:\{|set\(\[)")
_LONGEST_VALUE = 10_000
_MOST_VALUES = 100
_PICTURES = ("image/png", "image/jpeg")
_LONGEST_MESSAGE = 1_000
_CODE_PLACE = re.compile(r"\s*\([^()]*, line \d+\)\s*$")
"""Place of a syntax error: each kernel names its cells in its own way."""
_FOLDER = re.compile(r"(?:\b[A-Za-z]:)?[^\s'\"`(),:;=]*[\\/](?=[^\s\\/])")
"""All of a path but its last name."""
_ADDED = re.compile(r"['\"`]|\(\d+\) ?")
"""Additions of newer versions around or after the same words of a message."""
_EQUAL = 1e-6
"""Relative difference below which numbers with many digits are the same."""
_LAST_DIGIT = 0.005
"""Relative difference up to which one unit of the last printed digit is no difference."""


@dataclass(frozen=True)
class _Found:
    match: OutputMatch
    difference: OutputDifference | None = None
    reached: float = 0.0
    """Share of an output above its first difference, if it is different."""


@dataclass(frozen=True)
class _Error:
    """An error that a cell raised."""

    kind: str
    message: str

    @property
    def text(self) -> str:
        return f"{self.kind}: {self.message}".rstrip(": ")

    def is_like(self, other: _Error) -> bool:
        """Return whether both are of one kind and have the same message, in whatever place."""
        return self.kind == other.kind and self._said() == other._said()

    def _said(self) -> str:
        """Return the message without addresses, folders, code places, and additions."""
        text = _CODE_PLACE.sub("", self.message[:_LONGEST_MESSAGE])
        for pattern in (ADDRESS, _FOLDER, _ADDED):
            text = pattern.sub("", text)
        return " ".join(text.split())


_SAME = _Found(OutputMatch.SAME)
_NOT_COMPARED = _Found(OutputMatch.NOT_COMPARED)


def compare_outputs(
    saved: Sequence[tuple[str, Sequence[Output]]],
    fresh: Mapping[str, Sequence[Output]],
    unsuccessful: frozenset[str] = frozenset(),
    *,
    threshold: float = 0.1,
) -> OutputAgreement:
    """Compare a run's outputs with those saved in the notebook's file.

    Numbers are the same if they agree to the digits both show; one unit of the last digit may be
    rounding if it is small (0.783 and 0.784, not 0.1 and 0.2). They are close if they are within
    the threshold, or one such unit, of one another. Whole numbers (counts, years) are equal or
    different. Warnings, progress, durations, dates with a time of day, addresses and the arguments
    of a constructor that only one side shows do not count.

    Args:
        saved: Each code cell's id and saved outputs, in notebook order.
        fresh: The run's outputs by the id of the cell.
        unsuccessful: The cells that failed or did not run.
        threshold: Relative difference up to which numbers are close.
    """
    cells = []
    for ordinal, (cell_id, outputs) in enumerate(saved, start=1):
        if not outputs:
            continue
        given = fresh.get(cell_id, ())
        found = _compare_cell(outputs, given, cell_id in unsuccessful, threshold)
        cells.append(
            CellAgreement(
                cell_id=cell_id,
                ordinal=ordinal,
                match=found.match,
                difference=found.difference,
                reached=found.reached,
                picture_likeness=_likeness(outputs, given),
            )
        )
    return OutputAgreement(cells=tuple(cells))


def is_saved_error(saved: Sequence[Output], error: CellError) -> bool:
    """Return whether a cell that fails now failed with the same error when the file was saved.

    Args:
        saved: The cell's outputs in the file.
        error: The error it raises now.
    """
    then = _error(saved)
    return then is not None and then.is_like(_Error(error.ename, error.evalue))


def _compare_cell(
    saved: Sequence[Output], fresh: Sequence[Output], failed: bool, threshold: float
) -> _Found:
    error = _error(saved)
    if error is not None:
        now = _error(fresh)
        if now is None:
            return _NOT_COMPARED  # it failed then, and runs now
        if error.is_like(now):
            return _SAME
        difference = OutputDifference(
            kind=DifferenceKind.ERROR, saved=_cut(error.text), fresh=_cut(now.text)
        )
        return _Found(OutputMatch.FAILED, difference)
    if failed and not _is_comparable(saved):
        return _NOT_COMPARED  # a picture, say: it would not be compared if the cell had run either
    if failed:
        now = _error(fresh)
        difference = OutputDifference(
            kind=DifferenceKind.ERROR, saved="", fresh=_cut(now.text) if now else "did not run"
        )
        return _Found(OutputMatch.FAILED, difference)
    found = [_NOT_COMPARED]
    tables = _tables(saved), _tables(fresh)
    as_tables = bool(tables[0]) and len(tables[0]) == len(tables[1])
    if as_tables:
        found += [
            _compare_tables(one, other, threshold) for one, other in zip(*tables, strict=True)
        ]
    draws = _draws(saved) or _draws(fresh)
    then, now_text = (_text(outputs, as_tables, draws) for outputs in (saved, fresh))
    if then.strip() and not is_only_objects(then):
        found.append(_compare_texts(then, now_text, threshold))
    order = list(OutputMatch)
    compared = [item for item in found if item.match is not OutputMatch.NOT_COMPARED]
    return max(compared, key=lambda item: order.index(item.match), default=_NOT_COMPARED)


def _is_comparable(saved: Sequence[Output]) -> bool:
    text = _text(saved, without_tables=False, draws=_draws(saved))
    return bool(_tables(saved)) or (bool(tokens(text)) and not is_only_objects(text))


def _compare_texts(saved: str, fresh: str, threshold: float, *, in_table: bool = False) -> _Found:
    fresh = _in_order_of(saved, fresh)
    saved, fresh = map(without_series_names, (saved, fresh))
    both = shown_arguments(saved) & shown_arguments(fresh)
    texts = (saved, fresh) if in_table else rows_of_both(unwrapped(saved), unwrapped(fresh))
    then, now = (tokens(text, with_dates=in_table, arguments=both) for text in texts)
    if max(len(saved), len(fresh)) > LONGEST:
        end = min(
            len(found) for text, found in ((saved, then), (fresh, now)) if len(text) > LONGEST
        )
        then, now = then[:end], now[:end]
    if not then:
        return _NOT_COMPARED
    if not now:
        difference = OutputDifference(kind=DifferenceKind.LENGTH, saved=_cut(saved), fresh="")
        return _Found(OutputMatch.MISSING, difference)
    found = _SAME
    for at, (one, other) in enumerate(zip_longest(then, now)):
        match = (
            OutputMatch.DIFFERENT if one is None or other is None else _match(one, other, threshold)
        )
        if match is OutputMatch.SAME or (match is OutputMatch.CLOSE and found is not _SAME):
            continue
        difference = _difference(one, other, *texts)
        if match is OutputMatch.DIFFERENT:
            same = _same_lines(then, now) or _same_value(saved, fresh)
            return _SAME if same else _Found(match, difference, at / max(len(then), len(now)))
        found = _Found(match, difference)
    return found


def _in_order_of(saved: str, fresh: str) -> str:
    """Return a text whose dicts and sets on own lines are ordered as in the saved one, if equal."""
    before, after = saved.split("\n"), fresh.split("\n")
    then, now = (
        [at for at, line in enumerate(lines) if _VALUE.match(line)] for lines in (before, after)
    )
    if not then or len(then) != len(now):
        return fresh
    for one, other in zip(then[:_MOST_VALUES], now[:_MOST_VALUES], strict=True):
        if before[one] != after[other] and _same_value(before[one], after[other]):
            after[other] = before[one]
    return "\n".join(after)


def _same_value(saved: str, fresh: str) -> bool:
    """Return whether both are one dict or set, whose order means nothing."""
    if max(len(saved), len(fresh)) > _LONGEST_VALUE:
        return False
    try:
        plain = (_SET.sub(r"{\1}", without_scalars(text.strip())) for text in (saved, fresh))
        then, now = map(literal_value, plain)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError, SystemError):
        return False
    return isinstance(then, dict | set) and then == now


def _same_lines(then: Sequence[Token], now: Sequence[Token]) -> bool:
    """Return whether both have the same lines in an order that means nothing.

    Dicts of Python 2 and ties in a ranking had any order. If the saved lines are a ranking, three
    or more by size, the sizes have to come in the same order.
    """
    before, after = _lines(then), _lines(now)
    if sorted(map(_texts, before)) != sorted(map(_texts, after)):
        return False
    sizes = _sizes(before)
    is_ranking = len(sizes) > 2 and sizes in (sorted(sizes), sorted(sizes, reverse=True))
    return not is_ranking or sizes == _sizes(after)


def _lines(found: Sequence[Token]) -> list[list[Token]]:
    lines: dict[int, list[Token]] = {}
    for token in found:
        lines.setdefault(token.line, []).append(token)
    return list(lines.values())


def _texts(line: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.text for token in line)


def _sizes(lines: Sequence[Sequence[Token]]) -> list[float]:
    """Return the last number of each line that has one."""
    numbers = [[token.value for token in line if token.value is not None] for line in lines]
    return [found[-1] for found in numbers if found]


def _match(one: Token | None, other: Token | None, threshold: float) -> OutputMatch:
    if one is None or other is None:
        return OutputMatch.DIFFERENT
    if one.value is None or other.value is None:
        return OutputMatch.SAME if one.text == other.text else OutputMatch.DIFFERENT
    threshold = 0.0 if one.is_whole and other.is_whole else threshold
    return _match_numbers(one.value, other.value, max(one.step, other.step), threshold)


def _match_numbers(one: float, other: float, step: float, threshold: float) -> OutputMatch:
    off, size = abs(one - other), max(abs(one), abs(other))
    is_one_unit = off <= step * 1.01
    is_rounded = off <= step * 0.505 or (is_one_unit and off <= _LAST_DIGIT * size)
    if is_rounded or one == other or (step and math.isclose(one, other, rel_tol=_EQUAL)):
        return OutputMatch.SAME
    if is_one_unit or off <= threshold * size:
        return OutputMatch.CLOSE
    return OutputMatch.DIFFERENT


def _difference(one: Token | None, other: Token | None, saved: str, fresh: str) -> OutputDifference:
    numbers = one is not None and other is not None and None not in (one.value, other.value)
    kind = DifferenceKind.NUMBER if numbers else DifferenceKind.TEXT
    if one is None or other is None:
        kind = DifferenceKind.LENGTH
    then, now = _cut_alike(_line(saved, one), _line(fresh, other))
    return OutputDifference(
        kind=kind,
        saved=then,
        fresh=now,
        line=None if one is None else one.line,
    )


def _line(text: str, token: Token | None) -> str:
    if token is None:
        return ""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[token.line - 1].rsplit("\r", 1)[-1].strip() if token.line <= len(lines) else ""


def _compare_tables(saved: HtmlTable, fresh: HtmlTable, threshold: float) -> _Found:
    if saved.size != fresh.size:
        difference = OutputDifference(
            kind=DifferenceKind.TABLE_SHAPE, saved=str(saved.size), fresh=str(fresh.size)
        )
        return _Found(OutputMatch.DIFFERENT, difference)
    saved, fresh = shown_by_both(saved, fresh)
    fresh = in_order_of(saved, fresh)
    before, after = (tuple(map(_column, table.header)) for table in (saved, fresh))
    if saved.index_names and fresh.index_names:  # value_counts() names its index since pandas 2.0
        before, after = (*saved.index_names, *before), (*fresh.index_names, *after)
    if before != after:
        pairs = zip_longest(before, after, fillvalue="")
        one, other = next((one, other) for one, other in pairs if one != other)
        difference = OutputDifference(
            kind=DifferenceKind.TABLE_COLUMNS, saved=_cut(one), fresh=_cut(other)
        )
        return _Found(OutputMatch.DIFFERENT, difference)
    found = _SAME
    for number, (row, other_row) in enumerate(zip(saved.rows, fresh.rows, strict=False), start=1):
        for place, (cell, other_cell) in enumerate(zip_longest(row, other_row, fillvalue="")):
            if says_when(row, place) and says_when(other_row, place):
                continue
            match = _compare_texts(cell, other_cell, threshold, in_table=True).match
            if match in (OutputMatch.SAME, OutputMatch.NOT_COMPARED):
                continue
            name = saved.header[place] if place < len(saved.header) else ""
            then, now = _cut_alike(cell, other_cell)
            difference = OutputDifference(
                kind=DifferenceKind.TABLE_VALUE,
                saved=then,
                fresh=now,
                line=number,
                column=_cut(name),
            )
            if match is not OutputMatch.CLOSE:
                ties = _is_sorted_with_ties(saved, fresh)
                reached = (number - 1) / len(saved.rows)
                return _SAME if ties else _Found(OutputMatch.DIFFERENT, difference, reached)
            found = found if found.difference else _Found(match, difference)
    return found


_COLUMNS = {"amax": "max", "amin": "min"}
"""The name of `np.max`, which is that of its column among aggregates, changed in NumPy 1.25."""


def _column(name: str) -> str:
    return _COLUMNS.get(name, name)


def _is_sorted_with_ties(saved: HtmlTable, fresh: HtmlTable) -> bool:
    """Return whether both have the same rows, sorted by one column whose ties are in another order.

    pandas' `sort_values` leaves the order of ties open by default.
    """
    before = [tuple(map(_contents, row)) for row in saved.rows]
    after = [tuple(map(_contents, row)) for row in fresh.rows]
    if Counter(before) != Counter(after):
        return False
    columns = zip(zip(*before, strict=False), zip(*after, strict=False), strict=True)
    return any(then == now and _is_sorted_repeating(then) for then, now in columns)


def _contents(text: str) -> tuple[float | str, ...]:
    found = tokens(text, with_dates=True)
    return tuple(token.text if token.value is None else token.value for token in found)


def _is_sorted_repeating(column: Sequence[tuple[float | str, ...]]) -> bool:
    """Return whether values are in rising or falling order, and some but not all are the same."""
    if not 1 < len(set(column)) < len(column) or len({tuple(map(type, one)) for one in column}) > 1:
        return False
    return column in (tuple(sorted(column)), tuple(sorted(column, reverse=True)))


def _error(outputs: Sequence[Output]) -> _Error | None:
    errors = (output for output in outputs if output.get("output_type") == "error")
    first = next(errors, None)
    if first is None:
        return None
    return _Error(str(first.get("ename", "")), str(first.get("evalue", "")))


def _tables(outputs: Sequence[Output]) -> list[HtmlTable]:
    found = (html_table(_joined(_data(output).get("text/html"))) for output in outputs)
    return [table for table in found if table is not None]


def _draws(outputs: Sequence[Output]) -> bool:
    return any(kind in _data(output) for output in outputs for kind in _PICTURES)


def _text(outputs: Sequence[Output], without_tables: bool, draws: bool) -> str:
    """Return the printed and returned values as plain text; standard error does not count.

    If a cell draws, then or now, the return value of a drawing call does not count either.
    """
    parts = []
    for output in outputs:
        kind = output.get("output_type")
        if kind == "stream" and output.get("name") != "stderr":
            parts.append(_joined(output.get("text")))
        elif kind in ("execute_result", "display_data"):
            data = _data(output)
            is_drawn = any(picture in data for picture in _PICTURES)
            plain = _joined(data.get("text/plain"))
            is_of_plot = draws and kind == "execute_result" and _is_of_plot(plain)
            is_table = without_tables and html_table(_joined(data.get("text/html"))) is not None
            if not (is_drawn or is_of_plot or is_table):
                parts.append(plain + "\n")
    return "".join(parts)


_PLOT = re.compile(r"<|\bAxes|\bText\(|^\s*(?:[\[({]|array\()")


def _is_of_plot(result: str) -> bool:
    """Return whether a result next to a picture may be the return value of a drawing call.

    That is an object, `Text(0.5, 1.0, 'title')`, the bounds of an axis, or arrays of drawn objects.
    A number, a named result or a `Series` is no part of the picture.
    """
    return _PLOT.search(result) is not None


def _data(output: Output) -> Mapping[str, object]:
    data = output.get("data")
    return data if isinstance(data, Mapping) else {}


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""


def _likeness(saved: Sequence[Output], fresh: Sequence[Output]) -> float | None:
    pictures = [
        [_joined(_data(output).get(kind)) for output in outputs for kind in _PICTURES]
        for outputs in (saved, fresh)
    ]
    then, now = ([picture for picture in side if picture] for side in pictures)
    if not then or len(then) != len(now):
        return None
    likeness = [picture_likeness(one, other) for one, other in zip(then, now, strict=True)]
    known = [value for value in likeness if value is not None]
    return min(known) if known else None


def _cut_alike(saved: str, fresh: str) -> tuple[str, str]:
    """Cut two long texts at their first difference, so that the excerpts differ."""
    pairs = enumerate(zip_longest(saved, fresh))
    first = next((at for at, (one, other) in pairs if one != other), 0)
    if first < _SHOWN - _BEFORE:
        return _cut(saved), _cut(fresh)
    start = first - _BEFORE
    return _cut(f"…{saved[start:]}"), _cut(f"…{fresh[start:]}")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

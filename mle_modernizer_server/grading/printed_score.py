"""Read a score from a cell's printed output if there is no CSV to grade."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from mle_modernizer_server.domain.grade import Grade, ScoreKind, ScoreReading, Which
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.text import without_escapes
from mle_modernizer_server.grading.distance import with_deviation

_MOST_TEXT = 1_000_000
_NUMBER = r"([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)"
_VALUE = re.compile(
    rf"(?:(?:np\.|numpy\.)?float\d*\(|tensor\(|array\(|Decimal\(')?{_NUMBER}"
    r"(?:'?(?:, dtype=[\w.]+)?\))?"
)
"""One number as Python, numpy (before and since 2.0), torch or `decimal` show it."""
_LONGEST_VALUE = 100
PLACE = "{}"
"""Placeholder of the number in a pattern."""


def read_printed_score(
    outputs: Mapping[str, Sequence[Mapping[str, object]]],
    reading: ScoreReading,
    *,
    higher_is_better: bool = True,
) -> float | None:
    """Return the score a run printed or returned; None if nothing fits.

    If the pattern is only the number, the values that cells returned (their last expression's) come
    first: those that are one number, such as `0.81` or `np.float64(0.81)`.

    Args:
        outputs: The outputs of each code cell (nbformat 4) by cell id, in the notebook's order.
        reading: Which cell, which text around the number, and which of several.
        higher_is_better: The direction that `BEST` uses.
    """
    pattern = _compiled(reading.pattern)
    cells = [reading.cell_id] if reading.cell_id is not None else list(outputs)
    scores: list[float] = []
    if reading.pattern.strip() == PLACE:
        scores = [value for cell in cells for value in _returned(outputs.get(cell, ()))]
    scores = scores or [
        float(match.group(1))
        for cell in cells
        for text in _texts(outputs.get(cell, ()))
        for match in pattern.finditer(text)
    ]
    finite = [score for score in scores if math.isfinite(score)]
    if not finite:
        return None
    if reading.which is Which.LAST:
        return finite[-1]
    return max(finite) if higher_is_better else min(finite)


def with_printed_score(
    grade: Grade,
    outputs: Mapping[str, Sequence[Mapping[str, object]]],
    reading: ScoreReading | None,
) -> Grade:
    """Return the grade with the score the run printed, if it has no submission's score."""
    if reading is None or grade.score is not None:
        return grade
    higher = grade.higher_is_better
    score = read_printed_score(outputs, reading, higher_is_better=higher)
    if score is None:
        reason = grade.reason + coded("grade.no-output", pattern=reading.pattern)
        return grade.model_copy(update={"reason": reason})
    printed = {"score": score, "score_kind": ScoreKind.PRINTED, "floor": None}
    return with_deviation(grade.model_copy(update=printed))


def _returned(outputs: Sequence[Mapping[str, object]]) -> Iterator[float]:
    """Yield the values a cell returned that are one number and nothing else."""
    for output in outputs:
        if output.get("output_type") == "execute_result":
            for text in _texts([output]):
                if len(text) <= _LONGEST_VALUE and (match := _VALUE.fullmatch(text.strip())):
                    yield float(match.group(1))


def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile the text around the number literally: no pattern of a user's can take long."""
    parts = pattern.partition(PLACE)
    before, after = "".join(_loose(parts[0])), "".join(_loose(parts[2]))
    return re.compile(rf"{before}[^\S\n]*(?<![\w.]){_NUMBER}{after}", re.IGNORECASE)


def _loose(part: str) -> Iterator[str]:
    """Yield patterns of the literal text, with any white space for white space."""
    for piece in re.split(r"(\s+)", part):
        yield r"[^\S\n]*" if piece.isspace() else re.escape(piece)


def _texts(outputs: Sequence[Mapping[str, object]]) -> Iterator[str]:
    for output in outputs:
        data = output.get("data")
        plain = data.get("text/plain") if isinstance(data, Mapping) else output.get("text")
        text = "".join(plain) if isinstance(plain, list) else plain
        if isinstance(text, str):
            yield without_escapes(text[-_MOST_TEXT:])

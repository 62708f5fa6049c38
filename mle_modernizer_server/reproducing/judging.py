"""Computed numbers against claimed ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from mle_modernizer_server.domain.paper import Claim
from mle_modernizer_server.domain.reproduction import (
    FAR,
    ClaimCheck,
    ClaimOutcome,
    ClaimRemark,
    ExpectedClaim,
)
from mle_modernizer_server.reproducing.skeleton import RESULTS
from mle_modernizer_server.untrusted.parsing import UnreadableText, finite_number, read_json

_LINE = re.compile(rf"^{RESULTS} = (\{{.*\}})\s*$", re.MULTILINE)
_LONGEST = 100_000


def printed_results(outputs: Iterable[Sequence[Mapping[str, Any]]]) -> dict[str, float]:
    """Parse a run's printed results, by claim: the last line of them.

    Skip values that are no numbers.

    Args:
        outputs: Of each cell, as nbformat 4 has them.
    """
    found: dict[str, float] = {}
    for cell in outputs:
        text = "".join(
            str(output.get("text", ""))
            for output in cell
            if output.get("output_type") == "stream" and output.get("name") == "stdout"
        )
        for line in _LINE.findall(text):
            found = _numbers(line) if len(line) <= _LONGEST else {}
    return found


def _numbers(line: str) -> dict[str, float]:
    try:
        values = read_json(line)
    except UnreadableText:
        return {}
    if not isinstance(values, dict):
        return {}
    return {
        name: number
        for name, value in values.items()
        if (number := finite_number(value)) is not None and abs(number) < 1e300
    }


def judge_claim(
    expected: ExpectedClaim, values: Sequence[float | None], tolerance: float, *, written: bool
) -> ClaimCheck:
    """Compare one claim with the mean of the runs' results.

    Args:
        expected: The claim.
        values: Of each run; None if it printed none.
        tolerance: Largest difference, as a share of the larger number.
        written: The code contains the number as a literal, so it is no result.
    """
    claim = expected.claim
    computed = [value for value in values if value is not None]
    if not computed or written:
        remarks = (ClaimRemark.WRITTEN,) if written and computed else ()
        return ClaimCheck(
            expected=expected,
            outcome=ClaimOutcome.NOT_COMPUTED,
            values=tuple(values),
            remarks=remarks,
        )
    value = fmean(computed)
    outcome = _outcome(claim, value, tolerance)
    told: list[ClaimRemark] = []
    if len(computed) < len(values):
        told.append(ClaimRemark.SOME_RUNS)
    if not outcome.holds and any(
        _outcome(claim, value * factor, tolerance).holds for factor in (100.0, 0.01)
    ):
        told.append(ClaimRemark.SCALE)
    return ClaimCheck(
        expected=expected,
        outcome=outcome,
        values=tuple(values),
        value=value,
        deviation=stdev(computed) if len(computed) > 1 else None,
        gap=gap(value, claim.value),
        difference=(value - claim.value) / abs(claim.value) if claim.value else None,
        remarks=tuple(told),
    )


def gap(first: float, second: float) -> float:
    """Return |a - b| / max(|a|, |b|), AutoReproduce's measure; 0 for two zeros."""
    larger = max(abs(first), abs(second))
    return abs(first - second) / larger if larger else 0.0


def _outcome(claim: Claim, value: float, tolerance: float) -> ClaimOutcome:
    apart = abs(value - claim.value)
    scale = abs(claim.value) or 1.0
    if apart <= 0.5 * _last_digit(claim) + 1e-9 * scale:
        return ClaimOutcome.WITHIN_ROUNDING
    if gap(value, claim.value) <= tolerance or (claim.spread is not None and apart <= claim.spread):
        return ClaimOutcome.WITHIN_TOLERANCE
    better = claim.higher_is_better is not None and (value > claim.value) == claim.higher_is_better
    if better or gap(value, claim.value) <= max(FAR, tolerance):
        return ClaimOutcome.OFF
    return ClaimOutcome.NOT_REACHED


def _last_digit(claim: Claim) -> float:
    """Return the value of the last printed digit: 0.1 for `98.9`, 1e17 for `3.3 · 10^18`."""
    printed = re.search(r"(?:\d[\d,]*)?\.?\d+", claim.printed, re.ASCII)
    plain = float(printed.group().replace(",", "")) if printed else 0.0
    power = abs(claim.value) / plain if plain else 1.0
    return float(10.0**-claim.decimals * (power or 1.0))

"""Comparison of two short texts that describe a value in different runs, up to the last digits."""

from __future__ import annotations

import math
import re

_CLOSE = 1e-6
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are equal; fractions in them may differ in their last digits."""
    if one == other:
        return True
    if _NUMBER.split(one) != _NUMBER.split(other):
        return False
    return all(map(_near, _NUMBER.findall(one), _NUMBER.findall(other)))


def _near(one: str, other: str) -> bool:
    if one == other:
        return True
    whole = one.lstrip("+-").isdigit() and other.lstrip("+-").isdigit()
    return not whole and math.isclose(float(one), float(other), rel_tol=_CLOSE)
